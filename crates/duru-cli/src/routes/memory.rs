//! `/memory`: what the advisor remembers of whoever asks, and forgetting it.

use axum::Json;
use axum::Router;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get};
use duru::memory::{Error, Memory};
use duru_agents::advisor::memory::{Book, Forget, Notebook};
use duru_server::{ApiError, Caller, Runs};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::args::LOCAL_USER;
use crate::memory::shown;

pub(super) fn routes(runs: Runs) -> Router {
    Router::new()
        .route("/memory", get(list).delete(forget_all))
        .route("/memory/{id}", delete(forget))
        .with_state(runs)
}

/// Whose memory it is: nobody names another's.
pub(super) fn user(caller: &Caller) -> &str {
    caller.name().unwrap_or(LOCAL_USER)
}

fn book(runs: &Runs) -> Book {
    Book::new(Memory::new(runs.memories().clone()))
}

fn notebook(runs: &Runs) -> Notebook {
    Notebook::new(Memory::new(runs.memories().clone()))
}

fn refused(error: Error) -> ApiError {
    match error {
        Error::Store(error) => error.into(),
        _ => ApiError::not_found("기억하지 않는 것입니다. / Nothing like that is remembered."),
    }
}

async fn list(State(runs): State<Runs>, caller: Caller) -> Result<Response, ApiError> {
    let all = book(&runs).list(user(&caller), Timestamp::now()).await.map_err(refused)?;
    let all: Vec<Value> = all.iter().map(shown).collect();
    Ok(Json(json!({ "memories": all })).into_response())
}

async fn forget(
    State(runs): State<Runs>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let count = notebook(&runs).forget(user(&caller), Forget::One(&id)).await.map_err(refused)?;
    if count == 0 {
        return Err(ApiError::not_found("기억하지 않는 것입니다. / Nothing like that is remembered."));
    }
    Ok(Json(json!({ "forgotten": count })).into_response())
}

async fn forget_all(State(runs): State<Runs>, caller: Caller) -> Result<Response, ApiError> {
    let count = notebook(&runs).forget(user(&caller), Forget::All).await.map_err(refused)?;
    Ok(Json(json!({ "forgotten": count })).into_response())
}
