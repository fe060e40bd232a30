//! Going back to a checkpoint.

use std::borrow::Cow;

use serde_json::value::to_raw_value;
use xxhash_rust::xxh3::xxh3_64;

use super::{Edited, ThreadLog};
use crate::app::Turn;
use crate::error::Error;
use crate::log::{Begin, Checkpoint, End, EndStatus, Logged, Record, Source};
use crate::state::{Entry, Op};
use crate::stepper::Item;
use crate::store;
use crate::view::{Pinned, View};
use crate::{CheckpointId, TaskId};

impl ThreadLog {
    /// Goes back to a checkpoint, or to the moment before an input. What came
    /// after it stays in the log; the tasks that were planned there are planned
    /// again under new ids, and act on the world anew when a run goes on with them.
    pub async fn fork(&self, checkpoint: CheckpointId) -> Result<Edited, Error> {
        let turn = self.begin()?;
        let pinned = Pinned::find(&*self.store, &self.id).await?;
        let pinned = pinned.ok_or_else(|| self.unknown(checkpoint))?;
        let past = self.view_at_of(pinned, checkpoint).await?;
        self.go_back(&turn, pinned, (Some(checkpoint), past)).await
    }

    /// Makes a moment the thread's last one, beside what it was: both follow
    /// from the same checkpoint.
    pub(super) async fn copy_moment(&self, at: Option<CheckpointId>) -> Result<Edited, Error> {
        let never = || {
            let reason = "it was never written".to_owned();
            Error::NothingToResume { thread: self.id.clone(), reason }
        };
        let turn = self.begin()?;
        let pinned = Pinned::find(&*self.store, &self.id).await?.ok_or_else(never)?;
        let past = match at {
            Some(at) => self.view_at_of(pinned, at).await?,
            None => View::load_of(pinned, &self.ns, None).await?,
        };
        let parent = past.at.as_ref().map(|at| at.parent).ok_or_else(never)?;
        self.go_back(&turn, pinned, (parent, past)).await
    }

    /// Makes a view of a thread its last moment, after `parent`.
    async fn go_back(
        &self,
        _turn: &Turn,
        pinned: Pinned<'_>,
        (parent, mut past): (Option<CheckpointId>, View),
    ) -> Result<Edited, Error> {
        let position = self.position().await?;
        if position.incarnation != pinned.incarnation {
            // What was deleted is not brought back in what has its name now.
            return Err(store::Error::Deleted { thread: self.id.clone() }.into());
        }
        let now = self.view(None).await?;
        let around = self.around().await?;
        let newest = now.at.as_ref().map(|at| at.id);
        let id = CheckpointId::after(newest, self.clock.now_ms(), xxh3_64(self.id.as_str().as_bytes()));
        past.plan.paused = None;
        for (index, task) in past.plan.tasks.iter_mut().enumerate() {
            task.id = TaskId::derive(id, &self.ns, &task.node, index);
        }
        let discarded = now.finished();
        let graph = self.graph().await?.unwrap_or_default();
        let begin = Begin { discarded: discarded.clone(), ..Begin::new(graph, Source::Fork) };
        let status = if past.is_unfinished() { EndStatus::Drained } else { EndStatus::Done };
        let mut records = vec![Record::Checkpoint(Checkpoint {
            id,
            parent,
            step: past.at.as_ref().map_or(0, |at| at.step + 1),
            source: Source::Fork,
            results: Vec::new(),
            base: Vec::new(),
            // No step has ended: what lasts for one is still there.
            set: whole(&past).map_err(|error| store::Error::backend("write the state", error))?,
            reset: true,
            plan: past.plan,
        })];
        if self.ns.is_root() {
            records.push(Record::End(End { status, error: None }));
        }
        let item = |record| Item { logged: Logged { ns: self.ns.clone(), record }, snapshot: None };
        let made = records.into_iter().map(item).collect();
        let given_up = if self.ns.is_root() { now } else { View::default() };
        self.write(around.records(begin, made), position, &given_up).await?;
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
