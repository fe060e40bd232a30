//! Memory across threads.

use std::time::Duration;

use axum::Json;
use axum::Router;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::routing::{post, put};
use duru::memory::{Address, Error, Hit, Item, Namespace, NamespaceQuery, Put, Search};
use duru::{Clock, SystemClock};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::body::{Body, Query};
use crate::error::{ApiError, ApiResult};
use crate::hub::Shared;
use crate::scope::Scope;
use crate::time::iso;
use crate::wire::clean::Clean;

pub(super) fn router() -> Router<Shared> {
    Router::new()
        .route("/store/items", put(keep).get(read).delete(forget))
        .route("/store/items/search", post(search))
        .route("/store/namespaces", post(namespaces))
}

/// What memory refuses, as clients expect it.
fn refusal(error: Error) -> ApiError {
    match error {
        Error::Namespace { given, .. } if given.is_empty() => {
            ApiError::bad_request("Namespace cannot be empty.")
        }
        Error::Namespace { .. } => ApiError::bad_request(error.to_string()),
        Error::Store(error) => error.into(),
        _ => ApiError::invalid(error.to_string()),
    }
}

fn address(labels: impl IntoIterator<Item = impl AsRef<str>>, key: &str) -> ApiResult<Address> {
    Namespace::new(labels).and_then(|namespace| Address::new(namespace, key)).map_err(refusal)
}

fn item_json(item: &Item) -> Value {
    json!({
        "namespace": item.namespace.labels().collect::<Vec<_>>(), "key": item.key, "value": item.value,
        "created_at": iso(item.created_ms), "updated_at": iso(item.updated_ms),
    })
}

/// What is to be kept. All of a value is searched for words: `index` is let pass.
#[derive(Deserialize)]
struct Keep {
    namespace: Vec<String>,
    key: String,
    value: Value,
    /// In minutes.
    ttl: Option<f64>,
}

async fn keep(Scope(hub): Scope, Body(Clean(item)): Body<Clean<Keep>>) -> ApiResult {
    let at = address(&item.namespace, &item.key)?;
    let ttl = item.ttl.map(|minutes| Duration::try_from_secs_f64(minutes * 60.0)).transpose();
    let ttl = ttl.map_err(|_| ApiError::invalid("ttl must be a number of minutes above zero"))?;
    let put = Put::new(at, item.value, ttl).map_err(refusal)?;
    hub.stores.memories.put(put, SystemClock.now_ms()).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// The item, or `null`.
async fn read(Scope(hub): Scope, query: Query) -> ApiResult {
    let key = query.one("key").ok_or_else(|| ApiError::invalid("\"key\" is a required parameter"))?;
    let namespace = query.one("namespace").unwrap_or_default();
    let at = address(namespace.split('.').filter(|_| !namespace.is_empty()), key)?;
    // Reading something keeps it alive, unless the client says otherwise.
    let refresh = query.one("refresh_ttl").is_none() || query.flag("refresh_ttl");
    let item = hub.stores.memories.get(&at, refresh, SystemClock.now_ms()).await?;
    Ok(Json(item.as_ref().map(item_json)).into_response())
}

#[derive(Deserialize)]
struct Forget {
    namespace: Vec<String>,
    key: String,
}

async fn forget(Scope(hub): Scope, Body(item): Body<Forget>) -> ApiResult {
    let at = address(&item.namespace, &item.key)?;
    hub.stores.memories.forget(&at, SystemClock.now_ms()).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

#[derive(Deserialize)]
struct Wanted {
    namespace_prefix: Option<Vec<String>>,
    filter: Option<Value>,
    query: Option<String>,
    limit: Option<usize>,
    offset: Option<usize>,
    refresh_ttl: Option<bool>,
}

async fn search(Scope(hub): Scope, Body(wanted): Body<Wanted>) -> ApiResult {
    let search = Search {
        text: wanted.query,
        limit: wanted.limit.unwrap_or(10).min(1000),
        offset: wanted.offset.unwrap_or(0),
        ..Search::within(wanted.namespace_prefix.unwrap_or_default())
            .and_then(|search| search.filter(wanted.filter.unwrap_or_default()))
            .map_err(refusal)?
    };
    let now_ms = SystemClock.now_ms();
    let hits = hub.stores.memories.search(search, now_ms).await?;
    if wanted.refresh_ttl.unwrap_or(true) {
        for Hit { item, .. } in hits.iter().filter(|hit| hit.item.ttl_ms.is_some()) {
            let at = Address::new(item.namespace.clone(), &item.key).map_err(refusal)?;
            hub.stores.memories.get(&at, true, now_ms).await?;
        }
    }
    let items: Vec<Value> = hits
        .iter()
        .map(|hit| {
            let mut item = item_json(&hit.item);
            item["score"] = json!(hit.score);
            item
        })
        .collect();
    Ok(Json(json!({ "items": items })).into_response())
}

#[derive(Deserialize)]
struct WantedNamespaces {
    prefix: Option<Vec<String>>,
    suffix: Option<Vec<String>>,
    max_depth: Option<usize>,
    limit: Option<usize>,
    offset: Option<usize>,
}

async fn namespaces(Scope(hub): Scope, Body(wanted): Body<WantedNamespaces>) -> ApiResult {
    let query = NamespaceQuery {
        prefix: Namespace::new(wanted.prefix.unwrap_or_default()).map_err(refusal)?,
        suffix: Namespace::new(wanted.suffix.unwrap_or_default()).map_err(refusal)?,
        max_depth: wanted.max_depth,
        limit: wanted.limit.unwrap_or(100).min(1000),
        offset: wanted.offset.unwrap_or(0),
    };
    let found = hub.stores.memories.namespaces(query, SystemClock.now_ms()).await?;
    let found: Vec<Vec<&str>> = found.iter().map(|namespace| namespace.labels().collect()).collect();
    Ok(Json(json!({ "namespaces": found })).into_response())
}
