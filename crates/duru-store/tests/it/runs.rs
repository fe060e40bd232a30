//! The queue and the catalog on SQLite.

use std::cell::Cell;
use std::sync::Arc;

use duru::testkit::runs_contract::{self, Seams};
use duru_store::{SqliteOptions, SqliteStore, Synchronous};

#[tokio::test]
async fn in_memory() {
    runs_contract::check(async || Seams::of(Arc::new(SqliteStore::open_in_memory().unwrap()))).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let number = Cell::new(0);
    runs_contract::check(async || {
        number.set(number.get() + 1);
        let path = folder.path().join(format!("{}.db", number.get()));
        let options = SqliteOptions { synchronous: Synchronous::Normal, ..SqliteOptions::default() };
        Seams::of(Arc::new(SqliteStore::open_with(path, options).unwrap()))
    })
    .await;
}

/// Two processes would see the same: one asks the other's file.
#[tokio::test(flavor = "multi_thread")]
async fn two_stores_on_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let number = Cell::new(0);
    runs_contract::check(async || {
        number.set(number.get() + 1);
        let path = folder.path().join(format!("{}.db", number.get()));
        let options = SqliteOptions { synchronous: Synchronous::Normal, ..SqliteOptions::default() };
        let open = || Arc::new(SqliteStore::open_with(&path, options.clone()).unwrap());
        Seams { runs: open(), catalog: open(), checkpoints: open() }
    })
    .await;
}
