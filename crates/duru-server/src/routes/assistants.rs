//! Assistants: made, found, removed. Their versions and their graphs are next door.

use axum::Json;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use duru::store::{Entry, EntryKind, EntryQuery, Expect, Put, SortBy};
use duru::{Clock, RunId, SystemClock};
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::routes;
use uuid::Uuid;

use super::ASK;
use super::crons::remove_crons;
use super::paging::{ascending, limit, paged};
use super::threads::{remove_thread, thread_id};
use crate::api::{ApiRoutes, Partial};
use crate::body::Body;
use crate::error::{ApiError, ApiResult};
use crate::hub::{Hub, Shared, uuid};
use crate::query::Params;
use crate::scope::Scope;
use crate::wire::assistant::{Assistant, AssistantRecord, mirrored};
use crate::wire::clean::Clean;
use crate::wire::words::{AssistantSort, IfExists, SortOrder};

type PartialAssistant = Partial<AssistantRecord>;

pub(super) fn routes() -> ApiRoutes<Shared> {
    ApiRoutes::new()
        .with(ASK, routes!(create))
        .with(ASK, routes!(search))
        .with(ASK, routes!(count))
        .with(ASK, routes!(read, super::assistant_versions::change, remove))
}

/// The assistant of a path that takes only its id, not its graph's.
pub(super) async fn assistant_of(hub: &Hub, id: &str) -> ApiResult<Assistant> {
    let id = uuid(id, "assistant")?;
    let found = hub.assistant(&id.to_string()).await?;
    found.ok_or_else(|| ApiError::not_found(format!("Assistant {id} not found")))
}

/// Fails with the names of those there are.
pub(super) fn check_graph(hub: &Hub, id: &str) -> ApiResult<()> {
    if hub.graphs.get(id).is_some() {
        return Ok(());
    }
    let known: Vec<String> = hub.graphs.iter().map(|(id, _)| format!("'{id}'")).collect();
    Err(ApiError::not_found(format!("Graph '{id}' not found. Expected one of: [{}]", known.join(", "))))
}

#[derive(Deserialize, ToSchema)]
struct AssistantCreate {
    /// The graph that it is of.
    graph_id: String,
    assistant_id: Option<String>,
    name: Option<String>,
    description: Option<String>,
    config: Option<Map<String, Value>>,
    context: Option<Map<String, Value>>,
    metadata: Option<Map<String, Value>>,
    if_exists: Option<IfExists>,
}

/// Create an assistant
#[utoipa::path(
    post,
    path = "/assistants",
    request_body = AssistantCreate,
    responses((status = 400), (status = 200, body = AssistantRecord), (status = 404), (status = 409)),
)]
async fn create(Scope(hub): Scope, Body(Clean(new)): Body<Clean<AssistantCreate>>) -> ApiResult {
    check_graph(&hub, &new.graph_id)?;
    let id = match &new.assistant_id {
        Some(id) => uuid(id, "assistant")?,
        None => Uuid::from_u128(RunId::random(SystemClock.now_ms()).as_u128()),
    };
    let mut entry = Assistant::new_entry(&new.graph_id, id);
    if let Some((config, context)) = mirrored(new.config, new.context, &Map::new())? {
        entry.body.insert("config".into(), Value::Object(config));
        entry.body.insert("context".into(), Value::Object(context));
    }
    entry.body.insert("description".into(), new.description.into());
    entry.metadata = new.metadata.unwrap_or_default();
    if let Some(name) = new.name {
        entry.label = name;
    }
    match hub.stores.catalog.put(entry, Expect::New).await? {
        Put::Stored(entry) => answer(entry),
        Put::Unexpected(Some(entry)) if new.if_exists == Some(IfExists::DoNothing) => answer(entry),
        Put::Unexpected(_) => Err(ApiError::conflict(format!("Assistant {id} already exists"))),
    }
}

/// An assistant's entry as clients read it.
pub(super) fn answer(entry: Entry) -> ApiResult {
    let assistant = Assistant::from_entry(entry).ok_or_else(|| ApiError::not_found("Not Found"))?;
    Ok(Json(assistant.record()).into_response())
}

/// An assistant
#[utoipa::path(get, path = "/assistants/{assistant_id}", responses((status = 200, body = AssistantRecord)))]
async fn read(Scope(hub): Scope, Path(id): Path<String>) -> ApiResult {
    Ok(Json(assistant_of(&hub, &id).await?.record()).into_response())
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct AssistantDeleteQuery {
    /// Also delete the threads that its runs made or used last.
    #[serde(default)]
    delete_threads: bool,
}

/// Delete an assistant
#[utoipa::path(
    delete,
    path = "/assistants/{assistant_id}",
    params(AssistantDeleteQuery),
    responses((status = 204), (status = 409)),
)]
async fn remove(
    Scope(hub): Scope,
    Path(id): Path<String>,
    Params(query): Params<AssistantDeleteQuery>,
) -> ApiResult {
    let assistant = assistant_of(&hub, &id).await?;
    // Runs name a graph by its default assistant: without it, the graph could
    // not be run until the next start.
    if hub.graphs.get(&assistant.graph).is_some_and(|graph| graph.assistant == assistant.id) {
        let detail = format!("Assistant {id} is the default one of graph '{}'.", assistant.graph);
        return Err(ApiError::conflict(detail));
    }
    if query.delete_threads {
        remove_threads(&hub, assistant.id).await?;
    }
    // A cron's status is its assistant.
    let status = Some(assistant.id.to_string());
    remove_crons(hub.whole(), EntryQuery { status, ..EntryQuery::of(EntryKind::Cron) }).await?;
    // Versions that are left behind if we die in between belong to nobody: an
    // assistant of the same id that is made later has versions of its own.
    let removed = hub.stores.catalog.remove(EntryKind::Assistant, &assistant.entry.id).await;
    hub.assistants.changed(assistant.id);
    removed?;
    let versions =
        EntryQuery { body: assistant.version_mark(), ..EntryQuery::of(EntryKind::AssistantVersion) };
    loop {
        let found = hub.stores.catalog.find(versions.clone()).await?;
        if found.entries.is_empty() {
            return Ok(StatusCode::NO_CONTENT.into_response());
        }
        for version in found.entries {
            hub.stores.catalog.remove(EntryKind::AssistantVersion, &version.id).await?;
        }
    }
}

/// Removes the threads that the assistant's runs made or used last.
async fn remove_threads(hub: &Shared, assistant: Uuid) -> ApiResult<()> {
    let metadata = Map::from_iter([("assistant_id".to_owned(), assistant.to_string().into())]);
    let query = EntryQuery { metadata, ..EntryQuery::of(EntryKind::Thread) };
    loop {
        let found = hub.stores.catalog.find(query.clone()).await?;
        if found.entries.is_empty() {
            return Ok(());
        }
        for entry in found.entries {
            remove_thread(hub, &thread_id(&entry.id)?).await?;
        }
    }
}

#[derive(Deserialize, ToSchema)]
struct AssistantSearch {
    graph_id: Option<String>,
    metadata: Option<Map<String, Value>>,
    /// A part of its name.
    name: Option<String>,
    /// 10 unless told.
    #[schema(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    offset: Option<usize>,
    sort_by: Option<AssistantSort>,
    #[schema(value_type = Option<SortOrder>)]
    sort_order: Option<String>,
    /// The fields that are wanted; all without any.
    select: Option<Vec<String>>,
}

impl AssistantSearch {
    fn query(&self) -> ApiResult<EntryQuery> {
        let sort = match self.sort_by {
            Some(AssistantSort::Created) | None => SortBy::Created,
            Some(AssistantSort::Updated) => SortBy::Updated,
            Some(AssistantSort::Id) => SortBy::Id,
            Some(AssistantSort::Name) => SortBy::Label,
            // An assistant's status is its graph.
            Some(AssistantSort::Graph) => SortBy::Status,
        };
        Ok(EntryQuery {
            status: self.graph_id.clone(),
            metadata: self.metadata.clone().unwrap_or_default(),
            sort,
            ascending: ascending(self.sort_order.as_deref()),
            offset: self.offset.unwrap_or(0),
            limit: limit(self.limit)?,
            ..EntryQuery::of(EntryKind::Assistant)
        })
    }

    /// A page of what fits, and how many fit.
    async fn find(&self, hub: &Hub) -> ApiResult<(Vec<Entry>, usize)> {
        let query = self.query()?;
        let Some(name) = self.name.as_deref().filter(|name| !name.is_empty()) else {
            let found = hub.stores.catalog.find(query).await?;
            return Ok((found.entries, found.total));
        };
        // No index knows parts of names: every one that fits otherwise is looked at.
        let name = name.to_lowercase();
        let (mut page, mut fitting) = (EntryQuery { offset: 0, limit: 500, ..query.clone() }, Vec::new());
        loop {
            let found = hub.stores.catalog.find(page.clone()).await?;
            fitting
                .extend(found.entries.into_iter().filter(|entry| entry.label.to_lowercase().contains(&name)));
            page.offset += page.limit;
            if page.offset >= found.total {
                let total = fitting.len();
                return Ok((fitting.into_iter().skip(query.offset).take(query.limit).collect(), total));
            }
        }
    }
}

/// Find assistants
#[utoipa::path(
    post,
    path = "/assistants/search",
    request_body = AssistantSearch,
    responses((
        status = 200,
        body = Vec<PartialAssistant>,
        headers(("x-pagination-total" = usize), ("x-pagination-next" = Option<usize>)),
    )),
)]
async fn search(Scope(hub): Scope, Body(Clean(search)): Body<Clean<AssistantSearch>>) -> ApiResult {
    let next = search.offset.unwrap_or(0).saturating_add(search.query()?.limit);
    let (entries, total) = search.find(&hub).await?;
    let assistants = entries.into_iter().filter_map(Assistant::from_entry);
    let items: Vec<AssistantRecord> = assistants.map(|assistant| assistant.record()).collect();
    Ok(paged(items, search.select.as_deref(), next, total))
}

/// Count assistants
#[utoipa::path(
    post,
    path = "/assistants/count",
    request_body = AssistantSearch,
    responses((status = 200, content_type = "application/json", body = usize)),
)]
async fn count(Scope(hub): Scope, Body(Clean(search)): Body<Clean<AssistantSearch>>) -> ApiResult {
    let (_, total) = AssistantSearch { offset: None, limit: Some(1), ..search }.find(&hub).await?;
    Ok(Json(total).into_response())
}
