//! One run, from its claim to what came of it.

use std::time::{Duration, Instant};

use duru::store::{self, Cancel, EntryKind, Hint, QueuedRun, RunStatus, Settled};
use duru::{
    AskedBy, CheckpointId, Clock, Durability, EndStatus, ErasedGraph, ErasedThread, Error, GrantedTables,
    Namespace, Outcome, Run, RunEnd, SystemClock, ThreadLog, ThreadState, Unfinished,
};
use serde_json::{Map, Value, json};
use tracing::field::Empty;
use tracing::{Instrument as _, Span};

use super::live::{Ended, Live};
use crate::asked::Asked;
use crate::dead::RETRY_OF;
use crate::error::log_line;
use crate::graphs::known_nodes;
use crate::guard::granted;
use crate::hub::Shared;
use crate::scope::{OWNER, TABLES};
use crate::wire::run::RunPlan;
use crate::wire::state::{interrupts, values_of};
use crate::wire::words::DurabilityWord;

/// How long a thread of nobody stays for those who still read it.
const LINGER: Duration = Duration::from_secs(30);

/// How long a run of a graph that is not served here is left to other servers.
const LEFT_TO_OTHERS: Duration = Duration::from_secs(60);

/// What became of a run, before anybody is told.
enum Fate {
    /// It is over.
    Over { status: RunStatus, thread: &'static str, result: Value },
    /// What it did is undone.
    RolledBack,
    /// Somebody else goes on with it.
    GivenBack,
    /// Somebody else has it already.
    Lost,
}

/// Carries a run out and says so. Whatever happens, nothing of it is lost: what
/// is not settled here is claimed again. Whether more runs of the thread may wait.
pub(super) async fn carry_out(hub: &Shared, run: QueuedRun, live: &Live) -> bool {
    let started = Instant::now();
    if run.attempt == 1 {
        hub.metrics.begun(age(&run));
    }
    let (fate, temporary, graph) = match RunPlan::of(&run) {
        Ok(plan) => {
            let span = span(&run, &plan);
            let fate = work(hub, &run, &plan, live).instrument(span.clone()).await;
            fate.note(&span);
            (fate, plan.temporary, plan.graph_id)
        }
        Err(error) => {
            (failed("InvalidRun", format!("the run could not be read: {error}")), false, String::new())
        }
    };
    let took = started.elapsed();
    if matches!(fate, Fate::Lost) {
        hub.metrics.lost();
    }
    fate.line(&run, &graph, took);
    tell(hub, &run, live, fate, temporary, &|status| hub.metrics.settled(&graph, status, took)).await;
    if let Some(hints) = &hub.hints {
        hints.tell(Hint::Thread(run.thread.clone()));
    }
    !temporary
}

/// Whose run it is, where people have names.
fn owner(run: &QueuedRun) -> Option<&str> {
    run.metadata.get(OWNER).and_then(Value::as_str)
}

/// A run as a part of the trace of the request that started it.
fn span(run: &QueuedRun, plan: &RunPlan) -> Span {
    tracing::info_span!(
        "run",
        otel.name = %format_args!("invoke_agent {}", plan.graph_id),
        gen_ai.operation.name = "invoke_agent",
        gen_ai.agent.name = %plan.graph_id,
        gen_ai.conversation.id = run.thread.as_str(),
        duru.thread.id = run.thread.as_str(),
        duru.run.id = %run.id,
        duru.run.attempt = run.attempt,
        duru.run.status = Empty,
        enduser.id = owner(run),
        error.type = Empty,
        traceparent = plan.trace.as_deref(),
    )
}

impl Fate {
    /// In a word.
    fn word(&self) -> &'static str {
        match self {
            Self::Over { status, .. } => status.as_str(),
            Self::RolledBack => "rolled_back",
            Self::GivenBack => "given_back",
            Self::Lost => "lost",
        }
    }

    /// What the error is called, if it was one. What it says may be people's own words.
    fn error(&self) -> Option<&str> {
        match self {
            Self::Over { result, .. } => result.get("__error__")?.get("error")?.as_str(),
            _ => None,
        }
    }

    fn note(&self, span: &Span) {
        span.record("duru.run.status", self.word());
        span.record("error.type", self.error());
    }

    fn line(&self, run: &QueuedRun, graph: &str, took: Duration) {
        let (who, status, error, attempt) = (owner(run), self.word(), self.error(), run.attempt);
        let (id, thread) = (run.id.to_string(), run.thread.as_str());
        let ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        if error.is_some() {
            tracing::warn!(run = id, thread, graph, who, status, error, attempt, ms, "run");
        } else {
            tracing::info!(run = id, thread, graph, who, status, attempt, ms, "run");
        }
    }
}

/// Says what became of a run: in the store, and then to those who wait.
async fn tell(
    hub: &Shared,
    run: &QueuedRun,
    live: &Live,
    fate: Fate,
    temporary: bool,
    count: &(dyn Fn(RunStatus) + Sync),
) {
    let (status, thread_status, result) = match fate {
        Fate::Over { status, thread, result } => (status, thread, result),
        Fate::RolledBack => {
            if let Err(error) = hub.stores.runs.forget(run.id, Some(run.attempt)).await {
                log_line(&error);
            }
            return live.end(Ended { result: json!({}) });
        }
        Fate::GivenBack => (RunStatus::Pending, "busy", Value::Null),
        Fate::Lost => return,
    };
    let outcome = result.get("__error__").cloned();
    // The thread of a run of its own goes with it, unless it failed: then somebody may want to know why, and try again.
    let temporary = temporary && !matches!(status, RunStatus::Error | RunStatus::Timeout);
    // Nobody reads the thread of a run that is only waited for.
    let remove_thread = temporary && status != RunStatus::Pending && !live.is_read();
    let settled = Settled { status, outcome, thread_status: thread_status.to_owned(), remove_thread };
    let told = hub.stores.runs.settle(run.id, run.attempt, settled).await;
    if matches!(told, Ok(true)) && status != RunStatus::Pending {
        count(status);
    }
    match told {
        // No longer ours to settle; its new owner will.
        Ok(false) => {}
        Ok(true) if status == RunStatus::Pending => {}
        Ok(true) if remove_thread => {
            hub.log(&run.thread).forget();
            live.end(Ended { result });
        }
        Ok(true) => {
            live.end(Ended { result });
            if temporary {
                drop(tokio::time::timeout(LINGER, live.unread()).await);
                sweep(hub, run).await;
            } else {
                hub.said.changed(run.thread.as_str());
            }
        }
        // Claimed again when the lease ends; its log says that it is over.
        Err(error) => log_line(&error),
    }
}

/// Removes the thread of a run that nobody has named.
async fn sweep(hub: &Shared, run: &QueuedRun) {
    hub.log(&run.thread).forget();
    if let Err(error) = hub.stores.catalog.remove(EntryKind::Thread, run.thread.as_str()).await {
        log_line(&error);
    }
}

async fn work(hub: &Shared, run: &QueuedRun, plan: &RunPlan, live: &Live) -> Fate {
    let Some(graph) = hub.graphs.get(&plan.graph_id) else {
        return strange(run, plan, live).await;
    };
    let thread = graph.app.thread(run.thread.clone());
    let graph = graph.app.graph();
    // What the thread of a run of its own comes to is in what the run writes.
    let seen = is_alone(run, plan).then(|| thread.log().remember());
    let outcome = match begin(graph, &thread, run, plan).await {
        Ok(Begun::Ended(end)) => return ended(&thread, &end, run).await,
        Ok(Begun::Nothing) => return done(&thread).await,
        Ok(Begun::Empty) => {
            let reason = "there is no input, and the thread has nothing to go on with";
            return failed("EmptyInputError", reason.to_owned());
        }
        Ok(Begun::Run(job)) => {
            let job = match equip(graph, *job, run, plan, live) {
                Ok(job) => job,
                Err(error) => return refused(&error),
            };
            job.await
        }
        Err(error) => Err(error),
    };
    if live.is_lost() {
        return Fate::Lost;
    }
    match outcome {
        Ok(Outcome::Done(_)) => match &seen {
            Some(seen) => over(seen.state().await, RunStatus::Success, "idle"),
            None => done(&thread).await,
        },
        Ok(Outcome::Paused(_) | Outcome::Breakpoint(_)) => paused(&thread).await,
        Ok(Outcome::Failed(failure)) => failed(&failure.name, failure.message),
        Ok(Outcome::Drained) => Fate::GivenBack,
        Ok(Outcome::Cancelled) if live.is_given_back() => Fate::GivenBack,
        Ok(Outcome::Cancelled) => cancelled(&thread, run, live.how()).await,
        // It was cancelled before its deadline could be kept, and stays as it is.
        Err(Error::NothingToResume { .. }) if plan.overdue => paused(&thread).await,
        Err(error) => failure(&thread, &error, live).await,
    }
}

/// Whether nobody can have written to the run's thread before: it was made for
/// the run, and nobody has begun it.
fn is_alone(run: &QueuedRun, plan: &RunPlan) -> bool {
    plan.temporary && run.attempt == 1 && !run.metadata.contains_key(RETRY_OF)
}

/// How long ago it was accepted.
fn age(run: &QueuedRun) -> Duration {
    Duration::from_millis(SystemClock.now_ms().saturating_sub(run.created_ms))
}

/// A run of a graph that this process does not have. Whoever accepted it has:
/// it is left to them for a while, as when one of several servers is newer.
async fn strange(run: &QueuedRun, plan: &RunPlan, live: &Live) -> Fate {
    if age(run) > LEFT_TO_OTHERS {
        return failed("UnknownGraph", format!("no server has graph {:?} any more", plan.graph_id));
    }
    drop(tokio::time::timeout(Duration::from_millis(500), live.cancel.cancelled()).await);
    Fate::GivenBack
}

/// What there is to do for a run, given what its thread's log says of it.
enum Begun {
    Run(Box<Run<Value>>),
    /// A worker before us did it all, and died before it could say so.
    Ended(RunEnd),
    /// There is nothing to do.
    Nothing,
    /// There is nothing to begin with.
    Empty,
}

/// An input without the fields that the graph does not know: clients send
/// more than one graph needs.
fn known(graph: &ErasedGraph, input: &Value) -> Value {
    let schema = &graph.schemas().input;
    match (input, schema.get("properties").and_then(Value::as_object)) {
        (Value::Object(fields), Some(known)) if schema["additionalProperties"] == false => {
            let fields = fields.iter().filter(|(name, _)| known.contains_key(*name));
            Value::Object(fields.map(|(name, value)| (name.clone(), value.clone())).collect())
        }
        _ => input.clone(),
    }
}

async fn begin(
    graph: &ErasedGraph,
    thread: &ErasedThread,
    run: &QueuedRun,
    plan: &RunPlan,
) -> Result<Begun, Error> {
    let log = thread.log();
    // Only a run that was claimed before can have written anything.
    if run.attempt > 1
        && let Some(trace) = log.run(run.id).await?
    {
        return Ok(match trace.end {
            Some(end) if !matches!(end.status, EndStatus::Drained | EndStatus::Cancelled) => {
                Begun::Ended(end)
            }
            // Stopped, but not for good: if it is to be cancelled, its switch says so.
            _ => Begun::Run(Box::new(thread.go_on())),
        });
    }
    let at = elsewhere(&log, plan).await?;
    let job = match &plan.command {
        Some(command) if command.resume.is_some() => {
            log.back_to(at).await?;
            let answer = command.resume.clone().unwrap_or_default();
            match RunPlan::answers(&answer) {
                Some(answers) => thread.answer(answers),
                None => thread.resume(answer),
            }
        }
        Some(command) => {
            let nodes = command.goto.as_ref().map(|goto| goto.targets()).unwrap_or_default();
            match &command.update {
                update if !nodes.is_empty() => from(thread.goto(update.clone(), nodes)?, at),
                Some(update) => from(thread.invoke(update.clone())?, at),
                None => {
                    log.back_to(at).await?;
                    thread.go_on()
                }
            }
        }
        None => match &plan.input {
            Some(input) if !input.is_null() => from(thread.invoke(known(graph, input))?, at),
            _ => {
                log.back_to(at).await?;
                let state = log.state().await?;
                if state.checkpoint.is_none() {
                    return Ok(Begun::Empty);
                }
                if state.next().is_empty() {
                    return Ok(Begun::Nothing);
                }
                if plan.overdue { thread.answer_overdue() } else { thread.go_on() }
            }
        },
    };
    Ok(Begun::Run(Box::new(job)))
}

/// A run with an input of its own, at the moment that it is to begin at.
fn from(run: Run<Value>, at: Option<CheckpointId>) -> Run<Value> {
    match at {
        Some(at) => run.at(at),
        None => run,
    }
}

/// The earlier moment of the thread that a run is to begin at; none where it is the last one.
async fn elsewhere(log: &ThreadLog, plan: &RunPlan) -> Result<Option<CheckpointId>, Error> {
    let refused = |reason: String| Error::Input { graph: plan.graph_id.clone(), reason };
    let Some(text) = &plan.checkpoint else { return Ok(None) };
    let unknown = |_| refused(format!("{text:?} is not the id of a checkpoint"));
    let at: CheckpointId = text.parse().map_err(unknown)?;
    let ns = Namespace::from_stored(&plan.checkpoint_ns);
    let inside = log.clone().within(ns.clone());
    if inside.state().await?.checkpoint == Some(at) {
        return Ok(None);
    }
    if ns.is_root() {
        return Ok(Some(at));
    }
    if !plan.goes_on() {
        return Err(refused("an input goes into the whole graph: name a checkpoint of that".to_owned()));
    }
    inside.fork(at).await?;
    Ok(None)
}

/// Going back before a run that has nothing of its own to begin with.
trait BackTo {
    async fn back_to(&self, at: Option<CheckpointId>) -> Result<(), Error>;
}

impl BackTo for ThreadLog {
    async fn back_to(&self, at: Option<CheckpointId>) -> Result<(), Error> {
        if let Some(at) = at {
            self.fork(at).await?;
        }
        Ok(())
    }
}

/// Gives a run its id, its settings and its switches.
fn equip(
    graph: &ErasedGraph,
    mut job: Run<Value>,
    run: &QueuedRun,
    plan: &RunPlan,
    live: &Live,
) -> Result<Run<Value>, Error> {
    job = graph
        .with_context(job, Value::Object(plan.told()))?
        .id(run.id)
        // A thread that was removed with its runs does not come back by one that was about to begin.
        .while_queued()
        .provide(Asked { stream_modes: plan.stream_mode.clone() })
        // What new input gives up is noted in the log.
        .on_unfinished(Unfinished::Discard)
        .durability(match plan.durability {
            // An accepted run must survive: "exit" is raised.
            Some(DurabilityWord::Async | DurabilityWord::Exit) => Durability::Background,
            None | Some(DurabilityWord::Sync) => Durability::EachStep,
        })
        .cancel_on(live.cancel.clone())
        .drain_on(live.drain.clone())
        .pause_before(known_nodes(graph, &plan.interrupt_before).0)
        .pause_after(known_nodes(graph, &plan.interrupt_after).0);
    if let Some(limit) = plan.config.get("recursion_limit").and_then(Value::as_u64) {
        job = job.recursion_limit(limit);
    }
    if is_alone(run, plan) {
        job = job.on_new_thread();
    }
    if let Some(owner) = owner(run) {
        job = job.provide(AskedBy(owner.to_owned()));
    }
    if let Some(tables) = granted(run.metadata.get(TABLES)) {
        job = job.provide(GrantedTables(tables));
    }
    let mut notes = run.metadata.clone();
    notes.extend(Map::from_iter([
        ("graph_id".to_owned(), plan.graph_id.clone().into()),
        ("assistant_id".to_owned(), plan.assistant_id.to_string().into()),
    ]));
    Ok(notes.into_iter().fold(job, |job, (key, value)| job.metadata(key, value)))
}

async fn done(thread: &ErasedThread) -> Fate {
    over(thread.log().state().await, RunStatus::Success, "idle")
}

async fn paused(thread: &ErasedThread) -> Fate {
    over(thread.log().state().await, RunStatus::Success, "interrupted")
}

/// A run's end with the thread's values, and the questions that wait.
fn over(state: Result<ThreadState, Error>, status: RunStatus, word: &'static str) -> Fate {
    let result = match state {
        Ok(state) => {
            let mut values = values_of(&state);
            let waiting = state.questions();
            // At a breakpoint nothing is asked.
            if word == "interrupted" && status == RunStatus::Success && !waiting.is_empty() {
                values.insert("__interrupt__".into(), json!(interrupts(&waiting)));
            }
            Value::Object(values)
        }
        Err(error) => {
            log_line(&error);
            Value::Object(Map::new())
        }
    };
    Fate::Over { status, thread: word, result }
}

fn failed(name: &str, message: String) -> Fate {
    let result = json!({ "__error__": { "error": name, "message": message } });
    Fate::Over { status: RunStatus::Error, thread: "error", result }
}

/// A worker before us ended it.
async fn ended(thread: &ErasedThread, end: &RunEnd, run: &QueuedRun) -> Fate {
    match end.status {
        EndStatus::Done => done(thread).await,
        EndStatus::Paused => paused(thread).await,
        EndStatus::Cancelled | EndStatus::Drained => cancelled(thread, run, run.cancel).await,
        EndStatus::Failed => {
            let error = end.error.as_ref();
            let name = error.map_or("Error", |error| &error.name);
            failed(name, error.map_or_else(String::new, |error| error.cause.clone()))
        }
    }
}

async fn cancelled(thread: &ErasedThread, run: &QueuedRun, how: Option<Cancel>) -> Fate {
    if how != Some(Cancel::Rollback) {
        return over(thread.log().state().await, RunStatus::Cancelled, "interrupted");
    }
    match thread.log().rollback(run.id).await {
        // It had not written anything.
        Ok(()) | Err(Error::UnknownRun { .. }) => Fate::RolledBack,
        Err(error) => {
            log_line(&error);
            over(thread.log().state().await, RunStatus::Cancelled, "interrupted")
        }
    }
}

/// Why a run could not be carried out.
async fn failure(thread: &ErasedThread, error: &Error, live: &Live) -> Fate {
    match error {
        // Answers to questions that have been answered: the first one counts.
        Error::NothingToResume { .. } | Error::UnknownInterrupt { .. } => match thread.log().state().await {
            Ok(state) if state.checkpoint.is_none() => refused(error),
            _ => done(thread).await,
        },
        // Without an answer the question is asked again.
        Error::Waiting { .. } => paused(thread).await,
        // A worker that was thought dead still had the thread, or took it; or the thread was removed.
        Error::Store(store::Error::Conflict { .. } | store::Error::Deleted { .. }) => Fate::Lost,
        Error::Store(store::Error::Owned { for_ms, .. }) => {
            let wait = Duration::from_millis((*for_ms).min(1000));
            drop(tokio::time::timeout(wait, live.cancel.cancelled()).await);
            Fate::GivenBack
        }
        Error::Busy { .. } => {
            tokio::time::sleep(Duration::from_millis(50)).await;
            Fate::GivenBack
        }
        // The store can't be reached: a replica that reaches it continues.
        Error::Store(store::Error::Backend { .. }) => {
            log_line(error);
            tokio::time::sleep(Duration::from_millis(500)).await;
            Fate::GivenBack
        }
        other => refused(other),
    }
}

fn refused(error: &Error) -> Fate {
    let name = match error {
        Error::Input { .. } => "InvalidUpdateError",
        Error::Ambiguous { .. } | Error::UnfitAnswer { .. } => "InvalidAnswerError",
        Error::UnknownCheckpoint { .. } => "UnknownCheckpointError",
        _ => "RunError",
    };
    failed(name, error.to_string())
}
