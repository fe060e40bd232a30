//! Changing assistants, and going back. A version's entry is written before the
//! version is replaced: whatever happens in between, none is lost, and the one
//! in use is always in the assistant's own entry.

use axum::Json;
use axum::extract::Path;
use axum::response::IntoResponse;
use duru::store::{Entry, EntryKind, EntryQuery, Expect, Put, SortBy, contains};
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::ASK;
use super::assistants::{answer, assistant_of, check_graph};
use crate::api::ApiRoutes;
use crate::body::Body;
use crate::error::{ApiError, ApiResult};
use crate::hub::{Hub, Shared};
use crate::scope::{Scope, is_nobodys};
use crate::wire::assistant::{Assistant, AssistantRecord, AssistantVersionRecord, mirrored};
use crate::wire::clean::Clean;

pub(super) fn routes() -> ApiRoutes<Shared> {
    ApiRoutes::new().with(ASK, routes!(versions)).with(ASK, routes!(set_latest))
}

/// What is not given stays; metadata are added to.
#[derive(Deserialize, Clone, ToSchema)]
pub(super) struct AssistantUpdate {
    graph_id: Option<String>,
    name: Option<String>,
    description: Option<String>,
    config: Option<Map<String, Value>>,
    context: Option<Map<String, Value>>,
    metadata: Option<Map<String, Value>>,
}

/// Update an assistant as a new version
#[utoipa::path(
    patch,
    path = "/assistants/{assistant_id}",
    request_body = AssistantUpdate,
    responses((status = 400), (status = 200, body = AssistantRecord)),
)]
pub(super) async fn change(
    Scope(hub): Scope,
    Path(id): Path<String>,
    Body(Clean(change)): Body<Clean<AssistantUpdate>>,
) -> ApiResult {
    if let Some(graph) = &change.graph_id {
        check_graph(&hub, graph)?;
    }
    loop {
        let old = assistant_of(&hub, &id).await?;
        let new = changed(&old, change.clone())?;
        if let Some(stored) = replace(&hub, &old, new).await? {
            return answer(stored);
        }
    }
}

/// The next version: fields that are not given stay, metadata are added to.
fn changed(old: &Assistant, change: AssistantUpdate) -> ApiResult<Entry> {
    let mut entry = old.entry.clone();
    let version = old.newest() + 1;
    entry.body.insert("version".into(), version.into());
    entry.body.insert("newest".into(), version.into());
    if let Some((config, context)) = mirrored(change.config, change.context, &old.config())? {
        entry.body.insert("config".into(), Value::Object(config));
        entry.body.insert("context".into(), Value::Object(context));
    }
    if let Some(graph) = change.graph_id {
        entry.status.clone_from(&graph);
        entry.body.insert("graph_id".into(), graph.into());
    }
    if let Some(description) = change.description {
        entry.body.insert("description".into(), description.into());
    }
    if let Some(name) = change.name {
        entry.label = name;
    }
    entry.metadata.extend(change.metadata.unwrap_or_default());
    Ok(entry)
}

/// Keeps the version in use and puts another one in its place; none if somebody
/// else was faster, then once more.
async fn replace(hub: &Hub, old: &Assistant, new: Entry) -> ApiResult<Option<Entry>> {
    // A key sees it and may not change it: trying again would never end.
    if hub.owner.is_some() && is_nobodys(&old.entry) {
        let detail =
            "This assistant comes with its graph and is everybody's: make one of your own to change it.";
        return Err(ApiError::forbidden(detail));
    }
    hub.stores.catalog.put(old.version_entry(), Expect::New).await?;
    let put = hub.stores.catalog.put(new, Expect::Version(old.entry.version)).await;
    // Also after an error: the store may have done it.
    hub.assistants.changed(old.id);
    match put? {
        Put::Stored(entry) => Ok(Some(entry)),
        Put::Unexpected(_) => Ok(None),
    }
}

#[derive(Deserialize, ToSchema)]
struct AssistantVersionSearch {
    metadata: Option<Map<String, Value>>,
    /// 10 unless told, 1000 at the most.
    #[schema(maximum = 1000)]
    limit: Option<usize>,
    offset: Option<usize>,
}

/// The versions of an assistant
#[utoipa::path(
    post,
    path = "/assistants/{assistant_id}/versions",
    request_body = AssistantVersionSearch,
    responses((status = 200, body = Vec<AssistantVersionRecord>)),
)]
async fn versions(
    Scope(hub): Scope,
    Path(id): Path<String>,
    Body(Clean(wanted)): Body<Clean<AssistantVersionSearch>>,
) -> ApiResult {
    let assistant = assistant_of(&hub, &id).await?;
    let metadata = wanted.metadata.unwrap_or_default();
    let (mut limit, mut offset) = (wanted.limit.unwrap_or(10).min(1000), wanted.offset.unwrap_or(0));
    let mut rows = Vec::new();
    // One that was never replaced has no entry yet, and is the newest.
    let current = assistant.version_entry();
    let kept = hub.stores.catalog.entry(EntryKind::AssistantVersion, &current.id).await?.is_some();
    let fits = contains(&Value::Object(current.metadata.clone()), &Value::Object(metadata.clone()));
    if !kept && fits {
        if offset > 0 {
            offset -= 1;
        } else if limit > 0 {
            rows.push(AssistantVersionRecord::of(&current));
            limit -= 1;
        }
    }
    let query = EntryQuery {
        body: assistant.version_mark(),
        metadata,
        sort: SortBy::Label,
        offset,
        limit,
        ..EntryQuery::of(EntryKind::AssistantVersion)
    };
    rows.extend(hub.stores.catalog.find(query).await?.entries.iter().map(AssistantVersionRecord::of));
    Ok(Json(rows).into_response())
}

#[derive(Deserialize, ToSchema)]
struct AssistantLatest {
    version: u64,
}

/// Return to an earlier version
#[utoipa::path(
    post,
    path = "/assistants/{assistant_id}/latest",
    request_body = AssistantLatest,
    responses((status = 200, body = AssistantRecord)),
)]
async fn set_latest(
    Scope(hub): Scope,
    Path(id): Path<String>,
    Body(AssistantLatest { version }): Body<AssistantLatest>,
) -> ApiResult {
    loop {
        let old = assistant_of(&hub, &id).await?;
        if old.version() == version {
            return answer(old.entry);
        }
        let wanted = hub.stores.catalog.entry(EntryKind::AssistantVersion, &old.version_id(version)).await?;
        let Some(wanted) = wanted else {
            return Err(ApiError::not_found(format!("Assistant {id} has no version {version}")));
        };
        let new = old.restored(&wanted);
        if let Some(stored) = replace(&hub, &old, new).await? {
            return answer(stored);
        }
    }
}
