//! Memory across threads on SQLite: the contract, files, damage.

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use duru::memory::{Address, Namespace, NamespaceQuery, Put, Search};
use duru::store::{Checkpoints, Error, Memories, MemoryStore};
use duru::testkit::{memory_contract, memory_model};
use duru_store::{SqliteOptions, SqliteStore, Synchronous};
use rusqlite::Connection;
use serde_json::json;

use crate::{one_row, thread};

#[tokio::test]
async fn in_memory() {
    let make = async || Arc::new(SqliteStore::open_in_memory().unwrap()) as Arc<dyn Memories>;
    memory_contract::check(make).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let number = Cell::new(0);
    memory_contract::check(async || {
        number.set(number.get() + 1);
        let path = folder.path().join(format!("{}.db", number.get()));
        let options = SqliteOptions { synchronous: Synchronous::Normal, ..SqliteOptions::default() };
        Arc::new(SqliteStore::open_with(path, options).unwrap()) as Arc<dyn Memories>
    })
    .await;
}

/// Both agree with a list on the same random operations, and so with each other.
#[tokio::test]
async fn random_operations_give_the_same_as_in_memory() {
    for seed in 1000..1040 {
        memory_model::compare(&(Arc::new(MemoryStore::new()) as Arc<dyn Memories>), seed, 150).await;
        let store = Arc::new(SqliteStore::open_in_memory().unwrap());
        memory_model::compare(&(store as Arc<dyn Memories>), seed, 150).await;
    }
}

fn at(labels: &[&str], key: &str) -> Address {
    Address::new(Namespace::new(labels).unwrap(), key).unwrap()
}

async fn put(store: &SqliteStore, key: &str, text: &str) {
    let put = Put::new(at(&["users", "김"], key), json!({"t": text}), None).unwrap();
    store.put(put, 1000).await.unwrap();
}

#[tokio::test]
async fn reopening_keeps_memory_beside_the_threads() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("기억.db");
    let store = SqliteStore::open(&path).unwrap();
    put(&store, "lease", "전세금 반환").await;
    let head = store.commit(one_row(&thread("t"), None, b"{}")).await.unwrap();
    let before = store.search(Search::default().text("전세"), 1000).await.unwrap();
    drop(store);
    let store = SqliteStore::open(&path).unwrap();
    assert_eq!(store.search(Search::default().text("전세"), 1000).await.unwrap(), before);
    assert_eq!(before.len(), 1);
    // Deleting a thread is not forgetting.
    assert_eq!(store.head(&thread("t")).await.unwrap(), Some(head));
    assert!(store.delete(&thread("t")).await.unwrap());
    assert_eq!(store.search(Search::default(), 1000).await.unwrap().len(), 1);
}

#[tokio::test]
async fn another_process_sees_what_was_put() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let (one, two) = (SqliteStore::open(&path).unwrap(), SqliteStore::open(&path).unwrap());
    for i in 0..20 {
        let (writer, reader) = if i % 2 == 0 { (&one, &two) } else { (&two, &one) };
        put(writer, "k", &format!("word{i}")).await;
        let found = reader.search(Search::default().text(format!("word{i}")), 1000).await.unwrap();
        assert_eq!(found.len(), 1);
    }
    let conn = Connection::open(&path).unwrap();
    let terms: i64 = conn.query_row("SELECT count(*) FROM memory_terms", [], |row| row.get(0)).unwrap();
    assert_eq!(terms, 1);
}

/// What is replaced, deleted or swept leaves nothing in the index.
#[tokio::test]
async fn the_index_holds_nothing_that_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let store = Arc::new(SqliteStore::open(&path).unwrap());
    memory_model::compare(&(Arc::clone(&store) as Arc<dyn Memories>), 7, 300).await;
    let conn = Connection::open(&path).unwrap();
    let count = |sql: &str| conn.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert!(count("SELECT count(*) FROM memory_terms") > 50);
    let stray = "SELECT count(*) FROM memory_terms AS t LEFT JOIN memories AS m ON m.id = t.memory \
        AND m.namespace = t.namespace AND ' ' || m.terms || ' ' LIKE '% ' || t.term || ' %' WHERE m.id IS NULL";
    assert_eq!(count(stray), 0);
    for hit in store.search(Search::default().limit(usize::MAX), 0).await.unwrap() {
        store.forget(&Address::new(hit.item.namespace, hit.item.key).unwrap(), 0).await.unwrap();
    }
    store.sweep(u64::MAX).await.unwrap();
    assert_eq!(count("SELECT count(*) FROM memory_terms"), 0);
    assert_eq!(count("SELECT count(*) FROM memories"), 0);
}

#[tokio::test]
async fn damage_is_named_and_can_be_deleted() {
    for (change, what) in [
        ("value = '{'", "memory \"k\" in users.김"),
        ("value = '[]'", "memory \"k\" in users.김"),
        ("value = CAST(x'ff' AS TEXT)", "memory \"k\" in users.김"),
        ("expires_ms = 9000000000000, ttl_ms = -1", "memory \"k\" in users.김"),
        ("updated_ms = -5", "users.김"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let store = SqliteStore::open(&path).unwrap();
        put(&store, "k", "전세").await;
        put(&store, "other", "월세").await;
        let conn = Connection::open(&path).unwrap();
        conn.busy_timeout(Duration::from_secs(5)).unwrap();
        conn.execute_batch(&format!("UPDATE memories SET {change} WHERE key = 'k'")).unwrap();
        let place = at(&["users", "김"], "k");
        let results = [
            store.get(&place, true, 1000).await.map(drop),
            store.search(Search::default(), 1000).await.map(drop),
            store.search(Search::default().text("전세"), 1000).await.map(drop),
        ];
        for result in results {
            let Err(error @ Error::Corrupt { .. }) = result else { panic!("{change}: {result:?}") };
            assert!(error.to_string().contains(what), "{change}: {error}");
        }
        // What is not damaged can be read, and what is can be removed.
        assert!(store.get(&at(&["users", "김"], "other"), false, 1000).await.unwrap().is_some());
        assert!(store.forget(&place, 1000).await.unwrap());
        assert_eq!(store.search(Search::default(), 1000).await.unwrap().len(), 1);
    }
}

#[tokio::test]
async fn a_namespace_that_makes_no_sense_is_corrupt() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let store = SqliteStore::open(&path).unwrap();
    put(&store, "k", "전세").await;
    let conn = Connection::open(&path).unwrap();
    conn.execute_batch("UPDATE memories SET namespace = char(31) || char(31) || 'a'").unwrap();
    for error in [
        store.search(Search::default(), 1000).await.unwrap_err(),
        store.namespaces(NamespaceQuery::default(), 1000).await.unwrap_err(),
    ] {
        assert!(error.to_string().contains("the namespace of a memory is damaged"), "{error}");
    }
}

#[tokio::test]
async fn a_full_disk_refuses_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let options = SqliteOptions { max_bytes: Some(400 << 10), ..SqliteOptions::default() };
    let store = SqliteStore::open_with(&path, options).unwrap();
    let mut kept = 0;
    let error = loop {
        let text: String = (0..2000).map(|i| format!("w{kept}x{i} ")).collect();
        let put = Put::new(at(&["a"], &kept.to_string()), json!({"t": text}), None).unwrap();
        match store.put(put, kept).await {
            Ok(()) => kept += 1,
            Err(error) => break error,
        }
    };
    assert!(error.to_string().contains("the store failed to change memory"), "{error}");
    assert!(kept > 0);
    assert_eq!(store.search(Search::default().limit(99), 1000).await.unwrap().len() as u64, kept);
    for i in 0..=kept {
        let found = store.search(Search::default().text(format!("w{i}x1999")), 1000).await.unwrap();
        assert_eq!(found.len(), usize::from(i < kept));
    }
    assert!(store.forget(&at(&["a"], "0"), 1000).await.unwrap());
    put(&store, "k", "전세").await;
}
