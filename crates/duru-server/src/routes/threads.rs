//! Threads: made, found, changed, removed.

use std::sync::Arc;

use axum::Json;
use axum::Router;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use duru::store::{Entry, EntryKind, EntryQuery, Expect, Put, RowQuery, SortBy, contains};
use duru::{Clock, EndStatus, SystemClock, ThreadId};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::crons::remove_crons;
use super::paging::{ascending, limit, paged};
use super::supersteps::{Past, Superstep};
use crate::body::{Body, Query};
use crate::error::{ApiError, ApiResult};
use crate::hub::{Hub, Shared, uuid};
use crate::said::Wanted;
use crate::scope::Scope;
use crate::wire::thread;
use crate::wire::ttl::{self, Ttl};

/// So many rows of a log are read at once.
const ROWS_AT_ONCE: usize = 1000;

pub(super) fn router() -> Router<Shared> {
    Router::new()
        .route("/threads", post(create))
        .route("/threads/search", post(search))
        .route("/threads/count", post(count))
        .route("/threads/prune", post(prune))
        .route("/threads/{id}", get(read).patch(change).delete(remove))
        .route("/threads/{id}/copy", post(copy))
        .route("/threads/{id}/storage", get(storage))
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
    pub(crate) async fn thread_json(&self, entry: &Entry) -> ApiResult<Value> {
        let id = ThreadId::new(&entry.id).map_err(|error| ApiError::invalid(error.to_string()))?;
        let log = self.log(&id);
        let (head, state) = (self.stores.checkpoints.head(&id).await?, log.state().await?);
        let error = match (state.ended, state.run) {
            (Some(EndStatus::Failed), Some(run)) => {
                let end = log.run(run).await?.and_then(|trace| trace.end);
                end.and_then(|end| end.error)
                    .map(|error| json!({ "error": error.name, "message": error.cause }))
            }
            (Some(EndStatus::Cancelled), _) => {
                Some(json!({ "error": "UserInterrupt", "message": "the run was cancelled" }))
            }
            _ => None,
        };
        Ok(thread::to_json(entry, head.as_ref(), &state, error))
    }

    /// What a thread is called: the name that it was given, else what was asked there first.
    pub(crate) async fn title(self: &Arc<Self>, entry: &Entry) -> ApiResult<String> {
        let mut titles = self.titles(std::slice::from_ref(entry)).await?;
        Ok(titles.pop().unwrap_or_default())
    }

    async fn titles(self: &Arc<Self>, entries: &[Entry]) -> ApiResult<Vec<String>> {
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
    async fn thread_listed(&self, entry: &Entry, select: Option<&[String]>) -> ApiResult<Value> {
        let of_state = |name: &String| ["values", "error", "interrupts"].contains(&name.as_str());
        if select.is_none_or(|select| select.is_empty() || select.iter().any(of_state)) {
            return self.thread_json(entry).await;
        }
        let id = ThreadId::new(&entry.id).map_err(|error| ApiError::invalid(error.to_string()))?;
        Ok(thread::brief(entry, self.stores.checkpoints.head(&id).await?.as_ref()))
    }
}

#[derive(Deserialize)]
struct Create {
    thread_id: Option<String>,
    metadata: Option<Map<String, Value>>,
    if_exists: Option<String>,
    ttl: Option<Ttl>,
    #[serde(default)]
    supersteps: Option<Vec<Superstep>>,
}

async fn create(Scope(hub): Scope, Body(request): Body<Create>) -> ApiResult {
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
        Put::Unexpected(Some(entry)) if request.if_exists.as_deref() == Some("do_nothing") => entry,
        Put::Unexpected(_) => {
            return Err(ApiError::conflict(format!("Thread with ID {id} already exists")));
        }
    };
    Ok(Json(hub.thread_json(&entry).await?).into_response())
}

async fn read(Scope(hub): Scope, Path(id): Path<String>, query: Query) -> ApiResult {
    let entry = hub.thread_entry(&thread_id(&id)?).await?;
    let mut thread = hub.thread_json(&entry).await?;
    if query.all("include").iter().any(|names| names.split(',').any(|name| name == "ttl")) {
        thread["ttl"] = ttl::to_json(&entry);
    }
    Ok(Json(thread).into_response())
}

/// How much of the store a thread takes: its log is read for that.
async fn storage(Scope(hub): Scope, Path(id): Path<String>) -> ApiResult {
    let id = thread_id(&id)?;
    hub.thread_entry(&id).await?;
    let (mut from, mut rows, mut events, mut checkpoints, mut bytes) = (0, 0_u64, 0_u64, 0_u64, 0_u64);
    loop {
        let query = RowQuery { from, limit: Some(ROWS_AT_ONCE), ..RowQuery::default() };
        let some = hub.stores.checkpoints.rows(&id, query).await?;
        let Some(last) = some.last() else { break };
        from = last.end();
        for row in &some {
            rows += 1;
            events += u64::from(row.events);
            checkpoints += u64::from(row.checkpoint.is_some());
            bytes += row.payload.len() as u64;
        }
        if some.len() < ROWS_AT_ONCE {
            break;
        }
    }
    Ok(Json(json!({
        "thread_id": id.as_str(), "rows": rows, "events": events, "checkpoints": checkpoints, "bytes": bytes,
    }))
    .into_response())
}

#[derive(Deserialize)]
struct Change {
    metadata: Option<Map<String, Value>>,
    ttl: Option<Ttl>,
}

async fn change(Scope(hub): Scope, Path(id): Path<String>, Body(change): Body<Change>) -> ApiResult {
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
            return Ok(Json(hub.thread_json(&entry).await?).into_response());
        }
    }
}

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

#[derive(Deserialize)]
struct Search {
    ids: Option<Vec<String>>,
    metadata: Option<Map<String, Value>>,
    values: Option<Map<String, Value>>,
    /// Words that were said in it.
    text: Option<String>,
    status: Option<String>,
    limit: Option<usize>,
    offset: Option<usize>,
    sort_by: Option<String>,
    sort_order: Option<String>,
    select: Option<Vec<String>>,
}

impl Search {
    fn query(&self) -> ApiResult<EntryQuery> {
        let sort = match self.sort_by.as_deref() {
            Some("updated_at" | "state_updated_at") => SortBy::Updated,
            Some("thread_id") => SortBy::Id,
            Some("status") => SortBy::Status,
            Some("created_at") | None => SortBy::Created,
            Some(other) => return Err(ApiError::invalid(format!("threads can't be sorted by {other:?}"))),
        };
        if let Some(status) = self.status.as_deref()
            && !["idle", "busy", "interrupted", "error"].contains(&status)
        {
            return Err(ApiError::invalid(format!("{status:?} is not a status of threads")));
        }
        Ok(EntryQuery {
            ids: self.ids.clone().unwrap_or_default(),
            status: self.status.clone(),
            metadata: self.metadata.clone().unwrap_or_default(),
            sort,
            ascending: ascending(self.sort_order.as_deref()),
            offset: self.offset.unwrap_or(0),
            limit: limit(self.limit)?,
            ..EntryQuery::of(EntryKind::Thread)
        })
    }
}

async fn search(Scope(hub): Scope, Body(search): Body<Search>) -> ApiResult {
    let query = search.query()?;
    let (offset, limit) = (query.offset, query.limit);
    let (threads, total) = match search.inside() {
        Some(inside) => by_content(&hub, query, &inside, search.select.as_deref()).await?,
        None => {
            let found = hub.stores.catalog.find(query).await?;
            let mut threads = Vec::with_capacity(found.entries.len());
            for entry in &found.entries {
                threads.push(hub.thread_listed(entry, search.select.as_deref()).await?);
            }
            if search.wants("title") {
                for (thread, title) in threads.iter_mut().zip(hub.titles(&found.entries).await?) {
                    thread["title"] = title.into();
                }
            }
            (threads, found.total)
        }
    };
    Ok(paged(threads, search.select.as_deref(), offset + limit, total))
}

/// So many threads are looked into at once: not every store finds the second page quicker than all of them.
const LOOKED_AT: usize = 10_000;

/// What must be in threads.
struct Inside {
    values: Option<Value>,
    text: Option<Wanted>,
}

impl Search {
    /// Whether a field is asked for by its name.
    fn wants(&self, field: &str) -> bool {
        self.select.as_ref().is_some_and(|select| select.iter().any(|name| name == field))
    }

    fn inside(&self) -> Option<Inside> {
        let values = self.values.clone().filter(|values| !values.is_empty()).map(Value::Object);
        let text = self.text.as_deref().and_then(Wanted::read);
        (values.is_some() || text.is_some()).then_some(Inside { values, text })
    }
}

/// Threads by what is in them. No index knows it: every thread that fits otherwise is looked at.
async fn by_content(
    hub: &Shared,
    query: EntryQuery,
    inside: &Inside,
    select: Option<&[String]>,
) -> ApiResult<(Vec<Value>, usize)> {
    let (offset, limit) = (query.offset, query.limit);
    let (mut page, mut threads, mut total) =
        (EntryQuery { offset: 0, limit: LOOKED_AT, ..query }, Vec::new(), 0);
    loop {
        let found = hub.stores.catalog.find(page.clone()).await?;
        let texts = match inside.text {
            Some(_) => hub.said.of(hub, &found.entries).await?,
            None => Vec::new(),
        };
        for (at, entry) in found.entries.iter().enumerate() {
            let mut excerpt = None;
            if let Some(wanted) = &inside.text {
                excerpt = texts.get(at).and_then(|text| wanted.find(text));
                if excerpt.is_none() {
                    continue;
                }
            }
            let is_shown = (offset..offset + limit).contains(&total);
            // The state of a thread takes long to read.
            if is_shown || inside.values.is_some() {
                let mut thread = match &inside.values {
                    None => hub.thread_listed(entry, select).await?,
                    Some(values) => {
                        let thread = hub.thread_json(entry).await?;
                        if !contains(&thread["values"], values) {
                            continue;
                        }
                        thread
                    }
                };
                if let Some(excerpt) = excerpt {
                    thread["excerpt"] = excerpt.into();
                }
                if is_shown && select.is_some_and(|select| select.iter().any(|name| name == "title")) {
                    thread["title"] = hub.title(entry).await?.into();
                }
                if is_shown {
                    threads.push(thread);
                }
            }
            total += 1;
        }
        page.offset += page.limit;
        if page.offset >= found.total {
            return Ok((threads, total));
        }
    }
}

async fn count(Scope(hub): Scope, Body(search): Body<Search>) -> ApiResult {
    let query = EntryQuery { offset: 0, limit: 0, ..search.query()? };
    let total = match search.inside() {
        Some(inside) => by_content(&hub, query, &inside, None).await?.1,
        None => hub.stores.catalog.find(query).await?.total,
    };
    Ok(Json(total).into_response())
}

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
        Put::Stored(entry) => Ok(Json(hub.thread_json(&entry).await?).into_response()),
        Put::Unexpected(_) => Err(ApiError::conflict(format!("Thread with ID {to} already exists"))),
    }
}

#[derive(Deserialize)]
struct Prune {
    thread_ids: Vec<String>,
    strategy: Option<String>,
}

async fn prune(Scope(hub): Scope, Body(request): Body<Prune>) -> ApiResult<Response> {
    let keep = match request.strategy.as_deref() {
        None | Some("delete") => false,
        Some("keep_latest") => true,
        Some(other) => return Err(ApiError::invalid(format!("{other:?} is not a way to prune"))),
    };
    let mut count = 0;
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
        count += 1;
    }
    Ok(Json(json!({ "pruned_count": count })).into_response())
}
