//! Answers that get lost: what was done is done once, whoever asks in between.

use std::path::Path;

use duru_logs::{BucketAddress, BucketLogs};
use duru_sql::LogStore as _;
use jiff::{Timestamp, ToSpan};

use crate::bucket::{batch, count, ingester, one, reader};
use crate::bucket_faults::eventually;
use crate::s3_proxy::{Manner, S3Proxy};
use crate::seaweed::{Seaweed, address};

/// A manifest that is replaced is replaced, and nobody is told.
const LOST: (&str, Manner) = ("/manifests/", Manner::Forgetful);

/// So many lines a batch.
const ROWS: usize = 10;

struct Lossy {
    _weed: Seaweed,
    proxy: S3Proxy,
    store: BucketLogs,
    through: BucketAddress,
    /// Past the proxy.
    straight: BucketAddress,
}

impl Lossy {
    async fn start(prefix: &str, folder: &Path) -> Option<Self> {
        let weed = Seaweed::start()?;
        let proxy = S3Proxy::start(weed.s3).await;
        let through = address(proxy.port, prefix, "ship=10m");
        let store = ingester(&through, folder).await;
        let straight = weed.address(prefix, "ship=10m");
        Some(Self { _weed: weed, proxy, store, through, straight })
    }

    async fn sealed(&self, days_ago: i64) {
        let mut sent = batch(None, ROWS);
        let then = Timestamp::now() - (days_ago * 24).hours();
        sent.records.iter_mut().for_each(|line| line.created_at = then);
        self.store.append(sent).await.unwrap();
        self.store.seal().await.unwrap();
    }

    /// So many lines are there, each once, for whoever took them in and for whoever reads them anew.
    async fn has(&self, rows: i64) {
        let others = reader(&self.straight).await;
        for store in [&self.store, &others] {
            assert_eq!(count(store).await, rows);
            // Every column is read: a file is as long as the manifest says.
            assert_eq!(one(store, "SELECT count(DISTINCT id) FROM logs WHERE NOT deleted").await, rows);
            assert_eq!(one(store, "SELECT count(message) FROM logs WHERE NOT deleted").await, rows);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_is_sealed_without_an_answer_is_sealed_once() {
    let folder = tempfile::tempdir().unwrap();
    let Some(lossy) = Lossy::start("sealed", folder.path()).await else { return };
    let Lossy { proxy, store, straight, .. } = &lossy;
    for round in 1..=3 {
        store.append(batch(None, ROWS)).await.unwrap();
        proxy.set_for(LOST.0, LOST.1);
        assert!(store.seal().await.is_err());
        // Another one has the file already; a question here learns of it before it is tried again.
        let rows = round * ROWS as i64 - (round - 1);
        assert_eq!((count(store).await, count(&reader(straight).await).await), (rows, rows));
        // What is deleted meanwhile changes nothing of the file.
        assert_eq!(store.delete(&[round]).await.unwrap(), 1);
        proxy.set(Manner::Pass);
        eventually(async || store.seal().await.is_ok()).await;
        store.seal().await.unwrap();
        lossy.has(rows - 1).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_are_merged_without_an_answer_lose_no_line() {
    let folder = tempfile::tempdir().unwrap();
    let Some(lossy) = Lossy::start("merged", folder.path()).await else { return };
    let Lossy { proxy, store, straight, .. } = &lossy;
    let mut rows = 0;
    for round in 0..3 {
        for _ in 0..8 {
            lossy.sealed(0).await;
            rows += ROWS as i64;
        }
        if round == 1 {
            lossy.sealed(40).await;
        }
        proxy.set_for(LOST.0, LOST.1);
        assert!(store.compact().await.is_err());
        proxy.set(Manner::Pass);
        // Once a question is first to see what was done, once another one's change, once the next merge.
        if round == 0 {
            assert_eq!(count(store).await, rows);
        }
        if round == 1 {
            let elsewhere = tempfile::tempdir().unwrap();
            let other = ingester(straight, elsewhere.path()).await;
            assert_eq!(other.keep(30).await.unwrap(), ROWS as u64);
        }
        store.compact().await.unwrap();
        lossy.has(rows).await;
        assert_eq!(store.delete(&[rows]).await.unwrap(), 1);
        rows -= 1;
        store.ship().await.unwrap();
        lossy.has(rows).await;
    }
    // Nothing is left to be done, and it is the same after a start.
    assert_eq!(store.compact().await.unwrap(), 0);
    let Lossy { store, through, _weed, proxy: _proxy, .. } = lossy;
    drop(store);
    assert_eq!(count(&ingester(&through, folder.path()).await).await, rows);
}
