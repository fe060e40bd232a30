//! Forgetting: old history, or a run that should not have been.

use std::ops::Range;

use super::{RunTrace, ThreadLog};
use crate::error::Error;
use crate::store::{self, Commit, Kind, Row, RowQuery, Seq, Snapshot, Status};
use crate::view::{View, snapshot_of};
use crate::{InterruptId, Namespace, RunId};

/// What of a thread's history to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// The last checkpoint, and what happened since.
    Latest,
    /// Everything since this time, in milliseconds since 1970, and the
    /// checkpoint that was the last one then.
    Since(u64),
}

impl ThreadLog {
    /// Forgets old checkpoints and events. The thread goes on as before; a reader
    /// who comes back with an older number begins with the first checkpoint that
    /// was kept. Gives how many rows were removed.
    pub async fn prune(&self, keep: Keep) -> Result<usize, Error> {
        let _turn = self.begin()?;
        let query = RowQuery {
            ns: Some(Namespace::root()),
            kinds: vec![Kind::Checkpoint],
            newest_first: true,
            limit: matches!(keep, Keep::Latest).then_some(1),
            ..RowQuery::default()
        };
        let checkpoints = self.store.rows(&self.id, query).await?;
        let first_kept = checkpoints.iter().find(|row| match keep {
            Keep::Latest => true,
            Keep::Since(at_ms) => row.at_ms <= at_ms,
        });
        let Some(row) = first_kept.filter(|row| row.seq > 0) else { return Ok(0) };
        let view = View::load(&*self.store, &self.id, &Namespace::root(), Some(row.end())).await?;
        let payload =
            view.snapshot().map_err(|error| crate::store::Error::backend("write a snapshot", error))?;
        let snapshot = snapshot_of(Namespace::root(), row.seq, payload, &self.id);
        let count = self.count(0..row.seq).await?;
        if count > 0 {
            self.trim(0..row.seq, None, Vec::new(), Some(snapshot)).await?;
        }
        Ok(count)
    }

    /// Undoes a run as if it had never been: its checkpoints and events are
    /// removed. Only the last run of a thread can be undone, and what it did to
    /// the world stays done.
    pub async fn rollback(&self, run: RunId) -> Result<(), Error> {
        let _turn = self.begin()?;
        let Some(RunTrace { first: from, .. }) = self.run(run).await? else {
            return Err(Error::UnknownRun { thread: self.id.clone(), run });
        };
        let rows = self.store.rows(&self.id, RowQuery { from, ..RowQuery::default() }).await?;
        if rows.iter().any(|row| row.run != run) {
            return Err(Error::NotLast { thread: self.id.clone(), run });
        }
        let Some(end) = rows.last().map(Row::end) else { return Ok(()) };
        let before = View::load(&*self.store, &self.id, &Namespace::root(), Some(from)).await?;
        let now = View::load(&*self.store, &self.id, &Namespace::root(), None).await?;
        let given_up = now.pending().into_iter().map(|question| question.id).collect();
        self.trim(from..end, Some(&before), given_up, None).await
    }

    async fn count(&self, range: Range<Seq>) -> Result<usize, Error> {
        let query = RowQuery { from: range.start, until: Some(range.end), ..RowQuery::default() };
        Ok(self.store.rows(&self.id, query).await?.len())
    }

    /// `back_to` when the thread stands elsewhere afterwards.
    async fn trim(
        &self,
        range: Range<Seq>,
        back_to: Option<&View>,
        clear_timers: Vec<InterruptId>,
        snapshot: Option<Snapshot>,
    ) -> Result<(), Error> {
        let Some(head) = self.store.head(&self.id).await? else { return Ok(()) };
        let status = match back_to {
            None => head.status,
            Some(view) if view.is_unfinished() => Status::Paused,
            Some(_) => Status::Idle,
        };
        let pending = back_to.map(View::pending).unwrap_or_default();
        let set_timers =
            pending.into_iter().filter_map(|question| Some((question.id, question.deadline_ms?)));
        let commit = Commit {
            thread: self.id.clone(),
            incarnation: head.incarnation,
            version: head.version,
            epoch: head.epoch,
            claim: true,
            lease: self.desk.holder.gives_back(),
            queued: None,
            status,
            at_ms: self.clock.now_ms(),
            remove: Some(range),
            rows: Vec::new(),
            snapshots: snapshot.into_iter().collect(),
            // A question of the removed run can't also be one from before it.
            set_timers: set_timers.collect(),
            clear_timers,
        };
        // Readers of this process must not be shown from memory what is no more.
        let head = store::commit(&*self.store, commit).await?;
        self.desk.stands(&self.id, Some(head.into()));
        Ok(())
    }
}
