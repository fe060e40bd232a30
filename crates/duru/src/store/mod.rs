//! The storage seam: what the engine asks of a place that keeps threads.
//!
//! A thread is a log of rows with a head. [`Checkpoints::commit`] is the only
//! writer: it extends the version that it names, under the epoch that it holds,
//! in one transaction, or changes nothing.

mod catalog;
mod hints;
mod lease;
mod memories;
mod memory;
mod memory_board;
mod memory_items;
mod row;
mod runs;
mod runtime;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

pub use catalog::{Catalog, Entry, EntryKind, EntryQuery, Expect, Found, Put, SortBy, contains};
pub use hints::{Hint, Hints, LocalHints};
pub(crate) use lease::commit;
pub use lease::{LEASE, Lease, Owner, remaining_ms};
pub use memories::Memories;
pub use memory::MemoryStore;
pub use row::{FORMAT, Kind, Row, Seq, Snapshot};
pub use runs::{
    Cancel, Claim, Claimed, Enqueued, HeldRun, IfBusy, NewRun, QueuedRun, RunQuery, RunStatus, Runs, Settled,
    Worker,
};
pub use runtime::{dedicated_runtime, lease_runtime};

use crate::log::Source;
use crate::{CheckpointId, Incarnation, InterruptId, Namespace, RunId, ThreadId};

/// What a store keeps at hand about a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// Which of the threads that have had this name.
    pub incarnation: Incarnation,
    /// Grows by one with every commit.
    pub version: u64,
    /// Grows by one with every claim; who holds an older one may not write.
    pub epoch: u64,
    /// The number that the next event gets.
    pub next_seq: Seq,
    /// Grows by one with every commit that removes rows: what was read before may
    /// no longer exist.
    pub removals: u64,
    /// What the thread is doing.
    pub status: Status,
    /// When it was first written, in milliseconds since 1970.
    pub created_ms: u64,
    /// When it was last written.
    pub updated_ms: u64,
}

/// What a thread is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Nothing; its last run is done.
    Idle,
    /// A run is under way, or was when its process died.
    Busy,
    /// It waits for answers, at a breakpoint, or to be resumed.
    Paused,
    /// Its last run failed or was cancelled in the middle of a step.
    Failed,
}

impl Status {
    /// Every status.
    pub const ALL: [Self; 4] = [Self::Idle, Self::Busy, Self::Paused, Self::Failed];

    /// The word that stands for it in a store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Busy => "busy",
            Self::Paused => "paused",
            Self::Failed => "failed",
        }
    }

    /// The status of a word in a store.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == word)
    }
}

/// A deadline of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timer {
    /// The thread that waits.
    pub thread: ThreadId,
    /// The question.
    pub interrupt: InterruptId,
    /// When the default answer applies, in milliseconds since 1970.
    pub at_ms: u64,
}

/// One transaction on one thread.
#[derive(Debug, Clone)]
pub struct Commit {
    /// The thread. It is made by the first commit, which extends version 0.
    pub thread: ThreadId,
    /// Which thread of that name: the head's, and for a new one that of its choice.
    pub incarnation: Incarnation,
    /// The version that this commit extends.
    pub version: u64,
    /// The epoch that the writer holds.
    pub epoch: u64,
    /// Whether to take the thread over: the epoch grows by one, and the previous
    /// owner can write no more.
    pub claim: bool,
    /// Who writes, and how long the thread is theirs after this commit. While
    /// another owner's lease is valid, a claim is refused.
    pub lease: Lease,
    /// A run without which no thread may be made: a first commit is refused if
    /// the queue of the same store no longer has it. Removing a thread
    /// removes its runs, and one that was about to begin must not bring it back.
    pub queued: Option<RunId>,
    /// What the thread does after this commit.
    pub status: Status,
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
    /// Rows and snapshots to remove first: those that begin in this range. Their
    /// numbers are never given again.
    pub remove: Option<Range<Seq>>,
    /// New rows, numbered on from the head without a gap.
    pub rows: Vec<Row>,
    /// Snapshots of some of the new checkpoints.
    pub snapshots: Vec<Snapshot>,
    /// Deadlines to set.
    pub set_timers: Vec<(InterruptId, u64)>,
    /// Deadlines to clear.
    pub clear_timers: Vec<InterruptId>,
}

impl Commit {
    /// Why this commit does not extend a thread that stands here; none if it
    /// does. One wording for every store.
    pub fn refusal(&self, there: Option<Head>) -> Option<Error> {
        let conflict = |reason| Some(Error::Conflict { thread: self.thread.clone(), reason });
        let is_another = |there: &Head| self.version > 0 && there.incarnation != self.incarnation;
        if there.as_ref().is_some_and(is_another) {
            return conflict("it was deleted, and its name is another thread's".to_owned());
        }
        let (version, epoch, next_seq) =
            there.map_or((0, 0, 0), |there| (there.version, there.epoch, there.next_seq));
        if version != self.version {
            return conflict(format!("it is at version {version}, not {}", self.version));
        }
        if epoch != self.epoch {
            return conflict(format!("its owner is number {epoch}, not {}", self.epoch));
        }
        let mut next = next_seq;
        for row in &self.rows {
            if row.seq != next {
                return conflict(format!("its next event is {next}, not {}", row.seq));
            }
            next = next.saturating_add(row.events.into());
        }
        None
    }
}

impl Commit {
    /// Why it may not make a thread: its run is no more.
    pub fn unqueued(&self, run: RunId) -> Error {
        let reason = format!("run {run} was removed from the queue");
        Error::Conflict { thread: self.thread.clone(), reason }
    }
}

/// Which rows to read. The default is all of them, oldest first.
#[derive(Debug, Clone, Default)]
pub struct RowQuery {
    /// Only of this thread: [`Error::Deleted`] if another has its name, or none.
    pub incarnation: Option<Incarnation>,
    /// Only those of this namespace.
    pub ns: Option<Namespace>,
    /// Only those of these kinds; empty for all.
    pub kinds: Vec<Kind>,
    /// Only those of this run.
    pub run: Option<RunId>,
    /// Only that of this checkpoint; found without looking at others.
    pub checkpoint: Option<CheckpointId>,
    /// Only those of checkpoints that this wrote; found without looking at others.
    pub source: Option<Source>,
    /// Only those that end after this number: a reader that has seen event
    /// `n` asks with `n + 1`.
    pub from: Seq,
    /// Only those that begin before this number.
    pub until: Option<Seq>,
    /// At most so many.
    pub limit: Option<usize>,
    /// Newest first.
    pub newest_first: bool,
}

/// A thread in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadSummary {
    /// Its name.
    pub thread: ThreadId,
    /// Its head.
    pub head: Head,
}

/// What is known of a thread's log, by somebody who wants to know what came after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogPosition {
    /// The thread.
    pub thread: ThreadId,
    /// Its incarnation and version; none where no thread of that name is known.
    pub version: Option<(Incarnation, u64)>,
    /// The number of the first event that is not known.
    pub next_seq: Seq,
}

/// What has become of a thread since a [`LogPosition`].
#[derive(Debug, Clone, PartialEq)]
pub struct LogUpdate {
    /// The thread.
    pub thread: ThreadId,
    /// Its head; none if there is no such thread any more.
    pub head: Option<Head>,
    /// The rows after the position, from the first on. Not all of them where
    /// there are many, and none of another incarnation.
    pub rows: Vec<Row>,
}

impl LogUpdate {
    /// At most so many rows of one thread.
    pub const MOST_ROWS: usize = 256;
    /// No more rows follow once an answer is as large as this.
    pub const MOST_BYTES: usize = 4 << 20;
}

/// Where threads are kept. One contract, checked by `testkit::contract` on every backend.
#[async_trait]
pub trait Checkpoints: Send + Sync + 'static {
    /// In which of several places a thread is, so that one query can ask for many
    /// threads of a place. Where there is only one place, it is the first.
    fn place(&self, _thread: &ThreadId) -> usize {
        0
    }

    /// The thread's head; none if it was never written.
    async fn head(&self, thread: &ThreadId) -> Result<Option<Head>, Error>;

    /// Writes everything in the commit, or nothing. [`Error::Owned`] when it
    /// claims a thread on which another owner has a lease, [`Error::Conflict`]
    /// when the version or the epoch is not the head's.
    async fn commit(&self, commit: Commit) -> Result<Head, Error>;

    /// Rows of the thread's log.
    async fn rows(&self, thread: &ThreadId, query: RowQuery) -> Result<Vec<Row>, Error>;

    /// What has become of several threads since somebody looked; those of which
    /// nothing is new are left out. A store whose callers share a network asks
    /// for all of them at once.
    async fn updates_since(&self, known: &[LogPosition]) -> Result<Vec<LogUpdate>, Error> {
        let mut updates = Vec::new();
        for known in known {
            let head = self.head(&known.thread).await?;
            if head.map(|head| (head.incarnation, head.version)) == known.version {
                continue;
            }
            let of = known.version.map(|(incarnation, _)| incarnation);
            let rows = match head {
                Some(head) if Some(head.incarnation) == of && head.next_seq > known.next_seq => {
                    let query = RowQuery {
                        from: known.next_seq,
                        until: Some(head.next_seq),
                        limit: Some(LogUpdate::MOST_ROWS),
                        ..RowQuery::default()
                    };
                    self.rows(&known.thread, query).await?
                }
                _ => Vec::new(),
            };
            updates.push(LogUpdate { thread: known.thread.clone(), head, rows });
        }
        Ok(updates)
    }

    /// The newest snapshot of a namespace at or before a row.
    async fn snapshot(
        &self,
        thread: &ThreadId,
        ns: &Namespace,
        until: Option<Seq>,
    ) -> Result<Option<Snapshot>, Error>;

    /// Deadlines that have passed, in the order of their times, threads and
    /// questions; those after this one.
    async fn due(&self, now_ms: u64, after: Option<&Timer>, limit: usize) -> Result<Vec<Timer>, Error>;

    /// Threads, the one written last first.
    async fn threads(&self, offset: usize, limit: usize) -> Result<Vec<ThreadSummary>, Error>;

    /// Removes a thread and everything of it. Whether there was one.
    async fn delete(&self, thread: &ThreadId) -> Result<bool, Error>;
}

/// What can go wrong with a store.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Somebody else wrote the thread first, or took it over.
    #[error(
        "thread {thread} was changed by another owner: {reason}; open it again to go on from what it is now"
    )]
    Conflict {
        /// The thread.
        thread: ThreadId,
        /// What did not match.
        reason: String,
    },
    /// The thread that was read is no more.
    #[error("thread {thread} was deleted while it was read; open it again to see what has its name now")]
    Deleted {
        /// Its name.
        thread: ThreadId,
    },
    /// Another process runs the thread.
    #[error(
        "thread {thread} belongs to {owner}, whose lease ends in {:.1} s unless it is renewed; wait until its run ends, or stop that process",
        Duration::from_millis(*.for_ms).as_secs_f64()
    )]
    Owned {
        /// The thread.
        thread: ThreadId,
        /// Who runs it.
        owner: Owner,
        /// How long its lease lasts, if it is not renewed.
        for_ms: u64,
    },
    /// Something stored is damaged.
    #[error(
        "{what} is damaged: {reason}; restore it from a backup, or delete the thread or the memory that it is in"
    )]
    Corrupt {
        /// The row, snapshot or field.
        what: String,
        /// How it was noticed.
        reason: String,
    },
    /// Something stored was written by a newer version.
    #[error(
        "{what} was written by a newer version (format {found}, this version knows {known}); upgrade this program"
    )]
    Newer {
        /// The row, snapshot or schema.
        what: String,
        /// Its format.
        found: u32,
        /// The newest format known here.
        known: u32,
    },
    /// The store itself failed: disk full, connection lost, no rights.
    #[error("the store failed to {action}: {source}")]
    Backend {
        /// What it was asked to do.
        action: String,
        /// Why it could not.
        source: Arc<dyn std::error::Error + Send + Sync>,
    },
}

impl Error {
    /// A backend's own error.
    pub fn backend(
        action: impl fmt::Display,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Self::Backend { action: action.to_string(), source: Arc::from(source.into()) }
    }
}
