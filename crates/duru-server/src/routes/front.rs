//! What is found at the front door and at doors that are none: a page for
//! browsers where the program has one, JSON for everybody else.

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, Method, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::system;
use crate::body::Query;
use crate::error::{ApiError, ApiResult};
use crate::hub::Shared;

/// Makes the page that browsers are shown, given what they asked with.
pub type Page = fn(&HeaderMap) -> Response;

pub(super) fn router(page: Option<Page>) -> Router<Shared> {
    let root = async move |headers: HeaderMap, hub: State<Shared>, query: Query| -> ApiResult {
        match page.filter(|_| wants_html(&headers)) {
            Some(page) => Ok(page(&headers)),
            None => system::ok(hub, query).await,
        }
    };
    let elsewhere = async move |method: Method, headers: HeaderMap| match page {
        Some(page) if method == Method::GET && wants_html(&headers) => page(&headers),
        _ => ApiError::not_found("Not Found").into_response(),
    };
    Router::new().route("/", get(root)).fallback(elsewhere)
}

/// Browsers that open an address name HTML; programs do not.
fn wants_html(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accepted.is_some_and(|accepted| accepted.split(',').any(|kind| kind.trim().starts_with("text/html")))
}
