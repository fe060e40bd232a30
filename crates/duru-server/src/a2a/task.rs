//! Tasks: what the queue and the log say of a run, and of those that went on with it.

use std::fmt;

use duru::store::{QueuedRun, RunStatus};
use duru::{EndStatus, RunId, ThreadId, ThreadState};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::Agent;
use super::message::{Message, Part};
use crate::wire::run::RunPlan;
use crate::{ApiError, Runs, answer};

/// The name of a task: `context:run`, the run that it began with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TaskId {
    pub(super) thread: ThreadId,
    pub(super) run: RunId,
}

impl TaskId {
    pub(super) fn parse(name: &str) -> Option<Self> {
        let (thread, run) = name.split_once(':')?;
        let thread = crate::routes::thread_id(thread).ok()?;
        Some(Self { thread, run: RunId::from_u128(Uuid::parse_str(run).ok()?.as_u128()) })
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.thread, self.run)
    }
}

/// What has become of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Submitted,
    Working,
    InputRequired,
    Completed,
    Canceled,
    Failed,
}

#[derive(Debug)]
pub(super) struct Task {
    pub(super) id: TaskId,
    pub(super) state: State,
    /// What is asked back, or why it failed.
    pub(super) said: Option<Message>,
    pub(super) answer: Vec<Part>,
    pub(super) history: Vec<Message>,
    /// The run that was last accepted for it.
    pub(super) last: QueuedRun,
    /// The question that waits: its id, and what it is. One at a time, so that it is known what an answer is to.
    pub(super) question: Option<(String, Value)>,
}

/// The runs of a task.
struct Links {
    first: QueuedRun,
    /// Those that went on with it.
    rest: Vec<QueuedRun>,
    /// Whether something else was asked since.
    left_behind: bool,
}

/// Whether a run only goes on with a task.
fn goes_on(run: &QueuedRun) -> bool {
    RunPlan::of(run).is_ok_and(|plan| plan.goes_on())
}

impl Agent {
    /// A task of this agent's, if there is one of that name.
    pub(super) async fn task(&self, id: &TaskId) -> Result<Option<Task>, ApiError> {
        let runs = self.runs.since(&id.thread, |run| run.id == id.run).await?;
        self.task_of(runs).await
    }

    /// The task that a context waits with for an answer, if it does.
    pub(super) async fn waiting(&self, thread: &ThreadId) -> Result<Option<Task>, ApiError> {
        let runs = self.runs.since(thread, |run| !goes_on(run)).await?;
        Ok(self.task_of(runs).await?.filter(|task| task.state == State::InputRequired))
    }

    async fn task_of(&self, runs: Vec<QueuedRun>) -> Result<Option<Task>, ApiError> {
        let mut runs = runs.into_iter();
        let Some(first) = runs.next() else { return Ok(None) };
        if !RunPlan::of(&first).is_ok_and(|plan| plan.assistant_id == self.assistant.id) {
            return Ok(None);
        }
        let mut links = Links { first, rest: Vec::new(), left_behind: false };
        for run in runs {
            if !goes_on(&run) {
                links.left_behind = true;
                break;
            }
            links.rest.push(run);
        }
        let trouble = self.told.as_ref().and_then(|told| told.trouble);
        Task::read(&self.runs, links, trouble).await.map(Some)
    }
}

impl Task {
    /// From the run that it began with, and those that went on with it.
    async fn read(runs: &Runs, links: Links, trouble: Option<&str>) -> Result<Self, ApiError> {
        let Links { first, rest, left_behind } = links;
        let id = TaskId { thread: first.thread.clone(), run: first.id };
        let (mut history, mut end) = (Vec::from_iter(sent(&first)), None);
        let mut last = first;
        for run in rest.into_iter().map(Some).chain([None]) {
            if !last.status.is_active() {
                // One that found nothing to do has no end of its own.
                end = runs.end_of(&last).await?.or(end);
            }
            let Some(run) = run else { break };
            if let Some((EndStatus::Paused, state)) = &end {
                history.extend(question(state).map(|(id, value)| asking(&id, &value)));
            }
            history.extend(sent(&run));
            last = run;
        }
        let mut task =
            Self { id, state: State::Working, said: None, answer: Vec::new(), history, last, question: None };
        match task.last.status {
            RunStatus::Pending if task.last.id == task.id.run => task.state = State::Submitted,
            RunStatus::Pending | RunStatus::Running => {}
            RunStatus::Success => task.ended(end, left_behind, trouble),
            RunStatus::Cancelled => task.state = State::Canceled,
            RunStatus::Error | RunStatus::Timeout | RunStatus::Dead => task.failed(why(&task.last)),
        }
        Ok(task)
    }

    fn ended(&mut self, end: Option<(EndStatus, ThreadState)>, left_behind: bool, trouble: Option<&str>) {
        match end {
            // What came of it is not kept any more.
            None => self.state = State::Completed,
            // Something else was asked instead of an answer being given.
            Some((EndStatus::Paused, _)) if left_behind => self.state = State::Canceled,
            Some((EndStatus::Paused, state)) => {
                self.state = State::InputRequired;
                self.question = question(&state);
                self.said = self.question.as_ref().map(|(id, value)| asking(id, value));
            }
            Some((EndStatus::Done, state)) => self.done(&state.values, trouble),
            Some((EndStatus::Failed, _)) => self.failed(why(&self.last)),
            Some((EndStatus::Cancelled | EndStatus::Drained, _)) => self.state = State::Canceled,
        }
    }

    fn done(&mut self, values: &Map<String, Value>, trouble: Option<&str>) {
        if trouble.is_some_and(|field| values.get(field).is_some_and(|why| !why.is_null())) {
            return self.failed(answer::text(values));
        }
        self.state = State::Completed;
        // A graph that has no words of its own has values.
        let data = || Part::Data(Value::Object(values.clone()));
        self.answer = vec![answer::words(values).map_or_else(data, Part::Text)];
    }

    fn failed(&mut self, why: String) {
        self.state = State::Failed;
        let id = format!("{}:end", self.last.id);
        self.said = Some(Message { id, of_user: false, parts: vec![Part::Text(why)] });
    }

    /// With so many of its last messages; all if nobody says how many.
    pub(super) fn recent(mut self, history: Option<usize>) -> Self {
        let skipped = self.history.len().saturating_sub(history.unwrap_or(usize::MAX));
        self.history.drain(..skipped);
        self
    }

    /// As it was when its last run was accepted, whatever has become of it since: what follows is told by and by.
    pub(super) fn begun(mut self) -> Self {
        self.state = if self.last.id == self.id.run { State::Submitted } else { State::Working };
        (self.said, self.answer, self.question) = (None, Vec::new(), None);
        self
    }
}

/// Why a run failed.
fn why(run: &QueuedRun) -> String {
    if run.status == RunStatus::Dead {
        return format!("the run was given up: {} workers died of it", run.deaths);
    }
    let word = |name: &str| run.outcome.as_ref().and_then(|why| why[name].as_str()).unwrap_or_default();
    format!("{}: {}", word("error"), word("message"))
}

/// The first question that waits.
fn question(state: &ThreadState) -> Option<(String, Value)> {
    let first = state.questions().into_iter().next()?;
    Some((first.id.to_string(), first.get().unwrap_or_default()))
}

/// A question in words, and as it is where there is more to it.
fn asking(id: &str, value: &Value) -> Message {
    let mut parts = vec![Part::Text(answer::question(value))];
    if value.is_object() {
        parts.push(Part::Data(value.clone()));
    }
    Message { id: id.to_owned(), of_user: false, parts }
}

/// What a run was sent; none where nobody sent anything.
fn sent(run: &QueuedRun) -> Option<Message> {
    let plan = RunPlan::of(run).ok()?;
    let parts = match (plan.input, plan.command.and_then(|command| command.resume)) {
        (Some(Value::Object(mut input)), _) => {
            let asked = answer::asked(&input).map(|(field, text)| (field.to_owned(), text));
            let field = asked.as_ref().map(|(field, _)| field.clone());
            // What the server says in the caller's name is not what they said.
            for said_for_them in field.iter().map(String::as_str).chain(["interactive", "user"]) {
                input.remove(said_for_them);
            }
            let words = asked.map(|(_, text)| Part::Text(text));
            words.into_iter().chain((!input.is_empty()).then(|| Part::Data(input.into()))).collect()
        }
        (_, Some(answers)) => match RunPlan::answers(&answers) {
            Some(answers) => answers.into_values().map(said).collect(),
            None => vec![said(answers)],
        },
        _ => return None,
    };
    let id = run.metadata.get(super::ask::MESSAGE).and_then(Value::as_str).map(str::to_owned);
    Some(Message { id: id.unwrap_or_else(|| format!("{}:begin", run.id)), of_user: true, parts })
}

fn said(answer: Value) -> Part {
    match answer {
        Value::String(text) => Part::Text(text),
        other => Part::Data(other),
    }
}
