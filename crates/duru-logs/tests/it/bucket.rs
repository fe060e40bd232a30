//! A store in a bucket: what is kept, who sees it when, and what happens when the bucket does not do its part.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use duru_logs::{BucketAddress, BucketLogs, Options};
use duru_sql::guard::Checked;
use duru_sql::{Batch, Error, Fault, LogStore, Receipt, Record, TableSource as _};
use futures_util::TryStreamExt as _;
use jiff::{Timestamp, ToSpan};
use object_store::ObjectStore as _;
use object_store::aws::AmazonS3Builder;

use crate::differential::asking;
use crate::rows::lines;
use crate::seaweed::{BUCKET, Seaweed};

pub(crate) fn small() -> Options {
    Options { seal_rows: 300, look_after: Duration::ZERO, threads: Some(1), ..Options::default() }
}

/// One that takes lines in, with a folder of its own.
pub(crate) async fn ingester(address: &BucketAddress, folder: &Path) -> BucketLogs {
    let address = address.clone().or_folder(|| Some(folder.to_owned()));
    let store = BucketLogs::open(&address, small()).await.unwrap();
    store.take_in().await.unwrap();
    store
}

pub(crate) async fn reader(address: &BucketAddress) -> BucketLogs {
    BucketLogs::open(address, small()).await.unwrap()
}

pub(crate) async fn one(store: &BucketLogs, sql: &str) -> i64 {
    store.query(&Checked::trusted(sql), &asking()).await.unwrap().rows[0][0].as_i64().unwrap()
}

pub(crate) async fn count(store: &BucketLogs) -> i64 {
    one(store, "SELECT count(*) FROM public.logs WHERE deleted = FALSE").await
}

pub(crate) fn visible(count: usize) -> Vec<Record> {
    let mut lines = lines(1, count);
    lines.iter_mut().for_each(|line| (line.deleted, line.id) = (false, None));
    lines
}

pub(crate) fn batch(key: Option<&str>, count: usize) -> Batch {
    Batch { key: key.map(str::to_owned), records: visible(count) }
}

/// The names of all objects under a prefix.
pub(crate) async fn objects(weed: &Seaweed, prefix: &str) -> Vec<String> {
    let store = AmazonS3Builder::new()
        .with_bucket_name(BUCKET)
        .with_endpoint(format!("http://127.0.0.1:{}", weed.s3))
        .with_allow_http(true)
        .with_access_key_id("duru")
        .with_secret_access_key("duru-secret");
    let store = store.build().unwrap();
    let listed: Vec<_> = store.list(Some(&prefix.into())).try_collect().await.unwrap();
    listed.into_iter().map(|object| object.location.to_string()).collect()
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

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_sent_again_is_kept_once_also_after_sealing_and_reopening_and_by_others() {
    let Some(weed) = Seaweed::start() else { return };
    let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let address = weed.address("keys", "ship=10m");
    let store = ingester(&address, folder.path()).await;
    let sent = batch(Some("배치-1"), 20);
    let again = Receipt { kept: 20, again: true };
    assert_eq!(store.append(sent.clone()).await.unwrap(), Receipt { kept: 20, again: false });
    assert_eq!(store.append(sent.clone()).await.unwrap(), again);
    store.seal().await.unwrap();
    assert_eq!(store.append(sent.clone()).await.unwrap(), again);
    // Of a log that is not sealed, and of one that is.
    let tail = batch(Some("batch-2"), 20);
    store.append(tail.clone()).await.unwrap();
    store.ship().await.unwrap();
    let other = ingester(&address, elsewhere.path()).await;
    assert_eq!(other.append(sent.clone()).await.unwrap(), again);
    assert_eq!(other.append(tail.clone()).await.unwrap(), again);
    drop((store, other));
    let store = ingester(&address, folder.path()).await;
    assert_eq!(store.append(sent).await.unwrap(), again);
    assert_eq!(store.append(tail).await.unwrap(), again);
    assert_eq!(count(&store).await, 40);
}

#[tokio::test(flavor = "multi_thread")]
async fn deleted_lines_are_gone_for_everybody_whoever_took_them_in() {
    let Some(weed) = Seaweed::start() else { return };
    let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let address = weed.address("deleted", "ship=0");
    let (a, b) = (ingester(&address, folder.path()).await, ingester(&address, elsewhere.path()).await);
    a.append(batch(None, 100)).await.unwrap();
    let before = b.version().await.unwrap();
    assert_eq!(a.delete(&[3, 4, 999]).await.unwrap(), 2);
    assert_eq!(b.delete(&[4, 5]).await.unwrap(), 1);
    assert_ne!(b.version().await.unwrap(), before);
    assert_eq!((count(&a).await, count(&b).await), (97, 97));
    a.seal().await.unwrap();
    b.seal().await.unwrap();
    assert_eq!((count(&a).await, count(&b).await), (97, 97));
    assert_eq!(b.delete(&[6]).await.unwrap(), 1);
    drop((a, b));
    let a = ingester(&address, folder.path()).await;
    assert_eq!((count(&a).await, count(&reader(&address).await).await), (96, 96));
}

#[tokio::test(flavor = "multi_thread")]
async fn several_ingesters_at_once_lose_and_double_nothing() {
    const EACH: usize = 12;
    const ROWS: usize = 50;
    let Some(weed) = Seaweed::start() else { return };
    let address = weed.address("many", "ship=50ms");
    let folders: Vec<_> = (0..3).map(|_| tempfile::tempdir().unwrap()).collect();
    let mut stores = Vec::new();
    for folder in &folders {
        stores.push(Arc::new(ingester(&address, folder.path()).await));
    }
    let reader = reader(&address).await;
    let mut tasks = tokio::task::JoinSet::new();
    for (n, store) in stores.iter().cloned().enumerate() {
        tasks.spawn(async move {
            for i in 0..EACH {
                let mut records = visible(ROWS);
                records.iter_mut().for_each(|record| record.user_id = Some(format!("{n}-{i}")));
                store.append(Batch { key: Some(format!("{n}-{i}")), records }).await.unwrap();
                if i % 4 == 3 {
                    store.seal().await.unwrap();
                    store.compact().await.unwrap();
                }
            }
            store.ship().await.unwrap();
        });
    }
    // Whoever reads meanwhile sees whole batches, and no fewer than before.
    let mut seen = 0;
    while !tasks.is_empty() {
        let now = count(&reader).await;
        assert!(now >= seen && now % ROWS as i64 == 0, "{now} after {seen}");
        seen = now;
        if let Some(done) = tasks.try_join_next() {
            done.unwrap();
        }
    }
    let all = (3 * EACH * ROWS) as i64;
    for store in stores.iter().map(AsRef::as_ref).chain([&reader]) {
        assert_eq!(count(store).await, all);
        assert_eq!(one(store, "SELECT count(DISTINCT id) FROM logs").await, all);
        assert_eq!(one(store, "SELECT count(DISTINCT user_id) FROM logs").await, (3 * EACH) as i64);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn ids_of_lines_are_nobody_elses() {
    let Some(weed) = Seaweed::start() else { return };
    let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let address = weed.address("ids", "ship=0");
    let (store, other) =
        (ingester(&address, folder.path()).await, ingester(&address, elsewhere.path()).await);
    let with = |ids: &[Option<i64>]| {
        let mut lines = visible(ids.len());
        lines.iter_mut().zip(ids).for_each(|(line, id)| line.id = *id);
        lines
    };
    let keep = async |store: &BucketLogs, key: Option<&str>, ids: &[Option<i64>]| {
        store.append(Batch { key: key.map(str::to_owned), records: with(ids) }).await
    };
    let fault = |found: Result<Receipt, Error>| match found {
        Err(Error::Query { fault }) => Some(fault),
        _ => None,
    };
    keep(&store, Some("first"), &[Some(5), Some(9), None]).await.unwrap();
    for _ in 0..2 {
        assert_eq!(fault(keep(&store, None, &[Some(20), Some(9)]).await), Some(Fault::Duplicate));
        assert_eq!(fault(keep(&store, None, &[Some(30), Some(30)]).await), Some(Fault::Duplicate));
        assert_eq!(fault(keep(&other, None, &[Some(9)]).await), Some(Fault::Duplicate));
        // A number between those belongs to who has them.
        assert_eq!(fault(keep(&other, None, &[Some(6)]).await), Some(Fault::OthersId));
        // One line does not use up all that there are.
        for id in [i64::MAX, 1 << 62, 0] {
            assert_eq!(fault(keep(&other, None, &[Some(id), None]).await), Some(Fault::OutOfRange));
        }
        assert_eq!(count(&store).await, 3);
        // The same batch again is no conflict.
        assert!(keep(&store, Some("first"), &[Some(5), Some(9), None]).await.unwrap().again);
        store.seal().await.unwrap();
    }
    // A deleted line keeps its id; gaps can be filled.
    assert_eq!(store.delete(&[9]).await.unwrap(), 1);
    assert_eq!(fault(keep(&store, None, &[Some(9)]).await), Some(Fault::Duplicate));
    keep(&store, None, &[Some(7), Some(8)]).await.unwrap();
    // Those of another one are beyond what is given out here.
    keep(&other, None, &[None, None]).await.unwrap();
    keep(&other, None, &[Some(50_000_000)]).await.unwrap();
    keep(&store, None, &[None]).await.unwrap();
    assert_eq!(one(&store, "SELECT count(*) - count(DISTINCT id) FROM logs").await, 0);
    assert_eq!(count(&other).await, 8);
}

#[tokio::test(flavor = "multi_thread")]
async fn old_files_go_whole_whoever_wrote_them_and_objects_go_when_nobody_reads_them() {
    let Some(weed) = Seaweed::start() else { return };
    let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let address = weed.address("old", "ship=0");
    let options = Options { remove_after: Duration::from_millis(400), ..small() };
    let named = address.clone().or_folder(|| Some(folder.path().to_owned()));
    let store = BucketLogs::open(&named, options).await.unwrap();
    let other = ingester(&address, elsewhere.path()).await;
    for (days, store) in [(40, &store), (20, &other), (30, &other), (1, &store)] {
        let mut lines = visible(50);
        let then = Timestamp::now() - (days * 24).hours();
        lines.iter_mut().for_each(|line| line.created_at = then);
        store.append(Batch { key: Some(format!("{days}")), records: lines }).await.unwrap();
        store.seal().await.unwrap();
    }
    let day_ago = Timestamp::now() - (25 * 24).hours();
    assert_eq!(store.count_before(day_ago).await.unwrap(), 100);
    assert_eq!(store.drop_before(day_ago, 1_000).await.unwrap(), 100);
    assert_eq!(store.drop_before(day_ago, 1_000).await.unwrap(), 0);
    assert_eq!((count(&store).await, count(&other).await), (100, 100));
    // The one whose manifest was changed by another goes on with it.
    other.append(batch(None, 10)).await.unwrap();
    other.seal().await.unwrap();
    assert_eq!((count(&store).await, count(&other).await), (110, 110));
    // Those that are dropped, and parts of logs that are sealed.
    let files = |all: &[String], what: &str| all.iter().filter(|name| name.contains(what)).count();
    loop {
        let all = objects(&weed, "old").await;
        if (files(&all, "/tail-"), files(&all, "/seg-")) == (0, 3) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!((count(&store).await, count(&reader(&address).await).await), (110, 110));
}

#[tokio::test(flavor = "multi_thread")]
async fn small_files_are_merged_and_nothing_else_changes() {
    let Some(weed) = Seaweed::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let address = weed.address("small", "ship=0");
    let store = ingester(&address, folder.path()).await;
    let other = reader(&address).await;
    for (i, part) in lines(5, 1_000).chunks(100).enumerate() {
        let mut records = part.to_vec();
        records.iter_mut().for_each(|record| record.id = None);
        store.append(Batch { key: Some(format!("k{i}")), records }).await.unwrap();
        store.seal().await.unwrap();
    }
    store.delete(&[3, 700, 999]).await.unwrap();
    let everything = Checked::trusted("SELECT * FROM logs WHERE deleted = FALSE ORDER BY created_at, id");
    let before = store.query(&everything, &asking()).await.unwrap().rows;
    let version = store.version().await.unwrap();
    let patient = asking();
    let (gone, meanwhile) = tokio::join!(store.compact(), other.query(&everything, &patient));
    assert!(gone.unwrap() >= 7);
    assert!(meanwhile.unwrap().rows == before);
    for store in [&store, &other] {
        assert!(store.query(&everything, &asking()).await.unwrap().rows == before);
    }
    assert_eq!(store.version().await.unwrap(), version);
    // Deleted stays deleted, and what was kept is known.
    assert_eq!(store.delete(&[3, 700, 999]).await.unwrap(), 0);
    assert!(store.append(batch(Some("k7"), 2)).await.unwrap().again);
    drop(store);
    let store = ingester(&address, folder.path()).await;
    assert!(store.query(&everything, &asking()).await.unwrap().rows == before);
    assert_eq!(store.compact().await.unwrap(), 0);
    assert!(store.keep(1).await.unwrap() > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_known_follows_others() {
    let Some(weed) = Seaweed::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let address = weed.address("known", "ship=0");
    let (store, other) = (ingester(&address, folder.path()).await, reader(&address).await);
    assert_eq!(other.knowledge().await.unwrap().tables[0].estimated_rows, 0);
    store.append(batch(None, 250)).await.unwrap();
    store.append(batch(None, 150)).await.unwrap();
    for store in [&store, &other] {
        let known = store.knowledge().await.unwrap();
        let table = &known.tables[0];
        assert_eq!((table.estimated_rows, table.newest.rows.len()), (400, 3));
        let service = table.columns.iter().find(|column| column.name == "service").unwrap();
        assert_eq!(service.values.len(), 8);
    }
}

/// All rows, in an order that is the same everywhere.
pub(crate) async fn everything(store: &dyn LogStore) -> Vec<Vec<serde_json::Value>> {
    let all = Checked::trusted("SELECT * FROM logs WHERE deleted = FALSE ORDER BY created_at, id");
    store.query(&all, &asking()).await.unwrap().rows
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_can_be_copied_to_a_folder_and_a_folder_to_a_bucket() {
    let Some(weed) = Seaweed::start() else { return };
    let (folder, elsewhere, copies) =
        (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let address = weed.address("from", "ship=0");
    let stores = [ingester(&address, folder.path()).await, ingester(&address, elsewhere.path()).await];
    for (i, store) in stores.iter().cycle().take(6).enumerate() {
        let mut sent = batch(Some(&format!("k{i}")), 100);
        sent.records.iter_mut().for_each(|record| record.user_id = Some(format!("k{i}")));
        store.append(sent).await.unwrap();
        if i < 4 {
            store.seal().await.unwrap();
        }
    }
    // One of another ingester's file, one of a part of a log.
    stores[0].delete(&[1, 1_048_600]).await.unwrap();
    stores[1].delete(&[2]).await.unwrap();
    let before = everything(&stores[0]).await;
    assert_eq!(before.len(), 597);
    let copy = copies.path().join("copy");
    duru_logs::copy_bucket(&address, &copy).await.unwrap();
    let in_folder = duru_logs::EmbeddedLogs::open(&copy, small()).await.unwrap();
    assert!(everything(&in_folder).await == before);
    assert!(in_folder.append(batch(Some("k3"), 9)).await.unwrap().again);
    assert!(in_folder.append(batch(Some("k5"), 9)).await.unwrap().again);
    in_folder.append(batch(Some("new"), 10)).await.unwrap();
    in_folder.seal().await.unwrap();
    in_folder.append(batch(Some("newer"), 10)).await.unwrap();
    let before = everything(&in_folder).await;
    drop(in_folder);
    // Into another place, and into the same, where what is there is put aside.
    let to = weed.address("to", "ship=0");
    assert_eq!(duru_logs::fill_bucket(&copy, &to).await.unwrap(), None);
    let aside = duru_logs::fill_bucket(&copy, &address).await.unwrap().unwrap();
    assert!(objects(&weed, "from").await.iter().any(|name| name.contains(&aside)));
    for address in [&to, &address] {
        assert!(everything(&reader(address).await).await == before);
        let third = tempfile::tempdir().unwrap();
        let store = ingester(address, third.path()).await;
        assert!(store.append(batch(Some("newer"), 9)).await.unwrap().again);
        store.append(batch(None, 5)).await.unwrap();
        assert_eq!(one(&store, "SELECT count(*) - count(DISTINCT id) FROM logs").await, 0);
    }
    // Whoever had it open is told.
    let told = stores[0].append(batch(None, 1)).await;
    assert!(matches!(told, Err(Error::Bucket { trouble: duru_sql::BucketTrouble::Emptied, .. })), "{told:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn whether_a_bucket_will_do_is_found_out() {
    let Some(weed) = Seaweed::start() else { return };
    duru_logs::probe_bucket(&weed.address("probed", "")).await.unwrap();
    assert!(objects(&weed, "probed").await.is_empty());
    let store = reader(&weed.address("probed", "read_only=true")).await;
    assert!(store.is_empty().await.unwrap());
    assert!(matches!(store.append(batch(None, 1)).await, Err(Error::Denied { .. })));
}
