//! Whether the server is there, and what it is.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use duru::store::EntryKind;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::routes;

use crate::api::ApiRoutes;
use crate::error::{ApiError, ApiResult};
use crate::guard::{Access, KeyScope};
use crate::hub::{Part, Shared};
use crate::metrics::{self, Now};
use crate::query::Params;

/// A probe that waits longer has given up.
const ANSWERS_WITHIN: Duration = Duration::from_secs(5);

/// The version of the protocol that clients look for.
const SPOKEN: &str = "0.16.7";

pub(super) fn routes() -> ApiRoutes<Shared> {
    ApiRoutes::new()
        .with(Access::Public, routes!(ok))
        .with(Access::Public, routes!(ready))
        .with(Access::AnyKey, routes!(info))
        .with(Access::Scope(KeyScope::Operate), routes!(numbers))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct HealthQuery {
    /// Also ask the store.
    #[serde(default)]
    check_db: bool,
}

#[derive(Serialize, ToSchema)]
struct Health {
    ok: bool,
    services: Map<String, Value>,
}

/// Whether the server is alive
#[utoipa::path(get, path = "/ok", params(HealthQuery), responses((status = 200, body = Health)))]
pub(super) async fn ok(State(hub): State<Shared>, Params(query): Params<HealthQuery>) -> ApiResult {
    if query.check_db {
        store_answers(&hub).await?;
    }
    Ok(Json(Health { ok: true, services: Map::new() }).into_response())
}

#[derive(Serialize, ToSchema)]
struct Readiness {
    ok: bool,
    /// Whether a part is away that the server can do without.
    degraded: bool,
    parts: BTreeMap<String, &'static str>,
}

/// Whether it can take work: the store answers, and it is not stopping
///
/// A part that is away (one of several databases, hints, those of logs, documents or tables) is named, and no reason to
/// send requests elsewhere: it is as far away from there.
#[utoipa::path(get, path = "/ready", responses((status = 200, body = Readiness)))]
async fn ready(State(hub): State<Shared>) -> ApiResult {
    if hub.pool.is_leaving() {
        return Err(ApiError::unavailable("The server is stopping."));
    }
    store_answers(&hub).await?;
    // Why is for the log: it may name hosts and users.
    let state = |part: &Part| if (part.trouble)().is_some() { "away" } else { "ok" };
    let parts: BTreeMap<String, &str> =
        hub.parts.iter().map(|part| (part.name.clone(), state(part))).collect();
    let degraded = parts.values().any(|state| *state == "away");
    Ok(Json(Readiness { ok: true, degraded, parts }).into_response())
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

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct MetricsQuery {
    /// `json`, for programs without a reader of OpenMetrics.
    format: Option<String>,
}

/// Metrics in Prometheus format
#[utoipa::path(get, path = "/metrics", params(MetricsQuery), responses((
    status = 200,
    content((String = "application/openmetrics-text"), (Value = "application/json")),
)))]
async fn numbers(State(hub): State<Shared>, Params(query): Params<MetricsQuery>) -> Response {
    let now = Now {
        waiting: hub.pool.waiting(),
        queue_age: hub.pool.queue_age(),
        under_way: hub.pool.under_way(),
        sockets: hub.sockets.len(),
        parts: hub.parts.iter().map(|part| (part.name.clone(), (part.trouble)().is_none())).collect(),
        is_leaving: hub.pool.is_leaving(),
        log_tail: hub.log_tail.as_ref().map(|tail| tail()),
    };
    let text = hub.metrics.text(now);
    if query.format.as_deref() == Some("json") {
        return Json(metrics::json(&text)).into_response();
    }
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

#[derive(Serialize, ToSchema)]
struct About {
    /// The version of the protocol.
    version: &'static str,
    langgraph_py_version: &'static str,
    /// The server's own name and version.
    server: &'static str,
    flags: BTreeMap<&'static str, bool>,
    host: Map<String, Value>,
}

/// Version and capabilities
#[utoipa::path(get, path = "/info", responses((status = 200, body = About)))]
async fn info() -> Response {
    Json(about()).into_response()
}

fn about() -> About {
    let flags =
        [("assistants", true), ("crons", true), ("langsmith", false), ("langsmith_tracing_replicas", false)];
    let unknown = ["project_id", "host_revision_id", "revision_id", "tenant_id"];
    let mut host: Map<String, Value> =
        unknown.map(|name| (name.to_owned(), Value::Null)).into_iter().collect();
    host.insert("kind".to_owned(), "self-hosted".into());
    About {
        version: SPOKEN,
        langgraph_py_version: "1.2.20",
        server: concat!("duru/", env!("CARGO_PKG_VERSION")),
        flags: flags.into(),
        host,
    }
}
