//! Every request, before anything is done for it.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::{Body, to_bytes};
use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use duru::store::{self, Memories};
use serde_json::{Value, json};
use tracing::Instrument as _;

use super::access::AccessTable;
use super::audit::{Audit, AuditError};
use super::keys::{self, Key, Keys};
use super::open::{Open, until_sent};
use super::pass::Pass;
use super::rate::RateLimits;
use super::told::Told;
use super::{Security, proxy, ticket};
use crate::caller::Caller;
use crate::error::{ApiError, ApiResult, log_line};
use crate::metrics::Metrics;

/// What another process changes is heard of after so long.
const FRESH: Duration = Duration::from_secs(1);
/// How many answers somebody may have open at once unless their key says otherwise.
const USUAL_AT_ONCE: u32 = 1_000;
/// A body that is taken though its request is refused, in bytes.
const SMALL: usize = 16 << 10;

/// The owner of a key.
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
    pub(super) access: AccessTable,
    /// Only this machine can ask.
    pub(super) loopback: bool,
    rates: RateLimits,
    open: Open,
    /// Keys that are there, and when they were last read; never what somebody only guessed.
    known: Mutex<HashMap<String, (Instant, Arc<Holder>)>>,
    /// When it was last looked whether keys are wanted.
    looked: Mutex<Option<Instant>>,
    /// Keys are required. That never ends while a server runs, even when all are revoked.
    wanted: AtomicBool,
}

impl Guard {
    pub(super) fn new(
        keys: Keys,
        memories: Arc<dyn Memories>,
        (security, access): (Security, AccessTable),
        loopback: bool,
    ) -> Self {
        // With proxies, others can reach the server.
        let wanted = AtomicBool::new(!loopback || !security.proxies.is_empty());
        Self {
            keys,
            memories,
            security,
            metrics: Arc::default(),
            access,
            loopback,
            rates: RateLimits::default(),
            open: Open::default(),
            known: Mutex::default(),
            looked: Mutex::default(),
            wanted,
        }
    }

    /// Whether a key is needed: as soon as there was one, or others can ask.
    async fn wants_key(&self) -> Result<bool, store::Error> {
        if self.wanted.load(Ordering::Relaxed) {
            return Ok(true);
        }
        let looked = *self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        if looked.is_some_and(|at| at.elapsed() < FRESH) {
            return Ok(false);
        }
        let wanted = self.keys.are_wanted().await?;
        self.wanted.fetch_or(wanted, Ordering::Relaxed);
        *self.looked.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        Ok(wanted)
    }

    fn is_public(&self, request: &Parts) -> bool {
        self.access.is_public(request) || self.is_public_path(request.uri.path())
    }

    /// Whether a path was named as one that needs no key.
    pub(super) fn is_public_path(&self, path: &str) -> bool {
        self.security.public.iter().any(|public| {
            path == public || (public.len() > 1 && public.ends_with('/') && path.starts_with(public.as_str()))
        })
    }

    /// The current owner of the key with this id.
    pub(super) async fn read(&self, id: &str) -> Result<Option<Arc<Holder>>, store::Error> {
        let read = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned();
        if let Some((at, holder)) = read
            && at.elapsed() < FRESH
        {
            return Ok(Some(holder));
        }
        let holder = |(key, digest): (Key, String)| Holder { name: key.name.as_str().into(), key, digest };
        let found = self.keys.by_id(id).await?.map(|found| Arc::new(holder(found)));
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        match &found {
            Some(holder) => drop(known.insert(id.to_owned(), (Instant::now(), Arc::clone(holder)))),
            None => drop(known.remove(id)),
        }
        Ok(found)
    }

    fn is_known(&self, id: &str) -> bool {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).contains_key(id)
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
        self.rates.of_keys(key.per_second).take(&key.id, count).map_err(later)
    }

    /// Whether an address may guess once more: nothing is looked up for one that guesses too often.
    fn may_guess(&self, from: &str) -> ApiResult<()> {
        self.rates.guesses.look(from).map_err(later)
    }

    /// Somebody guessed wrong.
    fn guessed(&self, from: &str) -> ApiError {
        self.rates.guesses.take(from, 1).map_or_else(later, |()| no_key())
    }

    /// Somebody asked without a key, and waits only after very many of that.
    fn keyless(&self, from: &str) -> ApiError {
        self.rates.keyless.take(from, 1).map_or_else(later, |()| no_key())
    }

    /// Whose key this is. What is no key by its form costs nothing, one that somebody is known to have costs no
    /// guess, and nothing is looked up for whoever guesses too often.
    async fn holder(&self, text: &str, from: &str) -> ApiResult<Arc<Holder>> {
        let Some((id, secret)) = keys::parts(text) else { return Err(self.guessed(from)) };
        if !self.is_known(id) {
            self.may_guess(from)?;
        }
        let known = self.read(id).await?;
        // The same work for a key that does not exist.
        let kept = known.as_ref().map_or("", |holder| &holder.digest);
        let fits = keys::same(&keys::digest(secret), kept);
        // What belongs to whoever sits at the machine is nobody's who has a key of that name from older days.
        let fits = fits && known.as_ref().is_some_and(|holder| !keys::is_reserved(&holder.name));
        known.filter(|_| fits).ok_or_else(|| self.guessed(from))
    }
}

fn later(seconds: u64) -> ApiError {
    ApiError::too_many("Too many requests. Try again later.").after(seconds)
}

fn no_key() -> ApiError {
    ApiError::no_key("A valid API key is needed: x-api-key, or a bearer token.")
}

/// The key in the headers.
fn given(headers: &HeaderMap) -> Option<&str> {
    let plain = headers.get("x-api-key").map(|key| key.to_str().unwrap_or_default());
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
    let peer = request.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    let from = peer.map(|peer| proxy::client(peer, &request.headers, &guard.security.proxies));
    let told = Told::of(&request);
    let route = request.extensions.get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let mut act = guard.security.audit.clone().filter(|_| is_an_act(&request)).map(|audit| {
        let (method, path) = (request.method.as_str(), request.uri.path());
        let what = json!({
            "kind": "request", "who": null, "from": from.map(|from| from.to_string()), "method": method, "path": path,
            "status": null, "request": told.id(),
        });
        Act { audit, what: Some(what), started }
    });
    let known = match &act {
        // What can't be written down is not done.
        Some(act) => match act.audit.ready().await {
            Ok(()) => known(&guard, &request, from).await,
            Err(error) => Err(unwritten(&error)),
        },
        None => known(&guard, &request, from).await,
    };
    let (mut response, who) = match known {
        Ok(caller) => {
            let (who, held, pass) = match &caller {
                Some(caller) => (caller.owner.clone(), caller.held.clone(), caller.pass.clone()),
                None => (None, None, None),
            };
            if let Some(act) = &mut act {
                act.say("who", json!(who));
            }
            // Nobody brings a caller along.
            request.extensions.remove::<Caller>();
            if let Some(caller) = caller {
                request.extensions.insert(caller);
            }
            let answered = next.run(Request::from_parts(request, body)).instrument(told.span.clone()).await;
            let answered = match held {
                Some(held) => until_sent(answered, held, pass),
                None => answered,
            };
            (answered, who)
        }
        Err(refusal) => {
            taken(&request.headers, body).await;
            (refusal.into_response(), None)
        }
    };
    let took = started.elapsed();
    guard.metrics.answered(told.method(), route.as_deref(), response.status().as_u16(), took);
    if let Some(act) = act {
        let run = response.headers().get(header::CONTENT_LOCATION).and_then(|place| place.to_str().ok());
        act.done(response.status().as_u16(), run.map(str::to_owned)).await;
    }
    told.answered(&mut response, who.as_deref(), took);
    response
}

fn unwritten(error: &AuditError) -> ApiError {
    log_line(error);
    ApiError::unavailable(
        "한 일을 적을 수 없어 아무것도 하지 않습니다. / The audit log can't be written, so nothing is done.",
    )
}

/// Something that is being done, and is written down whatever comes of it.
struct Act {
    audit: Audit,
    what: Option<Value>,
    started: Instant,
}

impl Act {
    fn say(&mut self, name: &str, value: Value) {
        if let Some(what) = &mut self.what {
            what[name] = value;
        }
    }

    async fn done(mut self, status: u16, run: Option<String>) {
        self.say("status", status.into());
        self.say("run", json!(run));
        if let Some(what) = self.take() {
            // It is done; that it is not written down keeps others from doing more.
            drop(self.audit.note(what).await);
        }
    }

    fn take(&mut self) -> Option<Value> {
        let mut what = self.what.take()?;
        what["ms"] = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX).into();
        Some(what)
    }
}

impl Drop for Act {
    /// Its client went before there was an answer: something may have been done all the same.
    fn drop(&mut self) {
        if let Some(what) = self.take() {
            self.audit.note_soon(what);
        }
    }
}

/// Takes a small body before it is refused: whoever is cut off while they send may never read why.
async fn taken(headers: &HeaderMap, body: Body) {
    let length =
        headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if length.is_some_and(|length| (1..=SMALL).contains(&length)) {
        drop(tokio::time::timeout(FRESH, to_bytes(body, SMALL)).await);
    }
}

/// Whether something may change because of it.
fn is_an_act(request: &Parts) -> bool {
    !matches!(request.method, Method::GET | Method::HEAD | Method::OPTIONS)
        || request.headers.contains_key(header::UPGRADE)
}

/// Who asks; nobody for what is public.
async fn known(guard: &Arc<Guard>, request: &Parts, from: Option<IpAddr>) -> ApiResult<Option<Caller>> {
    if guard.is_public(request) {
        return Ok(None);
    }
    let caller = match guard.wants_key().await? {
        true => with_key(guard, request, &proxy::counted(from)).await?,
        false => without_key(&request.headers, from)?,
    };
    guard.access.admit(request, &caller)?;
    guard.admitted(caller).map(Some)
}

/// Whoever sits at this machine. What others pass on comes from elsewhere, and whoever can't be seen does, too.
fn without_key(headers: &HeaderMap, from: Option<IpAddr>) -> ApiResult<Caller> {
    let here = from.is_some_and(|from| from.to_canonical().is_loopback());
    if here && !proxy::is_forwarded(headers) {
        return Ok(Caller::at_this_machine());
    }
    Err(ApiError::no_key(
        "다른 컴퓨터에서 온 요청에는 키가 필요합니다: `duru keys add 이름`으로 만드세요. 프록시는 DURU_PROXIES에 적습니다. / What \
         comes from elsewhere, such as through a proxy, needs a key: make one with `duru keys add NAME`, and name the \
         proxy in DURU_PROXIES.",
    ))
}

async fn with_key(guard: &Arc<Guard>, request: &Parts, from: &str) -> ApiResult<Caller> {
    let headers = &request.headers;
    let Some(text) = given(headers) else {
        let ticket = request.uri.query().and_then(ticket::named);
        return match ticket.filter(|_| headers.contains_key(header::UPGRADE)) {
            Some(ticket) => with_ticket(guard, ticket, from).await,
            None => Err(guard.keyless(from)),
        };
    };
    let holder = guard.holder(text, from).await?;
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
    Ok(caller(guard, &holder))
}

async fn with_ticket(guard: &Arc<Guard>, ticket: &str, from: &str) -> ApiResult<Caller> {
    if !ticket::is_one(ticket) {
        return Err(guard.guessed(from));
    }
    guard.may_guess(from)?;
    let holder = ticket::redeemed(guard, ticket).await?;
    holder.map(|holder| caller(guard, &holder)).ok_or_else(|| guard.guessed(from))
}

/// Somebody with a key.
fn caller(guard: &Arc<Guard>, holder: &Arc<Holder>) -> Caller {
    Caller {
        owner: Some(Arc::clone(&holder.name)),
        scopes: holder.key.scopes,
        tables: holder.key.tables.as_deref().map(Arc::from),
        at_once: holder.key.at_once,
        held: None,
        pass: Some(Pass::new(guard, holder)),
    }
}
