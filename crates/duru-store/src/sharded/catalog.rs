//! The catalog: what belongs to a thread is with it, everything else in the home.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use duru::ThreadId;
use duru::store::{Catalog, Entry, EntryKind, EntryQuery, Error, Expect, Found, Put, SortBy};
use futures_util::future::join_all;

use super::ShardedStore;
use super::merge::merged;
use super::shard::Shard;

impl ShardedStore {
    /// Where an entry is.
    fn place_of(&self, kind: EntryKind, id: &str) -> usize {
        match (kind, ThreadId::new(id)) {
            (EntryKind::Thread | EntryKind::Said, Ok(thread)) => self.buckets[usize::from(thread.bucket())],
            // What can't be a thread's name is no thread's.
            _ => self.home,
        }
    }

    fn shard_with(&self, kind: EntryKind, id: &str) -> &Arc<Shard> {
        &self.shards[self.place_of(kind, id)]
    }

    /// Which of them to ask, and for which ids; none for all.
    fn asked_for(&self, query: &EntryQuery) -> BTreeMap<usize, Vec<String>> {
        let mut parts: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        if !matches!(query.kind, EntryKind::Thread | EntryKind::Said) {
            parts.insert(self.home, query.ids.clone());
        } else if query.ids.is_empty() {
            parts.extend((0..self.shards.len()).map(|n| (n, Vec::new())));
        } else {
            for id in &query.ids {
                parts.entry(self.place_of(query.kind, id)).or_default().push(id.clone());
            }
        }
        parts
    }
}

#[async_trait]
impl Catalog for ShardedStore {
    async fn put(&self, entry: Entry, expect: Expect) -> Result<Put, Error> {
        let shard = self.shard_with(entry.kind, &entry.id);
        shard.ask(|store| Catalog::put(store, entry, expect)).await
    }

    async fn entry(&self, kind: EntryKind, id: &str) -> Result<Option<Entry>, Error> {
        self.shard_with(kind, id).ask(|store| store.entry(kind, id)).await
    }

    async fn find(&self, query: EntryQuery) -> Result<Found, Error> {
        let parts = self.asked_for(&query);
        if parts.len() == 1
            && let Some((n, _)) = parts.first_key_value()
        {
            return self.shards[*n].ask(|store| store.find(query)).await;
        }
        let asked = parts.into_iter().map(|(n, ids)| {
            let limit = query.offset.saturating_add(query.limit);
            let part = EntryQuery { ids, offset: 0, limit, ..query.clone() };
            self.shards[n].ask_soon(|store| store.find(part))
        });
        let found: Vec<Found> = join_all(asked).await.into_iter().collect::<Result<_, _>>()?;
        let total = found.iter().map(|found| found.total).sum();
        let lists = found.into_iter().map(|found| found.entries).collect();
        let entries = merged(lists, query.offset, query.limit, |a, b| order(&query, a, b));
        Ok(Found { entries, total })
    }

    async fn remove(&self, kind: EntryKind, id: &str) -> Result<bool, Error> {
        self.shard_with(kind, id).ask(|store| store.remove(kind, id)).await
    }
}

/// Equal ones by their name, always from small to large.
fn order(query: &EntryQuery, a: &Entry, b: &Entry) -> Ordering {
    let by = match query.sort {
        SortBy::Created => a.created_ms.cmp(&b.created_ms),
        SortBy::Updated => a.updated_ms.cmp(&b.updated_ms),
        SortBy::Id => a.id.cmp(&b.id),
        SortBy::Status => a.status.cmp(&b.status),
        SortBy::Label => a.label.cmp(&b.label),
    };
    let by = if query.ascending { by } else { by.reverse() };
    by.then_with(|| a.id.cmp(&b.id))
}
