//! One try of one task: run the node, guard against panics, watch the time.

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{sleep, timeout};
use tracing::Instrument as _;

use super::{Pulse, RunShared, cache, nested};
use crate::cx::{Cx, Desk, Inner};
use crate::error::{Cause, NodeError};
use crate::failpoint;
use crate::graph::Replied;
use crate::graph::topology::{BoxFuture, Given, NodeSpec, Subgraph, Work};
use crate::stepper::{Slot, SlotMode, Stepper, TaskResult, panic_text, running_mode};

/// One try of a task, as a span of the run's trace.
pub(super) fn run(stepper: &Stepper, index: usize, shared: &Arc<RunShared>) -> BoxFuture<TaskResult> {
    let slot = &stepper.slots[index];
    let name = &*stepper.topology.node(slot.node).name;
    let span = tracing::info_span!(
        "node",
        otel.name = %format_args!("node {name}"),
        duru.graph = &*stepper.topology.name,
        duru.node = name,
        duru.step = stepper.step + 1,
        duru.attempt = slot.attempt,
        error.type = tracing::field::Empty,
    );
    // Where nobody listens it costs nothing but this.
    if span.is_disabled() {
        return start(stepper, index, shared);
    }
    let task = span.in_scope(|| start(stepper, index, shared));
    let noted = span.clone();
    let traced = async move {
        let result = task.await;
        if let TaskResult::Failed(error) = &result {
            noted.record("error.type", error.name());
        }
        result
    };
    Box::pin(traced.instrument(span))
}

fn start(stepper: &Stepper, index: usize, shared: &Arc<RunShared>) -> BoxFuture<TaskResult> {
    let slot = &stepper.slots[index];
    let node = stepper.topology.node(slot.node);
    let mode = running_mode(slot);
    if let (Work::Subgraph(subgraph), SlotMode::Node) = (&node.work, &mode) {
        return visit(subgraph.clone(), stepper, index, shared);
    }
    let cx = context(stepper, slot, node, shared);
    let state = Arc::clone(&stepper.state);
    let limits = Limits { total: slot.timeout.or(node.policy.timeout), idle: node.policy.idle_timeout };
    match (&node.work, mode) {
        (Work::Function(function), SlotMode::Node) => {
            let given = slot.input.clone().map_or_else(|| Given::State(state), Given::Own);
            if node.cache.is_none() {
                return attempt(cx, limits, |cx| function(given, cx));
            }
            let key = catch_unwind(AssertUnwindSafe(|| {
                cache::Place::of(&stepper.topology, slot.node, &given, shared)
            }));
            match key {
                Ok(Some(place)) => {
                    // The function is not even called where its result is kept.
                    let function = Arc::clone(function);
                    Box::pin(place.or_run(move || attempt(cx, limits, |cx| function(given, cx))))
                }
                Ok(None) => attempt(cx, limits, |cx| function(given, cx)),
                Err(panic) => panicked(&*panic),
            }
        }
        (_, SlotMode::Handler(failure)) => match &node.handler {
            Some(handler) => attempt(cx, limits, |cx| handler(state, *failure, cx)),
            None => attempt(cx, limits, |_| fail("the node has no error handler any more")),
        },
        (Work::Subgraph(_), SlotMode::Node) => attempt(cx, limits, |_| fail("a subgraph is no function")),
    }
}

/// A subgraph, within the limits that its node has.
fn visit(
    subgraph: Subgraph,
    stepper: &Stepper,
    index: usize,
    shared: &Arc<RunShared>,
) -> BoxFuture<TaskResult> {
    let policy = &stepper.topology.node(stepper.slots[index].node).policy;
    let total = policy.timeout;
    let idle = policy.idle_timeout.map(|limit| {
        let pulse = Pulse { around: shared.pulse.clone(), ..Pulse::default() };
        (Arc::new(pulse), limit)
    });
    let inside = match &idle {
        Some((pulse, _)) => Arc::new(shared.inside(pulse)),
        None => Arc::clone(shared),
    };
    let visit = no_panic(nested::run(subgraph, stepper, index, &inside));
    Box::pin(async move {
        let watched = async move {
            match idle {
                Some((pulse, limit)) => while_alive(visit, (&pulse.beats, limit), &inside).await,
                None => visit.await,
            }
        };
        let result = match total {
            Some(limit) => no_panic(in_time(watched, limit)).await,
            None => no_panic(watched).await,
        };
        result.unwrap_or_else(TaskResult::Failed)
    })
}

/// One try of a function of the user's.
fn attempt(
    cx: Cx,
    limits: Limits,
    start: impl FnOnce(Cx) -> BoxFuture<Result<Replied, NodeError>>,
) -> BoxFuture<TaskResult> {
    let watched = cx.clone();
    // Making the future runs the function's body up to its first await in the
    // case of hand-written futures: a panic there is the node's too.
    match catch_unwind(AssertUnwindSafe(|| start(cx))) {
        // Most nodes have no time limit, and their task is a fraction of the size.
        Ok(future) if limits.total.is_none() && limits.idle.is_none() => {
            Box::pin(Plain { future: HeldUp::new(future, &watched), cx: watched, started: false })
        }
        Ok(future) => Box::pin(watch(future, watched, limits)),
        Err(panic) => panicked(&*panic),
    }
}

fn panicked(panic: &(dyn std::any::Any + Send)) -> BoxFuture<TaskResult> {
    let error = NodeError(Cause::Panicked(panic_text(panic)));
    Box::pin(async move { TaskResult::Failed(error) })
}

fn fail(text: &'static str) -> BoxFuture<Result<Replied, NodeError>> {
    Box::pin(async move { Err(NodeError::fatal(text)) })
}

fn context(stepper: &Stepper, slot: &Slot, node: &NodeSpec, shared: &Arc<RunShared>) -> Cx {
    Cx(Arc::new(Inner {
        run: Arc::clone(shared),
        ns: stepper.rules.ns.clone(),
        node: Arc::clone(&node.name),
        task: slot.id,
        step: stepper.step + 1,
        attempt: slot.attempt,
        steps_left: stepper.steps_left,
        by_handler: slot.handled.is_some(),
        answers: slot.answers.clone(),
        desk: Mutex::new(Desk::default()),
        deadlines: slot.deadlines.clone(),
        effects: slot.effects.clone(),
        alive: Notify::new(),
    }))
}

#[derive(Clone, Copy)]
struct Limits {
    total: Option<Duration>,
    idle: Option<Duration>,
}

async fn watch(future: BoxFuture<Result<Replied, NodeError>>, cx: Cx, limits: Limits) -> TaskResult {
    if let Err(crash) = failpoint::hit("node.start") {
        return TaskResult::Failed(NodeError(Cause::Crashed(crash)));
    }
    // Ending a node early drops what it holds, and that may panic too.
    let guarded = no_panic(HeldUp::new(future, &cx));
    let result = match limits {
        Limits { total: None, idle: None } => guarded.await,
        Limits { total: Some(limit), idle: None } => no_panic(in_time(guarded, limit)).await,
        Limits { total: None, idle: Some(idle) } => {
            no_panic(while_alive(guarded, (&cx.0.alive, idle), &cx.0.run)).await
        }
        Limits { total: Some(limit), idle: Some(idle) } => {
            no_panic(in_time(while_alive(guarded, (&cx.0.alive, idle), &cx.0.run), limit)).await
        }
    };
    ended(result, &cx)
}

/// A node that is held up while too many of its run's events wait for the
/// store: it is not polled, and so sends no more.
struct HeldUp {
    future: BoxFuture<Result<Replied, NodeError>>,
    run: Arc<RunShared>,
    room: Option<BoxFuture<()>>,
}

impl HeldUp {
    fn new(future: BoxFuture<Result<Replied, NodeError>>, cx: &Cx) -> Self {
        Self { future, run: Arc::clone(&cx.0.run), room: None }
    }
}

impl Future for HeldUp {
    type Output = Result<Replied, NodeError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        if let Some(committer) = this.run.committer.as_ref().filter(|committer| committer.is_crowded()) {
            let committer = Arc::clone(committer);
            this.room.get_or_insert_with(|| Box::pin(async move { committer.room().await }));
        }
        if let Some(room) = &mut this.room {
            std::task::ready!(room.as_mut().poll(context));
            this.room = None;
        }
        this.future.as_mut().poll(context)
    }
}

/// A try without a time limit: [`watch`], less what it does not need.
struct Plain {
    future: HeldUp,
    cx: Cx,
    started: bool,
}

impl Future for Plain {
    type Output = TaskResult;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<TaskResult> {
        if !std::mem::replace(&mut self.started, true)
            && let Err(crash) = failpoint::hit("node.start")
        {
            return Poll::Ready(TaskResult::Failed(NodeError(Cause::Crashed(crash))));
        }
        let result = match catch_unwind(AssertUnwindSafe(|| Pin::new(&mut self.future).poll(context))) {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(result)) => result,
            Err(panic) => Err(NodeError(Cause::Panicked(panic_text(&*panic)))),
        };
        Poll::Ready(ended(result, &self.cx))
    }
}

fn ended(result: Result<Replied, NodeError>, cx: &Cx) -> TaskResult {
    if let Err(crash) = failpoint::hit("node.end") {
        return TaskResult::Failed(NodeError(Cause::Crashed(crash)));
    }
    // A question counts even if the node swallowed the error that carried it.
    let pending = std::mem::take(&mut cx.desk().pending);
    match result {
        _ if !pending.is_empty() => {
            cx.record_memos();
            TaskResult::Asked(pending)
        }
        Ok(replied) => TaskResult::Done(replied),
        Err(error) => TaskResult::Failed(error),
    }
}

async fn in_time<T>(
    future: impl Future<Output = Result<T, NodeError>>,
    limit: Duration,
) -> Result<T, NodeError> {
    let late = || Err(NodeError(Cause::TimedOut { idle: false, limit }));
    timeout(limit, future).await.unwrap_or_else(|_| late())
}

async fn while_alive<T>(
    future: impl Future<Output = Result<T, NodeError>>,
    (alive, limit): (&Notify, Duration),
    run: &RunShared,
) -> Result<T, NodeError> {
    let mut future = pin!(future);
    loop {
        tokio::select! {
            biased;
            result = &mut future => return result,
            () = alive.notified() => {}
            () = sleep(limit) => {
                // Unless it is the store that is slow.
                if !run.is_held_up() {
                    return Err(NodeError(Cause::TimedOut { idle: true, limit }));
                }
            }
        }
    }
}

/// The future, with a panic as an error.
async fn no_panic<T>(future: impl Future<Output = Result<T, NodeError>>) -> Result<T, NodeError> {
    let mut future = pin!(future);
    poll_fn(|cx| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx))) {
        Ok(poll) => poll,
        Err(panic) => Poll::Ready(Err(NodeError(Cause::Panicked(panic_text(&*panic))))),
    })
    .await
}
