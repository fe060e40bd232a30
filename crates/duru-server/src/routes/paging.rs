//! Lists that come in pages.

use axum::Json;
use axum::http::{HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Value, json};

use crate::error::{ApiError, ApiResult};

/// A page of a list, with headers that say how many there are and where the
/// next page begins.
pub(super) fn paged<T: Serialize>(
    items: Vec<T>,
    select: Option<&[String]>,
    next: usize,
    total: usize,
) -> Response {
    let mut response = selected(items, select);
    let headers = response.headers_mut();
    headers.insert(HeaderName::from_static("x-pagination-total"), HeaderValue::from(total));
    if next < total {
        headers.insert(HeaderName::from_static("x-pagination-next"), HeaderValue::from(next));
    }
    response
}

/// Whether a list goes up: it goes down unless told.
pub(super) fn ascending(order: Option<&str>) -> bool {
    order.is_some_and(|order| order.eq_ignore_ascii_case("asc"))
}

/// How many to give: 10 unless told, and within reason.
pub(super) fn limit(asked: Option<usize>) -> ApiResult<usize> {
    match asked.unwrap_or(10) {
        limit @ 1..=1000 => Ok(limit),
        other => Err(ApiError::invalid(format!("limit must be from 1 to 1000, not {other}"))),
    }
}

/// Only the fields that are asked for; all, if none is.
pub(super) fn selected<T: Serialize>(items: Vec<T>, select: Option<&[String]>) -> Response {
    let Some(select) = select.filter(|select| !select.is_empty()) else { return Json(items).into_response() };
    let mut items: Vec<Value> = items.into_iter().map(|item| json!(item)).collect();
    for item in &mut items {
        if let Value::Object(fields) = item {
            fields.retain(|name, _| select.contains(name));
        }
    }
    Json(items).into_response()
}
