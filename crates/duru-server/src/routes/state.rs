//! The state of a thread, now and before.

use axum::Json;
use axum::Router;
use axum::extract::Path;
use axum::response::IntoResponse;
use axum::routing::{get, post};
use std::collections::{BTreeSet, HashMap};

use duru::store::RunQuery;
use duru::{CheckpointId, Edited, HistoryQuery, RunId, Source, ThreadId, ThreadState};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::paging::limit;
use super::threads::thread_id;
use crate::body::{Body, Query};
use crate::error::{ApiError, ApiResult};
use crate::hub::Shared;
use crate::scope::Scope;
use crate::wire::before::{self, Point, id_after};
use crate::wire::run::CheckpointRef;
use crate::wire::state::{Place, checkpoint};

pub(super) fn router() -> Router<Shared> {
    Router::new()
        .route("/threads/{id}/state", get(now).post(change))
        .route("/threads/{id}/state/checkpoint", post(at_checkpoint))
        .route("/threads/{id}/state/{checkpoint}", get(at))
        .route("/threads/{id}/history", post(history).get(history_by_query))
}

fn checkpoint_id(text: &str) -> ApiResult<CheckpointId> {
    text.parse().map_err(|_| ApiError::invalid(format!("Invalid checkpoint ID {text:?}: must be a UUID")))
}

/// What is said about the runs that wrote some states.
async fn notes(hub: &Shared, states: &[&ThreadState]) -> ApiResult<HashMap<RunId, Map<String, Value>>> {
    let ids: BTreeSet<RunId> = states.iter().filter_map(|state| state.run).collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let query = RunQuery { ids: ids.into_iter().collect(), ..RunQuery::default() };
    let runs = hub.stores.runs.runs(query).await?;
    Ok(runs.into_iter().map(|run| (run.id, run.metadata)).collect())
}

/// A state as clients read it, with those of its subgraphs if they are wanted.
async fn shown(hub: &Shared, thread: &ThreadId, point: &Point, subgraphs: bool) -> ApiResult<Value> {
    let entry = hub.thread_entry(thread).await?;
    let (state, before) = match point {
        Point::Checkpoint(state) => (state, None),
        Point::BeforeInput { at, parent } => (at, Some(parent)),
    };
    let runs = notes(hub, &[state]).await?;
    let place = Place { thread, entry: &entry, ns: "", runs: &runs };
    if let Some(parent) = before {
        return Ok(place.before_input(state, parent.as_deref()));
    }
    let mut inner = Vec::new();
    if subgraphs {
        let log = hub.log(thread);
        for task in &state.tasks {
            let ns = task.ns.child(&task.node, task.id);
            let place = Place { ns: ns.as_str(), ..place };
            inner.push(log.subgraph_state(task).await?.map(|state| place.state(&state, &[])));
        }
    }
    Ok(place.state(state, &inner))
}

async fn now(Scope(hub): Scope, Path(id): Path<String>, query: Query) -> ApiResult {
    let id = thread_id(&id)?;
    hub.thread_entry(&id).await?;
    let state = Point::Checkpoint(Box::new(hub.log(&id).state().await?));
    Ok(Json(shown(&hub, &id, &state, query.flag("subgraphs")).await?).into_response())
}

async fn at(Scope(hub): Scope, Path((id, checkpoint)): Path<(String, String)>, query: Query) -> ApiResult {
    let id = thread_id(&id)?;
    hub.thread_entry(&id).await?;
    let point = before::resolve(&hub.log(&id), checkpoint_id(&checkpoint)?).await?;
    Ok(Json(shown(&hub, &id, &point, query.flag("subgraphs")).await?).into_response())
}

#[derive(Deserialize)]
struct AtCheckpoint {
    checkpoint: Option<CheckpointRef>,
    #[serde(default)]
    subgraphs: Option<bool>,
}

async fn at_checkpoint(
    Scope(hub): Scope,
    Path(id): Path<String>,
    Body(request): Body<AtCheckpoint>,
) -> ApiResult {
    let id = thread_id(&id)?;
    hub.thread_entry(&id).await?;
    let log = hub.log(&id);
    let named = request.checkpoint.and_then(|checkpoint| checkpoint.checkpoint_id);
    let point = match named {
        Some(checkpoint) => before::resolve(&log, checkpoint_id(&checkpoint)?).await?,
        None => Point::Checkpoint(Box::new(log.state().await?)),
    };
    Ok(Json(shown(&hub, &id, &point, request.subgraphs.unwrap_or(false)).await?).into_response())
}

#[derive(Deserialize)]
struct Change {
    #[serde(default)]
    values: Option<Value>,
    as_node: Option<String>,
    checkpoint: Option<CheckpointRef>,
    checkpoint_id: Option<String>,
}

async fn change(Scope(hub): Scope, Path(id): Path<String>, Body(change): Body<Change>) -> ApiResult {
    let id = thread_id(&id)?;
    let entry = hub.thread_entry(&id).await?;
    let at = change.checkpoint.and_then(|checkpoint| checkpoint.checkpoint_id).or(change.checkpoint_id);
    let at = at.as_deref().map(checkpoint_id).transpose()?;
    let graph = match entry.metadata.get("graph_id").and_then(Value::as_str) {
        Some(graph) => graph.to_owned(),
        None => hub.log(&id).graph().await?.ok_or_else(|| {
            ApiError::bad_request(format!("Thread {id} has no assigned graph ID: run a graph on it first"))
        })?,
    };
    let written = match change.values.filter(|values| !values.is_null()) {
        // Nothing to write: a way back to a checkpoint.
        None => match at {
            Some(at) => hub.thread(&graph, &id)?.log().fork(at).await?,
            None => return Err(ApiError::bad_request("There is nothing to change: give values")),
        },
        Some(values) => {
            let node = match change.as_node {
                Some(node) => node,
                None => last_node(&hub, &id, &graph).await?,
            };
            edit(&hub, &id, &graph, (at, &node), values).await?
        }
    };
    hub.said.forget(&*hub.whole().stores.catalog, id.as_str()).await?;
    hub.said.changed(id.as_str());
    let name = checkpoint(&id, "", written.checkpoint);
    let answer =
        json!({ "checkpoint": name, "configurable": name, "checkpoint_id": written.checkpoint.to_string() });
    Ok(Json(answer).into_response())
}

/// Changes a thread as if a node had, now or as of a checkpoint.
pub(super) async fn edit(
    hub: &Shared,
    id: &ThreadId,
    graph: &str,
    (at, node): (Option<CheckpointId>, &str),
    values: Value,
) -> ApiResult<Edited> {
    hub.thread(graph, id)?.edit(at, node, values).await.map_err(|error| match error {
        duru::Error::Input { reason, .. } if reason.contains("no node") => {
            ApiError::bad_request(format!("Node {node} does not exist"))
        }
        duru::Error::Input { reason, .. } => ApiError::bad_request(reason),
        duru::Error::Busy { .. } | duru::Error::Store(duru::store::Error::Owned { .. }) => {
            ApiError::conflict(format!("Thread {id} has in-flight runs: wait for them, or cancel them"))
        }
        other => other.into(),
    })
}

/// The node that wrote last, as whom a change is made where nobody is named.
async fn last_node(hub: &Shared, id: &ThreadId, graph: &str) -> ApiResult<String> {
    let ambiguous = || ApiError::bad_request("Ambiguous update, specify as_node");
    let nodes = hub.graph(graph)?.app.graph().node_names();
    let written = hub.log(id).last_writer().await?;
    written.filter(|node| nodes.contains(node)).or_else(|| nodes.into_iter().next()).ok_or_else(ambiguous)
}

#[derive(Deserialize, Default)]
struct History {
    limit: Option<usize>,
    before: Option<Value>,
    metadata: Option<Map<String, Value>>,
    checkpoint: Option<CheckpointRef>,
}

async fn history(Scope(hub): Scope, Path(id): Path<String>, Body(ask): Body<History>) -> ApiResult {
    answer(&hub, &thread_id(&id)?, ask).await
}

async fn history_by_query(Scope(hub): Scope, Path(id): Path<String>, query: Query) -> ApiResult {
    let before = query.one("before").map(|text| {
        // A checkpoint, or a configuration that names one.
        serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
    });
    let ask = History { limit: query.number("limit")?, before, ..History::default() };
    answer(&hub, &thread_id(&id)?, ask).await
}

/// How many checkpoints are looked at where a filter leaves some out.
const LOOKED_AT: usize = 1000;

async fn answer(hub: &Shared, id: &ThreadId, ask: History) -> ApiResult {
    let entry = hub.thread_entry(id).await?;
    let within = ask.checkpoint.and_then(|checkpoint| checkpoint.checkpoint_ns).unwrap_or_default();
    if !within.is_empty() {
        return Ok(Json(json!([])).into_response());
    }
    let limit = limit(Some(ask.limit.unwrap_or(1)))?;
    let log = hub.log(id);
    let wanted = Value::Object(ask.metadata.unwrap_or_default());
    let filtered = wanted.as_object().is_some_and(|wanted| !wanted.is_empty());
    // One more: what was before an input is what the checkpoint before it says.
    let mut query = HistoryQuery::new().limit(if filtered { LOOKED_AT } else { limit + 1 });
    let mut first = None;
    if let Some(before) = ask.before.as_ref().and_then(named) {
        let before = checkpoint_id(before)?;
        match before::resolve(&log, before).await? {
            Point::Checkpoint(state) => {
                query = query.before(before);
                first = Some(*state).filter(|state| state.source == Some(Source::Input));
            }
            Point::BeforeInput { .. } => query = query.before(id_after(before)),
        }
    }
    let states = log.history(query).await?;
    let all: Vec<&ThreadState> = first.iter().chain(&states).collect();
    let runs = notes(hub, &all).await?;
    let place = Place { thread: id, entry: &entry, ns: "", runs: &runs };
    let mut shown = Vec::new();
    for (i, state) in all.iter().enumerate() {
        if first.is_none() || i > 0 {
            shown.push(place.state(state, &[]));
        }
        if state.source == Some(Source::Input) {
            shown.push(place.before_input(state, all.get(i + 1).copied()));
        }
    }
    shown.retain(|state| duru::store::contains(&state["metadata"], &wanted));
    shown.truncate(limit);
    Ok(Json(shown).into_response())
}

/// The checkpoint in a reference: its id, an object with it, or a whole configuration.
fn named(before: &Value) -> Option<&str> {
    before
        .as_str()
        .or_else(|| before.get("checkpoint_id").and_then(Value::as_str))
        .or_else(|| before.pointer("/configurable/checkpoint_id").and_then(Value::as_str))
}
