//! `/documents/remarks`: what people say about passages. For their author alone, until somebody who may curate accepts
//! them for everybody; whoever did what is written down, and everything can be taken back.

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use duru::{Clock, SystemClock};
use duru_search::Verdict;
use duru_search::index::Index;
use duru_search::remark::{self, Error, NewRemark, Remark, RemarksOf, Standing};
use duru_server::{ApiError, Body, Caller, KeyScope};
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;

use super::documents::{Documents, refused, unknown};
use super::memory::user;
use crate::docs::{self, DocsProblem};

pub(super) fn problem(error: Error) -> ApiError {
    match error {
        Error::Index(error) => refused(DocsProblem::Index(error)),
        Error::UnknownPassage => unknown(),
        Error::UnknownRemark => ApiError::not_found(
            "그런 의견이 없거나 그사이 바뀌었습니다. / There is no such remark, or it says something else by now.",
        ),
        Error::TooManyOfAuthor | Error::TooManyOnPassage => {
            ApiError::conflict(format!("{} / {error}", docs::of_remark(&error)))
        }
        error => ApiError::invalid(format!("{} / {error}", docs::of_remark(&error))),
    }
}

/// Says something about a passage.
#[derive(Deserialize, ToSchema)]
pub(super) struct PassageRemark {
    /// The passage.
    chunk: String,
    /// good, bad or note.
    verdict: String,
    #[serde(default)]
    text: String,
}

/// Remark on a passage: a source of its own, for you alone until it is accepted
#[utoipa::path(
    post,
    path = "/documents/feedback",
    request_body = PassageRemark,
    responses((status = 200, body = Value), (status = 404), (status = 409)),
)]
pub(super) async fn say(
    State(all): State<Documents>,
    caller: Caller,
    Body(said): Body<PassageRemark>,
) -> Result<Response, ApiError> {
    let verdict =
        Verdict::from_word(&said.verdict).ok_or_else(|| ApiError::invalid("verdict: good, bad, note"))?;
    let author = user(&caller);
    let new = NewRemark { verdict, text: &said.text, author, at_ms: SystemClock.now_ms() };
    let kept = remark::say(&*all.opened.index, &said.chunk, new).await.map_err(problem)?;
    note(&all, "said", &kept, author).await;
    let mut shown = docs::remark_json(&kept, Some(author), None);
    (shown["chunk"], shown["verdict"]) = (said.chunk.into(), verdict.word().into());
    Ok(Json(shown).into_response())
}

/// Your remarks; everybody's with the scope curate
#[utoipa::path(
    get,
    path = "/documents/remarks",
    responses((status = 200, body = Value)),
)]
pub(super) async fn list(State(all): State<Documents>, caller: Caller) -> Result<Response, ApiError> {
    let (viewer, curates) = (user(&caller), caller.may(KeyScope::Curate));
    let of = if curates { RemarksOf::Everybody } else { RemarksOf::Author(viewer.to_owned()) };
    let shown = docs::remarks_json(&*all.opened.index, &of, Some(viewer)).await.map_err(refused)?;
    Ok(Json(json!({ "remarks": shown, "may_curate": curates })).into_response())
}

/// What is judged is what was read.
#[derive(Deserialize, Default, ToSchema)]
pub(super) struct ReadRemark {
    /// When the remark was said that was read, in milliseconds since 1970; the one that is there if nothing is said.
    at_ms: Option<u64>,
}

/// Accept a remark, so that it counts for everybody
#[utoipa::path(
    post,
    path = "/documents/remarks/{id}/accept",
    request_body = ReadRemark,
    responses((status = 200, body = Value), (status = 409)),
)]
pub(super) async fn accept(
    State(all): State<Documents>,
    caller: Caller,
    Path(id): Path<String>,
    Body(read): Body<ReadRemark>,
) -> Result<Response, ApiError> {
    let (by, at_ms) = (user(&caller).to_owned(), SystemClock.now_ms());
    judge(&all, &caller, (&id, read.at_ms), Standing::Accepted { by, at_ms }).await
}

/// Decline a remark, so that it counts for its author alone
#[utoipa::path(
    post,
    path = "/documents/remarks/{id}/decline",
    request_body = ReadRemark,
    responses((status = 200, body = Value), (status = 409)),
)]
pub(super) async fn decline(
    State(all): State<Documents>,
    caller: Caller,
    Path(id): Path<String>,
    Body(read): Body<ReadRemark>,
) -> Result<Response, ApiError> {
    let (by, at_ms) = (user(&caller).to_owned(), SystemClock.now_ms());
    judge(&all, &caller, (&id, read.at_ms), Standing::Declined { by, at_ms }).await
}

async fn judge(
    all: &Documents,
    caller: &Caller,
    (id, read_ms): (&str, Option<u64>),
    standing: Standing,
) -> Result<Response, ApiError> {
    let index: &dyn Index = &*all.opened.index;
    let known = remark::find(index, id).await.map_err(problem)?;
    let read = Remark { at_ms: read_ms.unwrap_or(known.at_ms), ..known };
    let action = standing.word();
    let judged = remark::accept_or_decline(index, &read, standing).await.map_err(problem)?;
    note(all, action, &judged, user(caller)).await;
    Ok(Json(docs::remark_json(&judged, Some(user(caller)), None)).into_response())
}

/// Delete a remark: yours, or anybody's with the scope curate
#[utoipa::path(
    delete,
    path = "/documents/remarks/{id}",
    responses((status = 200, body = Value)),
)]
pub(super) async fn withdraw(
    State(all): State<Documents>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let index: &dyn Index = &*all.opened.index;
    let known = remark::find(index, &id).await.map_err(problem)?;
    if known.author != user(&caller) && !caller.may(KeyScope::Curate) {
        // Nobody is told what others have said.
        return Err(problem(Error::UnknownRemark));
    }
    let gone = remark::withdraw(index, &id).await.map_err(problem)?;
    note(&all, "withdrawn", &gone, user(&caller)).await;
    Ok(Json(json!({ "withdrawn": id })).into_response())
}

/// Who did what with whose remark. What it says stands in the index.
async fn note(all: &Documents, action: &str, remark: &Remark, who: &str) {
    if let Some(audit) = &all.audit {
        let what = json!({
            "kind": "remark", "who": who, "action": action, "remark": remark.id, "author": remark.author,
            "passage": remark.chunk, "verdict": remark.verdict.word(), "said_at_ms": remark.at_ms,
        });
        // Where it can't be written, nothing more is done until it can.
        drop(audit.note(what).await);
    }
}
