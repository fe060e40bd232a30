//! `/drafts/{id}`: a document that the advisor made for whoever asks.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use duru::memory::{Error, Memory};
use duru_agents::advisor::draft::{ADDRESS, Shelf};
use duru_server::{ApiError, Caller, Runs};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::memory::user;

const WORD: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

pub(super) fn routes(runs: Runs) -> Router {
    Router::new().route(&format!("{ADDRESS}/{{id}}"), get(document)).with_state(runs)
}

/// Somebody else's is not there.
fn none() -> ApiError {
    ApiError::not_found("그런 문서가 없습니다. / There is no such document.")
}

async fn document(
    State(runs): State<Runs>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let shelf = Shelf::new(Memory::new(runs.memories().clone()));
    let found = shelf.get(user(&caller), &id).await.map_err(|error| match error {
        Error::Store(error) => error.into(),
        _ => none(),
    })?;
    let document = found.ok_or_else(none)?;
    // The name is Korean: as header fields have it, and a plain one for those who can't read that.
    let name = utf8_percent_encode(&document.name, NON_ALPHANUMERIC);
    let disposition = format!("attachment; filename=\"lease.docx\"; filename*=UTF-8''{name}");
    let mut response = document.bytes.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(WORD));
    if let Ok(disposition) = HeaderValue::from_str(&disposition) {
        headers.insert(header::CONTENT_DISPOSITION, disposition);
    }
    Ok(response)
}
