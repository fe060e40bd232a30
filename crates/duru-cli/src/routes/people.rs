//! `/users/{name}`: what there is of a person, and erasing it. For those who may do what concerns others.

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use duru_server::{Access, ApiError, ApiRoutes, Caller, KeyScope};
use serde_json::json;
use utoipa_axum::routes;

use crate::data::erase::Eraser;
use crate::lang::Lang;
use crate::problem::Problem;

const ADMINISTER: Access = Access::Scope(KeyScope::Administer);

pub(crate) fn routes(eraser: Eraser) -> ApiRoutes {
    ApiRoutes::new().with(ADMINISTER, routes!(count, erase)).with_state(eraser)
}

fn refused(problem: Problem) -> ApiError {
    match problem {
        Problem::Store(error) => error.into(),
        // It may name folders of this machine.
        other => {
            tracing::error!("{}", other.what(Lang::En));
            ApiError::unavailable("지금은 할 수 없습니다. / It can't be done at the moment.")
        }
    }
}

/// What there is of a person
#[utoipa::path(
    get,
    path = "/users/{name}",
    responses((status = 200, body = Value)),
)]
async fn count(State(eraser): State<Eraser>, Path(name): Path<String>) -> Result<Response, ApiError> {
    let what = eraser.count(&name).await.map_err(refused)?;
    Ok(Json(json!({ "user": name, "what": what })).into_response())
}

/// Erase everything of a person
#[utoipa::path(
    delete,
    path = "/users/{name}",
    responses((status = 200, body = Value)),
)]
async fn erase(
    State(eraser): State<Eraser>,
    caller: Caller,
    Path(name): Path<String>,
) -> Result<Response, ApiError> {
    let what = eraser.erase(&name, caller.name()).await.map_err(refused)?;
    Ok(Json(json!({ "user": name, "erased": true, "what": what })).into_response())
}
