//! A thread as its log tells it: the one place that reads records back.
//! Runs restore themselves from it, streams and history show it.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::cx::Question;
use crate::log::{Answer, Checkpoint, End, EndStatus, Failed, Plan, Record, Source, TaskOutcome, TaskRecord};
use crate::state::{Entry, FoldError, Json, JsonState, update_json};
use crate::stepper::START_NAME;
use crate::store::{self, Checkpoints, FORMAT, Kind, Row, RowQuery, Seq, Snapshot};
use crate::{CheckpointId, Incarnation, InterruptId, Namespace, RunId, TaskId, ThreadId};

/// One namespace of a thread at some point of its log.
#[derive(Debug, Clone, Default)]
pub(crate) struct View {
    pub(crate) ns: Namespace,
    pub(crate) state: JsonState,
    pub(crate) at: Option<At>,
    pub(crate) plan: Plan,
    /// The latest record of each task of the step under way.
    pub(crate) tasks: HashMap<TaskId, TaskRecord>,
    /// Failures of tasks of that step whose handlers have taken over.
    pub(crate) handled: HashMap<TaskId, Failed>,
    /// How often tasks of that step were tried that are to be tried again.
    pub(crate) tries: HashMap<TaskId, u32>,
    pub(crate) answers: HashMap<TaskId, Vec<Answer>>,
    pub(crate) effects: HashMap<TaskId, HashMap<String, Json>>,
    /// Tasks whose subgraphs were changed from outside: they wait no more.
    pub(crate) reopened: HashSet<TaskId>,
    /// The graph of the last run.
    pub(crate) graph: Option<String>,
    /// How the last run ended; none while one is under way.
    pub(crate) end: Option<End>,
    /// Bytes of log since the last snapshot, and of that snapshot.
    pub(crate) growth: Growth,
}

/// The checkpoint that a view stands at.
#[derive(Debug, Clone)]
pub(crate) struct At {
    pub(crate) id: CheckpointId,
    pub(crate) parent: Option<CheckpointId>,
    pub(crate) step: i64,
    pub(crate) source: Source,
    /// Whether it took an input in, before which there was a moment to go back to.
    pub(crate) took_input: bool,
    /// The run that wrote it and when, where a row told.
    pub(crate) written: Option<(RunId, u64)>,
}

/// When to take the next snapshot: when the log since the last one has grown to
/// a multiple of it. All snapshots together then stay below the log's own size,
/// and opening a thread reads at most a few times its state.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Growth {
    pub(crate) since: usize,
    pub(crate) snapshot: usize,
}

impl Growth {
    const SMALL: usize = 32 * 1024;

    pub(crate) fn is_due(self) -> bool {
        self.since > 2 * self.snapshot + Self::SMALL
    }
}

/// The kinds of rows that say how a namespace stands.
pub(crate) const KINDS: [Kind; 6] =
    [Kind::Begin, Kind::Checkpoint, Kind::Task, Kind::Answer, Kind::Effect, Kind::End];

/// A snapshot's payload.
#[derive(Serialize, Deserialize)]
struct Stored {
    channels: Map<String, Value>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    ephemeral: Vec<String>,
}

/// The payload of a snapshot of these channels.
pub(crate) fn snapshot_payload(
    channels: Map<String, Value>,
    ephemeral: Vec<String>,
) -> Result<Vec<u8>, serde_json::Error> {
    serde_json::to_vec(&Stored { channels, ephemeral })
}

/// A snapshot to be stored with its checkpoint.
pub(crate) fn snapshot_of(ns: Namespace, seq: Seq, payload: Vec<u8>, thread: &ThreadId) -> Snapshot {
    let mut snapshot = Snapshot { ns, seq, format: FORMAT, payload, checksum: 0 };
    snapshot.seal(thread);
    snapshot
}

/// One thread of a store. Reading it more than once reads the same thread each
/// time, or fails with [`store::Error::Deleted`].
#[derive(Clone, Copy)]
pub(crate) struct Pinned<'a> {
    pub(crate) store: &'a dyn Checkpoints,
    pub(crate) thread: &'a ThreadId,
    pub(crate) incarnation: Incarnation,
}

impl<'a> Pinned<'a> {
    /// The thread that has a name now; none if none has.
    pub(crate) async fn find(
        store: &'a dyn Checkpoints,
        thread: &'a ThreadId,
    ) -> Result<Option<Self>, store::Error> {
        let head = store.head(thread).await?;
        Ok(head.map(|head| Self { store, thread, incarnation: head.incarnation }))
    }

    pub(crate) async fn rows(self, query: RowQuery) -> Result<Vec<Row>, store::Error> {
        let query = RowQuery { incarnation: Some(self.incarnation), ..query };
        self.store.rows(self.thread, query).await
    }
}

impl View {
    /// The namespace as it is, or was before event `until`, of the thread that
    /// has the name now. Empty if it was never written.
    pub(crate) async fn load(
        store: &dyn Checkpoints,
        thread: &ThreadId,
        ns: &Namespace,
        until: Option<Seq>,
    ) -> Result<Self, store::Error> {
        loop {
            let Some(pinned) = Pinned::find(store, thread).await? else {
                return Ok(Self { ns: ns.clone(), ..Self::default() });
            };
            match Self::load_of(pinned, ns, until).await {
                // Deleted in this moment: what has its name now is asked for.
                Err(store::Error::Deleted { .. }) => {}
                loaded => return loaded,
            }
        }
    }

    /// The same of one thread, whatever has its name now.
    pub(crate) async fn load_of(
        pinned: Pinned<'_>,
        ns: &Namespace,
        until: Option<Seq>,
    ) -> Result<Self, store::Error> {
        let Pinned { store, thread, .. } = pinned;
        // A snapshot of the row that begins at `until` would already be too new.
        let newest = until.map(|until| until.saturating_sub(1));
        let mut view = Self { ns: ns.clone(), ..Self::default() };
        let mut from = 0;
        if let Some(snapshot) = store.snapshot(thread, ns, newest).await? {
            snapshot.verify(thread)?;
            let stored: Stored =
                serde_json::from_slice(&snapshot.payload).map_err(|error| store::Error::Corrupt {
                    what: format!("snapshot {} of thread {thread}", snapshot.seq),
                    reason: error.to_string(),
                })?;
            view.state = JsonState::new(stored.channels);
            view.state.set_ephemeral(stored.ephemeral);
            view.growth.snapshot = snapshot.payload.len();
            from = snapshot.seq;
        }
        let after_snapshot = view.growth.snapshot > 0;
        let query =
            RowQuery { ns: Some(ns.clone()), kinds: KINDS.to_vec(), from, until, ..RowQuery::default() };
        // Of the same thread as the snapshot: it had the name before, and has it still.
        for (i, row) in pinned.rows(query).await?.iter().enumerate() {
            match Record::from_row(thread, row)? {
                // The snapshot holds this checkpoint's state already.
                Record::Checkpoint(checkpoint) if i == 0 && after_snapshot => view.move_to(checkpoint),
                record => view.follow(thread, row, record)?,
            }
            view.note(row);
        }
        if view.graph.is_none() && view.is_unfinished() && ns.is_root() {
            view.graph = last_graph(pinned, until).await?;
        }
        Ok(view)
    }

    /// The root namespace of a thread, from all of the thread's rows.
    pub(crate) fn of<'a>(
        thread: &ThreadId,
        rows: impl IntoIterator<Item = &'a Row>,
    ) -> Result<Self, store::Error> {
        let mut view = Self::default();
        for row in rows.into_iter().filter(|row| row.ns.is_root() && KINDS.contains(&row.kind)) {
            view.read(thread, row)?;
        }
        Ok(view)
    }

    /// Goes on by one row of this namespace.
    pub(crate) fn read(&mut self, thread: &ThreadId, row: &Row) -> Result<(), store::Error> {
        self.follow(thread, row, Record::from_row(thread, row)?)?;
        self.note(row);
        Ok(())
    }

    /// Goes on by a record, if it is the next one. A checkpoint names the one
    /// before it: rows that are missing would otherwise be missed by nobody.
    fn follow(&mut self, thread: &ThreadId, row: &Row, record: Record) -> Result<(), store::Error> {
        if let (Record::Checkpoint(Checkpoint { parent: Some(parent), .. }), Some(at)) = (&record, &self.at)
            && !self.leads_to(&record)
        {
            return Err(store::Error::Corrupt {
                what: format!("row {} of thread {thread}", row.seq),
                reason: format!("it follows checkpoint {parent}, but the rows before it end with {}", at.id),
            });
        }
        self.apply(record).map_err(|error| corrupt(thread, row, &error))
    }

    /// Whether a record follows from where this view stands.
    pub(crate) fn leads_to(&self, record: &Record) -> bool {
        match record {
            Record::Checkpoint(Checkpoint { parent: parent @ Some(_), reset: false, .. }) => {
                self.at.as_ref().map(|at| at.id) == *parent
            }
            _ => true,
        }
    }

    /// What only the row knows, not its record.
    fn note(&mut self, row: &Row) {
        self.growth.since += row.payload.len() + ROW_OVERHEAD;
        if row.kind == Kind::Checkpoint
            && let Some(at) = &mut self.at
        {
            at.written = Some((row.run, row.at_ms));
        }
    }

    /// Goes on by one record of this namespace.
    pub(crate) fn apply(&mut self, record: Record) -> Result<(), FoldError> {
        match record {
            Record::Checkpoint(checkpoint) => {
                // A subgraph that could not be resumed in the middle began anew, or the
                // thread went back to an earlier checkpoint.
                if checkpoint.parent.is_none() || checkpoint.reset {
                    self.state = JsonState::starting_with(&checkpoint.base)?;
                }
                let mut writes: Vec<Entry> = Vec::new();
                for task in self.results(&checkpoint) {
                    if let TaskOutcome::Done(done) = &task.outcome {
                        writes.extend(done.writes.iter().flatten().cloned());
                    }
                }
                self.state.apply_step(&writes, &checkpoint.set)?;
                self.move_to(checkpoint);
            }
            Record::Task(TaskRecord { id, outcome: TaskOutcome::Retried(failed), .. }) => {
                self.tries.insert(id, failed.attempts);
            }
            Record::Task(task) => {
                // After a failure or an answer, the count of tries starts again.
                self.tries.remove(&task.id);
                if let TaskOutcome::Failed(failed) = &task.outcome
                    && failed.handled
                {
                    self.handled.insert(task.id, failed.clone());
                    // Those were given to the node; its handler asks for itself.
                    self.answers.remove(&task.id);
                }
                self.reopened.remove(&task.id);
                // What is asked again is not answered: its answer came first and did not fit.
                if let TaskOutcome::Paused(questions) = &task.outcome {
                    let asked = |answer: &Answer| questions.iter().any(|question| question.id == answer.id);
                    self.answers.values_mut().for_each(|answers| answers.retain(|answer| !asked(answer)));
                }
                self.tasks.insert(task.id, task);
            }
            Record::Answer(answer) => self.answers.entry(answer.task).or_default().push(answer),
            Record::Effect(effect) => {
                self.effects.entry(effect.task).or_default().insert(effect.key, effect.value);
            }
            Record::End(end) => {
                if end.status == EndStatus::Failed {
                    self.tries.clear();
                }
                self.end = Some(end);
            }
            Record::Begin(begin) => {
                self.end = None;
                self.reopened.extend(begin.changed);
                self.graph = Some(begin.graph);
            }
            Record::Emit(_) => {}
        }
        Ok(())
    }

    /// The results of a checkpoint's step in task order: those of its planned
    /// tasks, or of the input that began it.
    pub(crate) fn results<'a>(&'a self, checkpoint: &'a Checkpoint) -> Vec<&'a TaskRecord> {
        if checkpoint.source != Source::Loop {
            return checkpoint.results.iter().collect();
        }
        // A step of many tasks has most of its results in rows of their own.
        let find = |id: TaskId| {
            checkpoint.results.iter().find(|result| result.id == id).or_else(|| self.tasks.get(&id))
        };
        self.plan.tasks.iter().filter_map(|planned| find(planned.id)).collect()
    }

    fn move_to(&mut self, checkpoint: Checkpoint) {
        self.at = Some(At {
            id: checkpoint.id,
            parent: checkpoint.parent,
            step: checkpoint.step,
            source: checkpoint.source,
            took_input: checkpoint.input().is_some(),
            written: None,
        });
        self.plan = checkpoint.plan;
        self.tasks.clear();
        self.handled.clear();
        self.tries.clear();
        self.answers.clear();
        self.effects.clear();
        self.reopened.clear();
        self.end = None;
    }

    /// What was before the input that made a checkpoint, whose row comes next;
    /// none if no input did.
    pub(crate) fn before_input(&self, row: &Row, made: &Checkpoint) -> Result<Option<Self>, FoldError> {
        let Some(done) = made.input() else { return Ok(None) };
        let id = made.id.before_input();
        let unfit =
            |error: serde_json::Error| FoldError { channel: START_NAME.into(), reason: error.to_string() };
        let writes: Vec<Entry> = done.writes.iter().flatten().cloned().collect();
        let input = update_json(&writes).map_err(unfit)?;
        let state = match made.parent {
            Some(parent) if !made.reset => match &self.at {
                Some(at) if at.id == parent => self.state.clone(),
                // It is forgotten.
                _ => return Ok(None),
            },
            _ => JsonState::starting_with(&made.base)?,
        };
        let at = At {
            id,
            parent: made.parent,
            step: made.step - 1,
            source: Source::Input,
            took_input: false,
            written: Some((row.run, row.at_ms)),
        };
        let (plan, ns) = (Plan::of_input(id, &self.ns, input), self.ns.clone());
        Ok(Some(Self { ns, state, at: Some(at), plan, graph: self.graph.clone(), ..Self::default() }))
    }

    /// The payload of a snapshot of this view.
    pub(crate) fn snapshot(&self) -> Result<Vec<u8>, serde_json::Error> {
        snapshot_payload(self.state.channels().clone(), self.state.ephemeral().to_vec())
    }

    /// Forgets what was planned, and what has been done of it.
    pub(crate) fn give_up_plan(&mut self) {
        self.plan = Plan::default();
        self.tasks.clear();
        self.handled.clear();
        self.tries.clear();
        self.answers.clear();
    }

    /// Whether a step was planned and not finished.
    pub(crate) fn is_unfinished(&self) -> bool {
        !self.plan.tasks.is_empty()
    }

    /// The questions that wait for an answer, in task order.
    pub(crate) fn pending(&self) -> Vec<Question> {
        let mut pending = Vec::new();
        for planned in &self.plan.tasks {
            if let Some(TaskRecord { outcome: TaskOutcome::Paused(questions), .. }) =
                self.tasks.get(&planned.id)
            {
                pending.extend(questions.iter().filter(|question| !self.is_answered(question)).cloned());
            }
        }
        pending
    }

    /// When the questions that wait answer themselves.
    pub(crate) fn deadlines(&self) -> Vec<(InterruptId, u64)> {
        let pending = self.pending().into_iter();
        pending.filter_map(|question| Some((question.id, question.deadline_ms?))).collect()
    }

    /// Those of them that a cancelled run has taken back, now that the thread goes on.
    pub(crate) fn deadlines_to_set_again(&self) -> Vec<(InterruptId, u64)> {
        let cancelled = self.end.as_ref().is_some_and(|end| end.status == EndStatus::Cancelled);
        if cancelled { self.deadlines() } else { Vec::new() }
    }

    fn is_answered(&self, question: &Question) -> bool {
        // An answer to a subgraph's question is recorded there and here, see `Opening`.
        self.answers.values().flatten().any(|answer| answer.id == question.id)
    }

    /// Nodes of the unfinished step that have finished.
    pub(crate) fn finished(&self) -> Vec<String> {
        let done = |id: &TaskId| {
            matches!(self.tasks.get(id), Some(TaskRecord { outcome: TaskOutcome::Done(_), .. }))
        };
        self.plan.tasks.iter().filter(|task| done(&task.id)).map(|task| task.node.to_string()).collect()
    }
}

/// The graph of the last run, whose first row the snapshot has hidden.
pub(crate) async fn last_graph(
    pinned: Pinned<'_>,
    until: Option<Seq>,
) -> Result<Option<String>, store::Error> {
    let kinds = vec![Kind::Begin];
    let query = RowQuery { kinds, until, limit: Some(1), newest_first: true, ..RowQuery::default() };
    match pinned.rows(query).await?.first() {
        Some(row) => match Record::from_row(pinned.thread, row)? {
            Record::Begin(begin) => Ok(Some(begin.graph)),
            _ => Ok(None),
        },
        None => Ok(None),
    }
}

/// What a row costs beside its payload.
pub(crate) const ROW_OVERHEAD: usize = 96;

fn corrupt(thread: &ThreadId, row: &Row, error: &FoldError) -> store::Error {
    store::Error::Corrupt { what: format!("row {} of thread {thread}", row.seq), reason: error.to_string() }
}
