//! What browsers are told and what they may not be used for.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tower_http::cors::{AllowHeaders, AllowOrigin, CorsLayer};

use super::check::Guard;
use super::told::REQUEST_ID;
use crate::error::ApiError;

/// So much of an origin is told back, in characters: longer ones are nobody's.
const LONGEST: usize = 200;

/// What a page of ours may do: nothing that is not from here.
const POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; \
                      form-action 'self'; frame-ancestors 'none'";

/// Pages of these origins may ask, without anybody's cookies.
pub(super) fn browsers(guard: &Arc<Guard>) -> CorsLayer {
    let guard = Arc::clone(guard);
    let allowed = AllowOrigin::predicate(move |origin, request| {
        origin.to_str().is_ok_and(|origin| guard.allows(origin, &request.headers))
    });
    CorsLayer::new()
        .allow_origin(allowed)
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
        // Not "any": browsers leave bearer tokens out of that.
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers([
            header::CONTENT_LOCATION,
            header::LOCATION,
            HeaderName::from_static("x-pagination-total"),
            HeaderName::from_static("x-pagination-next"),
            HeaderName::from_static("x-duru-ignored"),
            REQUEST_ID,
        ])
}

/// Pages of the public web that may ask at all may ask a server on a private
/// network; browsers look for that before they let them, and not all of them
/// ask first.
pub(super) async fn private_network(mut response: Response) -> Response {
    if response.headers().contains_key(header::ACCESS_CONTROL_ALLOW_METHODS) {
        let name = HeaderName::from_static("access-control-allow-private-network");
        response.headers_mut().insert(name, HeaderValue::from_static("true"));
    }
    response
}

/// Headers that make browsers careful.
pub(super) async fn harden(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
    ] {
        // A page may have a stricter one of its own.
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Refuses requests that a browser was tricked into: to a name that is not
/// ours (a name of theirs that leads to our address), or from a page that may
/// not ask. That holds for WebSockets too, which no browser asks about first.
pub(super) async fn admit(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    if !guard.answers_to(headers, request.uri()) {
        return refused(
            "이 서버의 이름이 아닙니다. 이 이름으로 쓰려면 DURU_HOSTS에 적으세요. / This server does not answer to that host \
             name. To have it do so, name it in DURU_HOSTS.",
        );
    }
    if let Some(origin) = headers.get(header::ORIGIN)
        && !origin.to_str().is_ok_and(|origin| guard.allows(origin, headers))
    {
        let named: String = origin.to_str().unwrap_or_default().chars().take(LONGEST).collect();
        tracing::warn!(origin = named, "a page of an origin that is not in DURU_ORIGINS was refused");
        return refused(&format!(
            "{named}의 페이지는 물을 수 없습니다. 허락하려면 DURU_ORIGINS에 적으세요. / Pages of {named} may not ask. To let \
             them, name the origin in DURU_ORIGINS."
        ));
    }
    next.run(request).await
}

fn refused(why: &str) -> Response {
    ApiError::forbidden(why).into_response()
}

impl Guard {
    /// Whether the request means us.
    fn answers_to(&self, headers: &HeaderMap, uri: &Uri) -> bool {
        if !self.loopback && self.security.hosts.is_empty() {
            return true;
        }
        let given = headers.get(header::HOST).map(|host| host.to_str().unwrap_or_default());
        let Some(given) = given.or(uri.authority().map(Authority::as_str)) else {
            // No browser leaves it out.
            return true;
        };
        let Some(name) = host_of(given) else { return false };
        is_here(&name) || self.security.hosts.iter().any(|host| host.eq_ignore_ascii_case(&name))
    }

    /// Whether pages of an origin may ask: ours, and those that were named. What else runs on this machine, at
    /// whatever port, is somebody else's.
    fn allows(&self, origin: &str, headers: &HeaderMap) -> bool {
        let Some((scheme, authority)) = origin.split_once("://") else { return false };
        if !matches!(scheme, "http" | "https") || authority.contains('/') {
            return false;
        }
        if host_of(authority).is_none() {
            return false;
        }
        let ours = headers.get(header::HOST).and_then(|host| host.to_str().ok());
        ours.is_some_and(|host| host.eq_ignore_ascii_case(authority))
            || self.security.origins.iter().any(|allowed| allowed.eq_ignore_ascii_case(origin))
    }
}

/// The name in `name:port`, in small letters.
fn host_of(authority: &str) -> Option<String> {
    let authority: Authority = authority.parse().ok()?;
    // `user@host` is nothing that a browser sends.
    (!authority.as_str().contains('@')).then(|| authority.host().to_ascii_lowercase())
}

/// Whether a name always means this machine.
fn is_here(name: &str) -> bool {
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    name == "localhost"
        || name.ends_with(".localhost")
        || bare.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_this_machine_are_told_from_those_that_look_like_it() {
        for here in ["localhost", "127.0.0.1:2024", "[::1]:80", "LOCALHOST:1", "127.8.9.1", "a.localhost"] {
            assert!(host_of(here).is_some_and(|name| is_here(&name)), "{here}");
        }
        for elsewhere in
            ["localhost.evil.com", "127.0.0.1.evil.com", "evil.com", "0.0.0.0", "x@localhost", ""]
        {
            assert!(!host_of(elsewhere).is_some_and(|name| is_here(&name)), "{elsewhere}");
        }
    }
}
