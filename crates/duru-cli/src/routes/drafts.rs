//! `/drafts/{id}`: a document that the advisor made for whoever asks.

use axum::extract::{Path, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use duru::memory::{Error, Memory};
use duru_agents::advisor::draft::Shelf;
use duru_server::{ApiError, ApiRoutes, Caller, Runs};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use utoipa_axum::routes;

use super::ASK;
use super::memory::user;

const WORD: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

pub(super) fn routes(runs: Runs) -> ApiRoutes {
    ApiRoutes::new().with(ASK, routes!(document)).with_state(runs)
}

/// Somebody else's is not there.
fn none() -> ApiError {
    ApiError::not_found("그런 문서가 없습니다. / There is no such document.")
}

/// A document that the advisor made for you, to download
#[utoipa::path(
    get,
    path = "/drafts/{id}",
    responses((
        status = 200,
        content_type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        body = String,
        headers(("content-disposition" = String)),
    )),
)]
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

#[cfg(test)]
mod tests {
    use super::*;
    use utoipa::Path as _;

    #[test]
    fn drafts_are_where_the_advisor_says() {
        let address = duru_agents::advisor::draft::ADDRESS;
        assert_eq!(__path_document::path(), format!("{address}/{{id}}"));
    }
}
