//! `/memory`: what the advisor remembers of whoever asks, putting it right, and forgetting it.

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use duru::memory::{Error, Memory};
use duru_agents::advisor::memory::{Book, Correction, Forget, Notebook};
use duru_server::{ApiError, ApiRoutes, Body, Caller, Runs};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::ASK;
use crate::args::LOCAL_USER;
use crate::lang::Lang;
use crate::logs;
use crate::memory::shown;

pub(super) fn routes(runs: Runs) -> ApiRoutes {
    ApiRoutes::new().with(ASK, routes!(list, forget_all)).with(ASK, routes!(correct, forget)).with_state(runs)
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

/// What the advisor remembers of you
#[utoipa::path(
    get,
    path = "/memory",
    responses((status = 200, body = Value)),
)]
async fn list(State(runs): State<Runs>, caller: Caller) -> Result<Response, ApiError> {
    let all = book(&runs).list(user(&caller), Timestamp::now()).await.map_err(refused)?;
    let all: Vec<Value> = all.iter().map(shown).collect();
    Ok(Json(json!({ "memories": all })).into_response())
}

/// How many things were forgotten.
#[derive(Serialize, ToSchema)]
struct Forgotten {
    forgotten: usize,
}

/// What a fact is from now on.
#[derive(Deserialize, ToSchema)]
struct CorrectedFact {
    value: String,
}

/// Put a fact right
#[utoipa::path(
    patch,
    path = "/memory/{id}",
    request_body = CorrectedFact,
    responses((status = 200, body = Value)),
)]
async fn correct(
    State(runs): State<Runs>,
    caller: Caller,
    Path(id): Path<String>,
    Body(right): Body<CorrectedFact>,
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

/// Forget one thing
#[utoipa::path(
    delete,
    path = "/memory/{id}",
    responses((status = 200, body = Forgotten)),
)]
async fn forget(
    State(runs): State<Runs>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let count = notebook(&runs).forget(user(&caller), Forget::One(&id)).await.map_err(refused)?;
    if count == 0 {
        return Err(unknown());
    }
    Ok(Json(Forgotten { forgotten: count }).into_response())
}

/// Forget all of it
#[utoipa::path(
    delete,
    path = "/memory",
    responses((status = 200, body = Forgotten)),
)]
async fn forget_all(State(runs): State<Runs>, caller: Caller) -> Result<Response, ApiError> {
    let count = notebook(&runs).forget(user(&caller), Forget::All).await.map_err(refused)?;
    Ok(Json(Forgotten { forgotten: count }).into_response())
}
