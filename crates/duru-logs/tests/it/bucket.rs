//! A store in a bucket: what is kept, who sees it when, and what happens when the bucket does not do its part.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use duru_logs::{BucketAddress, BucketLogs, Options};
use duru_sql::guard::Checked;
use duru_sql::{Batch, BucketTrouble, Error, Fault, LogStore, Receipt, Record, TableSource as _};
use jiff::{Timestamp, ToSpan};

use crate::differential::asking;
use crate::rows::lines;
use crate::s3_proxy::{Manner, S3Proxy};
use crate::seaweed::{Seaweed, address};

pub(crate) fn small() -> Options {
    Options { seal_rows: 300, look_after: Duration::ZERO, threads: Some(1), ..Options::default() }
}

/// One that takes lines in, with a folder of its own.
async fn ingester(address: &BucketAddress, folder: &Path) -> BucketLogs {
    let address = address.clone().or_folder(|| Some(folder.to_owned()));
    let store = BucketLogs::open(&address, small()).await.unwrap();
    store.take_in().await.unwrap();
    store
}

async fn reader(address: &BucketAddress) -> BucketLogs {
    BucketLogs::open(address, small()).await.unwrap()
}

async fn one(store: &BucketLogs, sql: &str) -> i64 {
    store.query(&Checked::trusted(sql), &asking()).await.unwrap().rows[0][0].as_i64().unwrap()
}

pub(crate) async fn count(store: &BucketLogs) -> i64 {
    one(store, "SELECT count(*) FROM public.logs WHERE deleted = FALSE").await
}

fn visible(count: usize) -> Vec<Record> {
    let mut lines = lines(1, count);
    lines.iter_mut().for_each(|line| (line.deleted, line.id) = (false, None));
    lines
}

fn batch(key: Option<&str>, count: usize) -> Batch {
    Batch { key: key.map(str::to_owned), records: visible(count) }
}

/// What a bucket is said to lack.
fn trouble<T>(found: Result<T, Error>) -> Option<BucketTrouble> {
    match found {
        Err(Error::Bucket { trouble, .. }) => Some(trouble),
        _ => None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_are_seen_at_once_here_and_soon_elsewhere_and_after_reopening() {
    let Some(weed) = Seaweed::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let address = weed.address("a/b", "ship=200ms");
    let (store, other) = (ingester(&address, folder.path()).await, reader(&address).await);
    assert_eq!((count(&store).await, count(&other).await), (0, 0));
    for (i, part) in visible(1_000).chunks(100).enumerate() {
        let receipt = store.append(Batch { key: None, records: part.to_vec() }).await.unwrap();
        assert_eq!(receipt, Receipt { kept: 100, again: false });
        assert_eq!(count(&store).await, (i as i64 + 1) * 100);
    }
    while count(&other).await < 1_000 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(store.unshipped().rows, 0);
    let (version, others) = (store.version().await.unwrap(), other.version().await.unwrap());
    drop(store);
    assert_eq!((count(&other).await, other.version().await.unwrap()), (1_000, others));
    let store = ingester(&address, folder.path()).await;
    assert_eq!(count(&store).await, 1_000);
    assert_eq!(store.version().await.unwrap(), version);
    // Ids go on where they were.
    store.append(batch(None, 10)).await.unwrap();
    for (what, expected) in [("min(id)", 1), ("max(id)", 1_010), ("count(DISTINCT id)", 1_010)] {
        assert_eq!(one(&store, &format!("SELECT {what} FROM logs")).await, expected, "{what}");
    }
    // Whoever only reads needs no folder, and can't take anything in without one.
    let Err(Error::Unavailable { reason }) = other.append(batch(None, 1)).await else { panic!() };
    assert!(reason.contains("no folder"), "{reason}");
}
