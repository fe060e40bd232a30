//! Looking back at a thread, and going back.

mod change;
mod copy;
mod fork;
mod remembered;
mod trim;

use std::sync::Arc;

use crate::app::{Desk, Switches, Turn};
use crate::clock::{Clock, SystemClock};
use crate::driver::{Committer, Kept, Place, Position, Timers};
use crate::error::Error;
use crate::log::{EndStatus, Record, RunError, Source};
use crate::options::Durability;
use crate::stepper::Item;
use crate::store::{Checkpoints, Kind, Row, RowQuery, Seq};
use crate::stream::{Mode, Reader, Wanted};
use crate::thread::{TaskState, ThreadState};
use crate::view::{View, last_graph};
use crate::{CheckpointId, Namespace, RunId, ThreadId};

pub use change::Edited;
pub use remembered::Remembered;
pub use trim::Keep;

/// Which checkpoints of a thread to see. The default is the last hundred.
///
/// ```
/// use duru::{HistoryQuery, Source};
/// let inputs = HistoryQuery::new().source(Source::Input).limit(10);
/// ```
#[derive(Debug, Clone)]
pub struct HistoryQuery {
    limit: usize,
    before: Option<CheckpointId>,
    source: Option<Source>,
    run: Option<RunId>,
}

impl Default for HistoryQuery {
    fn default() -> Self {
        Self { limit: 100, before: None, source: None, run: None }
    }
}

impl From<usize> for HistoryQuery {
    fn from(limit: usize) -> Self {
        Self::new().limit(limit)
    }
}

impl HistoryQuery {
    /// The last hundred checkpoints.
    pub fn new() -> Self {
        Self::default()
    }

    /// At most so many.
    #[must_use]
    pub fn limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// Only those before this one: the last of a page gives the next page.
    #[must_use]
    pub fn before(mut self, checkpoint: CheckpointId) -> Self {
        self.before = Some(checkpoint);
        self
    }

    /// Only those that this wrote.
    #[must_use]
    pub fn source(mut self, source: Source) -> Self {
        self.source = Some(source);
        self
    }

    /// Only those of this run.
    #[must_use]
    pub fn run(mut self, run: RunId) -> Self {
        self.run = Some(run);
        self
    }

    fn wants(&self, row: &Row, record: &Record) -> bool {
        let Record::Checkpoint(checkpoint) = record else { return false };
        self.source.is_none_or(|source| source == checkpoint.source)
            && self.run.is_none_or(|run| run == row.run)
    }
}

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
    /// What this process knows of the thread, where it runs it too.
    pub(crate) desk: Arc<Desk>,
}

impl ThreadLog {
    /// Of a thread that need not exist.
    pub fn new(store: Arc<dyn Checkpoints>, id: ThreadId) -> Self {
        Self { store, id, clock: Arc::new(SystemClock), desk: Arc::default() }
    }

    /// The thread's name.
    pub fn id(&self) -> &ThreadId {
        &self.id
    }

    /// The name of the graph that the last run was of; none if the thread was
    /// never written, or if that part of its history is forgotten.
    pub async fn graph(&self) -> Result<Option<String>, Error> {
        Ok(last_graph(&*self.store, &self.id, None).await?)
    }

    /// The thread as it is now.
    pub async fn state(&self) -> Result<ThreadState, Error> {
        let view = View::load(&*self.store, &self.id, &Namespace::root(), None).await?;
        Ok(ThreadState::of(&view))
    }

    /// What the log says of a run: where it began, and how it ended. None if
    /// it never wrote anything.
    pub async fn run(&self, run: RunId) -> Result<Option<RunTrace>, Error> {
        let query = RowQuery { run: Some(run), limit: Some(1), ..RowQuery::default() };
        let Some(first) = self.store.rows(&self.id, query.clone()).await?.into_iter().next() else {
            return Ok(None);
        };
        // It may have been taken up again after an end: the last word counts.
        let last = RowQuery { kinds: vec![Kind::Begin, Kind::End], newest_first: true, ..query };
        let last = self.store.rows(&self.id, last).await?.into_iter().next();
        let mut trace = RunTrace { first: first.seq, end: None };
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

    /// The node that wrote last, or as whom the last change was made.
    pub async fn last_writer(&self) -> Result<Option<String>, Error> {
        let query = RowQuery {
            ns: Some(Namespace::root()),
            kinds: vec![Kind::Checkpoint, Kind::Task],
            newest_first: true,
            limit: Some(32),
            ..RowQuery::default()
        };
        for row in self.store.rows(&self.id, query).await? {
            let node = match Record::from_row(&self.id, &row)? {
                Record::Checkpoint(checkpoint) => checkpoint.results.last().map(|task| task.node.to_string()),
                Record::Task(task) => Some(task.node.to_string()),
                _ => None,
            };
            if node.is_some() {
                return Ok(node);
            }
        }
        Ok(None)
    }

    /// Events of the thread from number `from` on, of runs in this process as
    /// they happen. Whoever comes back with the last number plus one gets exactly
    /// the rest.
    pub async fn events(&self, from: Seq, modes: impl IntoIterator<Item = Mode>) -> Result<Reader, Error> {
        // The feed first: it hears of what is written from now on, and the store has what was before.
        let feed = self.desk.feed(&self.id, 0);
        let wanted = Wanted { modes: modes.into_iter().collect(), subgraphs: true };
        let reader = Reader::new(self.id.clone(), Some(Arc::clone(&self.store)), feed, wanted, from);
        reader.refresh().await?;
        Ok(reader)
    }

    /// The thread's checkpoints, newest first: a number of them, or a query.
    pub async fn history(&self, query: impl Into<HistoryQuery>) -> Result<Vec<ThreadState>, Error> {
        let query = query.into();
        let until = match query.before {
            Some(checkpoint) => Some(self.row_of(checkpoint).await?.seq),
            None => None,
        };
        let root = Namespace::root();
        let checkpoints = RowQuery {
            ns: Some(root.clone()),
            kinds: vec![Kind::Checkpoint],
            until,
            // Without a filter on what is inside, the page is known at once.
            limit: query.source.is_none().then_some(query.limit).filter(|_| query.run.is_none()),
            newest_first: true,
            ..RowQuery::default()
        };
        let mut wanted: Vec<Seq> = Vec::new();
        for row in self.store.rows(&self.id, checkpoints).await? {
            if wanted.len() < query.limit && query.wants(&row, &Record::from_row(&self.id, &row)?) {
                wanted.push(row.seq);
            }
        }
        let Some(oldest) = wanted.last().copied() else { return Ok(Vec::new()) };
        let mut view = View::load(&*self.store, &self.id, &root, Some(oldest)).await?;
        // With the checkpoint after the last one: it says what became of its tasks.
        let rows = RowQuery {
            ns: Some(root),
            from: oldest,
            until: until.map(|until| until + 1),
            ..RowQuery::default()
        };
        let mut states: Vec<(Seq, ThreadState)> = Vec::with_capacity(wanted.len());
        let mut at = oldest;
        for row in self.store.rows(&self.id, rows).await? {
            if row.kind == Kind::Checkpoint
                && let Some((_, state)) = states.last_mut()
                && let Record::Checkpoint(next) = Record::from_row(&self.id, &row)?
                && state.checkpoint == next.parent
            {
                state.learn(&next);
            }
            view.read(&self.id, &row)?;
            if row.kind == Kind::Checkpoint {
                at = row.seq;
            }
            // A run that begins is the next checkpoint's; tasks, answers and ends
            // that follow a checkpoint belong to it.
            if row.kind == Kind::Begin || !wanted.contains(&at) {
                continue;
            }
            if states.last().is_some_and(|(seq, _)| *seq == at) {
                states.pop();
            }
            states.push((at, ThreadState::of(&view)));
        }
        Ok(states.into_iter().rev().map(|(_, state)| state).collect())
    }

    /// The thread as it was at a checkpoint: the state there, and what became
    /// of the tasks that were planned there.
    pub async fn state_at(&self, checkpoint: CheckpointId) -> Result<ThreadState, Error> {
        let mut state = ThreadState::of(&self.view_at(checkpoint).await?);
        let after = RowQuery {
            ns: Some(Namespace::root()),
            kinds: vec![Kind::Checkpoint],
            from: self.row_of(checkpoint).await?.end(),
            limit: Some(1),
            ..RowQuery::default()
        };
        if let Some(row) = self.store.rows(&self.id, after).await?.first()
            && let Record::Checkpoint(next) = Record::from_row(&self.id, row)?
            && next.parent == Some(checkpoint)
        {
            state.learn(&next);
        }
        Ok(state)
    }

    /// The subgraph behind a task, as of the step that the task belongs to;
    /// none if the task is no subgraph or has not begun.
    pub async fn subgraph_state(&self, task: &TaskState) -> Result<Option<ThreadState>, Error> {
        let ns = task.ns.child(&task.node, task.id);
        let view = View::load(&*self.store, &self.id, &ns, None).await?;
        Ok(view.at.is_some().then(|| ThreadState::of(&view)))
    }

    /// The view at a checkpoint, with everything that happened until the next one.
    pub(crate) async fn view_at(&self, checkpoint: CheckpointId) -> Result<View, Error> {
        let row = self.row_of(checkpoint).await?;
        let next = RowQuery {
            ns: Some(Namespace::root()),
            kinds: vec![Kind::Checkpoint],
            from: row.end(),
            limit: Some(1),
            ..RowQuery::default()
        };
        let until = self.store.rows(&self.id, next).await?.first().map(|next| next.seq);
        Ok(View::load(&*self.store, &self.id, &Namespace::root(), until).await?)
    }

    async fn row_of(&self, checkpoint: CheckpointId) -> Result<Row, Error> {
        let query = RowQuery {
            ns: Some(Namespace::root()),
            kinds: vec![Kind::Checkpoint],
            checkpoint: Some(checkpoint),
            newest_first: true,
            limit: Some(1),
            ..RowQuery::default()
        };
        let found = self.store.rows(&self.id, query).await?.into_iter().next();
        found.ok_or_else(|| Error::UnknownCheckpoint { thread: self.id.clone(), checkpoint })
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
            feed: self.desk.feed(&self.id, position.next_seq),
            durability: Durability::EachStep,
            holder: self.desk.holder.clone(),
        };
        let committer = Arc::new(Committer::new(place, position));
        let _kept = Kept::new(&committer);
        let clear = given_up.pending().into_iter().map(|question| question.id).collect();
        committer.change_timers(Timers { clear, ..Timers::default() });
        committer.push_all(items);
        Ok(committer.flush().await?)
    }

    async fn position(&self) -> Result<Position, Error> {
        let head = self.store.head(&self.id).await?;
        Ok(head.map_or_else(Position::default, |head| Position {
            version: head.version,
            epoch: head.epoch,
            next_seq: head.next_seq,
            ..Position::default()
        }))
    }
}
