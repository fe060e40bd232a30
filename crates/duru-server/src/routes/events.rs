//! A thread's events, over all of its runs.

use axum::Router;
use axum::extract::Path;
use axum::http::HeaderMap;
use axum::routing::{get, post};
use serde_json::Value;

use super::event_socket;
use super::threads::thread_id;
use crate::body::Body;
use crate::error::{ApiError, ApiResult};
use crate::hub::Shared;
use crate::scope::Scope;
use crate::stream::v2::{self, Filter, Place};
use crate::stream::{self, Seen};

pub(super) fn router() -> Router<Shared> {
    Router::new()
        .route("/threads/{id}/stream/events", post(events).get(event_socket::connect))
        .route("/threads/{id}/stream", get(runs))
}

/// The runs of a thread, one after the other, in the older frames.
async fn runs(Scope(hub): Scope, Path(id): Path<String>, headers: HeaderMap) -> ApiResult {
    let thread = thread_id(&id)?;
    hub.thread_entry(&thread).await?;
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    stream::thread::open(&hub, &thread, last.and_then(|id| Seen::parse(id.trim()))).await
}

/// The thread need not exist: pages open the stream before they start a run.
async fn events(
    Scope(hub): Scope,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: ApiResult<Body<Value>>,
) -> ApiResult {
    let thread = thread_id(&id)?;
    let request = Body::or_bad_request(body)?;
    let filter = Filter::of(&request)?;
    let thread = hub.visible(&thread).await?;
    v2::open(&hub, &thread, filter, seen(&request, &headers)?).await
}

/// What the client has seen: a number in the request, or the id of an event.
pub(super) fn seen(request: &Value, headers: &HeaderMap) -> ApiResult<Option<Place>> {
    let since = match &request["since"] {
        Value::Null => None,
        given => {
            let bad = || ApiError::bad_request("since must be a non-negative integer");
            Place::of_seq(given.as_u64().ok_or_else(bad)?)
        }
    };
    // An id that is not ours says nothing: everything is sent once more.
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    Ok(since.max(last.and_then(|id| Place::parse(id.trim()))))
}
