//! Damage is noticed and named, and never a panic.

use duru::store::{Checkpoints, Error, RowQuery};
use duru_store::SqliteStore;
use rusqlite::Connection;

use crate::{all_rows, one_row, thread};

/// A store with a thread of two rows, after somebody has run `sql` on its file.
async fn damaged(folder: &tempfile::TempDir, sql: &str) -> SqliteStore {
    let path = folder.path().join("a.db");
    let t = thread("t");
    let store = SqliteStore::open(&path).unwrap();
    let head = store.commit(one_row(&t, None, b"{\"n\":1}")).await.unwrap();
    store.commit(one_row(&t, Some(head), b"{\"n\":2}")).await.unwrap();
    let other = Connection::open(&path).unwrap();
    other.busy_timeout(std::time::Duration::from_secs(5)).unwrap();
    other.execute_batch(sql).unwrap();
    store
}

#[tokio::test]
async fn a_flipped_byte_breaks_the_seal() {
    let folder = tempfile::tempdir().unwrap();
    let sql = "UPDATE log SET payload = CAST('{\"n\":3}' AS BLOB) WHERE key & 0xffffffff = 1";
    let store = damaged(&folder, sql).await;
    let rows = all_rows(&store, &thread("t")).await;
    rows[0].verify(&thread("t")).unwrap();
    let error = rows[1].verify(&thread("t")).unwrap_err();
    assert!(matches!(error, Error::Corrupt { .. }), "{error}");
    assert!(error.to_string().contains("row 1 of thread t"), "{error}");
}

#[tokio::test]
async fn rows_that_make_no_sense_are_corrupt() {
    let changes = [
        ("kind = 99", "there is no kind 99"),
        ("kind = -1", "there is no kind -1"),
        ("kind = 64", "there is no kind 64"),
        ("run = x'00'", ""),
        ("checkpoint = x'0011'", ""),
        ("ns = CAST(x'ff' AS TEXT)", ""),
        ("events = -1", "is out of range"),
        ("at_ms = -5", "-5 is out of range"),
        ("format = -1", "-1 is out of range"),
    ];
    for (change, why) in changes {
        let folder = tempfile::tempdir().unwrap();
        let sql = format!("UPDATE log SET {change} WHERE key & 0xffffffff = 1");
        let store = damaged(&folder, &sql).await;
        let query = RowQuery { kinds: vec![duru::store::Kind::Task], ..RowQuery::default() };
        let result = store.rows(&thread("t"), query).await;
        let Err(error @ Error::Corrupt { .. }) = result else { panic!("{change}: {result:?}") };
        let said = error.to_string();
        assert!(said.contains("row 1 of thread t") && said.contains(why), "{change}: {said}");
    }
}

#[tokio::test]
async fn heads_that_make_no_sense_are_corrupt() {
    let folder = tempfile::tempdir().unwrap();
    let store = damaged(&folder, "UPDATE threads SET status = 'dozing'").await;
    for error in [store.head(&thread("t")).await.map(drop), store.threads(0, 1).await.map(drop)] {
        let error = error.unwrap_err();
        assert!(matches!(error, Error::Corrupt { .. }), "{error}");
        assert!(error.to_string().contains("the head of thread t"), "{error}");
        assert!(error.to_string().contains("dozing"), "{error}");
    }
}

#[tokio::test]
async fn names_that_make_no_sense_are_corrupt() {
    let folder = tempfile::tempdir().unwrap();
    let store = damaged(&folder, "UPDATE threads SET name = ''").await;
    assert!(matches!(store.threads(0, 1).await, Err(Error::Corrupt { .. })));
}

#[tokio::test]
async fn a_damaged_file_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let t = thread("t");
    let store = SqliteStore::open(&path).unwrap();
    let mut head = None;
    for _ in 0..100 {
        head = Some(store.commit(one_row(&t, head, &[b' '; 1000])).await.unwrap());
    }
    drop(store);
    // The second half: the schema lies in the first pages, the log in the last ones.
    let mut bytes = std::fs::read(&path).unwrap();
    let half = bytes.len() / 2 / 4096 * 4096;
    bytes[half..].fill(0xaa);
    std::fs::write(&path, &bytes).unwrap();

    let store = SqliteStore::open(&path).unwrap();
    let read = store.rows(&t, RowQuery::default()).await.map(drop);
    let wrote = store.commit(one_row(&t, head, b"1")).await.map(drop);
    for (result, action) in [(read, "failed to read"), (wrote, "failed to commit")] {
        let Err(error) = result else { panic!("it should have {action}") };
        assert!(matches!(error, Error::Backend { .. }), "{error}");
        assert!(error.to_string().contains(action) && error.to_string().contains("malformed"), "{error}");
    }
    drop(store);
    // With its schema gone, it is no database of ours any more.
    bytes[4096..].fill(0xaa);
    std::fs::write(&path, &bytes).unwrap();
    assert!(matches!(SqliteStore::open(&path), Err(Error::Backend { .. })));
}
