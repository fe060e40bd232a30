//! Whether the server is there, and what it is.

use axum::Json;
use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::{Value, json};

use crate::body::Query;
use crate::error::{ApiError, ApiResult};
use crate::hub::Shared;
use crate::metrics::{self, Now};

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
        hub.stores.checkpoints.threads(0, 1).await?;
    }
    Ok(Json(json!({ "ok": true, "services": {} })).into_response())
}

/// Whether requests can be carried out: the store answers and the server does
/// not stop.
async fn ready(State(hub): State<Shared>) -> ApiResult {
    if hub.pool.is_stopping() {
        return Err(ApiError::unavailable("The server is stopping."));
    }
    hub.stores.checkpoints.threads(0, 1).await?;
    Ok(Json(json!({ "ok": true })).into_response())
}

/// Numbers for Prometheus, or as JSON with `format=json`.
async fn numbers(State(hub): State<Shared>, query: Query) -> Response {
    let now =
        Now { waiting: hub.pool.waiting(), under_way: hub.pool.under_way(), sockets: hub.sockets.len() };
    let all = hub.metrics.read(now);
    if query.one("format") == Some("json") {
        return Json(metrics::json(&all)).into_response();
    }
    let text = metrics::text(&all);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
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
