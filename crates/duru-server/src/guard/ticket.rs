//! Tickets: browsers can't send a key with a WebSocket, and a key has no place
//! in an address. A ticket is good once, for half a minute.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use duru::memory::{Address, Memory, Namespace};
use duru::store::{Error, Memories};
use duru::{Clock, SystemClock};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::access::Access;
use super::check::{Guard, Holder};
use super::keys;
use crate::api::ApiRoutes;
use crate::caller::Caller;
use crate::error::{ApiError, ApiResult};

const GOOD_FOR: Duration = Duration::from_secs(30);
/// A label that nobody can reach over HTTP who needs a key.
const TICKETS: &str = "@tickets";

pub(super) fn routes() -> ApiRoutes<Arc<Guard>> {
    ApiRoutes::new().with(Access::AnyKey, routes!(issue))
}

#[derive(Serialize, ToSchema)]
struct Ticket {
    ticket: String,
    /// In seconds.
    expires_in: u64,
}

/// A ticket for one WebSocket, for browsers
#[utoipa::path(post, path = "/ws/ticket", responses((status = 200, body = Ticket)))]
async fn issue(State(guard): State<Arc<Guard>>, caller: Caller) -> ApiResult<Response> {
    let ticket = keys::random::<32>().map_err(|error| ApiError::unavailable(error.to_string()))?;
    let memory = Memory::new(Arc::clone(&guard.memories));
    // Where no keys are wanted, a ticket opens nothing that is not open.
    let value = json!({ "key": caller.key() });
    let kept = memory.put_for([TICKETS], &keys::digest(&ticket), &value, GOOD_FOR).await;
    kept.map_err(|error| ApiError::unavailable(error.to_string()))?;
    Ok(Json(Ticket { ticket, expires_in: GOOD_FOR.as_secs() }).into_response())
}

/// The ticket in an address.
pub(super) fn named(query: &str) -> Option<&str> {
    query.split('&').find_map(|pair| pair.strip_prefix("ticket="))
}

/// Whether it is a ticket by its form.
pub(super) fn is_one(text: &str) -> bool {
    keys::is_hex(text, 64)
}

/// Who got the ticket; it is used up.
pub(super) async fn redeemed(guard: &Arc<Guard>, ticket: &str) -> Result<Option<Arc<Holder>>, Error> {
    let at = Namespace::new([TICKETS]).and_then(|tickets| Address::new(tickets, keys::digest(ticket)));
    let Ok(at) = at else { return Ok(None) };
    let memories: &dyn Memories = &*guard.memories;
    let now_ms = SystemClock.now_ms();
    let Some(item) = memories.get(&at, false, now_ms).await? else { return Ok(None) };
    // Of several who come with it, one removes it.
    if !memories.forget(&at, now_ms).await? {
        return Ok(None);
    }
    // A ticket is good for as long as the key that it was got with, and for what that is good for.
    match item.value.get("key").and_then(Value::as_str) {
        Some(id) => guard.read(id).await,
        None => Ok(None),
    }
}
