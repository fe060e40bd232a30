//! The entries that are somebody's own.

use std::cmp::Ordering;
use std::sync::Arc;

use async_trait::async_trait;
use duru::store::{Catalog, Entry, EntryKind, EntryQuery, Error, Expect, Found, Put, SortBy};
use serde_json::json;

use super::{OWNER, TABLES, is_nobodys, is_of};

pub(super) struct Own {
    pub(super) owner: Arc<str>,
    pub(super) tables: Option<Arc<[String]>>,
    pub(super) catalog: Arc<dyn Catalog>,
}

impl Own {
    /// Assistants that come with a graph are for everybody.
    fn may_see(&self, entry: &Entry) -> bool {
        match entry.kind {
            EntryKind::Assistant => is_of(&self.owner, &entry.metadata) || is_nobodys(entry),
            // Nobody comes to these but through their assistant.
            EntryKind::AssistantVersion => true,
            EntryKind::Key | EntryKind::Said | EntryKind::Audit | EntryKind::Placement => false,
            _ => is_of(&self.owner, &entry.metadata),
        }
    }

    fn may_change(&self, entry: &Entry) -> bool {
        entry.kind == EntryKind::AssistantVersion || is_of(&self.owner, &entry.metadata)
    }

    fn with_owner(&self, mut query: EntryQuery) -> EntryQuery {
        query.metadata.insert(OWNER.into(), json!(*self.owner));
        query
    }
}

#[async_trait]
impl Catalog for Own {
    async fn put(&self, mut entry: Entry, expect: Expect) -> Result<Put, Error> {
        if matches!(entry.kind, EntryKind::Key | EntryKind::Said | EntryKind::Audit | EntryKind::Placement) {
            return Ok(Put::Unexpected(None));
        }
        if expect != Expect::New
            && let Some(there) = self.catalog.entry(entry.kind, &entry.id).await?
            && !self.may_change(&there)
        {
            return Ok(Put::Unexpected(None));
        }
        entry.metadata.insert(OWNER.into(), json!(*self.owner));
        // A cron acts for the key that made or changed it last.
        match (&self.tables, entry.kind) {
            (Some(tables), EntryKind::Cron) => entry.metadata.insert(TABLES.into(), json!(tables)),
            _ => entry.metadata.remove(TABLES),
        };
        Ok(match self.catalog.put(entry, expect).await? {
            Put::Unexpected(Some(there)) if !self.may_see(&there) => Put::Unexpected(None),
            put => put,
        })
    }

    async fn entry(&self, kind: EntryKind, id: &str) -> Result<Option<Entry>, Error> {
        Ok(self.catalog.entry(kind, id).await?.filter(|entry| self.may_see(entry)))
    }

    async fn find(&self, query: EntryQuery) -> Result<Found, Error> {
        match query.kind {
            EntryKind::AssistantVersion => self.catalog.find(query).await,
            EntryKind::Key | EntryKind::Said | EntryKind::Audit | EntryKind::Placement => {
                Ok(Found::default())
            }
            EntryKind::Assistant => self.find_assistants(query).await,
            _ => self.catalog.find(self.with_owner(query)).await,
        }
    }

    async fn remove(&self, kind: EntryKind, id: &str) -> Result<bool, Error> {
        match self.catalog.entry(kind, id).await? {
            Some(entry) if self.may_change(&entry) => self.catalog.remove(kind, id).await,
            _ => Ok(false),
        }
    }
}

impl Own {
    /// Those of the graphs, and one's own: two questions, one page.
    async fn find_assistants(&self, query: EntryQuery) -> Result<Found, Error> {
        let (offset, limit) = (query.offset, query.limit);
        let whole = EntryQuery { offset: 0, limit: offset.saturating_add(limit), ..query };
        let own = self.catalog.find(self.with_owner(whole.clone())).await?;
        let mut everybodys = whole.clone();
        everybodys.metadata.insert("created_by".into(), json!("system"));
        let mut everybodys = self.catalog.find(everybodys).await?;
        let all = everybodys.entries.len();
        // What somebody made can say of itself that the system did.
        everybodys.entries.retain(is_nobodys);
        let total = own.total + everybodys.total - (all - everybodys.entries.len());
        let mut entries = own.entries;
        entries.append(&mut everybodys.entries);
        entries.sort_by(|one, two| {
            let order = compare(one, two, whole.sort);
            if whole.ascending { order } else { order.reverse() }
        });
        Ok(Found { entries: entries.into_iter().skip(offset).take(limit).collect(), total })
    }
}

fn compare(one: &Entry, two: &Entry, sort: SortBy) -> Ordering {
    let first = match sort {
        SortBy::Created => one.created_ms.cmp(&two.created_ms),
        SortBy::Updated => one.updated_ms.cmp(&two.updated_ms),
        SortBy::Status => one.status.cmp(&two.status),
        SortBy::Label => one.label.cmp(&two.label),
        SortBy::Id => Ordering::Equal,
    };
    first.then_with(|| one.id.cmp(&two.id))
}
