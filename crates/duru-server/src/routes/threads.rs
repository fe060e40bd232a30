//! Threads: made, changed, removed. How they are found is next door.

use std::sync::Arc;

use axum::Json;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use duru::store::{Entry, EntryKind, EntryQuery, Expect, Put, RowQuery};
use duru::{Clock, EndStatus, SystemClock, ThreadId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::routes;
use uuid::Uuid;

use super::ASK;
use super::crons::remove_crons;
use super::supersteps::{Past, Superstep};
use crate::api::ApiRoutes;
use crate::body::Body;
use crate::error::{ApiError, ApiResult};
use crate::hub::{Hub, Shared, uuid};
use crate::query::Params;
use crate::scope::Scope;
use crate::wire::clean::{Clean, clean};
use crate::wire::thread::{FailureRecord, ThreadRecord};
use crate::wire::ttl::{Ttl, TtlRecord};
use crate::wire::words::{IfExists, PruneStrategy};

/// So many rows of a log are read at once.
const ROWS_AT_ONCE: usize = 1000;

pub(super) fn routes() -> ApiRoutes<Shared> {
    ApiRoutes::new()
        .with(ASK, routes!(create))
        .with(ASK, routes!(prune))
        .with(ASK, routes!(read, change, remove))
        .with(ASK, routes!(copy))
        .with(ASK, routes!(storage))
}

/// The thread of a path.
pub(crate) fn thread_id(text: &str) -> ApiResult<ThreadId> {
    let id = uuid(text, "thread")?;
    ThreadId::new(id.to_string()).map_err(|error| ApiError::invalid(error.to_string()))
}

/// A new id, in the order in which they are made.
pub(crate) fn fresh_uuid() -> Uuid {
    Uuid::from_u128(duru::RunId::random(duru::Clock::now_ms(&duru::SystemClock)).as_u128())
}

impl Hub {
    /// A thread's entry; 404 if there is none.
    pub(crate) async fn thread_entry(&self, id: &ThreadId) -> ApiResult<Entry> {
        let entry = self.stores.catalog.entry(EntryKind::Thread, id.as_str()).await?;
        entry.ok_or_else(|| ApiError::not_found(format!("Thread with ID {id} not found")))
    }

    /// A thread as clients read it.
    pub(crate) async fn thread_record(&self, entry: &Entry) -> ApiResult<ThreadRecord> {
        let id = ThreadId::new(&entry.id).map_err(|error| ApiError::invalid(error.to_string()))?;
        let log = self.log(&id);
        let (head, state) = (self.stores.checkpoints.head(&id).await?, log.state().await?);
        let error = match (state.ended, state.run) {
            (Some(EndStatus::Failed), Some(run)) => {
                let end = log.run(run).await?.and_then(|trace| trace.end);
                let error = end.and_then(|end| end.error);
                error.map(|error| FailureRecord {
                    error: error.name.to_string(),
                    message: error.cause.to_string(),
                })
            }
            (Some(EndStatus::Cancelled), _) => Some(FailureRecord {
                error: "UserInterrupt".to_owned(),
                message: "the run was cancelled".to_owned(),
            }),
            _ => None,
        };
        Ok(ThreadRecord::of(entry, head.as_ref(), &state, error))
    }

    /// What a thread is called: the name that it was given, else what was asked there first.
    pub(crate) async fn title(self: &Arc<Self>, entry: &Entry) -> ApiResult<String> {
        let mut titles = self.titles(std::slice::from_ref(entry)).await?;
        Ok(titles.pop().unwrap_or_default())
    }

    pub(super) async fn titles(self: &Arc<Self>, entries: &[Entry]) -> ApiResult<Vec<String>> {
        let given = |entry: &Entry| {
            let title = entry.metadata.get("title").and_then(Value::as_str).map(str::trim);
            title.filter(|title| !title.is_empty()).map(str::to_owned)
        };
        let unnamed: Vec<Entry> = entries.iter().filter(|entry| given(entry).is_none()).cloned().collect();
        let mut texts = self.said.of(self, &unnamed).await?.into_iter();
        let of = |entry: &Entry| {
            given(entry).or_else(|| texts.next().map(|text| text.title().to_owned())).unwrap_or_default()
        };
        Ok(entries.iter().map(of).collect())
    }

    /// The same for a list of which some fields are wanted: a state is read only for those that are made of it.
    pub(super) async fn thread_listed(
        &self,
        entry: &Entry,
        select: Option<&[String]>,
    ) -> ApiResult<ThreadRecord> {
        let of_state = |name: &String| ["values", "error", "interrupts"].contains(&name.as_str());
        if select.is_none_or(|select| select.is_empty() || select.iter().any(of_state)) {
            return self.thread_record(entry).await;
        }
        let id = ThreadId::new(&entry.id).map_err(|error| ApiError::invalid(error.to_string()))?;
        Ok(ThreadRecord::brief(entry, self.stores.checkpoints.head(&id).await?.as_ref()))
    }
}

#[derive(Deserialize, ToSchema)]
struct ThreadCreate {
    #[schema(value_type = Option<Uuid>)]
    thread_id: Option<String>,
    #[serde(default, deserialize_with = "clean")]
    metadata: Option<Map<String, Value>>,
    if_exists: Option<IfExists>,
    /// After so many minutes it is removed.
    ttl: Option<Ttl>,
    /// Its past; `metadata.graph_id` says of which graph.
    #[serde(default)]
    supersteps: Option<Vec<Superstep>>,
}

/// Create a thread
#[utoipa::path(
    post,
    path = "/threads",
    request_body = ThreadCreate,
    responses((status = 400), (status = 200, body = ThreadRecord), (status = 404), (status = 409)),
)]
async fn create(Scope(hub): Scope, Body(request): Body<ThreadCreate>) -> ApiResult {
    let id = match &request.thread_id {
        Some(id) => uuid(id, "thread")?,
        None => fresh_uuid(),
    };
    let mut entry = Entry {
        status: "idle".into(),
        metadata: request.metadata.unwrap_or_default(),
        ..Entry::new(EntryKind::Thread, id.to_string())
    };
    if let Some(ttl) = &request.ttl {
        ttl.set(&mut entry, SystemClock.now_ms())?;
    }
    let past = request.supersteps.unwrap_or_default();
    let past = Past::of(&hub, &entry, past)?;
    let entry = match hub.stores.catalog.put(entry, Expect::New).await? {
        Put::Stored(entry) => {
            if let Err(error) = past.write(&hub, &thread_id(&entry.id)?).await {
                // It is as if it had never been asked for.
                remove_thread(&hub, &thread_id(&entry.id)?).await?;
                return Err(error);
            }
            entry
        }
        Put::Unexpected(Some(entry)) if request.if_exists == Some(IfExists::DoNothing) => entry,
        Put::Unexpected(_) => {
            return Err(ApiError::conflict(format!("Thread with ID {id} already exists")));
        }
    };
    Ok(Json(hub.thread_record(&entry).await?).into_response())
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ThreadQuery {
    /// What else is wanted, with commas between: `ttl`.
    #[serde(default)]
    include: Vec<String>,
}

/// A thread
#[utoipa::path(
    get,
    path = "/threads/{thread_id}",
    params(ThreadQuery),
    responses((status = 200, body = ThreadRecord)),
)]
async fn read(Scope(hub): Scope, Path(id): Path<String>, Params(query): Params<ThreadQuery>) -> ApiResult {
    let entry = hub.thread_entry(&thread_id(&id)?).await?;
    let mut thread = hub.thread_record(&entry).await?;
    if query.include.iter().any(|names| names.split(',').any(|name| name == "ttl")) {
        thread.ttl = Some(TtlRecord::of(&entry));
    }
    Ok(Json(thread).into_response())
}

/// How much of the store a thread takes.
#[derive(Default, Serialize, ToSchema)]
struct ThreadStorage {
    thread_id: String,
    rows: u64,
    events: u64,
    checkpoints: u64,
    bytes: u64,
}

/// The storage that a thread uses
///
/// Its log is read for that.
#[utoipa::path(get, path = "/threads/{thread_id}/storage", responses((status = 200, body = ThreadStorage)))]
async fn storage(Scope(hub): Scope, Path(id): Path<String>) -> ApiResult {
    let id = thread_id(&id)?;
    hub.thread_entry(&id).await?;
    let (mut from, mut used) = (0, ThreadStorage { thread_id: id.to_string(), ..ThreadStorage::default() });
    loop {
        let query = RowQuery { from, limit: Some(ROWS_AT_ONCE), ..RowQuery::default() };
        let some = hub.stores.checkpoints.rows(&id, query).await?;
        let Some(last) = some.last() else { break };
        from = last.end();
        for row in &some {
            used.rows += 1;
            used.events += u64::from(row.events);
            used.checkpoints += u64::from(row.checkpoint.is_some());
            used.bytes += row.payload.len() as u64;
        }
        if some.len() < ROWS_AT_ONCE {
            break;
        }
    }
    Ok(Json(used).into_response())
}

#[derive(Deserialize, ToSchema)]
struct ThreadUpdate {
    /// Added to those that it has.
    metadata: Option<Map<String, Value>>,
    ttl: Option<Ttl>,
}

/// Update a thread's metadata
#[utoipa::path(
    patch,
    path = "/threads/{thread_id}",
    request_body = ThreadUpdate,
    responses((status = 200, body = ThreadRecord)),
)]
async fn change(
    Scope(hub): Scope,
    Path(id): Path<String>,
    Body(Clean(change)): Body<Clean<ThreadUpdate>>,
) -> ApiResult {
    let id = thread_id(&id)?;
    loop {
        let mut entry = hub.thread_entry(&id).await?;
        entry.metadata.extend(change.metadata.clone().unwrap_or_default());
        if let Some(ttl) = &change.ttl {
            ttl.set(&mut entry, SystemClock.now_ms())?;
        }
        let version = entry.version;
        // Somebody else may have changed it meanwhile: then once more.
        if let Put::Stored(entry) = hub.stores.catalog.put(entry, Expect::Version(version)).await? {
            hub.said.changed(&entry.id);
            return Ok(Json(hub.thread_record(&entry).await?).into_response());
        }
    }
}

/// Delete a thread with everything in it
#[utoipa::path(delete, path = "/threads/{thread_id}", responses((status = 204)))]
async fn remove(Scope(hub): Scope, Path(id): Path<String>) -> ApiResult {
    let id = thread_id(&id)?;
    hub.thread_entry(&id).await?;
    remove_thread(&hub, &id).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Removes a thread and everything of it; what is under way on it stops.
pub(crate) async fn remove_thread(hub: &Shared, id: &ThreadId) -> ApiResult<()> {
    // First those who would start more: nobody else will remove them.
    let body = Map::from_iter([("thread_id".to_owned(), id.to_string().into())]);
    remove_crons(hub.whole(), EntryQuery { body, ..EntryQuery::of(EntryKind::Cron) }).await?;
    let runs = duru::store::RunQuery { thread: Some(id.clone()), ..Default::default() };
    for run in hub.stores.runs.cancel(runs, duru::store::Cancel::Interrupt).await? {
        hub.pool.stop_here(run.id, duru::store::Cancel::Interrupt);
    }
    // What was said first: while the thread is there, whoever is cut off here is asked to remove it again.
    hub.said.forget(&*hub.whole().stores.catalog, id.as_str()).await?;
    hub.stores.catalog.remove(EntryKind::Thread, id.as_str()).await?;
    hub.log(id).forget();
    Ok(())
}

/// Copy a thread with its history
#[utoipa::path(
    post,
    path = "/threads/{thread_id}/copy",
    responses((status = 200, body = ThreadRecord), (status = 409)),
)]
async fn copy(Scope(hub): Scope, Path(id): Path<String>) -> ApiResult {
    let from = thread_id(&id)?;
    let old = hub.thread_entry(&from).await?;
    let to = thread_id(&fresh_uuid().to_string())?;
    // Nobody knows its name yet: half of it says nothing to anybody.
    if hub.stores.checkpoints.head(&from).await?.is_some() {
        hub.log(&from).copy_to(&to).await?;
    }
    // A copy of a thread that is under way is not under way.
    let status = if old.status == "busy" { "idle".to_owned() } else { old.status.clone() };
    let entry = Entry { id: to.to_string(), status, ..old };
    match hub.stores.catalog.put(entry, Expect::New).await? {
        Put::Stored(entry) => Ok(Json(hub.thread_record(&entry).await?).into_response()),
        Put::Unexpected(_) => Err(ApiError::conflict(format!("Thread with ID {to} already exists"))),
    }
}

#[derive(Deserialize, ToSchema)]
struct ThreadPrune {
    #[schema(value_type = Vec<Uuid>)]
    thread_ids: Vec<String>,
    strategy: Option<PruneStrategy>,
}

#[derive(Serialize, ToSchema)]
struct PrunedThreads {
    pruned_count: u64,
}

/// Delete threads, or all but their latest checkpoint
#[utoipa::path(
    post,
    path = "/threads/prune",
    request_body = ThreadPrune,
    responses((status = 200, body = PrunedThreads), (status = 409)),
)]
async fn prune(Scope(hub): Scope, Body(request): Body<ThreadPrune>) -> ApiResult<Response> {
    let keep = request.strategy == Some(PruneStrategy::KeepLatest);
    let mut pruned_count = 0;
    for id in &request.thread_ids {
        let id = thread_id(id)?;
        if hub.stores.catalog.entry(EntryKind::Thread, id.as_str()).await?.is_none() {
            continue;
        }
        if keep {
            hub.log(&id).prune(duru::Keep::Latest).await?;
        } else {
            remove_thread(&hub, &id).await?;
        }
        pruned_count += 1;
    }
    Ok(Json(PrunedThreads { pruned_count }).into_response())
}
