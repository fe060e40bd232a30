//! Readers on the memory store; the cases are those of every store.

use std::sync::Arc;

use duru::store::MemoryStore;
use duru::testkit::{contract, readers_contract};

#[tokio::test]
async fn readers_in_memory_see_their_thread_all_of_it_and_nothing_else() {
    readers_contract::check(async || Arc::new(MemoryStore::new()) as _).await;
}

#[tokio::test]
async fn the_memory_store_keeps_the_contract_of_threads() {
    contract::check(async || Arc::new(MemoryStore::new()) as _).await;
}
