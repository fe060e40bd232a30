//! Memory across threads.

use std::time::Duration;

use axum::Json;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use duru::memory::{Address, Error, Hit, Item, Namespace, NamespaceQuery, Put, Search};
use duru::{Clock, SystemClock};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::routes;

use super::ASK;
use crate::api::ApiRoutes;
use crate::body::Body;
use crate::error::{ApiError, ApiResult};
use crate::hub::Shared;
use crate::query::Params;
use crate::scope::Scope;
use crate::time::iso;
use crate::wire::clean::Clean;

pub(super) fn routes() -> ApiRoutes<Shared> {
    ApiRoutes::new()
        .with(ASK, routes!(keep, read, forget))
        .with(ASK, routes!(search))
        .with(ASK, routes!(namespaces))
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

/// What is remembered under a key.
#[derive(Serialize, ToSchema)]
#[schema(as = Item)]
struct ItemRecord {
    namespace: Vec<String>,
    key: String,
    value: Map<String, Value>,
    #[schema(format = DateTime)]
    created_at: String,
    #[schema(format = DateTime)]
    updated_at: String,
    /// How well it fits the words that were looked for; only a search says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    score: Option<Option<f64>>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Items)]
struct FoundItems {
    items: Vec<ItemRecord>,
}

#[derive(Serialize, ToSchema)]
struct FoundNamespaces {
    namespaces: Vec<Vec<String>>,
}

fn labels(namespace: &Namespace) -> Vec<String> {
    namespace.labels().map(str::to_owned).collect()
}

impl ItemRecord {
    fn of(item: &Item) -> Self {
        Self {
            namespace: labels(&item.namespace),
            key: item.key.clone(),
            value: item.value.clone(),
            created_at: iso(item.created_ms),
            updated_at: iso(item.updated_ms),
            score: None,
        }
    }
}

/// What is to be kept. All of a value is searched for words: `index` is let pass.
#[derive(Deserialize, ToSchema)]
struct ItemPut {
    namespace: Vec<String>,
    key: String,
    /// An object.
    #[schema(value_type = Map<String, Value>)]
    value: Value,
    /// In minutes.
    ttl: Option<f64>,
}

/// Store an item
#[utoipa::path(put, path = "/store/items", request_body = ItemPut, responses((status = 400), (status = 204)))]
async fn keep(Scope(hub): Scope, Body(Clean(item)): Body<Clean<ItemPut>>) -> ApiResult {
    let at = address(&item.namespace, &item.key)?;
    let ttl = item.ttl.map(|minutes| Duration::try_from_secs_f64(minutes * 60.0)).transpose();
    let ttl = ttl.map_err(|_| ApiError::invalid("ttl must be a number of minutes above zero"))?;
    let put = Put::new(at, item.value, ttl).map_err(refusal)?;
    hub.stores.memories.put(put, SystemClock.now_ms()).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ItemQuery {
    key: String,
    /// Its labels with dots between.
    #[serde(default)]
    namespace: String,
    /// Whether reading keeps it alive; it does unless told.
    refresh_ttl: Option<bool>,
}

/// The item with a key, or `null`
#[utoipa::path(
    get,
    path = "/store/items",
    params(ItemQuery),
    responses((status = 400), (status = 200, body = Option<ItemRecord>)),
)]
async fn read(Scope(hub): Scope, Params(query): Params<ItemQuery>) -> ApiResult {
    let namespace = query.namespace.as_str();
    let at = address(namespace.split('.').filter(|_| !namespace.is_empty()), &query.key)?;
    let refresh = query.refresh_ttl.unwrap_or(true);
    let item = hub.stores.memories.get(&at, refresh, SystemClock.now_ms()).await?;
    Ok(Json(item.as_ref().map(ItemRecord::of)).into_response())
}

#[derive(Deserialize, ToSchema)]
struct ItemDelete {
    namespace: Vec<String>,
    key: String,
}

/// Delete an item
#[utoipa::path(delete, path = "/store/items", request_body = ItemDelete, responses((status = 400), (status = 204)))]
async fn forget(Scope(hub): Scope, Body(item): Body<ItemDelete>) -> ApiResult {
    let at = address(&item.namespace, &item.key)?;
    hub.stores.memories.forget(&at, SystemClock.now_ms()).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

#[derive(Deserialize, ToSchema)]
struct ItemSearch {
    namespace_prefix: Option<Vec<String>>,
    /// What fields of values must be: a value, or an object of comparisons such as `$gt`.
    #[schema(value_type = Option<Map<String, Value>>)]
    filter: Option<Value>,
    /// Words.
    query: Option<String>,
    /// 10 unless told, 1000 at the most.
    #[schema(maximum = 1000)]
    limit: Option<usize>,
    offset: Option<usize>,
    refresh_ttl: Option<bool>,
}

/// Search items
#[utoipa::path(
    post,
    path = "/store/items/search",
    request_body = ItemSearch,
    responses((status = 400), (status = 200, body = FoundItems)),
)]
async fn search(Scope(hub): Scope, Body(wanted): Body<ItemSearch>) -> ApiResult {
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
    let found = |hit: &Hit| ItemRecord { score: Some(hit.score), ..ItemRecord::of(&hit.item) };
    Ok(Json(FoundItems { items: hits.iter().map(found).collect() }).into_response())
}

#[derive(Deserialize, ToSchema)]
struct NamespaceSearch {
    prefix: Option<Vec<String>>,
    suffix: Option<Vec<String>>,
    /// Deeper ones are cut to so many labels.
    max_depth: Option<usize>,
    /// 100 unless told, 1000 at the most.
    #[schema(maximum = 1000)]
    limit: Option<usize>,
    offset: Option<usize>,
}

/// List namespaces
#[utoipa::path(
    post,
    path = "/store/namespaces",
    request_body = NamespaceSearch,
    responses((status = 400), (status = 200, body = FoundNamespaces)),
)]
async fn namespaces(Scope(hub): Scope, Body(wanted): Body<NamespaceSearch>) -> ApiResult {
    let query = NamespaceQuery {
        prefix: Namespace::new(wanted.prefix.unwrap_or_default()).map_err(refusal)?,
        suffix: Namespace::new(wanted.suffix.unwrap_or_default()).map_err(refusal)?,
        max_depth: wanted.max_depth,
        limit: wanted.limit.unwrap_or(100).min(1000),
        offset: wanted.offset.unwrap_or(0),
    };
    let found = hub.stores.memories.namespaces(query, SystemClock.now_ms()).await?;
    Ok(Json(FoundNamespaces { namespaces: found.iter().map(labels).collect() }).into_response())
}
