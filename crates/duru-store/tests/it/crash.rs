//! A process that dies in a commit. Failpoints are one per process, so each
//! scenario runs in a process of its own: this binary, with one ignored test.

use std::path::Path;
use std::process::{Command, Output};

use duru::failpoint;
use duru::store::{Checkpoints, Error};
use duru_store::SqliteStore;

use crate::{all_rows, one_row, thread};

const POINTS: [&str; 3] = ["store.commit.begin", "store.commit.written", "store.commit.done"];

fn child(test: &str, path: &Path, point: &str) -> Output {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--ignored", "--nocapture"])
        .env("DURU_TEST_DB", path)
        .env("FAIL_AT", format!("{point}:3"))
        .output()
        .unwrap()
}

fn database() -> SqliteStore {
    SqliteStore::open(std::env::var_os("DURU_TEST_DB").unwrap()).unwrap()
}

#[tokio::test]
async fn a_commit_is_there_after_a_crash_or_it_is_not() {
    for point in POINTS {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let output = child("crash::child_aborts", &path, point);
        assert!(!output.status.success(), "{output:?}");
        let said = String::from_utf8(output.stdout).unwrap();
        let acknowledged = said.lines().filter(|line| line.contains("acknowledged")).count();
        assert_eq!(acknowledged, 2, "{said}");

        let store = SqliteStore::open(&path).unwrap();
        let t = thread("t");
        let head = store.head(&t).await.unwrap();
        // The third was on the disk, though nobody had heard of it.
        let expected = if point == "store.commit.done" { 3 } else { 2 };
        assert_eq!(head.map(|head| head.version), Some(expected), "{point}");
        let rows = all_rows(&store, &t).await;
        assert_eq!(rows.len() as u64, expected);
        rows.iter().for_each(|row| row.verify(&t).unwrap());
        store.commit(one_row(&t, head, b"{}")).await.unwrap();
    }
}

#[tokio::test]
#[ignore = "a child of the test above"]
async fn child_aborts() {
    assert!(failpoint::arm_from_env());
    let store = database();
    let mut head = None;
    for _ in 0..5 {
        head = Some(store.commit(one_row(&thread("t"), head, b"{}")).await.unwrap());
        println!("acknowledged");
    }
}

#[test]
fn a_pretended_crash_is_an_error() {
    for point in POINTS {
        let folder = tempfile::tempdir().unwrap();
        let output = child("crash::child_pretends", &folder.path().join("a.db"), point);
        assert!(output.status.success(), "{point}: {output:?}");
    }
}

#[tokio::test]
#[ignore = "a child of the test above"]
async fn child_pretends() {
    let point = std::env::var("FAIL_AT").unwrap();
    let (point, _) = point.split_once(':').unwrap();
    failpoint::arm(point, 3);
    let (store, t) = (database(), thread("t"));
    let mut head = None;
    for _ in 0..2 {
        head = Some(store.commit(one_row(&t, head, b"{}")).await.unwrap());
    }
    for _ in 0..2 {
        let error = store.commit(one_row(&t, head, b"{}")).await.unwrap_err();
        assert!(matches!(error, Error::Backend { .. }), "{error}");
        assert!(error.to_string().contains("stopped at failpoint store.commit."), "{error}");
    }
    failpoint::disarm();
    let expected = if point == "store.commit.done" { 3 } else { 2 };
    assert_eq!(store.head(&t).await.unwrap().map(|head| head.version), Some(expected));
    // The connection is as good as before.
    let head = store.head(&t).await.unwrap();
    assert_eq!(store.commit(one_row(&t, head, b"{}")).await.unwrap().version, expected + 1);
}
