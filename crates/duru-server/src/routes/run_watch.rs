//! Runs that were started before: watched again, and waited for.

use axum::Json;
use axum::extract::Path;
use axum::http::HeaderMap;
use axum::response::IntoResponse;
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::IntoParams;
use utoipa_axum::routes;

use super::ASK;
use super::runs::{find, wanted};
use crate::api::{ApiRoutes, ServerSentEvent};
use crate::error::{ApiError, ApiResult};
use crate::hub::Shared;
use crate::query::Params;
use crate::scope::Scope;
use crate::stream::{self, Followed, Leave, Seen, Wanted, Watch, locate};
use crate::wire::run::RunPlan;
use crate::wire::words::StreamMode;

pub(super) fn routes() -> ApiRoutes<Shared> {
    ApiRoutes::new().with(ASK, routes!(join)).with(ASK, routes!(rejoin)).with(ASK, routes!(rejoin_alone))
}

/// What a join on an unknown run gets, with status 200.
fn unknown() -> Value {
    json!({ "error": "HTTPException", "message": "404: Run not found" })
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct JoinQuery {
    /// Whether the run stops when whoever waits for it goes.
    #[serde(default)]
    cancel_on_disconnect: bool,
}

/// Wait for the end of a run
#[utoipa::path(
    get,
    path = "/threads/{thread_id}/runs/{run_id}/join",
    params(JoinQuery),
    responses((status = 200, body = Value, headers(("location" = Option<String>), ("content-location" = Option<String>)))),
)]
async fn join(
    Scope(hub): Scope,
    Path((id, run)): Path<(String, String)>,
    Params(query): Params<JoinQuery>,
) -> ApiResult {
    let Some(run) = find(&hub, Some(&id), &run).await? else {
        return Ok(Json(json!({ "__error__": unknown() })).into_response());
    };
    let follower = hub.pool.follow(run.id);
    let leave = Leave { hub: hub.clone(), run: run.id, armed: query.cancel_on_disconnect };
    let place = format!("/threads/{}/runs/{}", run.thread, run.id);
    let mut response = stream::wait(&hub, run.thread, follower, leave).await;
    locate(&mut response, Some(format!("{place}/join")), &place);
    Ok(response)
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct WatchQuery {
    /// Whether the run stops when whoever watches it goes.
    #[serde(default)]
    cancel_on_disconnect: bool,
    /// Also events of graphs inside.
    #[serde(default)]
    stream_subgraphs: bool,
    /// What is shown; what the run was asked for with without any.
    #[serde(default)]
    #[param(inline, value_type = Vec<StreamMode>)]
    stream_mode: Vec<String>,
}

/// Watch a run, from `Last-Event-ID` on
#[utoipa::path(
    get,
    path = "/threads/{thread_id}/runs/{run_id}/stream",
    params(WatchQuery, ("Last-Event-ID" = Option<String>, Header, description = "The last event that was seen; `-1` for all of it")),
    responses((status = 200, content_type = "text/event-stream", body = ServerSentEvent)),
)]
async fn rejoin(
    Scope(hub): Scope,
    Path((id, run)): Path<(String, String)>,
    headers: HeaderMap,
    Params(query): Params<WatchQuery>,
) -> ApiResult {
    rejoined(&hub, Some(&id), &run, &headers, query).await
}

/// Watch a run on a thread of its own
#[utoipa::path(
    get,
    path = "/runs/{run_id}/stream",
    params(WatchQuery, ("Last-Event-ID" = Option<String>, Header, description = "The last event that was seen; `-1` for all of it")),
    responses((status = 200, content_type = "text/event-stream", body = ServerSentEvent)),
)]
async fn rejoin_alone(
    Scope(hub): Scope,
    Path(run): Path<String>,
    headers: HeaderMap,
    Params(query): Params<WatchQuery>,
) -> ApiResult {
    rejoined(&hub, None, &run, &headers, query).await
}

/// Watches a run again: what follows the last event that the client has seen,
/// or, if it says nothing of that, what happens from now on.
async fn rejoined(
    hub: &Shared,
    thread: Option<&str>,
    run: &str,
    headers: &HeaderMap,
    query: WatchQuery,
) -> ApiResult {
    let Some(run) = find(hub, thread, run).await? else {
        return Ok(stream::only(&[stream::sse::Frame::new("error", &unknown())]));
    };
    let plan = RunPlan::of(&run).map_err(|error| ApiError::invalid(error.to_string()))?;
    let Followed { from, follower } = Followed::of(hub, &run).await?;
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()).map(str::trim);
    let seen = match last.filter(|id| !id.is_empty()) {
        Some("-1" | "-") => None,
        Some(id) => Seen::parse(id),
        None => {
            let head = hub.stores.checkpoints.head(&run.thread).await?;
            head.and_then(|head| head.next_seq.checked_sub(1)).or(Some(0)).map(Seen::all_of)
        }
    };
    let modes = if query.stream_mode.is_empty() { plan.stream_mode.clone() } else { query.stream_mode };
    let content_location = match thread {
        Some(_) => format!("/threads/{}/runs/{}", run.thread, run.id),
        None => format!("/runs/{}", run.id),
    };
    let watch = Watch {
        thread: run.thread.clone(),
        from,
        seen,
        // Runs that the server began by itself, such as at a deadline, were never asked for their subgraphs.
        wanted: Wanted { subgraphs: plan.subgraphs || query.stream_subgraphs, ..wanted(&run, &plan, modes) },
        resumable: plan.resumable,
        leave: Leave { hub: hub.clone(), run: run.id, armed: query.cancel_on_disconnect },
        location: Some(format!("{content_location}/stream")),
        content_location,
    };
    let response = stream::watch(watch).await;
    drop(follower);
    response
}
