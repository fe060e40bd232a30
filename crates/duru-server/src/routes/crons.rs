//! Crons: made, found, changed, removed. What they start is with the workers.

use axum::Json;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use duru::store::{Entry, EntryKind, EntryQuery, Expect, Put, SortBy};
use duru::{Clock, RunId, SystemClock};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;
use utoipa_axum::routes;
use uuid::Uuid;

use super::ASK;
use super::paging::{ascending, limit, paged};
use crate::api::{ApiRoutes, Partial};
use crate::body::Body;
use crate::caller::Caller;
use crate::error::{ApiError, ApiResult};
use crate::hub::{Hub, Shared, uuid};
use crate::schedule::instant;
use crate::scope::Scope;
use crate::wire::assistant::{Assistant, object};
use crate::wire::clean::Clean;
use crate::wire::cron::{CronRecord, KEY, set_due, set_next};
use crate::wire::run::{On, RunRequest};
use crate::wire::words::{CronSort, OnCompletion, SortOrder};

type PartialCron = Partial<CronRecord>;
type PartialRunCreate = Partial<RunRequest>;

pub(super) fn routes() -> ApiRoutes<Shared> {
    ApiRoutes::new()
        .with(ASK, routes!(create))
        .with(ASK, routes!(create_on_thread))
        .with(ASK, routes!(search))
        .with(ASK, routes!(count))
        .with(ASK, routes!(read, change, remove))
}

/// What of a request is about the schedule; the rest is about the runs.
#[derive(Deserialize, ToSchema)]
struct CronTiming {
    /// Five fields: minute, hour, day, month, weekday.
    schedule: Option<String>,
    /// Its name, such as Asia/Seoul.
    timezone: Option<String>,
    #[schema(format = DateTime)]
    end_time: Option<String>,
    enabled: Option<bool>,
    #[schema(value_type = Option<OnCompletion>)]
    on_run_completed: Option<String>,
    metadata: Option<Map<String, Value>>,
}

/// A schedule, and what is run on it.
#[derive(Deserialize, ToSchema)]
#[expect(dead_code, reason = "it only names the shape of what is read in two parts")]
struct CronCreate {
    #[serde(flatten)]
    timing: CronTiming,
    #[serde(flatten)]
    run: RunRequest,
}

/// The same where nothing has to be there.
#[derive(Deserialize, ToSchema)]
#[expect(dead_code, reason = "it only names the shape of what is read in two parts")]
struct CronUpdate {
    #[serde(flatten)]
    timing: CronTiming,
    #[serde(flatten)]
    run: PartialRunCreate,
}

type Request = Map<String, Value>;

/// Create a cron: a run on a schedule
#[utoipa::path(
    post,
    path = "/runs/crons",
    request_body = CronCreate,
    responses((status = 400), (status = 200, body = CronRecord), (status = 404), (status = 409)),
)]
async fn create(Scope(hub): Scope, caller: Caller, Body(Clean(request)): Body<Clean<Request>>) -> ApiResult {
    new_cron(&hub, &caller, None, request).await
}

/// Create a cron on a thread
#[utoipa::path(
    post,
    path = "/threads/{thread_id}/runs/crons",
    request_body = CronCreate,
    responses((status = 400), (status = 200, body = CronRecord), (status = 409)),
)]
async fn create_on_thread(
    Scope(hub): Scope,
    caller: Caller,
    Path(id): Path<String>,
    Body(Clean(request)): Body<Clean<Request>>,
) -> ApiResult {
    let id = uuid(&id, "thread")?.to_string();
    if hub.stores.catalog.entry(EntryKind::Thread, &id).await?.is_none() {
        return Err(ApiError::not_found("Thread or assistant not found."));
    }
    new_cron(&hub, &caller, Some(id), request).await
}

async fn new_cron(hub: &Hub, caller: &Caller, thread: Option<String>, request: Request) -> ApiResult {
    if request.get("schedule").is_none_or(|schedule| !schedule.is_string()) {
        return Err(ApiError::invalid("\"schedule\" is a required property"));
    }
    let assistant = assistant(hub, &request).await?;
    let now_ms = SystemClock.now_ms();
    let id = Uuid::from_u128(RunId::random(now_ms).as_u128()).to_string();
    let body = json!({
        "assistant_id": assistant.id.to_string(), "thread_id": thread, "enabled": true,
        // A thread that is made for one run goes with it.
        "on_run_completed": if thread.is_none() { Some("delete") } else { None },
        KEY: caller.key(),
    });
    let mut entry = Entry {
        status: assistant.id.to_string(),
        body: object(body),
        ..Entry::new(EntryKind::Cron, id.clone())
    };
    apply(&mut entry, request, &assistant, now_ms)?;
    match hub.stores.catalog.put(entry, Expect::New).await? {
        Put::Stored(entry) => Ok(Json(CronRecord::of(&entry)).into_response()),
        Put::Unexpected(_) => Err(ApiError::conflict(format!("Cron {id} already exists"))),
    }
}

/// The assistant that a request names, by its id or its graph's.
async fn assistant(hub: &Hub, request: &Request) -> ApiResult<Assistant> {
    let Some(id) = request.get("assistant_id").and_then(Value::as_str) else {
        return Err(ApiError::invalid("\"assistant_id\" is a required property"));
    };
    match hub.assistant(id).await? {
        Some(assistant) => Ok(assistant),
        None if Uuid::parse_str(id).is_ok() => Err(ApiError::not_found("Thread or assistant not found.")),
        None => {
            let graphs: Vec<&str> = hub.graphs.iter().map(|(id, _)| id).collect();
            Err(ApiError::invalid(format!(
                "Invalid assistant: '{id}'. Must be either:\n- A valid assistant UUID, or\n- One of the registered \
                 graphs: {}",
                graphs.join(", ")
            )))
        }
    }
}

/// Makes a request's changes to a cron. What a request does not name stays.
fn apply(entry: &mut Entry, request: Request, assistant: &Assistant, now_ms: u64) -> ApiResult<()> {
    let invalid = |error: serde_json::Error| ApiError::invalid(error.to_string());
    RunRequest::deserialize(Value::Object(request.clone())).map_err(invalid)?.check_told()?;
    let timing = CronTiming::deserialize(Value::Object(request.clone())).map_err(invalid)?;
    let named = |name: &str| request.contains_key(name);
    if let Some(schedule) = timing.schedule {
        entry.body.insert("schedule".into(), schedule.into());
    }
    if named("timezone") {
        entry.body.insert("timezone".into(), timing.timezone.into());
    }
    if named("end_time") {
        let parse = |text: String| {
            instant(&text).ok_or_else(|| ApiError::invalid(format!("end_time {text:?} is not a time")))
        };
        let end = timing.end_time.map(parse).transpose()?;
        entry.body.insert("end_ms".into(), end.into());
    }
    if let Some(enabled) = timing.enabled {
        entry.body.insert("enabled".into(), enabled.into());
    }
    if let Some(word) = timing.on_run_completed {
        if !["delete", "keep"].contains(&word.as_str()) {
            return Err(ApiError::invalid(format!("on_run_completed must be delete or keep, not {word:?}")));
        }
        entry.body.insert("on_run_completed".into(), word.into());
    }
    if let Some(metadata) = timing.metadata {
        entry.metadata = metadata;
    }
    // A date that has come but was not yet seen to is not to be skipped because
    // of a change that has nothing to do with dates.
    if ["schedule", "timezone", "enabled", "end_time"].into_iter().any(named) {
        set_next(entry, now_ms).map_err(ApiError::invalid)?;
    }
    set_due(entry);

    let mut payload = object(entry.body.remove("payload").unwrap_or_default());
    payload.extend(request);
    payload.insert("assistant_id".into(), assistant.id.to_string().into());
    let mut config = object(payload.remove("config").unwrap_or_default());
    let mut configurable = object(config.remove("configurable").unwrap_or_default());
    configurable.insert("cron_id".into(), entry.id.clone().into());
    config.insert("configurable".into(), Value::Object(configurable));
    payload.insert("config".into(), Value::Object(config));
    // Better refused now than when it is due.
    let run = RunRequest::deserialize(Value::Object(payload.clone())).map_err(invalid)?;
    run.for_assistant(assistant, On::Nothing)?;
    entry.body.insert("payload".into(), Value::Object(payload));
    Ok(())
}

async fn cron_of(hub: &Hub, id: &str) -> ApiResult<Entry> {
    let id = uuid(id, "cron")?.to_string();
    let entry = hub.stores.catalog.entry(EntryKind::Cron, &id).await?;
    entry.ok_or_else(|| ApiError::not_found(format!("Cron {id} not found")))
}

/// A cron
#[utoipa::path(get, path = "/runs/crons/{cron_id}", responses((status = 200, body = CronRecord)))]
async fn read(Scope(hub): Scope, Path(id): Path<String>) -> ApiResult {
    Ok(Json(CronRecord::of(&cron_of(&hub, &id).await?)).into_response())
}

/// Update a cron
#[utoipa::path(
    patch,
    path = "/runs/crons/{cron_id}",
    request_body = CronUpdate,
    responses((status = 400), (status = 200, body = CronRecord)),
)]
async fn change(
    Scope(hub): Scope,
    caller: Caller,
    Path(id): Path<String>,
    Body(Clean(mut request)): Body<Clean<Request>>,
) -> ApiResult {
    // A cron stays with its assistant.
    request.remove("assistant_id");
    loop {
        let mut entry = cron_of(&hub, &id).await?;
        let assistant = assistant(&hub, &entry.body).await?;
        let version = entry.version;
        apply(&mut entry, request.clone(), &assistant, SystemClock.now_ms())?;
        entry.body.insert(KEY.into(), json!(caller.key()));
        if let Put::Stored(entry) = hub.stores.catalog.put(entry, Expect::Version(version)).await? {
            return Ok(Json(CronRecord::of(&entry)).into_response());
        }
    }
}

/// Removes the crons that fit: those of a thread or an assistant that goes.
pub(super) async fn remove_crons(hub: &Hub, of: EntryQuery) -> ApiResult<()> {
    loop {
        let found = hub.stores.catalog.find(of.clone()).await?;
        if found.entries.is_empty() {
            return Ok(());
        }
        for cron in found.entries {
            hub.stores.catalog.remove(EntryKind::Cron, &cron.id).await?;
        }
    }
}

/// Delete a cron
#[utoipa::path(delete, path = "/runs/crons/{cron_id}", responses((status = 204)))]
async fn remove(Scope(hub): Scope, Path(id): Path<String>) -> ApiResult {
    let entry = cron_of(&hub, &id).await?;
    hub.stores.catalog.remove(EntryKind::Cron, &entry.id).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

#[derive(Deserialize, ToSchema)]
struct CronSearch {
    assistant_id: Option<String>,
    thread_id: Option<String>,
    enabled: Option<bool>,
    metadata: Option<Map<String, Value>>,
    /// 10 unless told.
    #[schema(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    offset: Option<usize>,
    sort_by: Option<CronSort>,
    #[schema(value_type = Option<SortOrder>)]
    sort_order: Option<String>,
    /// The fields that are wanted; all without any.
    select: Option<Vec<String>>,
}

impl CronSearch {
    async fn query(&self, hub: &Hub) -> ApiResult<EntryQuery> {
        let sort = match self.sort_by {
            Some(CronSort::Created) | None => SortBy::Created,
            Some(CronSort::Updated) => SortBy::Updated,
            Some(CronSort::Id) => SortBy::Id,
            Some(CronSort::Assistant) => SortBy::Status,
            Some(CronSort::NextRun) => SortBy::Label,
        };
        let status = match &self.assistant_id {
            Some(id) => {
                Some(hub.assistant(id).await?.map_or_else(|| id.clone(), |found| found.id.to_string()))
            }
            None => None,
        };
        let mut body = Map::new();
        if let Some(thread) = &self.thread_id {
            body.insert("thread_id".into(), thread.clone().into());
        }
        if let Some(enabled) = self.enabled {
            body.insert("enabled".into(), enabled.into());
        }
        Ok(EntryQuery {
            status,
            metadata: self.metadata.clone().unwrap_or_default(),
            body,
            sort,
            ascending: ascending(self.sort_order.as_deref()),
            offset: self.offset.unwrap_or(0),
            limit: limit(self.limit)?,
            ..EntryQuery::of(EntryKind::Cron)
        })
    }
}

/// Find crons
#[utoipa::path(
    post,
    path = "/runs/crons/search",
    request_body = CronSearch,
    responses((
        status = 200,
        body = Vec<PartialCron>,
        headers(("x-pagination-total" = usize), ("x-pagination-next" = Option<usize>)),
    )),
)]
async fn search(Scope(hub): Scope, Body(Clean(search)): Body<Clean<CronSearch>>) -> ApiResult {
    let query = search.query(&hub).await?;
    let next = query.offset.saturating_add(query.limit);
    let found = hub.stores.catalog.find(query).await?;
    let crons: Vec<CronRecord> = found.entries.iter().map(CronRecord::of).collect();
    Ok(paged(crons, search.select.as_deref(), next, found.total))
}

/// Count crons
#[utoipa::path(
    post,
    path = "/runs/crons/count",
    request_body = CronSearch,
    responses((status = 200, content_type = "application/json", body = usize)),
)]
async fn count(Scope(hub): Scope, Body(Clean(search)): Body<Clean<CronSearch>>) -> ApiResult {
    let query = EntryQuery { offset: 0, limit: 0, ..search.query(&hub).await? };
    Ok(Json(hub.stores.catalog.find(query).await?.total).into_response())
}
