//! Runs that failed for good: looked at, tried again, dropped.

use axum::Json;
use axum::Router;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::routing::{get, post};
use serde_json::json;

use super::runs::run_id;
use crate::body::Query;
use crate::caller::Caller;
use crate::dead::{DeadRuns, RetryError};
use crate::error::{ApiError, ApiResult};
use crate::guard::KeyScope;
use crate::hub::Shared;
use crate::scope::Scope;

pub(super) fn router() -> Router<Shared> {
    Router::new()
        .route("/runs/dead", get(list))
        .route("/runs/dead/{run}", get(read).delete(forget))
        .route("/runs/dead/{run}/retry", post(retry))
}

/// The caller's own; everybody's with the scope `operate`.
fn of(hub: &Shared, caller: &Caller) -> DeadRuns {
    let seen = if caller.may(KeyScope::Operate) { hub.whole() } else { hub };
    DeadRuns::new(seen.stores.clone())
}

fn unknown(run: &str) -> ApiError {
    ApiError::not_found(format!("Run {run} not found among those that failed for good."))
}

async fn list(Scope(hub): Scope, caller: Caller, query: Query) -> ApiResult {
    let limit = query.number("limit")?.unwrap_or(100).min(1000);
    let found = of(&hub, &caller).list(limit).await?;
    Ok(Json(found.iter().map(crate::dead::DeadRun::json).collect::<Vec<_>>()).into_response())
}

async fn read(Scope(hub): Scope, caller: Caller, Path(run): Path<String>) -> ApiResult {
    let found = of(&hub, &caller).find(run_id(&run)?).await?.ok_or_else(|| unknown(&run))?;
    Ok(Json(found.json()).into_response())
}

async fn retry(Scope(hub): Scope, caller: Caller, Path(run): Path<String>) -> ApiResult {
    let again = of(&hub, &caller).retry(run_id(&run)?).await.map_err(|error| match error {
        RetryError::Unknown => unknown(&run),
        RetryError::GoneOn | RetryError::Unreadable(_) => ApiError::conflict(error.to_string()),
        RetryError::Store(error) => error.into(),
        RetryError::Engine(error) => error.into(),
    })?;
    hub.pool.wake();
    Ok((StatusCode::ACCEPTED, Json(json!({ "run_id": again.to_string() }))).into_response())
}

async fn forget(Scope(hub): Scope, caller: Caller, Path(run): Path<String>) -> ApiResult {
    if of(&hub, &caller).drop(run_id(&run)?).await? {
        Ok(StatusCode::NO_CONTENT.into_response())
    } else {
        Err(unknown(&run))
    }
}
