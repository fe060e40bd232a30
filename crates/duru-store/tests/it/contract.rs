use std::sync::Arc;

use duru::store::Checkpoints;
use duru::testkit::{contract, readers_contract};
use duru_store::{SqliteOptions, SqliteStore, Synchronous};

#[tokio::test]
async fn in_memory() {
    contract::check(async || Arc::new(SqliteStore::open_in_memory().unwrap()) as Arc<dyn Checkpoints>).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let number = std::cell::Cell::new(0);
    contract::check(async || {
        number.set(number.get() + 1);
        let path = folder.path().join(format!("{}.db", number.get()));
        let options = SqliteOptions { synchronous: Synchronous::Normal, ..SqliteOptions::default() };
        Arc::new(SqliteStore::open_with(path, options).unwrap()) as Arc<dyn Checkpoints>
    })
    .await;
}

#[tokio::test]
async fn readers_on_sqlite_see_their_thread_all_of_it_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let number = std::cell::Cell::new(0);
    readers_contract::check(async || {
        number.set(number.get() + 1);
        let path = folder.path().join(format!("{}.db", number.get()));
        let options = SqliteOptions { synchronous: Synchronous::Normal, ..SqliteOptions::default() };
        Arc::new(SqliteStore::open_with(path, options).unwrap()) as Arc<dyn Checkpoints>
    })
    .await;
}
