//! Runs: started, watched, waited for, listed and stopped.

use axum::Json;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use duru::RunId;
use duru::store::{Cancel, QueuedRun, RunQuery, RunStatus};
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::routes;

use super::ASK;
use super::paging::selected;
use super::submit::{IGNORED, Purpose, Submitted, submit};
use super::threads::thread_id;
use crate::api::{ApiRoutes, Partial, ServerSentEvent};
use crate::body::{Body, Params, flag};
use crate::caller::Caller;
use crate::error::{ApiError, ApiResult};
use crate::hub::{Shared, uuid};
use crate::scope::Scope;
use crate::stream::{self, Followed, Leave, Seen, Wanted, Watch, locate};
use crate::wire::run::{On, RunPlan, RunRequest};
use crate::wire::run_record::{RunRecord, statuses};

type PartialRun = Partial<RunRecord>;

pub(super) fn routes() -> ApiRoutes<Shared> {
    ApiRoutes::new()
        .with(ASK, routes!(create, list))
        .with(ASK, routes!(create_and_watch))
        .with(ASK, routes!(create_and_wait))
        .with(ASK, routes!(read, forget))
        .with(ASK, routes!(join))
        .with(ASK, routes!(rejoin))
        .with(ASK, routes!(cancel))
        .with(ASK, routes!(create_alone))
        .with(ASK, routes!(watch_alone))
        .with(ASK, routes!(wait_alone))
        .with(ASK, routes!(batch))
        .with(ASK, routes!(cancel_many))
        .with(ASK, routes!(rejoin_alone))
}

/// Start a run
#[utoipa::path(
    post,
    path = "/threads/{thread_id}/runs",
    params(("Idempotency-Key" = Option<String>, Header, description = "The same request with the same key is accepted once")),
    request_body = RunRequest,
    responses((status = 400), (status = 200, body = RunRecord, headers(("content-location" = String), ("x-duru-ignored" = Option<String>))), (status = 409)),
)]
async fn create(
    Scope(hub): Scope,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(request): Body<Value>,
) -> ApiResult {
    created(&submit(&hub, Some(&id), request, &headers, Purpose::Create).await?)
}

/// Start a run on a thread of its own
#[utoipa::path(
    post,
    path = "/runs",
    params(("Idempotency-Key" = Option<String>, Header, description = "The same request with the same key is accepted once")),
    request_body = RunRequest,
    responses((status = 400), (status = 200, body = RunRecord, headers(("content-location" = String), ("x-duru-ignored" = Option<String>))), (status = 404), (status = 409)),
)]
async fn create_alone(Scope(hub): Scope, headers: HeaderMap, Body(request): Body<Value>) -> ApiResult {
    created(&submit(&hub, None, request, &headers, Purpose::Create).await?)
}

/// A run that was just accepted waits, whatever it does by now.
fn created(submitted: &Submitted) -> ApiResult {
    let mut response = Json(RunRecord::pending(&submitted.run)).into_response();
    locate(&mut response, None, &content_location(submitted));
    Ok(noted(response, submitted.ignored.clone()))
}

/// An answer that says what of the request was passed over.
fn noted(mut response: Response, ignored: Option<HeaderValue>) -> Response {
    response.headers_mut().extend(ignored.map(|ignored| (IGNORED, ignored)));
    response
}

fn content_location(submitted: &Submitted) -> String {
    let QueuedRun { id, thread, .. } = &submitted.run;
    match submitted.on {
        On::Thread => format!("/threads/{thread}/runs/{id}"),
        On::Nothing => format!("/runs/{id}"),
    }
}

/// Start a run and watch it
#[utoipa::path(
    post,
    path = "/threads/{thread_id}/runs/stream",
    params(("Idempotency-Key" = Option<String>, Header, description = "The same request with the same key is accepted once")),
    request_body = RunRequest,
    responses((status = 400), (status = 200, content_type = "text/event-stream", body = ServerSentEvent), (status = 409)),
)]
async fn create_and_watch(
    Scope(hub): Scope,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(request): Body<Value>,
) -> ApiResult {
    watched(submit(&hub, Some(&id), request, &headers, Purpose::Read).await?).await
}

/// Start a run on a thread of its own and watch it
#[utoipa::path(
    post,
    path = "/runs/stream",
    params(("Idempotency-Key" = Option<String>, Header, description = "The same request with the same key is accepted once")),
    request_body = RunRequest,
    responses((status = 400), (status = 200, content_type = "text/event-stream", body = ServerSentEvent), (status = 404), (status = 409)),
)]
async fn watch_alone(Scope(hub): Scope, headers: HeaderMap, Body(request): Body<Value>) -> ApiResult {
    watched(submit(&hub, None, request, &headers, Purpose::Read).await?).await
}

/// A run that was accepted, shown from its beginning.
async fn watched(submitted: Submitted) -> ApiResult {
    let content_location = content_location(&submitted);
    let Submitted { run, plan, from, leave, follower, ignored, .. } = submitted;
    let watch = Watch {
        thread: run.thread.clone(),
        from,
        seen: None,
        wanted: wanted(&run, &plan, plan.stream_mode.clone()),
        resumable: plan.resumable,
        leave,
        location: Some(format!("{content_location}/stream")),
        content_location,
    };
    let response = stream::watch(watch).await;
    drop(follower);
    Ok(noted(response?, ignored))
}

fn wanted(run: &QueuedRun, plan: &RunPlan, modes: Vec<String>) -> Wanted {
    Wanted { modes, subgraphs: plan.subgraphs, metadata: run.metadata.clone(), attempt: run.attempt }
}

/// Start a run and wait for its end
#[utoipa::path(
    post,
    path = "/threads/{thread_id}/runs/wait",
    params(("Idempotency-Key" = Option<String>, Header, description = "The same request with the same key is accepted once")),
    request_body = RunRequest,
    responses((status = 400), (status = 200, body = Value, headers(("location" = Option<String>), ("content-location" = String))), (status = 409)),
)]
async fn create_and_wait(
    Scope(hub): Scope,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(request): Body<Value>,
) -> ApiResult {
    Ok(waited(&hub, submit(&hub, Some(&id), request, &headers, Purpose::Wait).await?).await)
}

/// Start a run on a thread of its own and wait for its end
#[utoipa::path(
    post,
    path = "/runs/wait",
    params(("Idempotency-Key" = Option<String>, Header, description = "The same request with the same key is accepted once")),
    request_body = RunRequest,
    responses((status = 400), (status = 200, body = Value, headers(("location" = Option<String>), ("content-location" = String))), (status = 404), (status = 409)),
)]
async fn wait_alone(Scope(hub): Scope, headers: HeaderMap, Body(request): Body<Value>) -> ApiResult {
    Ok(waited(&hub, submit(&hub, None, request, &headers, Purpose::Wait).await?).await)
}

async fn waited(hub: &Shared, submitted: Submitted) -> Response {
    let Submitted { run, follower, leave, ignored, .. } = submitted;
    let place = format!("/threads/{}/runs/{}", run.thread, run.id);
    let mut response = stream::wait(hub, run.thread, follower, leave).await;
    locate(&mut response, Some(format!("{place}/join")), &place);
    noted(response, ignored)
}

/// Start several runs
#[utoipa::path(
    post,
    path = "/runs/batch",
    request_body = Vec<RunRequest>,
    responses((status = 400), (status = 200, body = Vec<RunRecord>), (status = 404), (status = 409)),
)]
async fn batch(
    Scope(hub): Scope,
    caller: Caller,
    headers: HeaderMap,
    Body(requests): Body<Vec<Value>>,
) -> ApiResult {
    // As many requests, though they came as one.
    caller.spend(requests.len().saturating_sub(1)).await?;
    let mut runs = Vec::with_capacity(requests.len());
    for request in requests {
        runs.push(RunRecord::pending(&submit(&hub, None, request, &headers, Purpose::Create).await?.run));
    }
    Ok(Json(runs).into_response())
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct RunListQuery {
    /// pending, running, success, error, timeout or interrupted.
    status: Option<String>,
    /// 10 unless told, 1000 at the most.
    limit: Option<usize>,
    offset: Option<usize>,
    /// The fields that are wanted; all without any.
    #[serde(default)]
    select: Vec<String>,
}

/// The runs of a thread, newest first
#[utoipa::path(
    get,
    path = "/threads/{thread_id}/runs",
    params(RunListQuery),
    responses((status = 200, body = Vec<PartialRun>)),
)]
async fn list(Scope(hub): Scope, Path(id): Path<String>, Params(query): Params<RunListQuery>) -> ApiResult {
    let thread = thread_id(&id)?;
    hub.thread_entry(&thread).await?;
    let statuses = query.status.as_deref().map(statuses).transpose()?.unwrap_or_default();
    let wanted = RunQuery {
        thread: Some(thread),
        statuses,
        offset: query.offset.unwrap_or(0),
        limit: Some(query.limit.unwrap_or(10).min(1000)),
        ..RunQuery::default()
    };
    let runs = hub.stores.runs.runs(wanted).await?;
    Ok(selected(runs.iter().map(RunRecord::of).collect(), Some(&query.select)))
}

pub(super) fn run_id(text: &str) -> ApiResult<RunId> {
    Ok(RunId::from_u128(uuid(text, "run")?.as_u128()))
}

/// A run of a thread; none if there is no such run there.
async fn find(hub: &Shared, thread: Option<&str>, run: &str) -> ApiResult<Option<QueuedRun>> {
    let thread = thread.map(thread_id).transpose()?;
    let query = RunQuery { ids: vec![run_id(run)?], thread, ..RunQuery::default() };
    Ok(hub.stores.runs.runs(query).await?.pop())
}

fn not_found(run: &str) -> ApiError {
    ApiError::not_found(format!("Run {run} not found"))
}

/// A run
#[utoipa::path(
    get,
    path = "/threads/{thread_id}/runs/{run_id}",
    responses((status = 200, body = RunRecord)),
)]
async fn read(Scope(hub): Scope, Path((id, run)): Path<(String, String)>) -> ApiResult {
    let found = find(&hub, Some(&id), &run).await?.ok_or_else(|| not_found(&run))?;
    Ok(Json(RunRecord::of(&found)).into_response())
}

/// Delete a run that has ended
#[utoipa::path(
    delete,
    path = "/threads/{thread_id}/runs/{run_id}",
    responses((status = 204), (status = 409)),
)]
async fn forget(Scope(hub): Scope, Path((id, run)): Path<(String, String)>) -> ApiResult {
    let found = find(&hub, Some(&id), &run).await?.ok_or_else(|| not_found(&run))?;
    if !hub.stores.runs.forget(found.id, None).await? {
        return Err(ApiError::conflict("The run has not ended yet. Cancel it first."));
    }
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// What a join on an unknown run gets, with status 200.
fn unknown() -> Value {
    json!({ "error": "HTTPException", "message": "404: Run not found" })
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct JoinQuery {
    /// Whether the run stops when whoever waits for it goes.
    #[serde(default, deserialize_with = "flag")]
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
    #[serde(default, deserialize_with = "flag")]
    cancel_on_disconnect: bool,
    /// Also events of graphs inside.
    #[serde(default, deserialize_with = "flag")]
    stream_subgraphs: bool,
    /// What is shown; what the run was asked for with without any.
    #[serde(default)]
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
    let asked: Vec<String> = query.stream_mode.into_iter().filter(|mode| !mode.is_empty()).collect();
    let modes = if asked.is_empty() { plan.stream_mode.clone() } else { asked };
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

fn action(word: Option<&str>) -> ApiResult<Cancel> {
    match word {
        None | Some("interrupt") => Ok(Cancel::Interrupt),
        Some("rollback") => Ok(Cancel::Rollback),
        Some(other) => Err(ApiError::invalid(format!("action must be interrupt or rollback, not {other:?}"))),
    }
}

const NONE_FITS: &str = "No matching runs to cancel. Please verify the thread ID and run IDs are correct, and the runs haven't been deleted or completed.";

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct CancelQuery {
    /// `interrupt`, or `rollback` as if it had never been.
    action: Option<String>,
    /// Until it has stopped.
    #[serde(default, deserialize_with = "flag")]
    wait: bool,
}

/// Cancel a run
#[utoipa::path(
    post,
    path = "/threads/{thread_id}/runs/{run_id}/cancel",
    params(CancelQuery),
    responses(
        (status = 200, body = Value, description = "It has stopped"),
        (status = 202, description = "It will stop"),
    ),
)]
async fn cancel(
    Scope(hub): Scope,
    Path((id, run)): Path<(String, String)>,
    Params(query): Params<CancelQuery>,
) -> ApiResult {
    let how = action(query.action.as_deref())?;
    let Some(found) = find(&hub, Some(&id), &run).await? else {
        return Err(ApiError::not_found("No runs found to cancel."));
    };
    let follower = hub.pool.follow(found.id);
    let asked = RunQuery { ids: vec![found.id], ..RunQuery::default() };
    if stop(&hub, asked, how).await? == 0 {
        return Err(ApiError::not_found(NONE_FITS));
    }
    if !query.wait {
        return Ok(StatusCode::ACCEPTED.into_response());
    }
    let place = format!("/threads/{}/runs/{}", found.thread, found.id);
    let leave = Leave { hub: hub.clone(), run: found.id, armed: false };
    stream::wait(&hub, found.thread, follower, leave).await;
    let mut response = Json(json!({})).into_response();
    locate(&mut response, Some(format!("{place}/join")), &place);
    Ok(response)
}

/// Stops runs, here and elsewhere. How many there were.
pub(crate) async fn stop(hub: &Shared, query: RunQuery, how: Cancel) -> ApiResult<usize> {
    let stopped = hub.stores.runs.cancel(query, how).await?;
    for run in &stopped {
        hub.pool.stop_here(run.id, how);
        // What never began leaves its thread as it was.
        if run.status == RunStatus::Cancelled {
            hub.refresh_status(&run.thread).await?;
        }
    }
    Ok(stopped.len())
}

/// Either a status, or a thread and runs of it.
#[derive(Deserialize, ToSchema)]
struct RunsCancel {
    /// pending, running or all.
    status: Option<String>,
    #[schema(value_type = Option<Uuid>)]
    thread_id: Option<String>,
    #[schema(value_type = Option<Vec<Uuid>>)]
    run_ids: Option<Vec<String>>,
    /// `interrupt` or `rollback`.
    action: Option<String>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct RunsCancelQuery {
    /// `interrupt` or `rollback`, unless the body says so.
    action: Option<String>,
}

/// Cancel several runs
#[utoipa::path(
    post,
    path = "/runs/cancel",
    params(RunsCancelQuery),
    request_body = RunsCancel,
    responses((status = 204), (status = 404)),
)]
async fn cancel_many(
    Scope(hub): Scope,
    Params(query): Params<RunsCancelQuery>,
    Body(request): Body<RunsCancel>,
) -> ApiResult {
    let how = action(request.action.as_deref().or(query.action.as_deref()))?;
    let asked = match (&request.status, &request.thread_id, &request.run_ids) {
        (Some(status), None, None) => {
            let statuses = match status.as_str() {
                "all" => Vec::new(),
                word => statuses(word)?,
            };
            RunQuery { statuses, ..RunQuery::default() }
        }
        (None, Some(thread), Some(runs)) => RunQuery {
            thread: Some(thread_id(thread)?),
            ids: runs.iter().map(|run| run_id(run)).collect::<ApiResult<_>>()?,
            ..RunQuery::default()
        },
        _ => return Err(ApiError::invalid("Give either status, or thread_id and run_ids.")),
    };
    if stop(&hub, asked, how).await? == 0 {
        return Err(ApiError::not_found("No runs found to cancel."));
    }
    Ok(StatusCode::NO_CONTENT.into_response())
}
