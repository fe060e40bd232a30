//! A thread's checkpoints, and what was before its inputs.

use super::{HistoryQuery, ThreadLog};
use crate::error::Error;
use crate::log::{Checkpoint, Record};
use crate::state::FoldError;
use crate::store::{Kind, Row, RowQuery, Seq};
use crate::thread::{TaskState, ThreadState};
use crate::view::View;
use crate::{CheckpointId, Namespace};

impl ThreadLog {
    /// The thread's checkpoints, newest first: a number of them, or a query.
    pub async fn history(&self, query: impl Into<HistoryQuery>) -> Result<Vec<ThreadState>, Error> {
        let query = query.into();
        let (until, first) = match query.before {
            Some(checkpoint) => self.page_before(checkpoint, query.inputs).await?,
            None => (None, None),
        };
        let checkpoints = RowQuery {
            ns: Some(self.ns.clone()),
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
        let states = match wanted.last() {
            Some(oldest) => self.states(&wanted, *oldest..until.unwrap_or(Seq::MAX), query.inputs).await?,
            None => Vec::new(),
        };
        let all = states.into_iter().rev().flat_map(|moment| [Some(moment.state), moment.before]);
        let mut shown: Vec<ThreadState> = first.into_iter().chain(all.flatten()).collect();
        shown.truncate(query.limit);
        Ok(shown)
    }

    /// Where the page before a checkpoint ends, and what it begins with that no
    /// row says.
    async fn page_before(
        &self,
        checkpoint: CheckpointId,
        inputs: bool,
    ) -> Result<(Option<Seq>, Option<ThreadState>), Error> {
        let Some(row) = self.find_row(checkpoint).await? else {
            return match self.find_row(checkpoint.after_input()).await? {
                Some(row) if inputs => Ok((Some(row.seq), None)),
                _ => Err(self.unknown(checkpoint)),
            };
        };
        let Record::Checkpoint(made) = Record::from_row(&self.id, &row)? else { return Ok((None, None)) };
        let before = match inputs && made.input().is_some() {
            true => self.before_input(&row, &made, &self.view(Some(row.seq)).await?)?,
            false => None,
        };
        Ok((Some(row.seq), before))
    }

    /// The states at these rows, the oldest first.
    async fn states(
        &self,
        wanted: &[Seq],
        range: std::ops::Range<Seq>,
        inputs: bool,
    ) -> Result<Vec<Moment>, Error> {
        let mut view = self.view(Some(range.start)).await?;
        // With the checkpoint after the last one: it says what became of its tasks.
        let rows = RowQuery {
            ns: Some(self.ns.clone()),
            from: range.start,
            until: range.end.checked_add(1).filter(|until| *until < Seq::MAX),
            ..RowQuery::default()
        };
        let mut states: Vec<Moment> = Vec::with_capacity(wanted.len());
        let mut at = range.start;
        for row in self.store.rows(&self.id, rows).await? {
            let mut before = None;
            if row.kind == Kind::Checkpoint
                && let Record::Checkpoint(next) = Record::from_row(&self.id, &row)?
            {
                if let Some(last) = states.last_mut().filter(|last| last.state.checkpoint == next.parent) {
                    last.state.learn(&next);
                }
                if inputs && wanted.contains(&row.seq) {
                    before = self.before_input(&row, &next, &view)?;
                }
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
            if states.last().is_some_and(|last| last.seq == at) {
                before = states.pop().and_then(|last| last.before);
            }
            states.push(Moment { seq: at, state: ThreadState::of(&view), before });
        }
        Ok(states)
    }

    /// The thread as it was at a checkpoint: the state there, and what became
    /// of the tasks that were planned there. Or as it was before an input, see
    /// [`CheckpointId::before_input`].
    pub async fn state_at(&self, checkpoint: CheckpointId) -> Result<ThreadState, Error> {
        let Some(row) = self.find_row(checkpoint).await? else {
            let row = self.find_row(checkpoint.after_input()).await?;
            let row = row.ok_or_else(|| self.unknown(checkpoint))?;
            let Record::Checkpoint(made) = Record::from_row(&self.id, &row)? else {
                return Err(self.unknown(checkpoint));
            };
            let before = self.before_input(&row, &made, &self.view(Some(row.seq)).await?)?;
            return before.ok_or_else(|| self.unknown(checkpoint));
        };
        let (view, next) = self.view_from(&row).await?;
        let mut state = ThreadState::of(&view);
        if let Some(next) = next.filter(|next| next.parent == Some(checkpoint)) {
            state.learn(&next);
        }
        Ok(state)
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
        let mut inner = self.ns.clone();
        while let Some(outer) = inner.parent() {
            let first = RowQuery { ns: Some(inner), limit: Some(1), ..RowQuery::default() };
            let Some(first) = self.store.rows(&self.id, first).await?.into_iter().next() else { break };
            let planned = RowQuery {
                ns: Some(outer.clone()),
                kinds: vec![Kind::Checkpoint],
                until: Some(first.seq),
                newest_first: true,
                limit: Some(1),
                ..RowQuery::default()
            };
            let planned = self.store.rows(&self.id, planned).await?.into_iter().next();
            parents.extend(planned.and_then(|row| Some((outer.clone(), row.checkpoint?))));
            inner = outer;
        }
        parents.reverse();
        Ok(parents)
    }

    /// The view at a checkpoint, or before an input, with everything that
    /// happened until the next one.
    pub(crate) async fn view_at(&self, checkpoint: CheckpointId) -> Result<View, Error> {
        if let Some(row) = self.find_row(checkpoint).await? {
            return Ok(self.view_from(&row).await?.0);
        }
        let unknown = || self.unknown(checkpoint);
        let row = self.find_row(checkpoint.after_input()).await?.ok_or_else(unknown)?;
        let Record::Checkpoint(made) = Record::from_row(&self.id, &row)? else { return Err(unknown()) };
        let view = self.view(Some(row.seq)).await?;
        view.before_input(&row, &made).map_err(|error| self.corrupt(&row, &error))?.ok_or_else(unknown)
    }

    /// The view at a row and all that follows until the next checkpoint, and that one.
    pub(super) async fn view_from(&self, row: &Row) -> Result<(View, Option<Checkpoint>), Error> {
        let next = RowQuery {
            ns: Some(self.ns.clone()),
            kinds: vec![Kind::Checkpoint],
            from: row.end(),
            limit: Some(1),
            ..RowQuery::default()
        };
        let next = self.store.rows(&self.id, next).await?.into_iter().next();
        let view = self.view(next.as_ref().map(|next| next.seq)).await?;
        let next = next.map(|next| Record::from_row(&self.id, &next)).transpose()?;
        let next = next.and_then(|next| match next {
            Record::Checkpoint(next) => Some(next),
            _ => None,
        });
        Ok((view, next))
    }

    /// The moment before the input that made a checkpoint, if one did.
    fn before_input(&self, row: &Row, made: &Checkpoint, view: &View) -> Result<Option<ThreadState>, Error> {
        let before = view.before_input(row, made).map_err(|error| self.corrupt(row, &error))?;
        Ok(before.map(|view| {
            let mut state = ThreadState::of(&view);
            if let (Some(task), Some(done)) = (state.tasks.first_mut(), made.input()) {
                task.later = Some(crate::stream::update(done));
            }
            state
        }))
    }

    pub(super) async fn find_row(&self, checkpoint: CheckpointId) -> Result<Option<Row>, Error> {
        let query = RowQuery {
            ns: Some(self.ns.clone()),
            kinds: vec![Kind::Checkpoint],
            checkpoint: Some(checkpoint),
            newest_first: true,
            limit: Some(1),
            ..RowQuery::default()
        };
        Ok(self.store.rows(&self.id, query).await?.into_iter().next())
    }

    pub(super) fn unknown(&self, checkpoint: CheckpointId) -> Error {
        Error::UnknownCheckpoint { thread: self.id.clone(), checkpoint }
    }

    fn corrupt(&self, row: &Row, error: &FoldError) -> Error {
        let what = format!("row {} of thread {}", row.seq, self.id);
        crate::store::Error::Corrupt { what, reason: error.to_string() }.into()
    }
}

/// A checkpoint of a history, and what was before the input that made it.
struct Moment {
    seq: Seq,
    state: ThreadState,
    before: Option<ThreadState>,
}
