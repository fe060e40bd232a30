//! A disk without room: an error, and nothing is lost.

use duru::store::{Checkpoints, Error, Head};
use duru_store::{SqliteOptions, SqliteStore};
use tokio::task::JoinSet;

use crate::{all_rows, one_row, thread};

fn small(path: &std::path::Path) -> SqliteStore {
    SqliteStore::open_with(path, SqliteOptions { max_bytes: Some(200 * 1024), ..SqliteOptions::default() })
        .unwrap()
}

#[tokio::test]
async fn a_full_disk_is_an_error_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let t = thread("t");
    let store = small(&path);
    let mut head: Option<Head> = None;
    let error = loop {
        match store.commit(one_row(&t, head, &[b'x'; 5000])).await {
            Ok(next) => head = Some(next),
            Err(error) => break error,
        }
    };
    assert!(matches!(error, Error::Backend { .. }), "{error}");
    assert!(error.to_string().contains("failed to commit") && error.to_string().contains("full"), "{error}");
    let head = head.unwrap();
    assert!(head.version > 10);
    assert_eq!(store.head(&t).await.unwrap(), Some(head));
    drop(store);

    // With more room it goes on where it was.
    let store = SqliteStore::open(&path).unwrap();
    assert_eq!(store.head(&t).await.unwrap(), Some(head));
    assert_eq!(all_rows(&store, &t).await.len() as u64, head.version);
    store.commit(one_row(&t, Some(head), &[b'x'; 5000])).await.unwrap();
}

/// Whatever was acknowledged amid a group that did not fit is there.
#[tokio::test]
async fn groups_on_a_full_disk_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = std::sync::Arc::new(small(&folder.path().join("a.db")));
    let mut tasks = JoinSet::new();
    for i in 0..100 {
        let store = store.clone();
        tasks.spawn(async move {
            let t = thread(&format!("t{i}"));
            let result = store.commit(one_row(&t, None, &[b'x'; 5000])).await;
            (t, result)
        });
    }
    let mut refused = 0;
    while let Some(result) = tasks.join_next().await {
        let (t, result) = result.unwrap();
        refused += usize::from(result.is_err());
        assert_eq!(store.head(&t).await.unwrap(), result.ok());
        assert_eq!(all_rows(&*store, &t).await.len(), usize::from(store.head(&t).await.unwrap().is_some()));
    }
    assert!(refused > 0);
}
