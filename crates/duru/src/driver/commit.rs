//! From records to one transaction.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use crate::clock::Clock;
use crate::log::{EndStatus, Logged, Record, TaskOutcome};
use crate::options::Durability;
use crate::stepper::Item;
use crate::store::{self, Checkpoints, Commit, FORMAT, Head, LEASE, Lease, Owner, Row, Seq, Status};
use crate::stream::{Feed, Mark};
use crate::view::snapshot_of;
use crate::{Incarnation, InterruptId, RunId, ThreadId};

/// Where records go.
pub(crate) struct Place {
    pub(crate) store: Option<Arc<dyn Checkpoints>>,
    pub(crate) thread: ThreadId,
    pub(crate) run: RunId,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) feed: Arc<Feed>,
    pub(crate) durability: Durability,
    /// Who owns the thread as long as the run lasts.
    pub(crate) holder: Holder,
    /// Whether the run is in the queue of the store, and may make a thread only as long as it is.
    pub(crate) queued: bool,
}

/// Who runs threads here, and for how long at a time.
#[derive(Debug, Clone)]
pub(crate) struct Holder {
    pub(crate) owner: Owner,
    pub(crate) lease: Duration,
}

impl Default for Holder {
    fn default() -> Self {
        Self { owner: Owner::this_process(), lease: LEASE }
    }
}

impl Place {
    /// How long after a commit the next one is due, if only to renew the
    /// lease. A run in the queue needs none: the lease of its worker covers it.
    pub(super) fn sign_of_life(&self) -> Duration {
        let lease = self.holder.lease;
        if self.queued || lease.is_zero() { Duration::MAX } else { lease / 3 }
    }
}

impl Holder {
    /// What a commit says that is the last one, for now.
    pub(crate) fn gives_back(&self) -> Lease {
        Lease { owner: self.owner.clone(), ttl_ms: 0, instead_of: None }
    }

    fn keeps(&self) -> Lease {
        let ttl_ms = u64::try_from(self.lease.as_millis()).unwrap_or(u64::MAX);
        Lease { ttl_ms, ..self.gives_back() }
    }
}

/// Where the thread's log stands, known to its owner.
#[derive(Debug, Clone, Default)]
pub(crate) struct Position {
    pub(crate) incarnation: Incarnation,
    pub(crate) version: u64,
    pub(crate) epoch: u64,
    pub(crate) next_seq: Seq,
    pub(crate) removals: u64,
    /// Whether this run has taken the thread over.
    pub(crate) claimed: bool,
    /// Whether it has given the thread back.
    pub(crate) ended: bool,
    /// The deadlines that are set.
    pub(crate) timers: HashSet<InterruptId>,
    /// What a run that is durable only at its end has not committed yet.
    pub(crate) held: Option<Commit>,
}

impl Position {
    /// At the head of a thread, or where a new one begins.
    pub(crate) fn at(head: Option<Head>) -> Self {
        match head {
            None => Self { incarnation: Incarnation::random(), ..Self::default() },
            Some(Head { incarnation, version, epoch, next_seq, removals, .. }) => {
                Self { incarnation, version, epoch, next_seq, removals, ..Self::default() }
            }
        }
    }

    /// What readers must know of it.
    pub(crate) fn mark(&self) -> Mark {
        let Self { incarnation, version, removals, next_seq, .. } = *self;
        Mark { incarnation, version, removals, next_seq }
    }
}

/// What a transaction is to hold.
#[derive(Default)]
pub(super) struct Work {
    pub(super) items: Vec<Item>,
    pub(super) timers: Timers,
}

/// Deadlines to set and to clear beside those that follow from records.
#[derive(Default)]
pub(crate) struct Timers {
    pub(crate) set: Vec<(InterruptId, u64)>,
    pub(crate) clear: Vec<InterruptId>,
}

/// One transaction of all these records.
pub(super) fn commit_of(
    place: &Place,
    position: &mut Position,
    Work { items, timers }: Work,
) -> Result<Commit, store::Error> {
    let Place { thread, run, clock, .. } = place;
    let at_ms = clock.now_ms();
    let mut commit = Commit {
        thread: thread.clone(),
        incarnation: position.incarnation,
        version: position.version,
        epoch: position.epoch,
        claim: !position.claimed,
        lease: place.holder.keeps(),
        queued: place.queued.then_some(*run),
        status: Status::Busy,
        at_ms,
        remove: None,
        rows: Vec::with_capacity(items.len()),
        snapshots: Vec::new(),
        set_timers: timers.set,
        clear_timers: timers.clear,
    };
    let mut cancelled = false;
    let mut seq = position.next_seq;
    for Item { logged: Logged { ns, record }, snapshot } in items {
        note(&mut commit, &record);
        cancelled |= matches!(&record, Record::End(end) if end.status == EndStatus::Cancelled);
        let payload =
            record.to_payload().map_err(|error| store::Error::backend("write a record as JSON", error))?;
        let events = u32::try_from(record.event_count()).unwrap_or(u32::MAX);
        let (checkpoint, source) = match &record {
            Record::Checkpoint(checkpoint) => (Some(checkpoint.id), Some(checkpoint.source)),
            _ => (None, None),
        };
        if let Some(snapshot) = snapshot {
            commit.snapshots.push(snapshot_of(ns.clone(), seq, snapshot, thread));
        }
        let mut row = Row {
            seq,
            events,
            ns,
            kind: record.kind(),
            run: *run,
            checkpoint,
            source,
            at_ms,
            format: FORMAT,
            payload,
            checksum: 0,
        };
        row.seal(thread);
        seq = row.end();
        commit.rows.push(row);
    }
    if commit.status != Status::Busy {
        commit.lease = place.holder.gives_back();
    }
    position.timers.extend(commit.set_timers.iter().map(|(interrupt, _)| *interrupt));
    if cancelled {
        // Nobody waits for answers any more: no deadline may begin again what was stopped.
        commit.clear_timers.extend(&position.timers);
    }
    for interrupt in &commit.clear_timers {
        position.timers.remove(interrupt);
    }
    Ok(commit)
}

/// Keeps a commit for the end; gives the whole of them when that has come.
pub(super) fn hold(position: &mut Position, commit: Commit, ends: bool) -> Option<Commit> {
    match &mut position.held {
        None => position.held = Some(commit),
        Some(held) => {
            held.status = commit.status;
            held.lease = commit.lease;
            held.at_ms = commit.at_ms;
            held.rows.extend(commit.rows);
            held.snapshots.extend(commit.snapshots);
            held.set_timers.extend(commit.set_timers);
            held.clear_timers.extend(commit.clear_timers);
        }
    }
    if ends { position.held.take() } else { None }
}

/// What a record means for the thread's head and its timers.
fn note(commit: &mut Commit, record: &Record) {
    match record {
        Record::Task(task) => {
            if let TaskOutcome::Paused(questions) = &task.outcome {
                let timed =
                    questions.iter().filter_map(|question| Some((question.id, question.deadline_ms?)));
                commit.set_timers.extend(timed);
            }
        }
        Record::Answer(answer) => commit.clear_timers.push(answer.id),
        Record::End(end) => {
            commit.status = match end.status {
                EndStatus::Done => Status::Idle,
                EndStatus::Paused | EndStatus::Drained => Status::Paused,
                EndStatus::Failed | EndStatus::Cancelled => Status::Failed,
            };
        }
        _ => {}
    }
}
