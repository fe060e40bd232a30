//! Threads: found by what is known of them, and by what is in them.

use axum::Json;
use axum::response::IntoResponse;
use duru::store::{EntryKind, EntryQuery, SortBy, contains};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::ASK;
use super::paging::{ascending, limit, paged};
use crate::api::{ApiRoutes, Partial};
use crate::body::Body;
use crate::error::ApiResult;
use crate::hub::Shared;
use crate::said::Wanted;
use crate::scope::Scope;
use crate::wire::clean::Clean;
use crate::wire::thread::ThreadRecord;
use crate::wire::words::{SortOrder, ThreadSort, ThreadStatusWord};

type PartialThread = Partial<ThreadRecord>;

pub(super) fn routes() -> ApiRoutes<Shared> {
    ApiRoutes::new().with(ASK, routes!(search)).with(ASK, routes!(count))
}

#[derive(Deserialize, ToSchema)]
struct ThreadSearch {
    #[schema(value_type = Option<Vec<Uuid>>)]
    ids: Option<Vec<String>>,
    metadata: Option<Map<String, Value>>,
    /// What its state must have.
    values: Option<Map<String, Value>>,
    /// Words that were said in it.
    text: Option<String>,
    status: Option<ThreadStatusWord>,
    /// 10 unless told.
    #[schema(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    offset: Option<usize>,
    sort_by: Option<ThreadSort>,
    #[schema(value_type = Option<SortOrder>)]
    sort_order: Option<String>,
    /// The fields that are wanted; all but the title without any.
    select: Option<Vec<String>>,
}

impl ThreadSearch {
    fn query(&self) -> ApiResult<EntryQuery> {
        let sort = match self.sort_by {
            Some(ThreadSort::Updated | ThreadSort::StateUpdated) => SortBy::Updated,
            Some(ThreadSort::Id) => SortBy::Id,
            Some(ThreadSort::Status) => SortBy::Status,
            Some(ThreadSort::Created) | None => SortBy::Created,
        };
        Ok(EntryQuery {
            ids: self.ids.clone().unwrap_or_default(),
            status: self.status.map(|status| status.word().to_owned()),
            metadata: self.metadata.clone().unwrap_or_default(),
            sort,
            ascending: ascending(self.sort_order.as_deref()),
            offset: self.offset.unwrap_or(0),
            limit: limit(self.limit)?,
            ..EntryQuery::of(EntryKind::Thread)
        })
    }
}

/// Find threads
#[utoipa::path(
    post,
    path = "/threads/search",
    request_body = ThreadSearch,
    responses((
        status = 200,
        body = Vec<PartialThread>,
        headers(("x-pagination-total" = usize), ("x-pagination-next" = Option<usize>)),
    )),
)]
async fn search(Scope(hub): Scope, Body(Clean(search)): Body<Clean<ThreadSearch>>) -> ApiResult {
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
                    thread.title = Some(title);
                }
            }
            (threads, found.total)
        }
    };
    Ok(paged(threads, search.select.as_deref(), offset.saturating_add(limit), total))
}

/// So many threads are looked into at once: not every store finds the second page quicker than all of them.
const LOOKED_AT: usize = 10_000;

/// What must be in threads.
struct Inside {
    values: Option<Value>,
    text: Option<Wanted>,
}

impl ThreadSearch {
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
) -> ApiResult<(Vec<ThreadRecord>, usize)> {
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
            let is_shown = (offset..offset.saturating_add(limit)).contains(&total);
            // The state of a thread takes long to read.
            if is_shown || inside.values.is_some() {
                let mut thread = match &inside.values {
                    None => hub.thread_listed(entry, select).await?,
                    Some(values) => {
                        let thread = hub.thread_record(entry).await?;
                        if !contains(&json!(thread.values), values) {
                            continue;
                        }
                        thread
                    }
                };
                thread.excerpt = excerpt;
                if is_shown && select.is_some_and(|select| select.iter().any(|name| name == "title")) {
                    thread.title = Some(hub.title(entry).await?);
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

/// Count threads
#[utoipa::path(
    post,
    path = "/threads/count",
    request_body = ThreadSearch,
    responses((status = 200, content_type = "application/json", body = usize)),
)]
async fn count(Scope(hub): Scope, Body(Clean(search)): Body<Clean<ThreadSearch>>) -> ApiResult {
    let query = EntryQuery { offset: 0, limit: 0, ..search.query()? };
    let total = match search.inside() {
        Some(inside) => by_content(&hub, query, &inside, None).await?.1,
        None => hub.stores.catalog.find(query).await?.total,
    };
    Ok(Json(total).into_response())
}
