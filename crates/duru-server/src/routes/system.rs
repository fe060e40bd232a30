//! Whether the server is there, and what it is.

use std::time::Duration;

use axum::Json;
use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use duru::store::EntryKind;
use serde_json::{Map, Value, json};

use crate::body::Query;
use crate::error::{ApiError, ApiResult};
use crate::hub::{Part, Shared};
use crate::metrics::{self, Now};

/// A probe that waits longer has given up.
const ANSWERS_WITHIN: Duration = Duration::from_secs(5);

/// The version of the protocol that clients look for.
const SPOKEN: &str = "0.16.7";

pub(super) fn router() -> Router<Shared> {
    Router::new()
        .route("/ok", get(ok))
        .route("/ready", get(ready))
        .route("/info", get(info))
        .route("/metrics", get(numbers))
}

/// Alive; with `check_db`, also whether the store answers.
pub(super) async fn ok(State(hub): State<Shared>, query: Query) -> ApiResult {
    if query.flag("check_db") {
        store_answers(&hub).await?;
    }
    Ok(Json(json!({ "ok": true, "services": {} })).into_response())
}

/// Whether requests can be carried out: the store answers and the server does
/// not stop. A part that is away (one of several databases, hints) is named, and
/// no reason to send requests elsewhere: it is as far away from there.
async fn ready(State(hub): State<Shared>) -> ApiResult {
    if hub.pool.is_leaving() {
        return Err(ApiError::unavailable("The server is stopping."));
    }
    store_answers(&hub).await?;
    // Why is for the log: it may name hosts and users.
    let state = |part: &Part| if (part.trouble)().is_some() { "away" } else { "ok" };
    let parts: Map<String, Value> =
        hub.parts.iter().map(|part| (part.name.clone(), state(part).into())).collect();
    let degraded = parts.values().any(|state| state == "away");
    Ok(Json(json!({ "ok": true, "degraded": degraded, "parts": parts })).into_response())
}

/// Whether the store that everything needs answers in good time: the one with
/// assistants and keys, where there are several.
async fn store_answers(hub: &Shared) -> Result<(), ApiError> {
    let asked = hub.stores.catalog.entry(EntryKind::Assistant, "");
    match tokio::time::timeout(ANSWERS_WITHIN, asked).await {
        Ok(answer) => answer.map(drop).map_err(ApiError::from),
        Err(_) => Err(ApiError::unavailable("The store does not answer. Try again later.")),
    }
}

/// Numbers for Prometheus, or as JSON with `format=json`.
async fn numbers(State(hub): State<Shared>, query: Query) -> Response {
    let now = Now {
        waiting: hub.pool.waiting(),
        under_way: hub.pool.under_way(),
        sockets: hub.sockets.len(),
        parts: hub.parts.iter().map(|part| (part.name.clone(), (part.trouble)().is_none())).collect(),
        is_leaving: hub.pool.is_leaving(),
        log_tail: hub.log_tail.as_ref().map(|tail| tail()),
    };
    let text = hub.metrics.text(now);
    if query.one("format") == Some("json") {
        return Json(metrics::json(&text)).into_response();
    }
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

async fn info() -> Response {
    Json(about()).into_response()
}

fn about() -> Value {
    json!({
        "version": SPOKEN,
        "langgraph_py_version": "1.2.20",
        "server": concat!("duru/", env!("CARGO_PKG_VERSION")),
        "flags": { "assistants": true, "crons": true, "langsmith": false, "langsmith_tracing_replicas": false },
        "host": { "kind": "self-hosted", "project_id": null, "host_revision_id": null, "revision_id": null,
                  "tenant_id": null },
    })
}
