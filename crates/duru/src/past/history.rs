//! Looking at a thread's checkpoints, all, some or one of them, and at what was before its inputs.

use std::collections::VecDeque;

use super::ThreadLog;
use crate::error::Error;
use crate::log::{Checkpoint, Record, Source};
use crate::state::FoldError;
use crate::store::{self, Kind, Row, RowQuery, Seq};
use crate::thread::{TaskState, ThreadState};
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
    inputs: bool,
}

impl Default for HistoryQuery {
    fn default() -> Self {
        Self { limit: 100, before: None, source: None, run: None, inputs: false }
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

    /// Also what was before each input, as a moment of its own.
    #[must_use]
    pub fn with_inputs(mut self) -> Self {
        self.inputs = true;
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
        let (before, first) = match query.before {
            Some(checkpoint) => self.page_before(pinned, checkpoint, query.inputs).await?,
            None => (None, None),
        };
        let mut wanted = RowQuery {
            source: query.source,
            run: query.run,
            until: before,
            limit: Some(query.limit),
            newest_first: true,
            ..self.checkpoints()
        };
        if let Some(run) = query.run
            && let Some(trace) = self.run(run).await?
        {
            // All of a run lies between its first row and its end.
            wanted.from = trace.first;
            let end = trace.end.map(|end| end.seq).filter(|end| before.is_none_or(|before| *end < before));
            wanted.until = end.or(before);
        }
        let wanted = pinned.rows(wanted).await?;
        let mut states = Vec::with_capacity(wanted.len());
        let mut wanted = wanted.into_iter().rev().peekable();
        while let Some(row) = wanted.next() {
            let mut walk = Walk::from(pinned, &self.ns, row.end()).await?;
            if query.inputs {
                states.extend(self.moment_before(pinned, &row).await?);
            }
            // With the checkpoint after the last one: it says what became of its tasks.
            while let Some(next) = walk.next_checkpoint().await? {
                match wanted.peek() {
                    Some(row) if row.seq < next.seq + NEAR => {
                        let is_wanted = wanted.next_if(|row| row.seq == next.seq).is_some();
                        if is_wanted && query.inputs {
                            walk.states.extend(self.before_input(&next, &walk.view)?);
                        }
                        walk.pass(&next, is_wanted)?;
                    }
                    _ => break,
                }
            }
            states.extend(walk.states);
        }
        let mut shown: Vec<ThreadState> = first.into_iter().chain(states.into_iter().rev()).collect();
        shown.truncate(query.limit);
        Ok(shown)
    }

    /// Where the page before a checkpoint ends, and what it begins with that no
    /// row says.
    async fn page_before(
        &self,
        pinned: Pinned<'_>,
        checkpoint: CheckpointId,
        inputs: bool,
    ) -> Result<(Option<Seq>, Option<ThreadState>), Error> {
        match self.find_row(pinned, checkpoint).await? {
            Some(row) if inputs => Ok((Some(row.seq), self.moment_before(pinned, &row).await?)),
            Some(row) => Ok((Some(row.seq), None)),
            None => match self.find_row(pinned, checkpoint.after_input()).await? {
                Some(row) if inputs => Ok((Some(row.seq), None)),
                _ => Err(self.unknown(checkpoint)),
            },
        }
    }

    /// The thread as it was at a checkpoint: the state there, and what became
    /// of the tasks that were planned there. Or as it was before an input, see
    /// [`CheckpointId::before_input`].
    pub async fn state_at(&self, checkpoint: CheckpointId) -> Result<ThreadState, Error> {
        let unknown = || self.unknown(checkpoint);
        let pinned = Pinned::find(&*self.store, &self.id).await?.ok_or_else(unknown)?;
        let Some(row) = self.find_row(pinned, checkpoint).await? else {
            let row = self.find_row(pinned, checkpoint.after_input()).await?.ok_or_else(unknown)?;
            return self.moment_before(pinned, &row).await?.ok_or_else(unknown);
        };
        let mut walk = Walk::from(pinned, &self.ns, row.end()).await?;
        walk.next_checkpoint().await?;
        walk.states.pop().ok_or_else(unknown)
    }

    /// The subgraph behind a task, as of the step that the task belongs to;
    /// none if the task is no subgraph or has not begun.
    pub async fn subgraph_state(&self, task: &TaskState) -> Result<Option<ThreadState>, Error> {
        let inside = self.clone().within(task.ns.child(&task.node, task.id));
        let view = inside.view(None).await?;
        Ok(view.at.is_some().then(|| ThreadState::of(&view)))
    }

    /// The checkpoints of the graphs around this one, the root first, at which
    /// its task was planned.
    pub async fn parents(&self) -> Result<Vec<(Namespace, CheckpointId)>, Error> {
        let mut parents = Vec::new();
        let Some(pinned) = Pinned::find(&*self.store, &self.id).await? else { return Ok(parents) };
        let mut inner = self.ns.clone();
        while let Some(outer) = inner.parent() {
            let first = RowQuery { ns: Some(inner), limit: Some(1), ..RowQuery::default() };
            let Some(first) = pinned.rows(first).await?.into_iter().next() else { break };
            let planned = RowQuery {
                ns: Some(outer.clone()),
                until: Some(first.seq),
                newest_first: true,
                limit: Some(1),
                ..self.checkpoints()
            };
            let planned = pinned.rows(planned).await?.into_iter().next();
            parents.extend(planned.and_then(|row| Some((outer.clone(), row.checkpoint?))));
            inner = outer;
        }
        parents.reverse();
        Ok(parents)
    }

    /// The view at a checkpoint, or before an input, with everything that
    /// happened until the next one.
    pub(crate) async fn view_at_of(
        &self,
        pinned: Pinned<'_>,
        checkpoint: CheckpointId,
    ) -> Result<View, Error> {
        let unknown = || self.unknown(checkpoint);
        if let Some(row) = self.find_row(pinned, checkpoint).await? {
            return Ok(self.view_from(pinned, &row).await?.0);
        }
        let row = self.find_row(pinned, checkpoint.after_input()).await?.ok_or_else(unknown)?;
        let Record::Checkpoint(made) = Record::from_row(&self.id, &row)? else { return Err(unknown()) };
        let view = View::load_of(pinned, &self.ns, Some(row.seq)).await?;
        view.before_input(&row, &made).map_err(|error| self.corrupt(&row, &error))?.ok_or_else(unknown)
    }

    /// The view at a row and all that follows until the next checkpoint, and that one.
    pub(super) async fn view_from(
        &self,
        pinned: Pinned<'_>,
        row: &Row,
    ) -> Result<(View, Option<Checkpoint>), Error> {
        let next = RowQuery { from: row.end(), limit: Some(1), ..self.checkpoints() };
        let next = pinned.rows(next).await?.into_iter().next();
        let view = View::load_of(pinned, &self.ns, next.as_ref().map(|next| next.seq)).await?;
        let next = next.map(|next| Record::from_row(&self.id, &next)).transpose()?;
        let next = next.and_then(|next| match next {
            Record::Checkpoint(next) => Some(next),
            _ => None,
        });
        Ok((view, next))
    }

    /// The moment before the input that made a checkpoint, if one did.
    async fn moment_before(&self, pinned: Pinned<'_>, row: &Row) -> Result<Option<ThreadState>, Error> {
        match Record::from_row(&self.id, row)? {
            Record::Checkpoint(made) if made.input().is_some() => {
                self.before_input(row, &View::load_of(pinned, &self.ns, Some(row.seq)).await?)
            }
            _ => Ok(None),
        }
    }

    /// The same, with what the rows before it say.
    fn before_input(&self, row: &Row, view: &View) -> Result<Option<ThreadState>, Error> {
        let Record::Checkpoint(made) = Record::from_row(&self.id, row)? else { return Ok(None) };
        let before = view.before_input(row, &made).map_err(|error| self.corrupt(row, &error))?;
        Ok(before.map(|view| {
            let mut state = ThreadState::of(&view);
            if let (Some(task), Some(done)) = (state.tasks.first_mut(), made.input()) {
                task.later = Some(crate::stream::update(done));
            }
            state
        }))
    }

    pub(super) async fn find_row(
        &self,
        pinned: Pinned<'_>,
        checkpoint: CheckpointId,
    ) -> Result<Option<Row>, Error> {
        let (limit, newest_first) = (Some(1), true);
        let query = RowQuery { checkpoint: Some(checkpoint), newest_first, limit, ..self.checkpoints() };
        Ok(pinned.rows(query).await?.into_iter().next())
    }

    /// The checkpoints of the graph that is looked at.
    fn checkpoints(&self) -> RowQuery {
        RowQuery { ns: Some(self.ns.clone()), kinds: vec![Kind::Checkpoint], ..RowQuery::default() }
    }

    pub(super) fn unknown(&self, checkpoint: CheckpointId) -> Error {
        Error::UnknownCheckpoint { thread: self.id.clone(), checkpoint }
    }

    fn corrupt(&self, row: &Row, error: &FoldError) -> Error {
        let what = format!("row {} of thread {}", row.seq, self.id);
        store::Error::Corrupt { what, reason: error.to_string() }.into()
    }
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
    async fn from(pinned: Pinned<'a>, ns: &Namespace, end: Seq) -> Result<Self, store::Error> {
        let view = View::load_of(pinned, ns, Some(end)).await?;
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
            ns: Some(self.view.ns.clone()),
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
