//! Removes objects that nothing refers to any more, once nobody can be reading them. Time is counted by this process,
//! from when it saw that they are garbage: no clock of another machine is believed.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use duru_sql::Error;

use super::foreign;
use super::kept;
use super::remote::Bucket;
use super::shelf::BucketShelf;
use super::view::View;

/// At most so often.
const SHORTEST: Duration = Duration::from_millis(50);

pub(super) struct Sweeper {
    pub(super) bucket: Arc<Bucket>,
    pub(super) shelf: Arc<BucketShelf>,
    pub(super) view: Arc<View>,
    pub(super) after: Duration,
}

impl Sweeper {
    /// Works until the process lets go of it.
    pub(super) async fn run(self) {
        // What fails is done the next time.
        drop(self.tidy_up().await);
        let mut since: HashMap<String, Instant> = HashMap::new();
        loop {
            tokio::time::sleep((self.after / 4).max(SHORTEST)).await;
            drop(self.sweep(&mut since).await);
        }
    }

    async fn sweep(&self, since: &mut HashMap<String, Instant>) -> Result<(), Error> {
        self.view.look(self.after / 4).await?;
        let own = (self.shelf.ingester().to_owned(), self.shelf.kept().garbage.clone());
        let others = self.view.manifests().await;
        let all = others.into_iter().map(|(ingester, kept)| (ingester, kept.garbage)).chain([own]);
        let all: Vec<(String, Vec<String>)> = all.filter(|(_, garbage)| !garbage.is_empty()).collect();
        let mut seen = HashMap::new();
        for (ingester, garbage) in all {
            let mut due = Vec::new();
            for name in garbage {
                let object = kept::object(&ingester, &name);
                let first = since.remove(&object).unwrap_or_else(Instant::now);
                if first.elapsed() >= self.after {
                    self.bucket.remove(&object).await?;
                    due.push(name);
                } else {
                    seen.insert(object, first);
                }
            }
            if !due.is_empty() {
                let forget = |kept: &mut kept::Kept| {
                    kept.garbage.retain(|name| !due.contains(name));
                    true
                };
                match ingester == self.shelf.ingester() {
                    true => self.shelf.amend(forget).await?,
                    false => foreign::amend(&self.bucket, &ingester, forget).await?,
                };
            }
        }
        *since = seen;
        Ok(())
    }

    /// What a crash of this ingester left behind: objects of earlier openings that no manifest names.
    async fn tidy_up(&self) -> Result<(), Error> {
        let folder = kept::folder(self.shelf.ingester());
        let listed = self.bucket.list(&folder).await?;
        let kept = self.shelf.kept();
        let known = kept.objects();
        for object in listed {
            let Some(name) = object.name.strip_prefix(&folder).and_then(|name| name.strip_prefix('/')) else {
                continue;
            };
            let earlier = kept::epoch_of(name).is_some_and(|epoch| epoch < self.shelf.epoch());
            let named = known.contains(name) || kept.garbage.iter().any(|garbage| garbage == name);
            if earlier && !named {
                self.bucket.remove(&object.name).await?;
            }
        }
        Ok(())
    }
}
