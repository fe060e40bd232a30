//! Memory across threads is in the home.

use async_trait::async_trait;
use duru::memory::{Address, Hit, Item, Namespace, NamespaceQuery, Put, Search};
use duru::store::{Error, Memories};

use super::ShardedStore;

#[async_trait]
impl Memories for ShardedStore {
    async fn put(&self, put: Put, now_ms: u64) -> Result<(), Error> {
        self.home().ask(|store| Memories::put(store, put, now_ms)).await
    }

    async fn get(&self, at: &Address, refresh: bool, now_ms: u64) -> Result<Option<Item>, Error> {
        self.home().ask(|store| store.get(at, refresh, now_ms)).await
    }

    async fn forget(&self, at: &Address, now_ms: u64) -> Result<bool, Error> {
        self.home().ask(|store| Memories::forget(store, at, now_ms)).await
    }

    async fn search(&self, search: Search, now_ms: u64) -> Result<Vec<Hit>, Error> {
        self.home().ask(|store| store.search(search, now_ms)).await
    }

    async fn namespaces(&self, query: NamespaceQuery, now_ms: u64) -> Result<Vec<Namespace>, Error> {
        self.home().ask(|store| store.namespaces(query, now_ms)).await
    }

    async fn sweep(&self, now_ms: u64) -> Result<u64, Error> {
        self.home().ask(|store| store.sweep(now_ms)).await
    }
}
