//! Looking at a thread's checkpoints: all of them, some of them, one of them.

use std::collections::VecDeque;

use super::ThreadLog;
use crate::error::Error;
use crate::log::{Record, Source};
use crate::store::{self, Kind, Row, RowQuery, Seq};
use crate::thread::ThreadState;
use crate::view::{KINDS, Pinned, View};
use crate::{CheckpointId, Namespace, RunId};

/// How many rows are read at a time.
const PAGE: usize = 512;

/// Checkpoints that are further apart than so many events are not reached by
/// reading what lies between them: the snapshot before the next one is nearer.
const NEAR: Seq = 2048;

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
}

impl ThreadLog {
    /// The thread's checkpoints, newest first: a number of them, or a query.
    pub async fn history(&self, query: impl Into<HistoryQuery>) -> Result<Vec<ThreadState>, Error> {
        let query = query.into();
        loop {
            let Some(pinned) = Pinned::find(&*self.store, &self.id).await? else { return Ok(Vec::new()) };
            match self.history_of(pinned, &query).await {
                // Deleted in this moment: what has its name now is asked for.
                Err(Error::Store(store::Error::Deleted { .. })) => {}
                found => return found,
            }
        }
    }

    async fn history_of(&self, pinned: Pinned<'_>, query: &HistoryQuery) -> Result<Vec<ThreadState>, Error> {
        let before = match query.before {
            Some(checkpoint) => Some(self.row_of(pinned, checkpoint).await?.seq),
            None => None,
        };
        let mut wanted = RowQuery {
            source: query.source,
            run: query.run,
            until: before,
            limit: Some(query.limit),
            newest_first: true,
            ..checkpoints()
        };
        if let Some(run) = query.run
            && let Some(trace) = self.run(run).await?
        {
            // All of a run lies between its first row and its end.
            wanted.from = trace.first;
            let end = trace.end.map(|end| end.seq).filter(|end| before.is_none_or(|before| *end < before));
            wanted.until = end.or(before);
        }
        let wanted: Vec<(Seq, Seq)> =
            pinned.rows(wanted).await?.iter().map(|row| (row.seq, row.end())).collect();
        let mut states = Vec::with_capacity(wanted.len());
        let mut wanted = wanted.into_iter().rev().peekable();
        while let Some((_, end)) = wanted.next() {
            let mut walk = Walk::from(pinned, end).await?;
            // With the checkpoint after the last one: it says what became of its tasks.
            while let Some(next) = walk.next_checkpoint().await? {
                match wanted.peek() {
                    Some((seq, _)) if *seq < next.seq + NEAR => {
                        let is_wanted = wanted.next_if(|(seq, _)| *seq == next.seq).is_some();
                        walk.pass(&next, is_wanted)?;
                    }
                    _ => break,
                }
            }
            states.extend(walk.states);
        }
        states.reverse();
        Ok(states)
    }

    /// The thread as it was at a checkpoint: the state there, and what became
    /// of the tasks that were planned there.
    pub async fn state_at(&self, checkpoint: CheckpointId) -> Result<ThreadState, Error> {
        let unknown = || Error::UnknownCheckpoint { thread: self.id.clone(), checkpoint };
        let pinned = Pinned::find(&*self.store, &self.id).await?.ok_or_else(unknown)?;
        let row = self.row_of(pinned, checkpoint).await?;
        let mut walk = Walk::from(pinned, row.end()).await?;
        walk.next_checkpoint().await?;
        walk.states.pop().ok_or_else(unknown)
    }

    /// The view at a checkpoint, with everything that happened until the next one.
    pub(crate) async fn view_at(&self, checkpoint: CheckpointId) -> Result<View, Error> {
        let unknown = || Error::UnknownCheckpoint { thread: self.id.clone(), checkpoint };
        let pinned = Pinned::find(&*self.store, &self.id).await?.ok_or_else(unknown)?;
        let row = self.row_of(pinned, checkpoint).await?;
        let next = RowQuery { from: row.end(), limit: Some(1), ..checkpoints() };
        let until = pinned.rows(next).await?.first().map(|next| next.seq);
        Ok(View::load_of(pinned, &Namespace::root(), until).await?)
    }

    async fn row_of(&self, pinned: Pinned<'_>, checkpoint: CheckpointId) -> Result<Row, Error> {
        let query =
            RowQuery { checkpoint: Some(checkpoint), newest_first: true, limit: Some(1), ..checkpoints() };
        let found = pinned.rows(query).await?.into_iter().next();
        found.ok_or_else(|| Error::UnknownCheckpoint { thread: self.id.clone(), checkpoint })
    }
}

/// The root graph's checkpoints.
fn checkpoints() -> RowQuery {
    RowQuery { ns: Some(Namespace::root()), kinds: vec![Kind::Checkpoint], ..RowQuery::default() }
}

/// Goes from checkpoint to checkpoint and keeps the states at some of them.
struct Walk<'a> {
    pinned: Pinned<'a>,
    view: View,
    /// Whether the state at the checkpoint where the view stands is wanted.
    is_wanted: bool,
    /// That state, as long as nothing has happened since.
    state: Option<ThreadState>,
    states: Vec<ThreadState>,
    /// What was read and not looked at.
    rows: VecDeque<Row>,
    /// Where to read on, and how much.
    from: Seq,
    page: usize,
}

impl<'a> Walk<'a> {
    /// Begins at a checkpoint whose row ends here, which is wanted. What was before it may be gone.
    async fn from(pinned: Pinned<'a>, end: Seq) -> Result<Self, store::Error> {
        let view = View::load_of(pinned, &Namespace::root(), Some(end)).await?;
        Ok(Self {
            pinned,
            view,
            is_wanted: true,
            state: None,
            states: Vec::new(),
            rows: VecDeque::new(),
            from: end,
            page: 16,
        })
    }

    /// Takes in what belongs to the checkpoint: tasks, answers and ends that
    /// follow it, and what the next one, which it gives, says of its tasks.
    async fn next_checkpoint(&mut self) -> Result<Option<Row>, store::Error> {
        let thread = self.pinned.thread;
        loop {
            let row = match self.rows.pop_front() {
                Some(row) => row,
                None if self.read().await? => continue,
                None => {
                    self.keep(None);
                    return Ok(None);
                }
            };
            match row.kind {
                Kind::Checkpoint => {
                    self.keep(Some(&Record::from_row(thread, &row)?));
                    return Ok(Some(row));
                }
                // A run that begins is the next checkpoint's.
                Kind::Begin if self.is_wanted => {
                    self.state.get_or_insert_with(|| ThreadState::of(&self.view));
                    self.view.read(thread, &row)?;
                }
                _ => {
                    self.view.read(thread, &row)?;
                    self.state = None;
                }
            }
        }
    }

    /// Moves on to the checkpoint that was given last.
    fn pass(&mut self, next: &Row, is_wanted: bool) -> Result<(), store::Error> {
        self.is_wanted = is_wanted;
        self.view.read(self.pinned.thread, next)
    }

    fn keep(&mut self, next: Option<&Record>) {
        let state = self.state.take();
        if self.is_wanted {
            let mut state = state.unwrap_or_else(|| ThreadState::of(&self.view));
            if let Some(Record::Checkpoint(next)) = next
                && state.checkpoint == next.parent
            {
                state.learn(next);
            }
            self.states.push(state);
        }
    }

    /// Whether there was more.
    async fn read(&mut self) -> Result<bool, store::Error> {
        let query = RowQuery {
            ns: Some(Namespace::root()),
            kinds: KINDS.to_vec(),
            from: self.from,
            limit: Some(self.page),
            ..RowQuery::default()
        };
        self.rows.extend(self.pinned.rows(query).await?);
        self.page = (2 * self.page).min(PAGE);
        self.from = self.rows.back().map_or(self.from, Row::end);
        Ok(!self.rows.is_empty())
    }
}
