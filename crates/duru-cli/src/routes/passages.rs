//! `/documents/search` and `/documents/passage`: what documents say.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use duru_search::index::Filter;
use duru_search::remark::RemarksOf;
use duru_server::{ApiError, Body, Caller, Params};
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::{IntoParams, ToSchema};

use super::documents::{Documents, refused, unknown};
use super::memory::user;
use crate::docs::{self, DocsProblem};

#[derive(Deserialize, ToSchema)]
pub(super) struct PassageSearch {
    question: String,
    #[serde(default = "ten")]
    top: usize,
    collection: Option<String>,
    category: Option<String>,
    law: Option<String>,
}

fn ten() -> usize {
    10
}

/// Find passages, and why they fit
#[utoipa::path(
    post,
    path = "/documents/search",
    request_body = PassageSearch,
    responses((status = 200, body = Value)),
)]
pub(super) async fn search(
    State(all): State<Documents>,
    caller: Caller,
    Body(wanted): Body<PassageSearch>,
) -> Result<Response, ApiError> {
    if wanted.question.trim().is_empty() {
        return Err(ApiError::invalid("question: 질문이 비어 있습니다. / There is no question."));
    }
    let filter = Filter {
        collection: wanted.collection,
        title: wanted.law,
        category: wanted.category,
        ..Filter::default()
    };
    let (viewer, top) = (user(&caller), wanted.top.clamp(1, 100));
    let found =
        docs::found(&all.opened, &wanted.question, filter, (top, viewer, Documents::reach(&caller))).await;
    Ok(Json(docs::found_json(&found.map_err(refused)?, viewer)).into_response())
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct PassageQuery {
    id: String,
}

/// A passage by ?id=, and its surroundings
#[utoipa::path(
    get,
    path = "/documents/passage",
    params(PassageQuery),
    responses((status = 200, body = Value), (status = 404)),
)]
pub(super) async fn passage(
    State(all): State<Documents>,
    caller: Caller,
    Params(PassageQuery { id }): Params<PassageQuery>,
) -> Result<Response, ApiError> {
    let index = all.of_passage(&caller, &id).await?;
    let found = index.chunks(std::slice::from_ref(&id)).await.map_err(DocsProblem::Index).map_err(refused)?;
    let Some(chunk) = found.into_iter().next() else { return Err(unknown()) };
    let around = index.passages(&chunk.document).await.map_err(DocsProblem::Index).map_err(refused)?;
    let at = around.iter().position(|other| other.id == chunk.id);
    let near = |at: Option<usize>| at.and_then(|at| around.get(at));
    let viewer = user(&caller);
    let mut said = index
        .remarks(&RemarksOf::Viewer(Some(viewer.to_owned())))
        .await
        .map_err(DocsProblem::Index)
        .map_err(refused)?;
    said.retain(|remark| remark.chunk == chunk.id);
    let said: Vec<Value> =
        said.iter().map(|remark| docs::remark_json(remark, Some(viewer), Some(&chunk))).collect();
    Ok(Json(json!({
        "before": near(at.and_then(|at| at.checked_sub(1))), "after": near(at.map(|at| at + 1)),
        "passage": chunk, "remarks": said,
    }))
    .into_response())
}
