//! A thread's double.

use super::ThreadLog;
use crate::error::Error;
use crate::store::{Commit, RowQuery};
use crate::view::{Pinned, View};
use crate::{Incarnation, Namespace, ThreadId};

impl ThreadLog {
    /// Copies the whole thread, its history included, to a name that is free.
    pub async fn copy_to(&self, to: &ThreadId) -> Result<Self, Error> {
        let store = &self.store;
        let Some(head) = store.head(&self.id).await? else {
            let reason = "it was never written".to_owned();
            return Err(Error::NothingToResume { thread: self.id.clone(), reason });
        };
        if store.head(to).await?.is_some() {
            return Err(Error::Exists { thread: to.clone() });
        }
        let pinned = Pinned { store: &**store, thread: &self.id, incarnation: head.incarnation };
        let mut rows = pinned.rows(RowQuery::default()).await?;
        for row in &mut rows {
            // A damaged row must not get a good checksum by being copied.
            row.verify(&self.id)?;
            row.seal(to);
        }
        let view = View::load_of(pinned, &Namespace::root(), None).await?;
        let timers =
            view.pending().into_iter().filter_map(|question| Some((question.id, question.deadline_ms?)));
        let commit = Commit {
            thread: to.clone(),
            incarnation: Incarnation::random(),
            version: 0,
            epoch: 0,
            claim: true,
            lease: self.desk.holder.gives_back(),
            queued: None,
            status: head.status,
            at_ms: self.clock.now_ms(),
            remove: None,
            rows,
            snapshots: Vec::new(),
            set_timers: timers.collect(),
            clear_timers: Vec::new(),
        };
        store.commit(commit).await?;
        Ok(Self { id: to.clone(), ..self.clone() })
    }
}
