//! A thread's events, over all of its runs.

use axum::extract::Path;
use axum::http::HeaderMap;
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::threads::thread_id;
use super::{ASK, event_socket};
use crate::api::{ApiRoutes, ServerSentEvent};
use crate::body::Body;
use crate::error::{ApiError, ApiResult};
use crate::hub::Shared;
use crate::scope::Scope;
use crate::stream::v2::{self, Filter, Place};
use crate::stream::{self, Seen};

pub(super) fn routes() -> ApiRoutes<Shared> {
    ApiRoutes::new().with(ASK, routes!(events, event_socket::connect)).with(ASK, routes!(runs))
}

/// Watch a thread, run after run
#[utoipa::path(
    get,
    path = "/threads/{thread_id}/stream",
    params(("Last-Event-ID" = Option<String>, Header, description = "The last event that was seen")),
    responses((status = 200, content_type = "text/event-stream", body = ServerSentEvent)),
)]
async fn runs(Scope(hub): Scope, Path(id): Path<String>, headers: HeaderMap) -> ApiResult {
    let thread = thread_id(&id)?;
    hub.thread_entry(&thread).await?;
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    stream::thread::open(&hub, &thread, last.and_then(|id| Seen::parse(id.trim()))).await
}

/// What is wanted of a thread's events.
#[derive(Deserialize, ToSchema)]
#[expect(
    dead_code,
    reason = "it only names the shape: the filter says in the protocol's own words what is wrong"
)]
struct EventSubscription {
    channels: Vec<String>,
    /// Which graphs of the thread: the first names of their namespaces.
    namespaces: Option<Vec<Vec<String>>>,
    /// How deep within those.
    depth: Option<u64>,
    /// The last event that was seen.
    since: Option<u64>,
}

/// Watch a thread, by protocol v2
///
/// The thread need not exist: pages open the stream before they start a run.
#[utoipa::path(
    post,
    path = "/threads/{thread_id}/stream/events",
    params(("Last-Event-ID" = Option<String>, Header, description = "The last event that was seen")),
    request_body = EventSubscription,
    responses((status = 400), (status = 200, content_type = "text/event-stream", body = ServerSentEvent)),
)]
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
