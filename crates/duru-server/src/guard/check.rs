//! Every request, before anything is done for it.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{ConnectInfo, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use duru::store::{self, Memories};
use serde_json::json;
use tracing::Instrument as _;

use super::keys::{self, Key, Keys};
use super::open::{Open, until_sent};
use super::pass::Pass;
use super::rate::Rates;
use super::told::Told;
use super::{Security, ticket};
use crate::caller::Caller;
use crate::error::{ApiError, ApiResult};
use crate::metrics::Metrics;

/// What another process changes is heard of after so long.
const FRESH: Duration = Duration::from_secs(1);
/// More keys are in use at once only if somebody guesses.
const MOST: usize = 10_000;
/// What a key is good for unless it says otherwise, a second.
const USUAL: f64 = 100.0;
/// How many answers somebody may have open at once unless their key says otherwise.
const USUAL_AT_ONCE: u32 = 1_000;
/// How many wrong keys an address may try a second.
const GUESSES: f64 = 5.0;

/// A key that was read, or the fact that there is none.
pub(super) type Known = Option<Arc<Holder>>;

/// Whoever has a key.
pub(super) struct Holder {
    pub(super) key: Key,
    /// The name of the key, as everything has it that is done with it.
    name: Arc<str>,
    digest: String,
}

pub(crate) struct Guard {
    pub(super) keys: Keys,
    pub(super) memories: Arc<dyn Memories>,
    pub(super) security: Security,
    pub(super) metrics: Arc<Metrics>,
    /// Only this machine can ask.
    pub(super) loopback: bool,
    rates: Rates,
    open: Open,
    known: Mutex<HashMap<String, (Instant, Known)>>,
    /// When it was last looked whether there are keys at all, and what was found.
    any: Mutex<Option<(Instant, bool)>>,
}

impl Guard {
    pub(super) fn new(keys: Keys, memories: Arc<dyn Memories>, security: Security, loopback: bool) -> Self {
        Self {
            keys,
            memories,
            security,
            metrics: Arc::default(),
            loopback,
            rates: Rates::default(),
            open: Open::default(),
            known: Mutex::default(),
            any: Mutex::default(),
        }
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

    pub(super) async fn read(&self, id: &str) -> Result<Known, store::Error> {
        let read = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned();
        if let Some((at, known)) = read
            && at.elapsed() < FRESH
        {
            return Ok(known);
        }
        let holder = |(key, digest): (Key, String)| Holder { name: key.name.as_str().into(), key, digest };
        let known = self.keys.by_id(id).await?.map(|found| Arc::new(holder(found)));
        let mut all = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST {
            all.clear();
        }
        all.insert(id.to_owned(), (Instant::now(), known.clone()));
        Ok(known)
    }

    /// The caller, with a place among the answers that they have open.
    fn admitted(&self, caller: Caller) -> ApiResult<Caller> {
        let Some(owner) = &caller.owner else { return Ok(caller) };
        let held = self.open.take(owner, caller.at_once.unwrap_or(USUAL_AT_ONCE));
        let full =
            || ApiError::too_many("Too many answers are open with this key. Close some of them first.");
        Ok(Caller { held: Some(held.ok_or_else(full)?), ..caller })
    }

    /// So many more requests with a key, unless there were too many lately.
    pub(super) fn within(&self, key: &Key, count: usize) -> ApiResult<()> {
        self.take(&key.id, key.per_second.map_or(USUAL, f64::from), count)
    }

    fn take(&self, who: &str, per_second: f64, count: usize) -> ApiResult<()> {
        let later = |seconds| ApiError::too_many("Too many requests. Try again later.").after(seconds);
        self.rates.take(who, per_second, count, Instant::now()).map_err(later)
    }

    /// Whose key this is, if it is one.
    async fn holder(&self, text: &str) -> Result<Known, store::Error> {
        let Some((id, secret)) = keys::parts(text) else { return Ok(None) };
        let known = self.read(id).await?;
        // The same work for a key that does not exist.
        let kept = known.as_ref().map_or("", |holder| &holder.digest);
        let fits = keys::same(&keys::digest(secret), kept);
        Ok(known.filter(|_| fits))
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
    let noted = guard.security.audit.is_some() && is_an_act(&request);
    let act = noted.then(|| (request.method.to_string(), request.uri.path().to_owned()));
    let told = Told::of(&request);
    let (mut response, who) = match known(&guard, &request, from.as_deref().unwrap_or_default()).await {
        Ok(caller) => {
            let (who, held, pass) = (caller.owner.clone(), caller.held.clone(), caller.pass.clone());
            request.extensions.insert(caller);
            let answered = next.run(Request::from_parts(request, body)).instrument(told.span.clone()).await;
            let answered = match held {
                Some(held) => until_sent(answered, held, pass),
                None => answered,
            };
            (answered, who)
        }
        Err(refusal) => (refusal.into_response(), None),
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

async fn known(guard: &Arc<Guard>, request: &Parts, from: &str) -> ApiResult<Caller> {
    if guard.is_public(request.uri.path()) {
        return Ok(Caller::default());
    }
    let headers = &request.headers;
    let given = given(headers);
    let holder = match given {
        Some(text) => guard.holder(text).await?,
        None => None,
    };
    let Some(holder) = holder else {
        if !guard.needs_key().await? {
            return Ok(Caller::default());
        }
        let ticket = request.uri.query().and_then(ticket::named);
        let ticket = ticket.filter(|_| given.is_none() && headers.contains_key(header::UPGRADE));
        if let Some(ticket) = ticket
            && let Some(caller) = ticket::redeemed(guard, ticket).await?
        {
            return guard.admitted(caller);
        }
        // Whoever guesses is made to wait; whoever has nothing to show only if they never stop.
        let (who, per_second) = match given.is_some() || ticket.is_some() {
            true => (format!("?{from}"), GUESSES),
            false => (format!("-{from}"), USUAL),
        };
        guard.take(&who, per_second, 1)?;
        return Err(ApiError::no_key("A valid API key is needed: x-api-key, or a bearer token."));
    };
    let key = &holder.key;
    guard.within(key, 1)?;
    if let Some(largest) = key.largest_body {
        let length =
            headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
        match length {
            Some(length) if length > largest => {
                return Err(ApiError::too_large("The request body is too large for this key."));
            }
            None if headers.contains_key(header::TRANSFER_ENCODING) => {
                return Err(ApiError::no_length("Say how long the request body is."));
            }
            _ => {}
        }
    }
    let (owner, pass) = (Some(Arc::clone(&holder.name)), Some(Pass::new(guard, &holder)));
    guard.admitted(Caller { owner, admin: key.admin, at_once: key.at_once, held: None, pass })
}
