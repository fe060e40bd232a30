//! Looking back at a thread, and going back.

mod change;
mod copy;
mod trim;

use std::sync::Arc;

use crate::error::Error;
use crate::log::{Record, Source};
use crate::store::{Checkpoints, Kind, Row, RowQuery, Seq};
use crate::stream::{Feed, Mode, Reader, Wanted};
use crate::thread::{TaskState, ThreadState};
use crate::view::View;
use crate::{CheckpointId, Namespace, RunId, ThreadId};

pub use change::Edited;
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

/// Reads a thread of a store without knowing its graph: states and values are
/// JSON. What a tool needs that opens a stranger's store.
///
/// ```
/// # use duru::{ThreadReader, ThreadId, store::MemoryStore}; use std::sync::Arc;
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let reader = ThreadReader::new(Arc::new(MemoryStore::new()), ThreadId::new("kim")?);
/// assert!(reader.state().await?.checkpoint.is_none());
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct ThreadReader {
    store: Arc<dyn Checkpoints>,
    id: ThreadId,
}

impl ThreadReader {
    /// Of a thread that need not exist.
    pub fn new(store: Arc<dyn Checkpoints>, id: ThreadId) -> Self {
        Self { store, id }
    }

    /// The thread as it is now.
    pub async fn state(&self) -> Result<ThreadState, Error> {
        let view = View::load(&*self.store, &self.id, &Namespace::root(), None).await?;
        Ok(ThreadState::of(&view))
    }

    /// Events of the thread from number `from` on, as far as they are stored.
    pub async fn events(&self, from: Seq, modes: impl IntoIterator<Item = Mode>) -> Result<Reader, Error> {
        let head = self.store.head(&self.id).await?;
        let feed = Feed::new(self.id.clone(), head.map_or(0, |head| head.next_seq), false);
        let wanted = Wanted { modes: modes.into_iter().collect(), subgraphs: true };
        Ok(Reader::new(self.id.clone(), Some(Arc::clone(&self.store)), Arc::new(feed), wanted, from))
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
        let rows = RowQuery { ns: Some(root), from: oldest, until, ..RowQuery::default() };
        let mut states: Vec<(Seq, ThreadState)> = Vec::with_capacity(wanted.len());
        let mut at = oldest;
        for row in self.store.rows(&self.id, rows).await? {
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
        Ok(ThreadState::of(&self.view_at(checkpoint).await?))
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
        let query = RowQuery { kinds: vec![Kind::Checkpoint], newest_first: true, ..RowQuery::default() };
        let rows = self.store.rows(&self.id, query).await?;
        let found = rows.into_iter().find(|row| row.checkpoint == Some(checkpoint) && row.ns.is_root());
        found.ok_or_else(|| Error::UnknownCheckpoint { thread: self.id.clone(), checkpoint })
    }
}
