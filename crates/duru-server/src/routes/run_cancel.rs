//! Runs: stopped, one or many.

use axum::Json;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use duru::store::{Cancel, RunQuery, RunStatus};
use serde::Deserialize;
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::routes;

use super::ASK;
use super::runs::{find, run_id};
use super::threads::thread_id;
use crate::api::ApiRoutes;
use crate::body::Body;
use crate::error::{ApiError, ApiResult};
use crate::hub::Shared;
use crate::query::Params;
use crate::scope::Scope;
use crate::stream::{self, Leave, locate};
use crate::wire::words::{CancelAction, RunStatusWord, StoppedRuns};

pub(super) fn routes() -> ApiRoutes<Shared> {
    ApiRoutes::new().with(ASK, routes!(cancel)).with(ASK, routes!(cancel_many))
}

fn how(action: Option<CancelAction>) -> Cancel {
    match action {
        None | Some(CancelAction::Interrupt) => Cancel::Interrupt,
        Some(CancelAction::Rollback) => Cancel::Rollback,
    }
}

const NONE_FITS: &str = "No matching runs to cancel. Please verify the thread ID and run IDs are correct, and the runs haven't been deleted or completed.";

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct CancelQuery {
    #[param(inline)]
    action: Option<CancelAction>,
    /// Until it has stopped.
    #[serde(default)]
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
    let how = how(query.action);
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
    #[schema(value_type = Option<StoppedRuns>)]
    status: Option<String>,
    #[schema(value_type = Option<Uuid>)]
    thread_id: Option<String>,
    #[schema(value_type = Option<Vec<Uuid>>)]
    run_ids: Option<Vec<String>>,
    action: Option<CancelAction>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct RunsCancelQuery {
    /// Unless the body says so.
    #[param(inline)]
    action: Option<CancelAction>,
}

fn read(status: &str) -> ApiResult<RunStatusWord> {
    RunStatusWord::deserialize(json!(status)).map_err(|error| ApiError::invalid(error.to_string()))
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
    let how = how(request.action.or(query.action));
    let asked = match (&request.status, &request.thread_id, &request.run_ids) {
        (Some(status), None, None) => {
            let statuses = match status.as_str() {
                "all" => Vec::new(),
                word => read(word)?.statuses(),
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
