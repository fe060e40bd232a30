//! Looking back at a thread, and going back.

mod change;
mod copy;
mod edit;
mod fork;
mod history;
mod inside;
mod remembered;
mod report;
mod trim;
mod writer;

use std::sync::Arc;

use crate::app::{Desk, Switches, Turn};
use crate::clock::{Clock, SystemClock};
use crate::driver::{Committer, Kept, Place, Position, Timers};
use crate::error::Error;
use crate::log::{EndStatus, Record, RunError};
use crate::options::Durability;
use crate::stepper::Item;
use crate::store::{Checkpoints, Kind, RowQuery, Seq};
use crate::stream::{LogLook, Mark, Mode, Reader, Wanted};
use crate::thread::ThreadState;
use crate::view::{Pinned, View, last_graph};
use crate::{Namespace, RunId, ThreadId};

pub use change::Edited;
pub(crate) use change::{Change, goto_of};
pub use edit::{Edit, EditWrite};
pub use history::HistoryQuery;
pub use remembered::Remembered;
pub use report::RunReport;
pub use trim::Keep;

/// What a thread's log says of one of its runs.
#[derive(Debug, Clone)]
pub struct RunTrace {
    /// The number of its first event.
    pub first: Seq,
    /// Where and how it ended, and why if it failed; none while it is under way,
    /// or if its process died.
    pub end: Option<RunEnd>,
}

/// How a run ended.
#[derive(Debug, Clone)]
pub struct RunEnd {
    /// The number of its last event.
    pub seq: Seq,
    /// How, in a word.
    pub status: EndStatus,
    /// Why, if it failed.
    pub error: Option<RunError>,
}

/// A thread of a store without its graph: states and values are JSON. What a
/// tool needs that opens a stranger's store: it can look, go back, copy and
/// forget, but not run.
///
/// ```
/// # use duru::{ThreadLog, ThreadId, store::MemoryStore}; use std::sync::Arc;
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let log = ThreadLog::new(Arc::new(MemoryStore::new()), ThreadId::new("kim")?);
/// assert!(log.state().await?.checkpoint.is_none());
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct ThreadLog {
    pub(crate) store: Arc<dyn Checkpoints>,
    pub(crate) id: ThreadId,
    pub(crate) clock: Arc<dyn Clock>,
    /// Which of its graphs is looked at.
    pub(crate) ns: Namespace,
    /// What this process knows of the thread, where it runs it too.
    pub(crate) desk: Arc<Desk>,
}

impl ThreadLog {
    /// Of a thread that need not exist.
    pub fn new(store: Arc<dyn Checkpoints>, id: ThreadId) -> Self {
        Self { store, id, clock: Arc::new(SystemClock), ns: Namespace::root(), desk: Arc::default() }
    }

    /// The same thread, seen from within one of its subgraphs: states, history
    /// and ways back are those of that graph.
    #[must_use]
    pub fn within(mut self, ns: Namespace) -> Self {
        self.ns = ns;
        self
    }

    /// Which of its graphs is looked at.
    pub fn namespace(&self) -> &Namespace {
        &self.ns
    }

    /// The thread's name.
    pub fn id(&self) -> &ThreadId {
        &self.id
    }

    /// Removes the thread and everything of it, also what this process keeps of
    /// it at hand. Whether there was one.
    pub async fn delete(&self) -> Result<bool, Error> {
        let there = self.store.delete(&self.id).await?;
        self.forget();
        Ok(there)
    }

    /// Forgets what this process keeps of the thread at hand: it was deleted.
    pub fn forget(&self) {
        self.desk.forget(&self.id);
        self.desk.stands(&self.id, None);
    }

    /// The name of the graph that the last run was of; none if the thread was
    /// never written, or if that part of its history is forgotten.
    pub async fn graph(&self) -> Result<Option<String>, Error> {
        Ok(match Pinned::find(&*self.store, &self.id).await? {
            Some(pinned) => last_graph(pinned, None).await?,
            None => None,
        })
    }

    /// The thread as it is now.
    pub async fn state(&self) -> Result<ThreadState, Error> {
        Ok(ThreadState::of(&self.view(None).await?))
    }

    /// What the rows before this one say, or all of them.
    pub(crate) async fn view(&self, until: Option<Seq>) -> Result<View, Error> {
        Ok(View::load(&*self.store, &self.id, &self.ns, until).await?)
    }

    /// What the log says of a run: where it began, and how it ended. None if
    /// it never wrote anything.
    pub async fn run(&self, run: RunId) -> Result<Option<RunTrace>, Error> {
        let Some(head) = self.store.head(&self.id).await? else { return Ok(None) };
        let pinned = Pinned { store: &*self.store, thread: &self.id, incarnation: head.incarnation };
        let of_run = RowQuery { run: Some(run), ..RowQuery::default() };
        let marks = pinned.rows(RowQuery { kinds: vec![Kind::Begin, Kind::End], ..of_run.clone() }).await?;
        let first = match marks.first() {
            Some(first) if first.kind == Kind::Begin => Some(first.seq),
            // Where it began may be forgotten; otherwise it never began.
            _ if head.removals > 0 => {
                pinned.rows(RowQuery { limit: Some(1), ..of_run }).await?.first().map(|row| row.seq)
            }
            _ => None,
        };
        let Some(first) = first else { return Ok(None) };
        // It may have been taken up again after an end: the last word counts.
        let last = marks.into_iter().next_back();
        let mut trace = RunTrace { first, end: None };
        if let Some(row) = last
            && let Record::End(end) = Record::from_row(&self.id, &row)?
            && row.ns.is_root()
        {
            trace.end = Some(RunEnd { seq: row.seq, status: end.status, error: end.error });
        }
        Ok(Some(trace))
    }

    /// The thread as it was before an event.
    pub async fn state_before(&self, event: Seq) -> Result<ThreadState, Error> {
        let view = View::load(&*self.store, &self.id, &Namespace::root(), Some(event)).await?;
        Ok(ThreadState::of(&view))
    }

    /// Events of the thread from number `from` on, of runs in this process as
    /// they happen. Reading from the last number plus one gives exactly the rest.
    pub async fn events(&self, from: Seq, modes: impl IntoIterator<Item = Mode>) -> Result<Reader, Error> {
        // The feed first: it gets what is written from now on, and the store has what was before.
        let feed = self.desk.feed(&self.id);
        let wanted = Wanted { modes: modes.into_iter().collect(), subgraphs: true };
        let asked = feed.changes();
        let head = self.store.head(&self.id).await?;
        feed.stands(head.map(Mark::from), asked);
        Ok(Reader::new(self.id.clone(), Some(Arc::clone(&self.store)), feed, wanted, from).of(head))
    }

    /// What readers of this process know of the thread. A caller that asks the
    /// store for [`updates_since`](Checkpoints::updates_since), for many threads
    /// at once, passes the result on to them through this.
    pub fn look(&self) -> LogLook {
        LogLook::new(self.desk.feed(&self.id))
    }

    /// Keeps runs of this process off the thread while it is changed.
    fn begin(&self) -> Result<Turn, Error> {
        let turn = self.desk.begin(&self.id, Switches::default())?;
        self.desk.forget(&self.id);
        Ok(turn)
    }

    /// Commits records that no run wrote, and gives up these questions.
    async fn write(&self, items: Vec<Item>, position: Position, given_up: &View) -> Result<(), Error> {
        let place = Place {
            store: Some(Arc::clone(&self.store)),
            thread: self.id.clone(),
            run: RunId::random(self.clock.now_ms()),
            clock: Arc::clone(&self.clock),
            feed: self.desk.feed(&self.id),
            durability: Durability::EachStep,
            holder: self.desk.holder.clone(),
            queued: false,
        };
        let committer = Arc::new(Committer::new(place, position));
        let _kept = Kept::new(&committer);
        let clear = given_up.pending().into_iter().map(|question| question.id).collect();
        committer.change_timers(Timers { clear, ..Timers::default() });
        committer.push_all(items);
        Ok(committer.flush().await?)
    }

    async fn position(&self) -> Result<Position, Error> {
        Ok(Position::at(self.store.head(&self.id).await?))
    }
}
