//! Lists that come in pages.

use axum::Json;
use axum::http::{HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use serde_json::Value;

/// A page of a list, with headers that say how many there are and where the
/// next page begins.
pub(super) fn paged(mut items: Vec<Value>, select: Option<&[String]>, next: usize, total: usize) -> Response {
    if let Some(select) = select.filter(|select| !select.is_empty()) {
        for item in &mut items {
            if let Value::Object(fields) = item {
                fields.retain(|name, _| select.contains(name));
            }
        }
    }
    let mut response = Json(items).into_response();
    let headers = response.headers_mut();
    headers.insert(HeaderName::from_static("x-pagination-total"), HeaderValue::from(total));
    if next < total {
        headers.insert(HeaderName::from_static("x-pagination-next"), HeaderValue::from(next));
    }
    response
}
