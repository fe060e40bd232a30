//! Errors that every client can read: JSON, in the shape that the clients of a path know. Whoever refuses a request,
//! be it the guard, a route, or what reads requests for routes, need not know that shape.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use serde_json::{Value, json};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;

use crate::error::Detail;

/// Nobody has more to say about a request.
const LONGEST: usize = 16 << 10;

/// What errors look like on some paths, where that is not `{"detail": …}`.
#[derive(Debug, Clone, Copy)]
pub struct ErrorShape {
    /// A path, with everything below it if it ends in `/`.
    pub path: &'static str,
    /// The body for a status and what is to be said.
    pub of: fn(StatusCode, &str) -> Value,
    /// The schema of that body.
    pub schema: fn() -> RefOr<Schema>,
}

impl ErrorShape {
    pub(crate) fn fits(&self, path: &str) -> bool {
        path == self.path || (self.path.ends_with('/') && path.starts_with(self.path))
    }
}

/// Gives errors the shape of their path, and those that are no JSON any shape at all.
pub(super) async fn shaped(
    State(shapes): State<Arc<[ErrorShape]>>,
    request: Request,
    next: Next,
) -> Response {
    let shape = shapes.iter().find(|shape| shape.fits(request.uri().path())).copied();
    let response = next.run(request).await;
    let status = response.status();
    if !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let is_told = response.extensions().get::<Detail>().is_some();
    let is_as_wanted = if is_told { shape.is_none() } else { !is_plain(response.headers()) };
    if is_as_wanted {
        return response;
    }
    let (mut head, body) = response.into_parts();
    let detail = match head.extensions.remove::<Detail>() {
        Some(Detail(detail)) => detail,
        None => {
            let said = to_bytes(body, LONGEST).await.unwrap_or_default();
            words(status, String::from_utf8_lossy(&said).trim())
        }
    };
    let json = shape.map_or_else(|| json!({ "detail": detail }), |shape| (shape.of)(status, &detail));
    head.headers.remove(header::CONTENT_LENGTH);
    head.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Response::from_parts(head, Body::from(json.to_string()))
}

/// Whether an answer is a text, or nothing.
fn is_plain(headers: &HeaderMap) -> bool {
    let Some(kind) = headers.get(header::CONTENT_TYPE) else { return true };
    kind.to_str().is_ok_and(|kind| kind.starts_with("text/plain"))
}

fn words(status: StatusCode, said: &str) -> String {
    match said {
        "" => status.canonical_reason().unwrap_or("Error").to_owned(),
        _ if status == StatusCode::PAYLOAD_TOO_LARGE => "The request body is too large.".to_owned(),
        said => said.to_owned(),
    }
}
