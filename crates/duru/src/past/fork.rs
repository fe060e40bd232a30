//! Going back to a checkpoint.

use std::borrow::Cow;

use serde_json::value::to_raw_value;
use xxhash_rust::xxh3::xxh3_64;

use super::{Edited, ThreadLog};
use crate::error::Error;
use crate::log::{Begin, Checkpoint, End, EndStatus, Logged, Record, Source};
use crate::state::{Entry, Op};
use crate::stepper::Item;
use crate::store;
use crate::view::View;
use crate::{CheckpointId, Namespace, TaskId};

impl ThreadLog {
    /// Goes back to a checkpoint. What came after it stays in the log; the tasks
    /// that were planned there are planned again under new ids, and act on the
    /// world anew when a run goes on with them.
    pub async fn fork(&self, checkpoint: CheckpointId) -> Result<Edited, Error> {
        let past = self.view_at(checkpoint).await?;
        self.go_back(Some(checkpoint), past).await
    }

    /// Goes back to before the first checkpoint: the thread is empty again, and
    /// what it was stays in the log.
    pub async fn fork_to_start(&self) -> Result<Edited, Error> {
        self.go_back(None, View::default()).await
    }

    async fn go_back(&self, parent: Option<CheckpointId>, mut past: View) -> Result<Edited, Error> {
        let _turn = self.begin()?;
        let position = self.position().await?;
        let now = View::load(&*self.store, &self.id, &Namespace::root(), None).await?;
        let newest = now.at.as_ref().map(|at| at.id);
        let id = CheckpointId::after(newest, self.clock.now_ms(), xxh3_64(self.id.as_str().as_bytes()));
        past.plan.paused = None;
        for (index, task) in past.plan.tasks.iter_mut().enumerate() {
            task.id = TaskId::derive(id, &Namespace::root(), &task.node, index);
        }
        let status = if past.is_unfinished() { EndStatus::Drained } else { EndStatus::Done };
        let discarded = now.finished();
        let records = [
            Record::Begin(Begin {
                graph: self.graph().await?.unwrap_or_default(),
                source: Source::Fork,
                metadata: serde_json::Map::new(),
                discarded: discarded.clone(),
                tasks: Vec::new(),
                step: None,
            }),
            Record::Checkpoint(Checkpoint {
                id,
                parent,
                step: past.at.as_ref().map_or(0, |at| at.step + 1),
                source: Source::Fork,
                results: Vec::new(),
                set: whole(&past).map_err(|error| store::Error::backend("write the state", error))?,
                reset: true,
                plan: past.plan,
            }),
            Record::End(End { status, error: None }),
        ];
        let items =
            records.map(|record| Item { logged: Logged { ns: Namespace::root(), record }, snapshot: None });
        self.write(items.into(), position, &now).await?;
        Ok(Edited { checkpoint: id, discarded })
    }
}

/// The whole state, for those who read the log past the rows that the fork does
/// not follow from.
fn whole(view: &View) -> Result<Vec<Entry>, serde_json::Error> {
    let entry = |(channel, value): (&String, &serde_json::Value)| {
        let op = if view.state.ephemeral().contains(channel) { Op::Ephemeral } else { Op::Set };
        Ok(Entry(Cow::Owned(channel.clone()), op, to_raw_value(value)?))
    };
    view.state.channels().iter().map(entry).collect()
}
