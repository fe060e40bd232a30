//! Tickets: browsers can't send a key with a WebSocket, and a key has no place
//! in an address. A ticket is good once, for half a minute.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use duru::memory::{Address, Memory, Namespace};
use duru::store::{Error, Memories};
use duru::{Clock, SystemClock};
use serde_json::{Value, json};

use super::check::Guard;
use super::keys;
use super::pass::Pass;
use crate::caller::Caller;
use crate::error::{ApiError, ApiResult};

const GOOD_FOR: Duration = Duration::from_secs(30);
/// A label that nobody can reach over HTTP who needs a key.
const TICKETS: &str = "@tickets";

pub(super) fn routes(guard: Arc<Guard>) -> Router {
    Router::new().route("/ws/ticket", post(issue)).with_state(guard)
}

async fn issue(State(guard): State<Arc<Guard>>, caller: Caller) -> ApiResult<Response> {
    let ticket = keys::random::<32>().map_err(|error| ApiError::unavailable(error.to_string()))?;
    let memory = Memory::new(Arc::clone(&guard.memories));
    let key = caller.pass.as_ref().map(Pass::id);
    let value = json!({ "owner": caller.name(), "at_once": caller.at_once, "key": key });
    let kept = memory.put_for([TICKETS], &keys::digest(&ticket), &value, GOOD_FOR).await;
    kept.map_err(|error| ApiError::unavailable(error.to_string()))?;
    Ok(Json(json!({ "ticket": ticket, "expires_in": GOOD_FOR.as_secs() })).into_response())
}

/// The ticket in an address.
pub(super) fn named(query: &str) -> Option<&str> {
    query.split('&').find_map(|pair| pair.strip_prefix("ticket="))
}

/// Whose ticket it is; it is used up.
pub(super) async fn redeemed(guard: &Arc<Guard>, ticket: &str) -> Result<Option<Caller>, Error> {
    let at = Namespace::new([TICKETS]).and_then(|tickets| Address::new(tickets, keys::digest(ticket)));
    let Ok(at) = at else { return Ok(None) };
    let memories: &dyn Memories = &*guard.memories;
    let now_ms = SystemClock.now_ms();
    let Some(item) = memories.get(&at, false, now_ms).await? else { return Ok(None) };
    // Of several who come with it, one removes it.
    if !memories.forget(&at, now_ms).await? {
        return Ok(None);
    }
    let owner = item.value.get("owner").and_then(Value::as_str);
    let at_once = item.value.get("at_once").and_then(Value::as_u64).and_then(|n| n.try_into().ok());
    // A ticket is good for as long as the key that it was got with.
    let pass = match item.value.get("key").and_then(Value::as_str) {
        Some(id) => match guard.read(id).await? {
            Some(holder) => Some(Pass::new(guard, &holder)),
            None => return Ok(None),
        },
        None => None,
    };
    Ok(owner.map(|owner| Caller { owner: Some(owner.into()), at_once, pass, ..Caller::default() }))
}
