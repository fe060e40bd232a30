//! A process that dies at any place where it touches the disk loses nothing that was
//! acknowledged, and keeps nothing twice.

use duru_sql::TableSource as _;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use duru_logs::{EmbeddedLogs, Options};
use duru_sql::guard::Checked;
use duru_sql::{Batch, LogStore};

use crate::differential::asking;
use crate::rows::lines;

const ROWS: usize = 10;
const BATCHES: usize = 8;

fn options() -> Options {
    Options { seal_rows: 25, threads: Some(1), ..Options::default() }
}

fn batch(n: usize) -> Batch {
    let mut records = lines(n as u64, ROWS);
    for record in &mut records {
        (record.id, record.deleted, record.user_id) = (None, false, Some(format!("batch-{n}")));
    }
    Batch { key: Some(format!("batch-{n}")), records }
}

/// Appends and deletes, and writes down what it was promised.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "started by the sweep as a process of its own"]
async fn worker() {
    let Some(folder) = std::env::var_os("DURU_LOGS_FOLDER").map(PathBuf::from) else {
        panic!("this is no test by itself")
    };
    let store = EmbeddedLogs::open(&folder.join("logs"), options()).await.unwrap();
    let mut promises = fs::File::options().create(true).append(true).open(folder.join("promises")).unwrap();
    for n in 0..BATCHES {
        store.append(batch(n)).await.unwrap();
        writeln!(promises, "{n}").unwrap();
        if n == 4 {
            store.delete(&[1, 2]).await.unwrap();
            writeln!(promises, "deleted").unwrap();
        }
    }
    store.seal().await.unwrap();
    writeln!(promises, "end").unwrap();
}

/// Merges what is there.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "started by the sweep as a process of its own"]
async fn merger() {
    let Some(folder) = std::env::var_os("DURU_LOGS_FOLDER").map(PathBuf::from) else {
        panic!("this is no test by itself")
    };
    let store = EmbeddedLogs::open(&folder.join("logs"), options()).await.unwrap();
    store.compact().await.unwrap();
    fs::write(folder.join("promises"), "end").unwrap();
}

fn run_worker(folder: &Path, crash_at: Option<u64>) {
    run("crash::worker", folder, crash_at);
}

fn run(name: &str, folder: &Path, crash_at: Option<u64>) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--ignored", "--exact", name])
        .env("DURU_LOGS_FOLDER", folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if let Some(at) = crash_at {
        command.env("DURU_LOGS_CRASH_AT", at.to_string());
    }
    command.status().unwrap();
}

fn promised(folder: &Path) -> Vec<String> {
    let text = fs::read_to_string(folder.join("promises")).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// Rows of each batch that are there.
async fn found(store: &EmbeddedLogs) -> Vec<(String, i64)> {
    let sql = "SELECT user_id, count(*) FROM logs WHERE deleted = FALSE GROUP BY 1 ORDER BY 1";
    let answer = store.query(&Checked::trusted(sql), &asking()).await.unwrap();
    let rows = answer.rows.iter().map(|row| (row[0].as_str().unwrap().to_owned(), row[1].as_i64().unwrap()));
    rows.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crash_at_any_place_loses_nothing_and_doubles_nothing() {
    let mut crashes = 0;
    for at in 1.. {
        let folder = tempfile::tempdir().unwrap();
        run_worker(folder.path(), Some(at));
        let promises = promised(folder.path());
        let ended = promises.last().is_some_and(|last| last == "end");
        {
            let store = EmbeddedLogs::open(&folder.path().join("logs"), options()).await.unwrap();
            let there = found(&store).await;
            let dead = |n: usize, rows: i64| {
                // The deletion may have happened without having been acknowledged.
                let whole = ROWS as i64;
                let deleted = promises.contains(&"deleted".to_owned());
                if n == 0 { rows == whole - 2 || (!deleted && rows == whole) } else { rows == whole }
            };
            for (name, rows) in &there {
                let n: usize = name.trim_start_matches("batch-").parse().unwrap();
                assert!(dead(n, *rows), "crash at {at}: {name} has {rows} rows");
            }
            for n in promises.iter().filter_map(|line| line.parse::<usize>().ok()) {
                assert!(
                    there.iter().any(|(name, _)| *name == format!("batch-{n}")),
                    "crash at {at}: batch {n} is lost"
                );
            }
        }
        // Whoever was not promised anything sends it again.
        run_worker(folder.path(), None);
        let store = EmbeddedLogs::open(&folder.path().join("logs"), options()).await.unwrap();
        let there = found(&store).await;
        let rows: i64 = there.iter().map(|(_, rows)| rows).sum();
        assert_eq!((there.len(), rows), (BATCHES, (BATCHES * ROWS) as i64 - 2), "crash at {at}");
        if ended {
            break;
        }
        crashes = at;
    }
    eprintln!("{crashes} places");
    assert!(crashes >= 30, "{crashes}");
}

fn parquet_files(folder: &Path) -> usize {
    let files = fs::read_dir(folder).unwrap().flatten();
    files.filter(|entry| entry.path().extension().is_some_and(|e| e == "parquet")).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crash_while_merging_changes_nothing_that_is_seen() {
    let prepared = tempfile::tempdir().unwrap();
    let store = EmbeddedLogs::open(&prepared.path().join("logs"), options()).await.unwrap();
    for n in 0..8 {
        store.append(batch(n)).await.unwrap();
        store.seal().await.unwrap();
    }
    store.delete(&[1, 2]).await.unwrap();
    store.seal().await.unwrap();
    let (version, expected) = (store.version().await.unwrap(), found(&store).await);
    assert_eq!(expected.iter().map(|(_, rows)| rows).sum::<i64>(), 78);
    drop(store);
    let mut crashes = 0;
    for at in 1.. {
        let folder = tempfile::tempdir().unwrap();
        let logs = folder.path().join("logs");
        fs::create_dir(&logs).unwrap();
        for entry in fs::read_dir(prepared.path().join("logs")).unwrap().flatten() {
            if entry.file_type().unwrap().is_file() {
                fs::copy(entry.path(), logs.join(entry.file_name())).unwrap();
            }
        }
        run("crash::merger", folder.path(), Some(at));
        let ended = !promised(folder.path()).is_empty();
        {
            let store = EmbeddedLogs::open(&logs, options()).await.unwrap();
            assert_eq!(found(&store).await, expected, "crash at {at}");
            assert_eq!(store.version().await.unwrap(), version, "crash at {at}");
            // A batch that was kept is known to have been.
            assert!(store.append(batch(3)).await.unwrap().again, "crash at {at}");
        }
        run("crash::merger", folder.path(), None);
        let store = EmbeddedLogs::open(&logs, options()).await.unwrap();
        assert_eq!((found(&store).await, parquet_files(&logs)), (expected.clone(), 1), "crash at {at}");
        if ended {
            break;
        }
        crashes = at;
    }
    eprintln!("{crashes} places");
    assert!(crashes >= 4, "{crashes}");
}
