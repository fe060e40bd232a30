//! Changing a thread from outside, as if its nodes had.

use axum::Json;
use axum::extract::Path;
use axum::response::IntoResponse;
use duru::store::{EntryKind, Expect, Put, RunQuery, RunStatus};
use duru::{Edit, Edited, EndStatus, ThreadId, ThreadState};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::state::{checkpoint_id, graph_of, namespace};
use super::threads::thread_id;
use crate::body::Body;
use crate::error::{ApiError, ApiResult};
use crate::hub::{Hub, Shared};
use crate::scope::Scope;
use crate::wire::run::CheckpointRef;
use crate::wire::state::CheckpointRecord;

#[derive(Deserialize, ToSchema)]
pub(super) struct StateUpdate {
    #[serde(default)]
    values: Option<Value>,
    /// The node that is to have written them.
    as_node: Option<String>,
    checkpoint: Option<CheckpointRef>,
    checkpoint_id: Option<String>,
}

/// The checkpoint that an update made.
#[derive(Serialize, ToSchema)]
struct UpdatedState {
    checkpoint: CheckpointRecord,
    configurable: CheckpointRecord,
    checkpoint_id: String,
}

/// Update the state as if a node had written it
#[utoipa::path(
    post,
    path = "/threads/{thread_id}/state",
    request_body = StateUpdate,
    responses((status = 400), (status = 200, body = UpdatedState), (status = 409)),
)]
pub(super) async fn change(
    Scope(hub): Scope,
    Path(id): Path<String>,
    Body(change): Body<StateUpdate>,
) -> ApiResult {
    let id = thread_id(&id)?;
    let entry = hub.thread_entry(&id).await?;
    let CheckpointRef { checkpoint_id: at, checkpoint_ns } = change.checkpoint.unwrap_or_default();
    let at = at.or(change.checkpoint_id).as_deref().map(checkpoint_id).transpose()?;
    let Some(graph) = graph_of(&hub, &id, &entry).await? else {
        return Err(match entry.metadata.get("graph_id").and_then(Value::as_str) {
            Some(graph) => ApiError::not_found(format!("Graph {graph:?} is not served here.")),
            None => ApiError::bad_request(format!(
                "Thread {id} has no assigned graph ID: run a graph on it first"
            )),
        });
    };
    let ns = namespace(Some(graph), checkpoint_ns.as_deref())?;
    nobody_at_work(&hub, &id).await?;
    let mut edit = Edit::of(change.values).within(ns.clone());
    if let Some(node) = change.as_node {
        edit = edit.as_node(node);
    }
    if let Some(at) = at {
        edit = edit.at(at);
    }
    let written = make(&hub, &id, graph.name(), edit).await?;
    hub.refresh_status(&id).await?;
    hub.said.forget(&*hub.whole().stores.catalog, id.as_str()).await?;
    hub.said.changed(id.as_str());
    let checkpoint = CheckpointRecord::of(&id, ns.as_str(), written.checkpoint);
    let checkpoint_id = written.checkpoint.to_string();
    Ok(Json(UpdatedState { configurable: checkpoint.clone(), checkpoint, checkpoint_id }).into_response())
}

/// A run that was accepted goes on from what its thread was then: whoever changes
/// that must wait for it, or cancel it.
async fn nobody_at_work(hub: &Shared, id: &ThreadId) -> ApiResult<()> {
    let query = RunQuery {
        thread: Some(id.clone()),
        statuses: vec![RunStatus::Pending, RunStatus::Running],
        limit: Some(1),
        ..RunQuery::default()
    };
    match hub.stores.runs.runs(query).await?.is_empty() {
        true => Ok(()),
        false => Err(in_flight(id)),
    }
}

fn in_flight(id: &ThreadId) -> ApiError {
    ApiError::conflict(format!("Thread {id} has in-flight runs: wait for them, or cancel them"))
}

/// Names that stand for something else than a node.
const STANDING_FOR: [&str; 4] = ["__start__", "__input__", "__end__", "__copy__"];

/// Makes a change, or says in the words that clients know why not.
pub(super) async fn make(hub: &Shared, id: &ThreadId, graph: &str, edit: Edit) -> ApiResult<Edited> {
    let around: Vec<&str> = edit.namespace().path().filter_map(|part| part.split(':').next()).collect();
    let known = hub.graph(graph)?.app.graph().nodes_within(&around).unwrap_or_default();
    let is_known = |node: &&str| STANDING_FOR.contains(node) || known.iter().any(|name| name == node);
    if let Some(node) = edit.nodes().find(|node| !is_known(node)) {
        return Err(ApiError::bad_request(format!("Node {node} does not exist")));
    }
    hub.thread(graph, id)?.edit(edit).await.map_err(|error| match error {
        duru::Error::AmbiguousWriter { .. } => ApiError::bad_request("Ambiguous update, specify as_node"),
        duru::Error::Input { reason, .. } => ApiError::bad_request(reason),
        error @ duru::Error::NoSubgraph { .. } => ApiError::bad_request(error.to_string()),
        duru::Error::Busy { .. } | duru::Error::Store(duru::store::Error::Owned { .. }) => in_flight(id),
        other => other.into(),
    })
}

/// What a thread's entry says of a thread on which nobody is at work.
fn standing(state: &ThreadState) -> &'static str {
    match state.ended {
        Some(EndStatus::Failed) => "error",
        _ if state.next().is_empty() => "idle",
        _ => "interrupted",
    }
}

impl Hub {
    /// Lets a thread's entry say where it stands, after something was taken away
    /// that it had waited for.
    pub(crate) async fn refresh_status(&self, id: &ThreadId) -> ApiResult<()> {
        loop {
            let Some(entry) = self.stores.catalog.entry(EntryKind::Thread, id.as_str()).await? else {
                return Ok(());
            };
            if !["interrupted", "error"].contains(&entry.status.as_str()) {
                return Ok(());
            }
            let word = standing(&self.log(id).state().await?);
            if word == entry.status {
                return Ok(());
            }
            let version = entry.version;
            let entry = duru::store::Entry { status: word.to_owned(), ..entry };
            // A run may have been accepted meanwhile: then it says what the thread is.
            if let Put::Stored(_) = self.stores.catalog.put(entry, Expect::Version(version)).await? {
                return Ok(());
            }
        }
    }
}
