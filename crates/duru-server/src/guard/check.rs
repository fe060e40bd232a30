//! Every request, before anything is done for it.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{ConnectInfo, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use duru::store::{self, Memories};
use serde_json::json;
use tracing::Instrument as _;

use super::keys::{self, Key, Keys};
use super::rate::Rates;
use super::told::Told;
use super::{Security, ticket};
use crate::caller::Caller;
use crate::error::ApiError;
use crate::metrics::Metrics;

/// What another process changes is heard of after so long.
const FRESH: Duration = Duration::from_secs(1);
/// More keys are in use at once only if somebody guesses.
const MOST: usize = 10_000;
/// What a key is good for unless it says otherwise, a second.
const USUAL: f64 = 100.0;
/// How many wrong keys an address may try a second.
const GUESSES: f64 = 5.0;

/// A key that was read, or the fact that there is none.
type Known = Option<(Key, String)>;

pub(crate) struct Guard {
    pub(super) keys: Keys,
    pub(super) memories: Arc<dyn Memories>,
    pub(super) security: Security,
    pub(super) metrics: Arc<Metrics>,
    /// Only this machine can ask.
    pub(super) loopback: bool,
    rates: Rates,
    known: Mutex<HashMap<String, (Instant, Known)>>,
    /// When it was last looked whether there are keys at all, and what was found.
    any: Mutex<Option<(Instant, bool)>>,
}

impl Guard {
    pub(super) fn new(keys: Keys, memories: Arc<dyn Memories>, security: Security, loopback: bool) -> Self {
        let (rates, known, any) = (Rates::default(), Mutex::default(), Mutex::default());
        Self { keys, memories, security, metrics: Arc::default(), loopback, rates, known, any }
    }

    /// Whether a key is needed: as soon as there is one, or others can ask.
    async fn needs_key(&self) -> Result<bool, store::Error> {
        if !self.loopback {
            return Ok(true);
        }
        let read = *self.any.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, any)) = read
            && at.elapsed() < FRESH
        {
            return Ok(any);
        }
        let any = self.keys.any().await?;
        *self.any.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), any));
        Ok(any)
    }

    fn is_public(&self, path: &str) -> bool {
        let ours = ["/", "/ok", "/ready", "/openapi.json", "/docs", "/docs/"];
        let fits = |public: &str| {
            path == public || (public.len() > 1 && public.ends_with('/') && path.starts_with(public))
        };
        ours.into_iter().any(fits) || self.security.public.iter().any(|public| fits(public))
    }

    async fn read(&self, id: &str) -> Result<Known, store::Error> {
        let read = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned();
        if let Some((at, known)) = read
            && at.elapsed() < FRESH
        {
            return Ok(known);
        }
        let known = self.keys.by_id(id).await?;
        let mut all = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST {
            all.clear();
        }
        all.insert(id.to_owned(), (Instant::now(), known.clone()));
        Ok(known)
    }

    /// Whose key this is, if it is one.
    async fn key(&self, text: &str) -> Result<Option<Key>, store::Error> {
        let Some((id, secret)) = keys::parts(text) else { return Ok(None) };
        let known = self.read(id).await?;
        // The same work for a key that does not exist.
        let kept = known.as_ref().map_or("", |(_, digest)| digest);
        let fits = keys::same(&keys::digest(secret), kept);
        Ok(known.filter(|_| fits).map(|(key, _)| key))
    }
}

/// The key in the headers.
fn given(headers: &HeaderMap) -> Option<&str> {
    let plain = headers.get("x-api-key").and_then(|key| key.to_str().ok());
    let bearer = || {
        let text = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
        let (scheme, key) = text.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then_some(key)
    };
    plain.or_else(bearer).map(str::trim)
}

/// Lets requests of callers who are known pass, as theirs.
pub(super) async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    // A body can't be shared between threads, and is not looked at here.
    let (mut request, body) = request.into_parts();
    let started = Instant::now();
    let from = request.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip().to_string());
    let act = is_an_act(&request).then(|| (request.method.to_string(), request.uri.path().to_owned()));
    let told = Told::of(&request);
    let (mut response, who) = match known(&guard, &request, from.as_deref().unwrap_or_default()).await {
        Ok(caller) => {
            let who = caller.owner.clone();
            request.extensions.insert(caller);
            let answered = next.run(Request::from_parts(request, body)).instrument(told.span.clone());
            (answered.await, who)
        }
        Err(refusal) => (refusal.for_path(request.uri.path()), None),
    };
    let took = started.elapsed();
    guard.metrics.answered(response.status().as_u16(), took);
    if let (Some(audit), Some((method, path))) = (&guard.security.audit, act) {
        audit.note(json!({
            "kind": "request", "who": who, "from": from, "method": method, "path": path,
            "status": response.status().as_u16(), "ms": u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            "run": response.headers().get(header::CONTENT_LOCATION).and_then(|place| place.to_str().ok()),
            "request": told.id(),
        }));
    }
    told.answered(&mut response, who.as_deref(), took);
    response
}

/// Whether something may change because of it.
fn is_an_act(request: &Parts) -> bool {
    !matches!(request.method, Method::GET | Method::HEAD | Method::OPTIONS)
        || request.headers.contains_key(header::UPGRADE)
}

/// Why a request is not let pass.
enum Refusal {
    NoKey,
    Later(u64),
    TooLarge,
    NoLength,
    Api(ApiError),
}

async fn known(guard: &Guard, request: &Parts, from: &str) -> Result<Caller, Refusal> {
    if guard.is_public(request.uri.path()) || !guard.needs_key().await.map_err(broken)? {
        return Ok(Caller::default());
    }
    let headers = &request.headers;
    let key = match given(headers) {
        Some(text) => guard.key(text).await.map_err(broken)?,
        None if headers.contains_key(header::UPGRADE) => {
            let owner = ticket::redeemed(guard, request.uri.query()).await.map_err(broken)?;
            return owner.map(|owner| Caller { owner: Some(owner), admin: false }).ok_or(Refusal::NoKey);
        }
        None => None,
    };
    let Some(key) = key else {
        // Whoever guesses is made to wait.
        guard.rates.take(&format!("?{from}"), GUESSES, Instant::now()).map_err(Refusal::Later)?;
        return Err(Refusal::NoKey);
    };
    let per_second = key.per_second.map_or(USUAL, f64::from);
    guard.rates.take(&key.id, per_second, Instant::now()).map_err(Refusal::Later)?;
    if let Some(largest) = key.largest_body {
        let length =
            headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
        match length {
            Some(length) if length > largest => return Err(Refusal::TooLarge),
            None if headers.contains_key(header::TRANSFER_ENCODING) => return Err(Refusal::NoLength),
            _ => {}
        }
    }
    Ok(Caller { owner: Some(key.name), admin: key.admin })
}

fn broken(error: store::Error) -> Refusal {
    Refusal::Api(error.into())
}

impl Refusal {
    /// In the shape that clients of a path know.
    fn for_path(self, path: &str) -> Response {
        let (status, text, later) = match self {
            Self::NoKey => {
                (StatusCode::UNAUTHORIZED, "A valid API key is needed: x-api-key, or a bearer token.", None)
            }
            Self::Later(seconds) => {
                (StatusCode::TOO_MANY_REQUESTS, "Too many requests. Try again later.", Some(seconds))
            }
            Self::TooLarge => {
                (StatusCode::PAYLOAD_TOO_LARGE, "The request body is too large for this key.", None)
            }
            Self::NoLength => (StatusCode::LENGTH_REQUIRED, "Say how long the request body is.", None),
            Self::Api(error) => return error.into_response(),
        };
        let body = if path.starts_with("/v1/") {
            let code = (status == StatusCode::UNAUTHORIZED).then_some("invalid_api_key");
            json!({ "error": { "message": text, "type": "invalid_request_error", "param": null, "code": code } })
        } else {
            json!({ "detail": text })
        };
        let mut response = (status, axum::Json(body)).into_response();
        if status == StatusCode::UNAUTHORIZED {
            response
                .headers_mut()
                .insert(header::WWW_AUTHENTICATE, header::HeaderValue::from_static("Bearer"));
        }
        if let Some(seconds) = later {
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}
