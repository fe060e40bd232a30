//! What is found at the front door and at doors that are none: a page for
//! browsers where the program has one, JSON for everybody else.

use axum::extract::State;
use axum::http::{HeaderMap, Method, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::system::{self, HealthQuery};
use crate::api::ApiRoutes;
use crate::error::{ApiError, ApiResult};
use crate::guard::Access;
use crate::hub::Shared;
use crate::query::Params;

/// Makes the page that browsers are shown, given what they asked with.
pub type Page = fn(&HeaderMap) -> Response;

/// They are for people, so that the document leaves them out.
pub(super) fn routes(page: Option<Page>) -> ApiRoutes<Shared> {
    let root = async move |headers: HeaderMap, hub: State<Shared>, query: Params<HealthQuery>| -> ApiResult {
        match page.filter(|_| wants_html(&headers)) {
            Some(page) => Ok(page(&headers)),
            None => system::ok(hub, query).await,
        }
    };
    let elsewhere = async move |method: Method, headers: HeaderMap| match page {
        Some(page) if method == Method::GET && wants_html(&headers) => page(&headers),
        _ => ApiError::not_found("Not Found").into_response(),
    };
    ApiRoutes::new().unlisted(Access::Public, "get", "/", get(root)).map(|router| router.fallback(elsewhere))
}

/// Browsers that open an address name HTML; programs do not.
fn wants_html(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accepted.is_some_and(|accepted| accepted.split(',').any(|kind| kind.trim().starts_with("text/html")))
}
