//! Accepting runs: from a request to a place in the queue.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use duru::store::{Cancel, Enqueued, NewRun, QueuedRun, RunQuery, Seq};
use duru::{Clock, RunId, SystemClock, ThreadId};
use serde::Deserialize;
use serde_json::Value;
use tracing::Instrument as _;
use uuid::Uuid;
use xxhash_rust::xxh3::xxh3_64;

use super::threads::{fresh_uuid, thread_id};
use crate::error::{ApiError, ApiResult};
use crate::graphs::known_nodes;
use crate::hub::Shared;
use crate::scope::mark;
use crate::stream::{Followed, Leave};
use crate::wire::assistant::Assistant;
use crate::wire::run::{On, RunPlan, RunRequest};
use crate::wire::words::{IfNotExists, OnDisconnect};
use crate::worker::Follower;

/// A run that was accepted.
pub(crate) struct Submitted {
    pub(crate) run: QueuedRun,
    pub(crate) plan: RunPlan,
    pub(crate) follower: Follower,
    /// Where its events begin at the earliest.
    pub(crate) from: Seq,
    /// It may be gone already when the caller gets this.
    pub(crate) leave: Leave,
    /// Whether its thread was named by the caller.
    pub(crate) on: On,
    /// What of the request means nothing here, in words.
    pub(crate) ignored: Option<HeaderValue>,
}

/// Says what of a request was passed over.
pub(super) const IGNORED: HeaderName = HeaderName::from_static("x-duru-ignored");

/// Breakpoints at nodes that the graph does not have.
fn ignored(hub: &Shared, plan: &RunPlan) -> Option<HeaderValue> {
    let graph = hub.graphs.get(&plan.graph_id)?.app.graph();
    let of = |what: &str, names: &[String]| {
        let unknown = known_nodes(graph, names).1;
        let names: Vec<String> = unknown.iter().map(|name| name.escape_default().to_string()).collect();
        (!names.is_empty()).then(|| format!("{what}: no node {}", names.join(", ")))
    };
    let before = of("interrupt_before", &plan.interrupt_before);
    let after = of("interrupt_after", &plan.interrupt_after);
    let said = before.into_iter().chain(after).collect::<Vec<String>>().join("; ");
    if said.is_empty() { None } else { HeaderValue::try_from(said).ok() }
}

/// What the caller wants of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To see everything that it writes.
    Read,
    /// To know how it ends.
    Wait,
    /// Nothing more.
    Create,
}

const NOT_FOUND: &str = "Thread or assistant not found.";

const BUSY: &str =
    "Thread is already running a task. Wait for it to finish or choose a different multitask strategy.";

/// Accepts a run on a thread, or on one of its own. What is given back is durable.
pub(crate) async fn submit(
    hub: &Shared,
    thread: Option<&str>,
    request: Value,
    headers: &HeaderMap,
    purpose: Purpose,
) -> ApiResult<Submitted> {
    if hub.pool.is_stopping() {
        return Err(ApiError::unavailable("The server is stopping."));
    }
    if hub.pool.waiting() >= hub.pool.limits.longest_queue() {
        return Err(ApiError::too_many("The queue is full. Try again later."));
    }
    let key = headers.get("idempotency-key").and_then(|key| key.to_str().ok()).map(|key| {
        let asked = format!("{}\n{request}", thread.unwrap_or_default());
        (key.to_owned(), xxh3_64(asked.as_bytes()))
    });
    let request = RunRequest::deserialize(request).map_err(|error| ApiError::invalid(error.to_string()))?;
    let assistant = assistant(hub, request.assistant_id.as_deref(), thread.is_some()).await?;
    let (on, id) = match thread {
        Some(id) => (On::Thread, thread_id(id)?),
        None => (On::Nothing, thread_id(&fresh_uuid().to_string())?),
    };
    // Once it is in the queue somebody has to carry it out: a client that goes
    // in that moment must not take along those who know of it.
    let work = {
        let hub = hub.clone();
        async move { accept(&hub, request, &assistant, (on, id), key, purpose).await }
    };
    hub.pool.to_the_end(work.in_current_span()).await
}

/// The assistant that a request names.
async fn assistant(hub: &Shared, id: Option<&str>, on_thread: bool) -> ApiResult<Assistant> {
    let Some(id) = id else {
        return Err(ApiError::invalid("\"assistant_id\" is a required property"));
    };
    if let Some(found) = hub.assistant_for_run(id).await? {
        return Ok(found);
    }
    if Uuid::parse_str(id).is_ok() {
        let detail = if on_thread { NOT_FOUND.to_owned() } else { format!("Assistant '{id}' not found") };
        return Err(ApiError::not_found(detail));
    }
    let graphs: Vec<&str> = hub.graphs.iter().map(|(id, _)| id).collect();
    Err(ApiError::invalid(format!(
        "Invalid assistant: '{id}'. Must be either:\n- A valid assistant UUID, or\n- One of the registered graphs: {}",
        graphs.join(", ")
    )))
}

/// Whose questions wait on a thread: those of the assistant that ran last.
pub(crate) async fn last_assistant(hub: &Shared, thread: &ThreadId) -> ApiResult<Option<String>> {
    let query = RunQuery { thread: Some(thread.clone()), limit: Some(1), ..RunQuery::default() };
    let last = hub.stores.runs.runs(query).await?.pop();
    match last.and_then(|run| RunPlan::of(&run).ok()) {
        Some(plan) => Ok(Some(plan.assistant_id.to_string())),
        None => Ok(hub.log(thread).graph().await?),
    }
}

async fn accept(
    hub: &Shared,
    request: RunRequest,
    assistant: &Assistant,
    (on, thread): (On, ThreadId),
    key: Option<(String, u64)>,
    purpose: Purpose,
) -> ApiResult<Submitted> {
    let make_thread = on == On::Nothing || request.if_not_exists == Some(IfNotExists::Create);
    let after_ms = request.after_seconds.map_or(0, |after| (after * 1000.0) as u64);
    let cancel_on_disconnect =
        purpose != Purpose::Create && request.on_disconnect == Some(OnDisconnect::Cancel);
    request.check_told()?;
    let (mut plan, metadata) = request.for_assistant(assistant, on)?;
    // Whose memory a run has is not the client's to say.
    if let (Some(owner), Some(Value::Object(input))) = (&hub.owner, &mut plan.input)
        && let Ok(graph) = hub.graph(&plan.graph_id)
        && graph.app.graph().schemas().input["properties"].get("user").is_some()
    {
        input.insert("user".into(), owner.to_string().into());
    }

    plan.trace = duru_telemetry::current().map(|span| span.header());
    let run = RunId::on(&thread, SystemClock.now_ms());
    // Before it can write anything: its events come after this.
    let from = match on {
        On::Thread => hub.stores.checkpoints.head(&thread).await?.map_or(0, |head| head.next_seq),
        On::Nothing => 0,
    };
    let follower = match purpose {
        Purpose::Read => hub.pool.follow(run).reading(),
        Purpose::Wait | Purpose::Create => hub.pool.follow(run),
    };
    let mut new = NewRun {
        id: run,
        thread,
        make_thread,
        thread_metadata: assistant.names(),
        payload: serde_json::to_value(&plan).map_err(|error| ApiError::invalid(error.to_string()))?,
        metadata,
        if_busy: plan.if_busy(),
        key,
        after_ms,
        claim: hub.pool.has_room().then(|| hub.pool.worker.clone()),
    };
    let runs = match (&hub.owner, on) {
        // Nobody else can know a name that was made a moment ago: nobody has to be asked whose it is.
        (Some(owner), On::Nothing) => {
            mark(owner, hub.tables.as_deref(), &mut new);
            &hub.whole().stores.runs
        }
        _ => &hub.stores.runs,
    };
    match runs.enqueue(new).await? {
        Enqueued::Accepted { run, stopping } => {
            for stopped in stopping {
                hub.pool.stop_here(stopped.id, stopped.cancel.unwrap_or(Cancel::Interrupt));
            }
            match run.status {
                duru::store::RunStatus::Running => hub.pool.begin(hub.whole(), run.clone()),
                _ => hub.pool.wake(),
            }
            let leave = Leave { hub: hub.clone(), run: run.id, armed: cancel_on_disconnect };
            Ok(Submitted { run, ignored: ignored(hub, &plan), plan, follower, from, leave, on })
        }
        Enqueued::Again(run) => {
            let Followed { follower, from } = Followed::of(hub, &run).await?;
            let plan = RunPlan::of(&run).map_err(|error| ApiError::invalid(error.to_string()))?;
            let leave = Leave { hub: hub.clone(), run: run.id, armed: cancel_on_disconnect };
            Ok(Submitted { run, ignored: ignored(hub, &plan), plan, follower, from, leave, on })
        }
        Enqueued::KeyTaken => {
            Err(ApiError::invalid("This Idempotency-Key was used for another request. Use a new one."))
        }
        Enqueued::Busy => Err(ApiError::conflict(BUSY)),
        Enqueued::NoThread => Err(ApiError::not_found(NOT_FOUND)),
    }
}
