//! The state of a thread, now and before, and that of the graphs inside it.

use std::collections::{BTreeSet, HashMap};
use std::future::Future;
use std::pin::Pin;

use axum::Json;
use axum::extract::Path;
use axum::response::IntoResponse;
use duru::store::{Entry, RunQuery};
use duru::{CheckpointId, ErasedGraph, HistoryQuery, Namespace, RunId, ThreadId, ThreadLog, ThreadState};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::routes;

use super::ASK;
use super::paging::limit;
use super::threads::thread_id;
use crate::api::ApiRoutes;
use crate::body::Body;
use crate::error::{ApiError, ApiResult};
use crate::hub::Shared;
use crate::query::Params;
use crate::scope::Scope;
use crate::wire::run::CheckpointRef;
use crate::wire::state::{Place, StateRecord};

pub(super) fn routes() -> ApiRoutes<Shared> {
    ApiRoutes::new()
        .with(ASK, routes!(now, super::edit::change))
        .with(ASK, routes!(at_checkpoint))
        .with(ASK, routes!(at))
        .with(ASK, routes!(history, history_by_query))
}

pub(super) fn checkpoint_id(text: &str) -> ApiResult<CheckpointId> {
    text.parse().map_err(|_| ApiError::invalid(format!("Invalid checkpoint ID {text:?}: must be a UUID")))
}

/// The graph that a thread is of, if it is served here.
pub(super) async fn graph_of<'a>(
    hub: &'a Shared,
    id: &ThreadId,
    entry: &Entry,
) -> ApiResult<Option<&'a ErasedGraph>> {
    let name = match entry.metadata.get("graph_id").and_then(Value::as_str) {
        Some(graph) => Some(graph.to_owned()),
        None => hub.log(id).graph().await?,
    };
    Ok(name.and_then(|name| hub.graphs.get(&name)).map(|graph| graph.app.graph()))
}

/// The graph inside a thread that clients name; the root where they name none.
pub(super) fn namespace(graph: Option<&ErasedGraph>, text: Option<&str>) -> ApiResult<Namespace> {
    let ns = Namespace::from_stored(text.unwrap_or_default());
    let names: Vec<&str> = ns.path().map(|part| part.split(':').next().unwrap_or(part)).collect();
    match graph {
        Some(graph) if graph.nodes_within(&names).is_none() => {
            Err(ApiError::not_found(format!("Subgraph {} not found", names.join("|"))))
        }
        _ => Ok(ns),
    }
}

/// Where states are looked for: a thread, and one of its graphs.
struct Looked<'a> {
    hub: &'a Shared,
    entry: Entry,
    graph: Option<&'a ErasedGraph>,
    log: ThreadLog,
}

impl<'a> Looked<'a> {
    async fn at(hub: &'a Shared, id: &ThreadId, ns: Option<&str>) -> ApiResult<Self> {
        let entry = hub.thread_entry(id).await?;
        let graph = graph_of(hub, id, &entry).await?;
        let log = hub.log(id).within(namespace(graph, ns)?);
        Ok(Self { hub, entry, graph, log })
    }

    /// What is said about the runs that wrote some states.
    async fn notes(&self, states: &[ThreadState]) -> ApiResult<HashMap<RunId, Map<String, Value>>> {
        let ids: BTreeSet<RunId> = states.iter().filter_map(|state| state.run).collect();
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let query = RunQuery { ids: ids.into_iter().collect(), ..RunQuery::default() };
        let runs = self.hub.stores.runs.runs(query).await?;
        Ok(runs.into_iter().map(|run| (run.id, run.metadata)).collect())
    }

    /// States as clients read them.
    async fn shown(&self, states: &[ThreadState], subgraphs: bool) -> ApiResult<Vec<StateRecord>> {
        let (runs, parents) = (self.notes(states).await?, self.log.parents().await?);
        let place = Place {
            thread: self.log.id(),
            entry: &self.entry,
            graph: self.graph,
            ns: self.log.namespace(),
            parents: &parents,
            runs: &runs,
        };
        let mut shown = Vec::with_capacity(states.len());
        for state in states {
            let mut inner = Vec::new();
            for task in state.tasks.iter().filter(|_| subgraphs) {
                inner.push(match place.subgraph_of(task) {
                    Some(ns) => Some(self.inside(ns).await?),
                    None => None,
                });
            }
            shown.push(place.state(state, inner));
        }
        Ok(shown)
    }

    /// The state of a graph inside, with those inside that.
    fn inside(&self, ns: Namespace) -> Pin<Box<dyn Future<Output = ApiResult<StateRecord>> + Send + '_>> {
        let log = self.log.clone().within(ns);
        Box::pin(async move {
            let looked = Looked { hub: self.hub, entry: self.entry.clone(), graph: self.graph, log };
            let state = looked.log.state().await?;
            looked.one(state, true).await
        })
    }

    async fn one(&self, state: ThreadState, subgraphs: bool) -> ApiResult<StateRecord> {
        Ok(self.shown(&[state], subgraphs).await?.pop().unwrap_or_default())
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct StateQuery {
    /// Also the states of the graphs behind tasks.
    #[serde(default)]
    subgraphs: bool,
    /// Which graph of the thread; the outermost without.
    checkpoint_ns: Option<String>,
}

/// The current state of a thread
#[utoipa::path(
    get,
    path = "/threads/{thread_id}/state",
    params(StateQuery),
    responses((status = 200, body = StateRecord)),
)]
async fn now(Scope(hub): Scope, Path(id): Path<String>, Params(query): Params<StateQuery>) -> ApiResult {
    let looked = Looked::at(&hub, &thread_id(&id)?, query.checkpoint_ns.as_deref()).await?;
    let state = looked.log.state().await?;
    Ok(Json(looked.one(state, query.subgraphs).await?).into_response())
}

/// The state at a checkpoint
#[utoipa::path(
    get,
    path = "/threads/{thread_id}/state/{checkpoint_id}",
    params(StateQuery),
    responses((status = 200, body = StateRecord)),
)]
async fn at(
    Scope(hub): Scope,
    Path((id, checkpoint)): Path<(String, String)>,
    Params(query): Params<StateQuery>,
) -> ApiResult {
    let looked = Looked::at(&hub, &thread_id(&id)?, query.checkpoint_ns.as_deref()).await?;
    let state = looked.log.state_at(checkpoint_id(&checkpoint)?).await?;
    Ok(Json(looked.one(state, query.subgraphs).await?).into_response())
}

#[derive(Deserialize, ToSchema)]
struct StateAtCheckpoint {
    checkpoint: Option<CheckpointRef>,
    #[serde(default)]
    subgraphs: Option<bool>,
}

/// The state at a checkpoint
#[utoipa::path(
    post,
    path = "/threads/{thread_id}/state/checkpoint",
    request_body = StateAtCheckpoint,
    responses((status = 200, body = StateRecord)),
)]
async fn at_checkpoint(
    Scope(hub): Scope,
    Path(id): Path<String>,
    Body(request): Body<StateAtCheckpoint>,
) -> ApiResult {
    let CheckpointRef { checkpoint_id: named, checkpoint_ns } = request.checkpoint.unwrap_or_default();
    let looked = Looked::at(&hub, &thread_id(&id)?, checkpoint_ns.as_deref()).await?;
    let state = match named {
        Some(checkpoint) => looked.log.state_at(checkpoint_id(&checkpoint)?).await?,
        None => looked.log.state().await?,
    };
    Ok(Json(looked.one(state, request.subgraphs.unwrap_or(false)).await?).into_response())
}

#[derive(Deserialize, Default, ToSchema)]
struct StateHistorySearch {
    /// 1 unless told.
    #[schema(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// A checkpoint, or a configuration that names one: only what was before it.
    before: Option<Value>,
    metadata: Option<Map<String, Value>>,
    checkpoint: Option<CheckpointRef>,
}

/// The history of a thread, newest first
#[utoipa::path(
    post,
    path = "/threads/{thread_id}/history",
    request_body = StateHistorySearch,
    responses((status = 200, body = Vec<StateRecord>)),
)]
async fn history(
    Scope(hub): Scope,
    Path(id): Path<String>,
    Body(ask): Body<StateHistorySearch>,
) -> ApiResult {
    answer(&hub, &thread_id(&id)?, ask).await
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct StateHistoryQuery {
    /// 1 unless told.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// A checkpoint, or a configuration that names one: only what was before it.
    before: Option<String>,
    checkpoint_ns: Option<String>,
}

/// The history of a thread, newest first
#[utoipa::path(
    get,
    path = "/threads/{thread_id}/history",
    params(StateHistoryQuery),
    responses((status = 200, body = Vec<StateRecord>)),
)]
async fn history_by_query(
    Scope(hub): Scope,
    Path(id): Path<String>,
    Params(query): Params<StateHistoryQuery>,
) -> ApiResult {
    let before = query.before.map(|text| serde_json::from_str(&text).unwrap_or(Value::String(text)));
    let checkpoint = CheckpointRef { checkpoint_ns: query.checkpoint_ns, ..CheckpointRef::default() };
    let ask = StateHistorySearch {
        limit: query.limit,
        before,
        checkpoint: Some(checkpoint),
        ..StateHistorySearch::default()
    };
    answer(&hub, &thread_id(&id)?, ask).await
}

/// How many checkpoints are looked at where a filter leaves some out.
const LOOKED_AT: usize = 1000;

async fn answer(hub: &Shared, id: &ThreadId, ask: StateHistorySearch) -> ApiResult {
    let ns = ask.checkpoint.and_then(|checkpoint| checkpoint.checkpoint_ns);
    let looked = Looked::at(hub, id, ns.as_deref()).await?;
    let limit = limit(Some(ask.limit.unwrap_or(1)))?;
    let wanted = Value::Object(ask.metadata.unwrap_or_default());
    let filtered = wanted.as_object().is_some_and(|wanted| !wanted.is_empty());
    let mut query = HistoryQuery::new().limit(if filtered { LOOKED_AT } else { limit }).with_inputs();
    if let Some(before) = ask.before.as_ref().and_then(named) {
        query = query.before(checkpoint_id(before)?);
    }
    let states = looked.log.history(query).await?;
    let mut shown = looked.shown(&states, false).await?;
    shown.retain(|state| duru::store::contains(&json!(state.metadata), &wanted));
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
