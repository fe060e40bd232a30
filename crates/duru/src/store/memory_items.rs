//! Memory across threads, in memory: the plain form of what other backends do.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use super::{Error, Memories, MemoryStore};
use crate::memory::rank::{Candidate, Page};
use crate::memory::{Address, Hit, Item, Namespace, NamespaceQuery, Put, Search, expiry, is_live};

/// Items by the stored form of their namespace, and their key.
#[derive(Default)]
pub(super) struct Items(Mutex<BTreeMap<(String, String), Kept>>);

struct Kept {
    item: Item,
    terms: BTreeSet<String>,
}

type Map = BTreeMap<(String, String), Kept>;

impl Items {
    fn lock(&self) -> MutexGuard<'_, Map> {
        // Nothing below panics half-way through a change.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn place(at: &Address) -> (String, String) {
    (at.namespace().as_stored().to_owned(), at.key().to_owned())
}

/// What is there now in a namespace and within it.
fn live<'a>(items: &'a Map, within: &Namespace, now_ms: u64) -> impl Iterator<Item = &'a Kept> + use<'a> {
    let start = (within.as_stored().to_owned(), String::new());
    let end = (within.stored_end(), String::new());
    items
        .range((Bound::Included(start), Bound::Excluded(end)))
        .map(|(_, kept)| kept)
        .filter(move |kept| is_live(kept.item.expires_ms, now_ms))
}

#[async_trait]
impl Memories for MemoryStore {
    async fn put(&self, put: Put, now_ms: u64) -> Result<(), Error> {
        let mut items = self.items.lock();
        let (place, terms) = (place(put.at()), put.terms().clone());
        let old = items.get(&place).filter(|old| is_live(old.item.expires_ms, now_ms));
        let created_ms = old.map_or(now_ms, |old| old.item.created_ms);
        items.insert(place, Kept { item: put.into_item(created_ms, now_ms), terms });
        Ok(())
    }

    async fn get(&self, at: &Address, refresh: bool, now_ms: u64) -> Result<Option<Item>, Error> {
        let mut items = self.items.lock();
        let found = items.get_mut(&place(at)).filter(|kept| is_live(kept.item.expires_ms, now_ms));
        Ok(found.map(|Kept { item, .. }| {
            if refresh {
                item.expires_ms = expiry(now_ms, item.ttl_ms);
            }
            item.clone()
        }))
    }

    async fn forget(&self, at: &Address, now_ms: u64) -> Result<bool, Error> {
        let removed = self.items.lock().remove(&place(at));
        Ok(removed.is_some_and(|kept| is_live(kept.item.expires_ms, now_ms)))
    }

    async fn search(&self, search: Search, now_ms: u64) -> Result<Vec<Hit>, Error> {
        let items = self.items.lock();
        let wanted = search.terms();
        let candidates = live(&items, &search.within, now_ms)
            .map(|kept| Candidate {
                id: &kept.item,
                namespace: kept.item.namespace.clone(),
                key: kept.item.key.clone(),
                updated_ms: kept.item.updated_ms,
                terms: wanted
                    .iter()
                    .flatten()
                    .enumerate()
                    .fold(0, |bits, (bit, term)| bits | u64::from(kept.terms.contains(term)) << bit),
            })
            .filter(|candidate| wanted.is_none() || candidate.terms != 0)
            .collect();
        let mut page = Page::new(search, candidates);
        while let Some(item) = page.wanted(1).pop() {
            page.offer(Some(item.clone()));
        }
        Ok(page.into_hits())
    }

    async fn namespaces(&self, query: NamespaceQuery, now_ms: u64) -> Result<Vec<Namespace>, Error> {
        let items = self.items.lock();
        let all = live(&items, &query.within(), now_ms).map(|kept| kept.item.namespace.clone());
        Ok(query.answer(all))
    }

    async fn sweep(&self, now_ms: u64) -> Result<u64, Error> {
        let mut items = self.items.lock();
        let before = items.len();
        items.retain(|_, kept| is_live(kept.item.expires_ms, now_ms));
        Ok((before - items.len()) as u64)
    }
}
