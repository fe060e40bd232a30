//! Runs: started, listed, read and deleted. How they are watched again and stopped is next door.

use axum::Json;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use duru::RunId;
use duru::store::{QueuedRun, RunQuery};
use serde::Deserialize;
use serde_json::Value;
use utoipa::IntoParams;
use utoipa_axum::routes;

use super::ASK;
use super::paging::selected;
use super::submit::{IGNORED, Purpose, Submitted, submit};
use super::threads::thread_id;
use crate::api::{ApiRoutes, Partial, ServerSentEvent};
use crate::body::Body;
use crate::caller::Caller;
use crate::error::{ApiError, ApiResult};
use crate::hub::{Shared, uuid};
use crate::query::Params;
use crate::scope::Scope;
use crate::stream::{self, Wanted, Watch, locate};
use crate::wire::run::{On, RunPlan, RunRequest};
use crate::wire::run_record::RunRecord;
use crate::wire::words::RunStatusWord;

type PartialRun = Partial<RunRecord>;

pub(super) fn routes() -> ApiRoutes<Shared> {
    ApiRoutes::new()
        .with(ASK, routes!(create, list))
        .with(ASK, routes!(create_and_watch))
        .with(ASK, routes!(create_and_wait))
        .with(ASK, routes!(read, forget))
        .with(ASK, routes!(create_alone))
        .with(ASK, routes!(watch_alone))
        .with(ASK, routes!(wait_alone))
        .with(ASK, routes!(batch))
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

pub(super) fn wanted(run: &QueuedRun, plan: &RunPlan, modes: Vec<String>) -> Wanted {
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
    #[param(inline)]
    status: Option<RunStatusWord>,
    /// 10 unless told, 1000 at the most.
    #[param(maximum = 1000)]
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
    let statuses = query.status.map(RunStatusWord::statuses).unwrap_or_default();
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
pub(super) async fn find(hub: &Shared, thread: Option<&str>, run: &str) -> ApiResult<Option<QueuedRun>> {
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
