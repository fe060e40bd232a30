//! An ingester that is killed, with its disk or without.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use duru_logs::{BucketLogs, Options};
use duru_sql::guard::Checked;
use duru_sql::{Batch, LogStore, TableSource as _};

use crate::bucket::{count, reader, visible};
use crate::differential::asking;
use crate::seaweed::{Seaweed, address};

const ROWS: usize = 10;
/// So long a batch is under way at most on a machine that has other things to do.
const SLACK: Duration = Duration::from_secs(3);

fn batch(n: usize) -> Batch {
    let mut records = visible(ROWS);
    records.iter_mut().for_each(|record| record.user_id = Some(format!("batch-{n}")));
    Batch { key: Some(format!("batch-{n}")), records }
}

fn options() -> Options {
    Options { seal_rows: 95, look_after: Duration::ZERO, threads: Some(1), ..Options::default() }
}

/// Takes lines in until it is killed, and writes down what it was promised.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "started by others as a process of its own"]
async fn worker() {
    let Some(folder) = std::env::var_os("DURU_LOGS_FOLDER").map(PathBuf::from) else {
        panic!("this is no test by itself")
    };
    let told = |name: &str| std::env::var(name).unwrap();
    let (port, prefix) = (told("S3_PORT").parse().unwrap(), told("S3_PREFIX"));
    let most: usize = told("BATCHES").parse().unwrap();
    let address = address(port, &prefix, &told("S3_MORE")).or_folder(|| Some(folder.join("tail")));
    let store = BucketLogs::open(&address, options()).await.unwrap();
    store.take_in().await.unwrap();
    let mut promises = fs::File::options().create(true).append(true).open(folder.join("promises")).unwrap();
    for n in 0..most {
        store.append(batch(n)).await.unwrap();
        writeln!(promises, "{n}").unwrap();
        if n % 7 == 6 && n < 63 {
            // Lines of the first batch, but not all.
            store.delete(&[(n / 7 + 1) as i64]).await.unwrap();
        }
    }
    store.ship().await.unwrap();
    writeln!(promises, "end").unwrap();
}

fn start(weed: &Seaweed, folder: &Path, (prefix, more): (&str, &str), batches: usize) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--ignored", "--exact", "bucket_crash::worker"])
        .env("DURU_LOGS_FOLDER", folder)
        .env("S3_PORT", weed.s3.to_string())
        .env("S3_PREFIX", prefix)
        .env("S3_MORE", more)
        .env("BATCHES", batches.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

fn promised(folder: &Path) -> Vec<usize> {
    let text = fs::read_to_string(folder.join("promises")).unwrap_or_default();
    text.lines().filter_map(|line| line.parse().ok()).collect()
}

fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Batches of which other than all rows are there; some of the first are deleted.
async fn odd(store: &BucketLogs, wanted: impl IntoIterator<Item = usize>) -> Vec<(usize, i64)> {
    let found = found(store).await;
    let rows = |n: usize| found.iter().find(|(batch, _)| *batch == n).map_or(0, |(_, rows)| *rows);
    let is_odd =
        |n: usize| if n == 0 { !(1..=ROWS as i64).contains(&rows(n)) } else { rows(n) != ROWS as i64 };
    wanted.into_iter().filter(|n| is_odd(*n)).map(|n| (n, rows(n))).collect()
}

async fn found(store: &BucketLogs) -> Vec<(usize, i64)> {
    let sql = "SELECT user_id, count(*) FROM logs GROUP BY 1";
    let answer = store.query(&Checked::trusted(sql), &asking()).await.unwrap();
    let number = |text: &str| text.trim_start_matches("batch-").parse::<usize>().unwrap();
    answer.rows.iter().map(|row| (number(row[0].as_str().unwrap()), row[1].as_i64().unwrap())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_ingester_whose_disk_is_lost_has_lost_nothing_that_was_acknowledged_in_strict_mode() {
    let Some(weed) = Seaweed::start() else { return };
    for after in [5, 23, 48] {
        let folder = tempfile::tempdir().unwrap();
        let prefix = format!("strict-{after}");
        let child = start(&weed, folder.path(), (&prefix, "ship=0"), 100_000).spawn().unwrap();
        while promised(folder.path()).len() < after {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        kill(child);
        let promises = promised(folder.path());
        drop(folder);
        let store = reader(&weed.address(&prefix, "")).await;
        let lost = odd(&store, promises.iter().copied()).await;
        assert!(lost.is_empty(), "{lost:?} of {} promises", promises.len());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_ingester_whose_disk_is_lost_has_lost_what_it_took_in_lately_at_most() {
    let Some(weed) = Seaweed::start() else { return };
    let window = Duration::from_secs(1);
    let folder = tempfile::tempdir().unwrap();
    let child = start(&weed, folder.path(), ("window", "ship=1s"), 100_000).spawn().unwrap();
    // How many were promised by when.
    let mut seen: Vec<(Instant, usize)> = Vec::new();
    while seen.first().is_none_or(|(at, _)| at.elapsed() < window + SLACK * 2) {
        let count = promised(folder.path()).len();
        if count > 0 {
            seen.push((Instant::now(), count));
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    kill(child);
    let old = seen.iter().rev().find(|(at, _)| at.elapsed() > window + SLACK).unwrap().1;
    drop(folder);
    let store = reader(&weed.address("window", "")).await;
    assert!(old > 0);
    let lost = odd(&store, 0..old).await;
    assert!(lost.is_empty(), "{lost:?} of {old} that were acknowledged {:?} before the end", window + SLACK);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_ingester_that_comes_back_has_lost_and_doubled_nothing() {
    let Some(weed) = Seaweed::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let most = 120;
    for after in [10, 31, 64, 90] {
        let child = start(&weed, folder.path(), ("back", "ship=30ms"), most).spawn().unwrap();
        let before = promised(folder.path()).len();
        while promised(folder.path()).len() < before + after {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        kill(child);
    }
    let status = start(&weed, folder.path(), ("back", "ship=30ms"), most).status().unwrap();
    assert!(status.success());
    let store = reader(&weed.address("back", "")).await;
    assert_eq!((odd(&store, 0..most).await, found(&store).await.len()), (vec![], most));
    assert_eq!(count(&store).await, (most * ROWS - 9) as i64);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crash_at_any_place_loses_nothing_and_doubles_nothing() {
    let Some(weed) = Seaweed::start() else { return };
    let most = 12;
    let mut crashes = 0;
    for at in 1.. {
        let folder = tempfile::tempdir().unwrap();
        let prefix = format!("at-{at}");
        let run = |crash: Option<u64>| {
            let mut command = start(&weed, folder.path(), (&prefix, "ship=0"), most);
            crash.map(|at| command.env("DURU_LOGS_CRASH_AT", at.to_string()));
            command.status().unwrap().success()
        };
        let ended = run(Some(at));
        let promises = promised(folder.path());
        {
            let lost = odd(&reader(&weed.address(&prefix, "")).await, promises.iter().copied()).await;
            assert!(lost.is_empty(), "crash at {at}: {lost:?} of {promises:?}");
        }
        assert!(run(None), "after a crash at {at}");
        let store = reader(&weed.address(&prefix, "")).await;
        assert_eq!((odd(&store, 0..most).await, found(&store).await.len()), (vec![], most), "crash at {at}");
        assert_eq!(count(&store).await, (most * ROWS - most / 7) as i64, "crash at {at}");
        if ended {
            break;
        }
        crashes = at;
    }
    eprintln!("{crashes} places");
    assert!(crashes >= 30, "{crashes}");
}
