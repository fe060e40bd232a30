//! One thread of an app: run it, answer it, look at it.

use std::collections::HashMap;
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::cx::Question;
use crate::error::Error;
use crate::log::{Checkpoint, EndStatus, Source, TaskOutcome, TaskRecord};
use crate::past::{Edited, HistoryQuery, Keep, ThreadLog};
use crate::run::{Home, Run, Start};
use crate::store::Seq;
use crate::stream::{Mode, Reader};
use crate::view::View;
use crate::{CheckpointId, FieldError, InterruptId, Namespace, RunId, State, TaskId, ThreadId};

/// A thread of an app.
pub struct Thread<S: State, I = <S as State>::Update, O = Arc<S>> {
    pub(crate) app: App<S, I, O>,
    pub(crate) id: ThreadId,
}

impl<S: State, I, O> Clone for Thread<S, I, O> {
    fn clone(&self) -> Self {
        Self { app: self.app.clone(), id: self.id.clone() }
    }
}

/// What a thread looks like at a checkpoint.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ThreadState {
    /// The channels' values.
    pub values: Map<String, Value>,
    /// The checkpoint; none if the thread was never written.
    pub checkpoint: Option<CheckpointId>,
    /// The one before it.
    pub parent: Option<CheckpointId>,
    /// The number of the step that ended there.
    pub step: Option<i64>,
    /// What wrote it.
    pub source: Option<Source>,
    /// Whether it took an input in: before that there was a moment to go back
    /// to, see [`CheckpointId::before_input`].
    pub took_input: bool,
    /// The tasks of the next step, those that have finished included.
    pub tasks: Vec<TaskState>,
    /// The run that wrote it.
    pub run: Option<RunId>,
    /// When it was written, in milliseconds since 1970.
    pub at_ms: Option<u64>,
    /// How the last run ended; none while one is under way, or after a crash.
    pub ended: Option<EndStatus>,
}

/// A task of a step that is not complete.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TaskState {
    /// The task.
    pub id: TaskId,
    /// Its node.
    pub node: String,
    /// The graph it is of.
    pub ns: Namespace,
    /// What it wrote, if it has finished.
    pub result: Option<Value>,
    /// What it wrote in the end, as the checkpoint after this one says. Here it
    /// was still to run.
    pub later: Option<Value>,
    /// How it failed, if it did.
    pub error: Option<String>,
    /// What it asks, if it does.
    pub questions: Vec<Question>,
}

impl ThreadState {
    /// The nodes that are still to run.
    pub fn next(&self) -> Vec<&str> {
        self.tasks.iter().filter(|task| task.result.is_none()).map(|task| task.node.as_str()).collect()
    }

    /// The questions that wait for an answer.
    pub fn questions(&self) -> Vec<&Question> {
        self.tasks.iter().flat_map(|task| &task.questions).collect()
    }

    /// The values as the state's type.
    pub fn decode<S: State>(&self) -> Result<S, FieldError> {
        S::decode(self.values.clone())
    }

    /// Takes in what the next checkpoint says of the tasks that were planned here.
    pub(crate) fn learn(&mut self, next: &Checkpoint) {
        // The step is over: here all of them were still to run, also those that finished first.
        for task in &mut self.tasks {
            task.later = task.result.take().or(task.later.take());
        }
        for TaskRecord { id, outcome, .. } in &next.results {
            if let (Some(task), TaskOutcome::Done(done)) =
                (self.tasks.iter_mut().find(|task| task.id == *id), outcome)
            {
                task.later = Some(crate::stream::update(done));
            }
        }
    }

    pub(crate) fn of(view: &View) -> Self {
        let pending = view.pending();
        let tasks = view.plan.tasks.iter().map(|planned| {
            let mut task = TaskState {
                id: planned.id,
                node: planned.node.to_string(),
                ns: view.ns.clone(),
                result: None,
                later: None,
                error: None,
                questions: Vec::new(),
            };
            match view.tasks.get(&planned.id).map(|record| &record.outcome) {
                Some(TaskOutcome::Done(done)) => task.result = Some(crate::stream::update(done)),
                Some(TaskOutcome::Failed(failed) | TaskOutcome::Retried(failed)) => {
                    task.error = Some(failed.message.clone());
                }
                Some(TaskOutcome::Paused(questions)) => {
                    let waits =
                        |question: &&Question| pending.iter().any(|waiting| waiting.id == question.id);
                    task.questions = questions.iter().filter(waits).cloned().collect();
                }
                None => {}
            }
            task
        });
        Self {
            values: view.state.channels().clone(),
            checkpoint: view.at.as_ref().map(|at| at.id),
            parent: view.at.as_ref().and_then(|at| at.parent),
            step: view.at.as_ref().map(|at| at.step),
            source: view.at.as_ref().map(|at| at.source),
            took_input: view.at.as_ref().is_some_and(|at| at.took_input),
            tasks: tasks.collect(),
            run: view.at.as_ref().and_then(|at| at.written).map(|(run, _)| run),
            at_ms: view.at.as_ref().and_then(|at| at.written).map(|(_, at_ms)| at_ms),
            ended: view.end.as_ref().map(|end| end.status),
        }
    }
}

impl<S: State, I, O> Thread<S, I, O> {
    /// Its name.
    pub fn id(&self) -> &ThreadId {
        &self.id
    }

    /// Runs the graph with new input. Await it, set options on it, or watch it
    /// with [`Run::stream`].
    pub fn invoke(&self, input: I) -> Run<O> {
        self.start(Start::Input(self.app.graph.update_of(input)))
    }

    /// Answers the only question that waits, and goes on.
    pub fn resume(&self, answer: impl Serialize) -> Run<O> {
        self.start(Start::Answer(serde_json::to_value(answer).map_err(|error| error.to_string())))
    }

    /// Answers some of the questions that wait, and goes on as far as that allows.
    pub fn answer<A: Serialize>(&self, answers: impl IntoIterator<Item = (InterruptId, A)>) -> Run<O> {
        let answers: Result<HashMap<InterruptId, Value>, String> = answers
            .into_iter()
            .map(|(id, answer)| Ok((id, serde_json::to_value(answer).map_err(|error| error.to_string())?)))
            .collect();
        self.start(Start::Answers(answers))
    }

    /// Goes on after a breakpoint, a failure, a cancellation or a crash. What
    /// had finished is not run again.
    pub fn go_on(&self) -> Run<O> {
        self.start(Start::Continue)
    }

    /// Goes on because a deadline of it has passed, with the default answers.
    /// Unlike [`Thread::go_on`] it leaves a thread alone that was cancelled.
    pub fn answer_overdue(&self) -> Run<O> {
        self.start(Start::Overdue)
    }

    /// Changes the state, if there is an input, and runs the named nodes
    /// instead of the graph's start.
    pub fn goto<N: Into<String>>(&self, input: Option<I>, nodes: impl IntoIterator<Item = N>) -> Run<O> {
        let update = input.map(|input| self.app.graph.update_of(input));
        self.start(Start::Goto(update, nodes.into_iter().map(|node| (node.into(), None)).collect()))
    }

    fn start(&self, start: Start) -> Run<O> {
        let App { store, desk, .. } = &self.app;
        let home = Home { store: Arc::clone(store), desk: Arc::clone(desk), thread: self.id.clone() };
        self.app.graph.run(Some(home), start)
    }

    /// The thread without its graph: its past, and what can be done with it.
    pub fn log(&self) -> ThreadLog {
        ThreadLog {
            store: Arc::clone(&self.app.store),
            id: self.id.clone(),
            clock: Arc::clone(&self.app.graph.kit.clock),
            ns: Namespace::root(),
            desk: Arc::clone(&self.app.desk),
        }
    }

    /// The thread as it is now.
    pub async fn state(&self) -> Result<ThreadState, Error> {
        self.log().state().await
    }

    /// The thread's checkpoints, newest first: a number of them, or a query.
    pub async fn history(&self, query: impl Into<HistoryQuery>) -> Result<Vec<ThreadState>, Error> {
        self.log().history(query).await
    }

    /// The thread as it was at a checkpoint: the state there, and what became
    /// of the tasks that were planned there.
    pub async fn state_at(&self, checkpoint: CheckpointId) -> Result<ThreadState, Error> {
        self.log().state_at(checkpoint).await
    }

    /// The subgraph behind a task, as of the step that the task belongs to;
    /// none if the task is no subgraph or has not begun.
    pub async fn subgraph_state(&self, task: &TaskState) -> Result<Option<ThreadState>, Error> {
        self.log().subgraph_state(task).await
    }

    /// Events of the thread from number `from` on, of runs in this process as
    /// they happen. Reading from the last number plus one gives exactly the rest.
    pub async fn events(&self, from: Seq, modes: impl IntoIterator<Item = Mode>) -> Result<Reader, Error> {
        self.log().events(from, modes).await
    }

    /// Goes back to a checkpoint, see [`ThreadLog::fork`].
    pub async fn fork(&self, checkpoint: CheckpointId) -> Result<Edited, Error> {
        self.log().fork(checkpoint).await
    }

    /// Copies the whole thread to a name that is free, see [`ThreadLog::copy_to`].
    pub async fn copy_to(&self, to: &ThreadId) -> Result<Self, Error> {
        let copy = self.log().copy_to(to).await?;
        Ok(Self { app: self.app.clone(), id: copy.id })
    }

    /// Forgets old history, see [`ThreadLog::prune`].
    pub async fn prune(&self, keep: Keep) -> Result<usize, Error> {
        self.log().prune(keep).await
    }

    /// Undoes the last run, see [`ThreadLog::rollback`].
    pub async fn rollback(&self, run: RunId) -> Result<(), Error> {
        self.log().rollback(run).await
    }

    /// Stops the run that is under way in this process. What has finished is
    /// kept. Whether there was one.
    pub fn cancel(&self) -> bool {
        self.app.desk.cancel(&self.id)
    }

    /// Lets the run that is under way in this process end its step and stop.
    /// Whether there was one.
    pub fn drain(&self) -> bool {
        let drain = self.app.desk.switches(&self.id).and_then(|switches| switches.drain);
        drain.inspect(CancellationToken::cancel).is_some()
    }

    /// Removes the thread and everything of it. Whether there was one.
    pub async fn delete(&self) -> Result<bool, Error> {
        self.log().delete().await
    }
}
