//! `WS /ws/query` for the analyst, `WS /ws/{thread_id}` for the advisor.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State, WebSocketUpgrade};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use duru_server::talk::{self, Manner, Opening, Progress};
use duru_server::{Caller, Params, Runs};
use serde::Deserialize;

use super::analyst::Analyst;

/// What an address may say.
#[derive(Debug, Deserialize)]
struct Asked {
    /// The number of the last frame that was seen.
    after: Option<u64>,
    /// A conversation to go on with.
    conversation_id: Option<String>,
    #[serde(default)]
    debug: Option<String>,
    lang: Option<String>,
}

pub(super) fn routes(runs: Runs) -> Router {
    Router::new().route("/ws/query", get(query)).route("/ws/{thread_id}", get(advise)).with_state(runs)
}

async fn query(
    State(runs): State<Runs>,
    caller: Caller,
    Params(asked): Params<Asked>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let named = asked.conversation_id.clone();
    connected(&runs.acting_for(&caller), Arc::new(Analyst), (named, asked), &headers, upgrade)
}

async fn advise(
    State(runs): State<Runs>,
    caller: Caller,
    Path(thread): Path<String>,
    Params(asked): Params<Asked>,
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
    (thread, asked): (Option<String>, Asked),
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
