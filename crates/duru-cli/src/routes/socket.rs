//! `WS /ws/query` for the analyst, `WS /ws/{thread_id}` for the advisor.

use std::sync::Arc;

use axum::extract::{Path, State, WebSocketUpgrade};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use duru_server::talk::{self, Manner, Opening, Progress};
use duru_server::{ApiRoutes, Caller, Params, Runs};
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::routes;

use super::ASK;
use super::analyst::Analyst;

/// What an address may say.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct SocketQuery {
    /// The number of the last frame that was seen.
    after: Option<u64>,
    /// A conversation to go on with.
    conversation_id: Option<String>,
    #[serde(default)]
    debug: Option<String>,
    lang: Option<String>,
}

pub(super) fn routes(runs: Runs) -> ApiRoutes {
    ApiRoutes::new().with(ASK, routes!(query)).with(ASK, routes!(advise)).with_state(runs)
}

/// A WebSocket: ask about logs, see how it goes, answer, cancel
#[utoipa::path(
    get,
    path = "/ws/query",
    params(SocketQuery),
    responses((status = 101, description = "What follows are frames"), (status = 426)),
)]
async fn query(
    State(runs): State<Runs>,
    caller: Caller,
    Params(asked): Params<SocketQuery>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let named = asked.conversation_id.clone();
    connected(&runs.acting_for(&caller), Arc::new(Analyst), (named, asked), &headers, upgrade)
}

/// A WebSocket: talk to the advisor, from frame `after` on
#[utoipa::path(
    get,
    path = "/ws/{thread_id}",
    params(SocketQuery),
    responses((status = 101, description = "What follows are frames"), (status = 426)),
)]
async fn advise(
    State(runs): State<Runs>,
    caller: Caller,
    Path(thread): Path<String>,
    Params(asked): Params<SocketQuery>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let manner = Progress::new("advisor", "query")
        .asked_as(["user_confirmation_required"])
        .noting("todo_skip", "step_id");
    connected(&runs.acting_for(&caller), Arc::new(manner), (Some(thread), asked), &headers, upgrade)
}

fn connected(
    runs: &Runs,
    manner: Arc<dyn Manner>,
    (thread, asked): (Option<String>, SocketQuery),
    headers: &HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let thread = match thread.map(|name| runs.thread(Some(&name))).transpose() {
        Ok(thread) => thread,
        Err(error) => return error.into_response(),
    };
    let spoken = headers.get(header::ACCEPT_LANGUAGE).and_then(|lang| lang.to_str().ok());
    let lang = asked.lang.as_deref().or(spoken).unwrap_or("ko");
    let opening = Opening {
        thread,
        after: asked.after,
        debug: asked.debug.is_some_and(|word| matches!(word.as_str(), "1" | "true")),
        korean: lang.starts_with("ko"),
    };
    talk::connect(upgrade, runs.clone(), manner, opening)
}
