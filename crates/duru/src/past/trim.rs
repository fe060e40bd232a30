//! Forgetting: old history, or a run that should not have been.

use std::ops::Range;

use super::{RunTrace, ThreadLog};
use crate::error::Error;
use crate::store::{self, Commit, Kind, Row, RowQuery, Seq, Snapshot, Status};
use crate::view::{Pinned, View, snapshot_of};
use crate::{Incarnation, InterruptId, Namespace, RunId};

/// What of a thread's history to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// The last checkpoint, and what happened since.
    Latest,
    /// Everything since this time, in milliseconds since 1970, and the
    /// checkpoint that was the last one then.
    Since(u64),
}

/// What goes, and what is true afterwards.
struct Trim {
    range: Range<Seq>,
    /// When the thread stands elsewhere.
    back_to: Option<View>,
    clear_timers: Vec<InterruptId>,
    snapshot: Option<Snapshot>,
}

impl ThreadLog {
    /// Forgets old checkpoints and events. The thread goes on as before; a reader
    /// who comes back with an older number begins with the first checkpoint that
    /// was kept. Gives how many rows were removed.
    pub async fn prune(&self, keep: Keep) -> Result<usize, Error> {
        let _turn = self.begin()?;
        let Some(pinned) = Pinned::find(&*self.store, &self.id).await? else { return Ok(0) };
        let query = RowQuery {
            ns: Some(Namespace::root()),
            kinds: vec![Kind::Checkpoint],
            newest_first: true,
            limit: matches!(keep, Keep::Latest).then_some(1),
            ..RowQuery::default()
        };
        let checkpoints = pinned.rows(query).await?;
        let first_kept = checkpoints.iter().find(|row| match keep {
            Keep::Latest => true,
            Keep::Since(at_ms) => row.at_ms <= at_ms,
        });
        let Some(row) = first_kept.filter(|row| row.seq > 0) else { return Ok(0) };
        let view = View::load_of(pinned, &Namespace::root(), Some(row.end())).await?;
        let payload =
            view.snapshot().map_err(|error| crate::store::Error::backend("write a snapshot", error))?;
        let snapshot = snapshot_of(Namespace::root(), row.seq, payload, &self.id);
        let before = RowQuery { until: Some(row.seq), ..RowQuery::default() };
        let count = pinned.rows(before).await?.len();
        if count > 0 {
            let trim =
                Trim { range: 0..row.seq, back_to: None, clear_timers: Vec::new(), snapshot: Some(snapshot) };
            self.trim(pinned.incarnation, trim).await?;
        }
        Ok(count)
    }

    /// Undoes a run as if it had never been: its checkpoints and events are
    /// removed. Only the last run of a thread can be undone, and what it did to
    /// the world stays done.
    pub async fn rollback(&self, run: RunId) -> Result<(), Error> {
        let _turn = self.begin()?;
        let unknown = || Error::UnknownRun { thread: self.id.clone(), run };
        let pinned = Pinned::find(&*self.store, &self.id).await?.ok_or_else(unknown)?;
        let RunTrace { first: from, .. } = self.run(run).await?.ok_or_else(unknown)?;
        let rows = pinned.rows(RowQuery { from, ..RowQuery::default() }).await?;
        if rows.iter().any(|row| row.run != run) {
            return Err(Error::NotLast { thread: self.id.clone(), run });
        }
        let Some(end) = rows.last().map(Row::end) else { return Ok(()) };
        let before = View::load_of(pinned, &Namespace::root(), Some(from)).await?;
        let now = View::load_of(pinned, &Namespace::root(), None).await?;
        let clear_timers = now.pending().into_iter().map(|question| question.id).collect();
        let trim = Trim { range: from..end, back_to: Some(before), clear_timers, snapshot: None };
        self.trim(pinned.incarnation, trim).await
    }

    /// Removes rows of the thread that was looked at, and not of the next of its name.
    async fn trim(&self, incarnation: Incarnation, trim: Trim) -> Result<(), Error> {
        let Trim { range, back_to, clear_timers, snapshot } = trim;
        let Some(head) = self.store.head(&self.id).await? else { return Ok(()) };
        let status = match &back_to {
            None => head.status,
            Some(view) if view.is_unfinished() => Status::Paused,
            Some(_) => Status::Idle,
        };
        let pending = back_to.as_ref().map(View::pending).unwrap_or_default();
        let set_timers =
            pending.into_iter().filter_map(|question| Some((question.id, question.deadline_ms?)));
        let commit = Commit {
            thread: self.id.clone(),
            incarnation,
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
