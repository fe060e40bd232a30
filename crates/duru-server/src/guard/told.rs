//! What is told of a request: a span, and a line.

use std::time::Duration;

use axum::extract::MatchedPath;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use tracing::Span;
use tracing::field::Empty;

pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Whatever asks whether the server lives asks every few seconds.
const ROUTINE: [&str; 3] = ["/ok", "/ready", "/metrics"];

/// A request as it is told of.
pub(super) struct Told {
    id: HeaderValue,
    method: String,
    path: String,
    pub(super) span: Span,
}

impl Told {
    /// Begins to tell of a request. What it asks with may hold a ticket, so only its path is told.
    pub(super) fn of(request: &Parts) -> Self {
        let id = given(&request.headers).unwrap_or_else(fresh);
        let (method, path) = (request.method.as_str(), request.uri.path());
        let route = request.extensions.get::<MatchedPath>().map(MatchedPath::as_str);
        let traceparent = request.headers.get("traceparent").and_then(|value| value.to_str().ok());
        let span = tracing::info_span!(
            "request",
            otel.name = %format_args!("{method} {}", route.unwrap_or("unknown")),
            otel.kind = "server",
            http.request.method = method,
            http.route = route,
            url.path = path,
            http.response.status_code = Empty,
            duru.request.id = id.to_str().ok(),
            enduser.id = Empty,
            error.type = Empty,
            traceparent,
        );
        Self { id, method: method.to_owned(), path: path.to_owned(), span }
    }

    pub(super) fn method(&self) -> &str {
        &self.method
    }

    /// What it is called.
    pub(super) fn id(&self) -> &str {
        self.id.to_str().unwrap_or_default()
    }

    /// Tells what came of it.
    pub(super) fn answered(self, response: &mut Response, who: Option<&str>, took: Duration) {
        let status = response.status();
        let span = &self.span;
        tracing::record_all!(span, http.response.status_code = status.as_u16(), enduser.id = who);
        if status.is_server_error() {
            span.record("error.type", status.as_str());
        }
        span.in_scope(|| self.line(status, response.headers(), took));
        response.headers_mut().insert(REQUEST_ID, self.id);
    }

    fn line(&self, status: StatusCode, headers: &HeaderMap, took: Duration) {
        let (method, path, status) = (self.method.as_str(), self.path.as_str(), status.as_u16());
        let ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        let begun = headers.get("content-location").and_then(|place| place.to_str().ok());
        if ROUTINE.contains(&path) && status < 500 {
            tracing::debug!(method, path, status, ms, "request");
        } else if status >= 500 {
            tracing::warn!(method, path, status, ms, begun, "request");
        } else {
            tracing::info!(method, path, status, ms, begun, "request");
        }
    }
}

/// The id that the client has for it, if that is harmless.
fn given(headers: &HeaderMap) -> Option<HeaderValue> {
    let id = headers.get(&REQUEST_ID)?;
    let text = id.to_str().ok()?;
    let harmless = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    ((1..=64).contains(&text.len()) && text.bytes().all(harmless)).then(|| id.clone())
}

fn fresh() -> HeaderValue {
    let id = format!("{:016x}", fastrand::u64(..));
    HeaderValue::from_str(&id).unwrap_or_else(|_| HeaderValue::from_static("0"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_harmless_ids_are_taken_over() {
        let id = |text: &str| {
            let headers = HeaderMap::from_iter([(REQUEST_ID, HeaderValue::from_str(text).unwrap())]);
            given(&headers).is_some()
        };
        assert!(id("a-1_b.2") && id(&"x".repeat(64)));
        assert!(!id("") && !id("a b") && !id("a\tb") && !id(&"x".repeat(65)) && !id("<script>"));
        assert_ne!(fresh(), fresh());
    }
}
