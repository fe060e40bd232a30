//! Runs that failed for good: looked at, tried again, dropped.

use axum::Json;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::routes;

use super::runs::run_id;
use crate::api::ApiRoutes;
use crate::caller::Caller;
use crate::dead::{DeadRun, DeadRunRecord, DeadRuns, RetryError};
use crate::error::{ApiError, ApiResult};
use crate::guard::{Access, KeyScope};
use crate::hub::Shared;
use crate::query::Params;
use crate::scope::Scope;

/// One's own for whoever may ask, everybody's for whoever looks after the server.
const DEAD: Access = Access::Either(KeyScope::Ask, KeyScope::Operate);

pub(super) fn routes() -> ApiRoutes<Shared> {
    ApiRoutes::new().with(DEAD, routes!(list)).with(DEAD, routes!(read, forget)).with(DEAD, routes!(retry))
}

/// The caller's own; everybody's with the scope `operate`.
fn of(hub: &Shared, caller: &Caller) -> DeadRuns {
    let seen = if caller.may(KeyScope::Operate) { hub.whole() } else { hub };
    DeadRuns::new(seen.stores.clone())
}

fn unknown(run: &str) -> ApiError {
    ApiError::not_found(format!("Run {run} not found among those that failed for good."))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct DeadRunsQuery {
    /// 100 unless told, 1000 at the most.
    #[param(maximum = 1000)]
    limit: Option<usize>,
}

/// Your runs that failed for good; everybody's with the scope operate
#[utoipa::path(
    get,
    path = "/runs/dead",
    params(DeadRunsQuery),
    responses((status = 200, body = Vec<DeadRunRecord>)),
)]
async fn list(Scope(hub): Scope, caller: Caller, Params(query): Params<DeadRunsQuery>) -> ApiResult {
    let limit = query.limit.unwrap_or(100).min(1000);
    let found = of(&hub, &caller).list(limit).await?;
    Ok(Json(found.iter().map(DeadRun::record).collect::<Vec<_>>()).into_response())
}

/// One of them, and why it failed
#[utoipa::path(get, path = "/runs/dead/{run_id}", responses((status = 200, body = DeadRunRecord)))]
async fn read(Scope(hub): Scope, caller: Caller, Path(run): Path<String>) -> ApiResult {
    let found = of(&hub, &caller).find(run_id(&run)?).await?.ok_or_else(|| unknown(&run))?;
    Ok(Json(found.record()).into_response())
}

#[derive(Serialize, ToSchema)]
struct RetriedRun {
    /// The run that tries it again.
    run_id: String,
}

/// Try it again
#[utoipa::path(
    post,
    path = "/runs/dead/{run_id}/retry",
    responses((status = 202, body = RetriedRun), (status = 409)),
)]
async fn retry(Scope(hub): Scope, caller: Caller, Path(run): Path<String>) -> ApiResult {
    let again = of(&hub, &caller).retry(run_id(&run)?).await.map_err(|error| match error {
        RetryError::Unknown => unknown(&run),
        RetryError::GoneOn | RetryError::Unreadable(_) => ApiError::conflict(error.to_string()),
        RetryError::Store(error) => error.into(),
        RetryError::Engine(error) => error.into(),
    })?;
    hub.pool.wake();
    Ok((StatusCode::ACCEPTED, Json(RetriedRun { run_id: again.to_string() })).into_response())
}

/// Discard it
#[utoipa::path(delete, path = "/runs/dead/{run_id}", responses((status = 204)))]
async fn forget(Scope(hub): Scope, caller: Caller, Path(run): Path<String>) -> ApiResult {
    if of(&hub, &caller).drop(run_id(&run)?).await? {
        Ok(StatusCode::NO_CONTENT.into_response())
    } else {
        Err(unknown(&run))
    }
}
