//! Files: kept, refused, shared.

use duru::store::{Checkpoints, Commit, Error, Snapshot};
use duru::{InterruptId, Namespace};
use duru_store::SqliteStore;
use rusqlite::Connection;

use crate::{all_rows, one_row, thread};

#[tokio::test]
async fn reopening_keeps_everything() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("기록.db");
    let (t, root) = (thread("대화"), Namespace::root());
    let timer: InterruptId = "000000000000000000000000000000ff".parse().unwrap();

    let store = SqliteStore::open(&path).unwrap();
    let mut snapshot = Snapshot { ns: root.clone(), seq: 0, format: 1, payload: b"{}".to_vec(), checksum: 0 };
    snapshot.seal(&t);
    let first = Commit {
        claim: true,
        snapshots: vec![snapshot.clone()],
        set_timers: vec![(timer, 5)],
        ..one_row(&t, None, b"{}")
    };
    let head = store.commit(first).await.unwrap();
    let rows = all_rows(&store, &t).await;
    drop(store);
    // Closed cleanly: the write-ahead log has gone into the database.
    assert!(!path.with_extension("db-wal").exists());

    let store = SqliteStore::open(&path).unwrap();
    assert_eq!(store.head(&t).await.unwrap(), Some(head));
    assert_eq!(all_rows(&store, &t).await, rows);
    assert_eq!(store.snapshot(&t, &root, None).await.unwrap(), Some(snapshot));
    assert_eq!(store.due(5, None, 9).await.unwrap()[0].interrupt, timer);
    store.commit(one_row(&t, Some(head), b"[]")).await.unwrap();
    assert_eq!(all_rows(&store, &t).await.len(), 2);
}

/// A reader that closed last, without ever having read, left the log behind.
#[tokio::test]
async fn the_writer_closes_the_file_last() {
    let folder = tempfile::tempdir().unwrap();
    for i in 0..40 {
        let path = folder.path().join(format!("{i}.db"));
        let store = SqliteStore::open(&path).unwrap();
        store.commit(one_row(&thread("t"), None, b"{}")).await.unwrap();
        drop(store);
        assert!(!path.with_extension("db-wal").exists(), "attempt {i}");
    }
}

#[tokio::test]
async fn a_store_can_be_dropped_while_commits_wait() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let t = thread("t");
    let store = SqliteStore::open(&path).unwrap();
    {
        // Sent, and nobody waits for the answer.
        let commit = store.commit(one_row(&t, None, b"1"));
        tokio::select! { biased; _ = commit => {}, () = std::future::ready(()) => {} }
    }
    drop(store);
    let store = SqliteStore::open(&path).unwrap();
    assert_eq!(store.head(&t).await.unwrap().map(|head| head.version), Some(1));
}

#[test]
fn a_newer_schema_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new.db");
    drop(SqliteStore::open(&path).unwrap());
    let known: u32 =
        Connection::open(&path).unwrap().query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
    Connection::open(&path).unwrap().execute_batch("PRAGMA user_version = 99").unwrap();

    let error = SqliteStore::open(&path).err().unwrap();
    let Error::Newer { what, found: 99, known: stated } = &error else { panic!("{error}") };
    assert_eq!(*stated, known);
    assert!(what.contains(path.to_str().unwrap()), "{error}");
}

#[test]
fn an_older_schema_is_brought_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.db");
    let old = Connection::open(&path).unwrap();
    old.execute_batch(include_str!("../../migrations/0001_threads.sql")).unwrap();
    old.execute_batch("PRAGMA user_version = 1; PRAGMA application_id = 0x64757275").unwrap();
    old.execute_batch("INSERT INTO threads VALUES (1, 't', 1, 0, 0, 'idle', 5, 5, 0)").unwrap();
    drop(old);

    let store = SqliteStore::open(&path).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let t = thread("t");
        let head = store.head(&t).await.unwrap();
        store.commit(one_row(&t, head, b"1")).await.unwrap();
    });
}

#[test]
fn what_can_not_be_opened_says_where_and_why() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("notes.txt");
    std::fs::write(&text, "not a database, but longer than a header would be. ".repeat(50)).unwrap();
    let foreign = folder.path().join("foreign.db");
    Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE theirs (x)").unwrap();
    let cases = [
        (text.clone(), "file is not a database"),
        (foreign, "it is the database of another program"),
        (folder.path().join("no/such/folder/a.db"), "there is no folder"),
        (folder.path().to_owned(), "unable to open database file"),
        ("/proc/duru.db".into(), "unable to open database file"),
    ];
    for (path, why) in cases {
        let error = SqliteStore::open(&path).err().unwrap();
        assert!(matches!(error, Error::Backend { .. }), "{error:?}");
        let said = error.to_string();
        assert!(said.contains(why) && said.contains(path.to_str().unwrap()), "{said}");
    }
    // Nothing was done to the file.
    assert!(std::fs::read_to_string(text).unwrap().starts_with("not a database"));
}

#[test]
fn many_can_open_a_new_file_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    std::thread::scope(|scope| {
        let opened: Vec<_> = (0..8).map(|_| scope.spawn(|| SqliteStore::open(&path).map(drop))).collect();
        for result in opened {
            result.join().unwrap().unwrap();
        }
    });
}
