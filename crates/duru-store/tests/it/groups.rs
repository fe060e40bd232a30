//! Commits that wait share a transaction, and nothing else.

use std::sync::Arc;

use duru::store::{Checkpoints, Error};
use duru_store::SqliteStore;
use tokio::task::JoinSet;

use crate::{all_rows, one_row, thread};

/// 400 commits at once, each to a thread of its own; every fourth extends a version that does not exist.
pub(crate) async fn most_are_kept(store: Arc<dyn Checkpoints>) {
    let mut tasks = JoinSet::new();
    for i in 0..400 {
        let store = store.clone();
        tasks.spawn(async move {
            let t = thread(&format!("t{i}"));
            let mut commit = one_row(&t, None, b"{}");
            commit.version = u64::from(i % 4 == 0) * 7;
            (t, i % 4 == 0, store.commit(commit).await)
        });
    }
    while let Some(result) = tasks.join_next().await {
        let (t, wrong, result) = result.unwrap();
        match result {
            Ok(head) => assert!(!wrong && head.version == 1),
            Err(error) => assert!(wrong && matches!(error, Error::Conflict { .. }), "{error}"),
        }
        assert_eq!(all_rows(&*store, &t).await.len(), usize::from(!wrong));
    }
}

#[tokio::test]
async fn commits_that_wait_share_a_transaction() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(SqliteStore::open(folder.path().join("a.db")).unwrap());
    most_are_kept(Arc::clone(&store) as _).await;
    let transactions = store.transactions();
    assert!((1..100).contains(&transactions), "{transactions} transactions for 400 commits");
}

/// A commit that fails half-way takes back its own rows and no others.
#[tokio::test]
async fn a_commit_that_fails_in_a_group_is_undone_alone() {
    let store = Arc::new(SqliteStore::open_in_memory().unwrap());
    let mut tasks = JoinSet::new();
    for i in 0..50 {
        let store = store.clone();
        tasks.spawn(async move {
            let t = thread(&format!("t{i}"));
            let mut commit = one_row(&t, None, b"{}");
            if i % 2 == 1 {
                // The head and the first row are written before this is noticed.
                let mut second = commit.rows[0].clone();
                (second.seq, second.at_ms) = (1, u64::MAX);
                commit.rows.push(second);
            }
            (t, i % 2 == 1, store.commit(commit).await)
        });
    }
    while let Some(result) = tasks.join_next().await {
        let (t, wrong, result) = result.unwrap();
        assert_eq!(result.is_err(), wrong, "{result:?}");
        assert_eq!(store.head(&t).await.unwrap().is_some(), !wrong);
        assert_eq!(all_rows(&*store, &t).await.len(), usize::from(!wrong));
    }
}

#[tokio::test]
async fn a_thread_that_is_full_says_so() {
    let store = SqliteStore::open_in_memory().unwrap();
    let t = thread("t");
    let mut first = one_row(&t, None, b"{}");
    first.rows[0].events = u32::MAX;
    let head = store.commit(first).await.unwrap();
    let head = store.commit(one_row(&t, Some(head), b"{}")).await.unwrap();
    assert_eq!(head.next_seq, 1 << 32);
    assert_eq!(all_rows(&store, &t).await[1].seq, (1 << 32) - 1);
    let error = store.commit(one_row(&t, Some(head), b"{}")).await.unwrap_err();
    assert!(matches!(error, Error::Backend { .. }), "{error}");
    assert!(error.to_string().contains("thread t is full"), "{error}");
    assert_eq!(store.head(&t).await.unwrap(), Some(head));
}
