//! The queue's seam: runs that were accepted and must be carried out, whatever
//! happens to the process that accepted them.
//!
//! A worker claims runs, renews its lease while it is at work, and says what
//! came of them. The lease is the worker's, one for everything that it holds,
//! however much that is. If it dies, others claim its runs. Runs of one thread
//! are claimed one after the other, in the order in which they were accepted.
//! Time is the store's, as for all leases.

use async_trait::async_trait;
use serde_json::{Map, Value};

use super::{Error, Owner};
use crate::{RunId, ThreadId};

/// What a run in the queue is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RunStatus {
    /// It waits for a worker.
    Pending,
    /// A worker has it.
    Running,
    /// It ended; also where it asked something and waits for answers.
    Success,
    /// It failed.
    Error,
    /// It took too long.
    Timeout,
    /// It was cancelled.
    Cancelled,
    /// Too many workers died of it: nobody tries again.
    Dead,
}

impl RunStatus {
    /// Every status.
    pub const ALL: [Self; 7] = [
        Self::Pending,
        Self::Running,
        Self::Success,
        Self::Error,
        Self::Timeout,
        Self::Cancelled,
        Self::Dead,
    ];

    /// The word that stands for it in a store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Running => "running",
            Self::Success => "success",
            Self::Error => "error",
            Self::Timeout => "timeout",
            Self::Cancelled => "cancelled",
            Self::Dead => "dead",
        }
    }

    /// The status of a word in a store.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == word)
    }

    /// Whether it waits or is under way.
    pub fn is_active(self) -> bool {
        matches!(self, Self::Pending | Self::Running)
    }
}

/// How a run is to be stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cancel {
    /// What it has done stays.
    Interrupt,
    /// What it has done is undone, and the run forgotten.
    Rollback,
}

impl Cancel {
    /// The word that stands for it in a store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Interrupt => "interrupt",
            Self::Rollback => "rollback",
        }
    }

    /// What a word in a store stands for.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Interrupt, Self::Rollback].into_iter().find(|cancel| cancel.as_str() == word)
    }
}

/// A run in the queue, or one that has left it.
#[derive(Debug, Clone, PartialEq)]
pub struct QueuedRun {
    /// The run.
    pub id: RunId,
    /// Its thread.
    pub thread: ThreadId,
    /// What it is doing.
    pub status: RunStatus,
    /// What is to be done; the queue does not look inside.
    pub payload: Value,
    /// Notes about it.
    pub metadata: Map<String, Value>,
    /// Its outcome, as the worker that executed it reported.
    pub outcome: Option<Value>,
    /// How often it was claimed. Settling a run names the attempt.
    pub attempt: u32,
    /// How many workers died of it.
    pub deaths: u32,
    /// Who has it, or had it last.
    pub owner: Owner,
    /// How it is to be stopped, if it is.
    pub cancel: Option<Cancel>,
    /// When it was accepted, in milliseconds since 1970.
    pub created_ms: u64,
    /// When it last changed.
    pub updated_ms: u64,
}

/// What to do with a new run on a thread that has others waiting or under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IfBusy {
    /// It waits for them.
    #[default]
    Enqueue,
    /// It is refused.
    Reject,
    /// They are stopped.
    Cancel(Cancel),
}

/// Who wants to do work, and for how long at a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worker {
    /// Who.
    pub owner: Owner,
    /// How long their runs are theirs without a sign of life: a renewal, or a claim.
    pub lease_ms: u64,
}

/// What a worker must know of a run that is its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeldRun {
    /// The run.
    pub id: RunId,
    /// For which time it was claimed.
    pub attempt: u32,
    /// How it is to be stopped, if it is.
    pub cancel: Option<Cancel>,
    /// Whether it was claimed longer ago than the lease lasts. A worker that has
    /// not heard of it by then never will: the answer to its claim was lost.
    pub overdue: bool,
}

/// A run to be accepted.
#[derive(Debug, Clone)]
pub struct NewRun {
    /// Its id, which no other run has.
    pub id: RunId,
    /// Its thread.
    pub thread: ThreadId,
    /// Whether to make the thread if the catalog has none of this name.
    pub make_thread: bool,
    /// What the thread's entry in the catalog is to say from now on, beside
    /// what it says already.
    pub thread_metadata: Map<String, Value>,
    /// What is to be done.
    pub payload: Value,
    /// Notes about it.
    pub metadata: Map<String, Value>,
    /// What to do where others are waiting or under way on the thread.
    pub if_busy: IfBusy,
    /// A name that the caller gives this request, and a digest of what it asks
    /// for: the same again gives the same run.
    pub key: Option<(String, u64)>,
    /// How long to wait before it begins.
    pub after_ms: u64,
    /// Who begins at once, if nothing stands in the way.
    pub claim: Option<Worker>,
}

/// What became of a request to accept a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Enqueued {
    /// It is accepted; and running already if it was to be claimed and could be.
    Accepted {
        /// The run.
        run: QueuedRun,
        /// The others on the thread that are to be stopped because of it, and
        /// are under way.
        stopping: Vec<QueuedRun>,
    },
    /// It was accepted before, under the same key.
    Again(QueuedRun),
    /// The key stands for another request.
    KeyTaken,
    /// The thread has a run that waits or is under way.
    Busy,
    /// There is no such thread.
    NoThread,
}

/// A worker's question for something to do.
#[derive(Debug, Clone)]
pub struct Claim {
    /// Who asks.
    pub worker: Worker,
    /// The most runs to take; with 0 only what else there is to know is told.
    pub limit: usize,
    /// Owners who are known to have ended: their leases no longer count.
    pub gone: Vec<Owner>,
    /// A run that so many workers died of is claimed no more.
    pub most_deaths: u32,
}

/// What there is to do.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Claimed {
    /// The runs that are the worker's now.
    pub runs: Vec<QueuedRun>,
    /// The runs that nobody tries any more, since this claim.
    pub dead: Vec<QueuedRun>,
    /// How many others wait that could begin.
    pub waiting: usize,
    /// How long the first of them has waited, in milliseconds: since it was accepted, given back or due. 0 if none waits.
    pub waited_ms: u64,
}

/// What came of a run.
#[derive(Debug, Clone)]
pub struct Settled {
    /// What it is now; pending to give it back unfinished.
    pub status: RunStatus,
    /// What to keep about that.
    pub outcome: Option<Value>,
    /// What the thread's entry in the catalog is to say, unless other runs
    /// keep the thread busy.
    pub thread_status: String,
    /// Whether nobody needs them any more: the run goes with the entry of its
    /// thread, its log and all its other runs, as if the entry were removed.
    pub remove_thread: bool,
}

/// Which runs. The default is all, the latest first.
#[derive(Debug, Clone, Default)]
pub struct RunQuery {
    /// Only these.
    pub ids: Vec<RunId>,
    /// Only those of this thread.
    pub thread: Option<ThreadId>,
    /// Only those in one of these; empty for all.
    pub statuses: Vec<RunStatus>,
    /// Only those that last changed before then, in milliseconds since 1970: those come the oldest first.
    pub older_than_ms: Option<u64>,
    /// Leave out so many.
    pub offset: usize,
    /// At most so many.
    pub limit: Option<usize>,
}

/// Where accepted runs wait. One contract, checked by `testkit::runs_contract` on every backend.
#[async_trait]
pub trait Runs: Send + Sync + 'static {
    /// Accepts a run, in one transaction: the run, its thread's entry in the
    /// catalog, and what it does to the others.
    async fn enqueue(&self, run: NewRun) -> Result<Enqueued, Error>;

    /// Takes runs that are due and whose thread has no other one under way,
    /// those that were accepted first. Also those whose worker gave no sign of
    /// life for longer than its lease.
    async fn claim(&self, claim: Claim) -> Result<Claimed, Error>;

    /// Renews a worker's lease, which covers all of its runs, and gives those
    /// up that it does not know although they are overdue: others may claim
    /// them. Gives the runs that are the worker's after that.
    async fn renew(&self, worker: &Worker, unknown: &[(RunId, u32)]) -> Result<Vec<HeldRun>, Error>;

    /// Those of a worker's runs that are to be stopped.
    async fn stopping(&self, owner: &Owner) -> Result<Vec<HeldRun>, Error>;

    /// The owners of runs that are under way.
    async fn owners(&self) -> Result<Vec<Owner>, Error>;

    /// What runs are doing, without what is to be done; those that are not
    /// there are left out.
    async fn statuses(&self, runs: &[RunId]) -> Result<Vec<(RunId, RunStatus)>, Error>;

    /// Says what came of a run that was claimed for the `attempt`-th time. False
    /// if it is no longer the caller's to say.
    async fn settle(&self, run: RunId, attempt: u32, settled: Settled) -> Result<bool, Error>;

    /// Stops those of the runs that wait or are under way, and gives them as
    /// they are then: what waited is cancelled (or forgotten, by a rollback), what
    /// is under way is marked for its worker.
    async fn cancel(&self, query: RunQuery, how: Cancel) -> Result<Vec<QueuedRun>, Error>;

    /// Puts a run that nobody tries any more back into the queue, as if no
    /// worker had died of it. False if it is not such a one.
    async fn retry(&self, run: RunId) -> Result<bool, Error>;

    /// Runs, the latest first.
    async fn runs(&self, query: RunQuery) -> Result<Vec<QueuedRun>, Error>;

    /// Forgets a run that does not wait and is not under way, or that was
    /// claimed for the `attempt`-th time. Whether there was one.
    async fn forget(&self, run: RunId, attempt: Option<u32>) -> Result<bool, Error>;
}
