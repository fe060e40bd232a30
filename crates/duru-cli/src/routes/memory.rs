//! `/memory`: what the advisor remembers of whoever asks, putting it right, and forgetting it.

use axum::Json;
use axum::Router;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get};
use duru::memory::{Error, Memory};
use duru_agents::advisor::memory::{Book, Correction, Forget, Notebook};
use duru_server::{ApiError, Body, Caller, Runs};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::args::LOCAL_USER;
use crate::lang::Lang;
use crate::logs;
use crate::memory::shown;

pub(super) fn routes(runs: Runs) -> Router {
    Router::new()
        .route("/memory", get(list).delete(forget_all))
        .route("/memory/{id}", delete(forget).patch(correct))
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
        _ => unknown(),
    }
}

fn unknown() -> ApiError {
    ApiError::not_found("기억하지 않는 것입니다. / Nothing like that is remembered.")
}

async fn list(State(runs): State<Runs>, caller: Caller) -> Result<Response, ApiError> {
    let all = book(&runs).list(user(&caller), Timestamp::now()).await.map_err(refused)?;
    let all: Vec<Value> = all.iter().map(shown).collect();
    Ok(Json(json!({ "memories": all })).into_response())
}

/// What a fact is from now on.
#[derive(Deserialize)]
struct Right {
    value: String,
}

async fn correct(
    State(runs): State<Runs>,
    caller: Caller,
    Path(id): Path<String>,
    Body(right): Body<Right>,
) -> Result<Response, ApiError> {
    let done =
        book(&runs).correct(user(&caller), &id, &right.value, Timestamp::now()).await.map_err(refused)?;
    match done {
        Correction::Done(one) => Ok(Json(shown(&one)).into_response()),
        Correction::Unknown => Err(unknown()),
        Correction::NotAFact => Err(ApiError::invalid(
            "사실만 고칠 수 있습니다. 대화와 요약은 지울 수만 있습니다. / Only facts can be put right; exchanges and summaries can only be deleted.",
        )),
        Correction::Unread(kind) => {
            let (ko, en) = (kind.name(logs::lang(Lang::Ko)), kind.name(logs::lang(Lang::En)));
            Err(ApiError::invalid(format!(
                "'{ko}'(으)로 읽을 수 없는 값입니다. 예: 7천만원, 마포구, 전세 / This can't be read as \"{en}\"; for example: 70 million won, Mapo, jeonse."
            )))
        }
    }
}

async fn forget(
    State(runs): State<Runs>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let count = notebook(&runs).forget(user(&caller), Forget::One(&id)).await.map_err(refused)?;
    if count == 0 {
        return Err(unknown());
    }
    Ok(Json(json!({ "forgotten": count })).into_response())
}

async fn forget_all(State(runs): State<Runs>, caller: Caller) -> Result<Response, ApiError> {
    let count = notebook(&runs).forget(user(&caller), Forget::All).await.map_err(refused)?;
    Ok(Json(json!({ "forgotten": count })).into_response())
}
