//! `/users/{name}`: what there is of a person, and erasing it. For those who may do what concerns others.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use duru_server::{Access, ApiError, Caller, Described, KeyScope};
use serde_json::json;

use crate::data::erase::Eraser;
use crate::lang::Lang;
use crate::problem::Problem;

const ADMINISTER: Access = Access::Scope(KeyScope::Administer);

pub(crate) const DESCRIBED: &[Described] = &[
    Described::new("get", "/users/{name}", "What there is of a person", ADMINISTER),
    Described::new("delete", "/users/{name}", "Erase everything of a person", ADMINISTER),
];

pub(crate) fn routes(eraser: Eraser) -> Router {
    Router::new().route("/users/{name}", get(count).delete(erase)).with_state(eraser)
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

async fn count(State(eraser): State<Eraser>, Path(name): Path<String>) -> Result<Response, ApiError> {
    let what = eraser.count(&name).await.map_err(refused)?;
    Ok(Json(json!({ "user": name, "what": what })).into_response())
}

async fn erase(
    State(eraser): State<Eraser>,
    caller: Caller,
    Path(name): Path<String>,
) -> Result<Response, ApiError> {
    let what = eraser.erase(&name, caller.name()).await.map_err(refused)?;
    Ok(Json(json!({ "user": name, "erased": true, "what": what })).into_response())
}
