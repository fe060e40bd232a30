//! A database of an older program is copied before it is changed, and copied while others use it.

use duru::store::Checkpoints;
use duru_store::{SqliteFile, SqliteStore};
use rusqlite::Connection;

use crate::{all_rows, one_row, thread};

/// The schema as it was before there was a queue.
const OLD: [&str; 5] = [
    include_str!("../../migrations/0001_threads.sql"),
    include_str!("../../migrations/0002_log.sql"),
    include_str!("../../migrations/0003_timers.sql"),
    include_str!("../../migrations/0004_memories.sql"),
    include_str!("../../migrations/0005_leases.sql"),
];

fn version(path: &std::path::Path) -> i64 {
    Connection::open(path).unwrap().query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap()
}

fn threads(path: &std::path::Path) -> i64 {
    Connection::open(path).unwrap().query_row("SELECT count(*) FROM threads", [], |row| row.get(0)).unwrap()
}

#[tokio::test]
async fn an_older_database_is_copied_before_it_is_upgraded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let copies = || -> Vec<std::path::PathBuf> {
        let all = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
        all.filter(|path| path.to_string_lossy().contains(".before-")).collect()
    };
    let old = Connection::open(&path).unwrap();
    for migration in OLD {
        old.execute_batch(migration).unwrap();
    }
    old.execute_batch(
        "INSERT INTO threads (name, version, epoch, next_seq, status, created_ms, updated_ms, updated_span) \
             VALUES ('old', 1, 1, 0, 'idle', 5, 5, 0); \
         PRAGMA application_id = 0x64757275; PRAGMA user_version = 5",
    )
    .unwrap();
    drop(old);

    let store = SqliteStore::open(&path).unwrap();
    assert!(store.head(&thread("old")).await.unwrap().is_some(), "what was there is there");
    let copy = copies().pop().unwrap();
    assert_eq!((version(&copy), threads(&copy)), (5, 1), "the copy is as it was");
    store.commit(one_row(&thread("new"), None, b"{}")).await.unwrap();
    drop(store);
    assert!(version(&path) > 5);

    // The copy is of before the upgrade, whatever comes later; a database of today is not copied.
    drop(SqliteStore::open(&path).unwrap());
    assert_eq!((version(&copy), threads(&copy)), (5, 1));
    let fresh = folder.path().join("b.db");
    drop(SqliteStore::open(&fresh).unwrap());
    drop(SqliteStore::open(&fresh).unwrap());
    assert_eq!(copies(), [copy]);
}

#[tokio::test]
async fn an_upgrade_that_can_not_be_copied_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let old = Connection::open(&path).unwrap();
    OLD.iter().for_each(|migration| old.execute_batch(migration).unwrap());
    old.execute_batch("PRAGMA application_id = 0x64757275; PRAGMA user_version = 5").unwrap();
    drop(old);
    // Where the copy would be written first there is a folder.
    for version in 6..20 {
        std::fs::create_dir(folder.path().join(format!("a.db.before-{version}.new"))).unwrap();
    }
    let Err(refused) = SqliteStore::open(&path) else { panic!("it was upgraded") };
    assert!(format!("{refused:?}").contains("copied"), "{refused:?}");
    assert_eq!(version(&path), 5);
}

#[tokio::test]
async fn a_copy_is_one_moment_s_while_others_write() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let store = std::sync::Arc::new(SqliteStore::open(&path).unwrap());
    let file = SqliteFile::at(&path);
    assert!(file.is_open().unwrap());
    let writing = tokio::spawn({
        let store = store.clone();
        async move {
            for i in 0..300 {
                store.commit(one_row(&thread(&format!("t{i}")), None, b"{}")).await.unwrap();
            }
        }
    });
    let mut last = 0;
    for i in 0..5 {
        let copy = folder.path().join(format!("copy-{i}.db"));
        let (file, to) = (file.clone(), copy.clone());
        tokio::task::spawn_blocking(move || file.copy_to(&to)).await.unwrap().unwrap();
        SqliteFile::at(&copy).check().unwrap();
        let copied = SqliteStore::open(&copy).unwrap();
        let there = copied.threads(0, 1000).await.unwrap();
        assert!(there.len() >= last, "an earlier moment than the copy before");
        last = there.len();
        for one in there {
            assert_eq!(all_rows(&copied, &one.thread).await.len(), 1, "half of a commit");
        }
    }
    writing.await.unwrap();
    drop(store);
    assert!(!file.is_open().unwrap());
}

#[tokio::test]
async fn what_was_deleted_is_not_in_the_file_once_it_is_scrubbed() {
    const CANARY: &[u8] = b"\"c4nary-of-kim\"";
    let has = |path: &std::path::Path| {
        std::fs::read(path).is_ok_and(|bytes| bytes.windows(CANARY.len()).any(|part| part == CANARY))
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let store = SqliteStore::open(&path).unwrap();
    store.commit(one_row(&thread("t"), None, CANARY)).await.unwrap();
    store.delete(&thread("t")).await.unwrap();
    let wal = folder.path().join("a.db-wal");
    assert!(has(&path) || has(&wal), "the canary does not sing");
    SqliteFile::at(&path).scrub().unwrap();
    assert!(!has(&path) && !has(&wal), "it is still there");
    store.commit(one_row(&thread("t"), None, b"{}")).await.unwrap();
}
