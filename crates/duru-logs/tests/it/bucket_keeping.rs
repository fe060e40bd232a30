//! What is too old goes, also of those who are gone, and a copy keeps up with what goes.

use std::path::Path;
use std::time::Duration;

use duru_logs::{BucketAddress, BucketLogs, EmbeddedLogs, Options, copy_bucket};
use duru_sql::{Batch, LogStore as _};
use jiff::{Timestamp, ToSpan};

use crate::bucket::{batch, count, everything, ingester, objects, one, reader, small, visible};
use crate::s3_proxy::{Manner, S3Proxy};
use crate::seaweed::{Seaweed, address};

/// One that soon removes what nobody refers to.
async fn quick(address: &BucketAddress, folder: &Path) -> BucketLogs {
    let address = address.clone().or_folder(|| Some(folder.to_owned()));
    let options = Options { remove_after: Duration::from_millis(400), ..small() };
    let store = BucketLogs::open(&address, options).await.unwrap();
    store.take_in().await.unwrap();
    store
}

fn aged(days: i64, rows: usize) -> Batch {
    let mut records = visible(rows);
    let then = Timestamp::now() - (days * 24).hours();
    records.iter_mut().for_each(|line| line.created_at = then);
    Batch { key: None, records }
}

#[tokio::test(flavor = "multi_thread")]
async fn old_lines_of_one_that_is_gone_go_though_nobody_seals_them() {
    let Some(weed) = Seaweed::start() else { return };
    let (folder, elsewhere, third) =
        (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let address = weed.address("gone", "ship=0");
    let gone = ingester(&address, folder.path()).await;
    gone.append(aged(40, 50)).await.unwrap();
    drop(gone);
    // What records a deletion stays: it may be of a line elsewhere.
    let mixed = ingester(&address, third.path()).await;
    mixed.append(aged(40, 100)).await.unwrap();
    mixed.append(aged(40, 60)).await.unwrap();
    mixed.append(aged(1, 2)).await.unwrap();
    let last = one(&mixed, "SELECT max(id) FROM logs").await;
    assert_eq!(mixed.delete(&[last]).await.unwrap(), 1);
    drop(mixed);
    let store = quick(&address, elsewhere.path()).await;
    assert_eq!(count(&store).await, 211);
    let before = Timestamp::now() - (25 * 24).hours();
    let version = duru_sql::TableSource::version(&store).await.unwrap();
    assert_eq!(store.count_before(before).await.unwrap(), 210);
    assert_eq!(store.drop_before(before, 1_000).await.unwrap(), 210);
    assert_ne!(duru_sql::TableSource::version(&store).await.unwrap(), version);
    assert_eq!(store.count_before(before).await.unwrap(), 0);
    assert_eq!(store.drop_before(before, 1_000).await.unwrap(), 0);
    assert_eq!((count(&store).await, count(&reader(&address).await).await), (1, 1));
    while objects(&weed, "gone/data").await.len() > 2 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(count(&reader(&address).await).await, 1);
    let copy = elsewhere.path().join("copy");
    copy_bucket(&address, &copy).await.unwrap();
    assert_eq!(everything(&EmbeddedLogs::open(&copy, small()).await.unwrap()).await.len(), 1);
    // One that comes back does not ship them again with what is new.
    let back = ingester(&address, folder.path()).await;
    back.append(aged(1, 90)).await.unwrap();
    assert_eq!((count(&store).await, count(&reader(&address).await).await), (91, 91));
    back.seal().await.unwrap();
    assert_eq!(store.drop_before(before, 1_000).await.unwrap(), 0);
    assert_eq!(count(&store).await, count(&back).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_that_takes_long_is_made_while_lines_come_in() {
    let Some(weed) = Seaweed::start() else { return };
    let proxy = S3Proxy::start(weed.s3).await;
    let folder = tempfile::tempdir().unwrap();
    let store = quick(&weed.address("copied", "ship=0"), folder.path()).await;
    for _ in 0..3 {
        store.append(batch(None, 10)).await.unwrap();
        store.seal().await.unwrap();
    }
    store.append(batch(None, 10)).await.unwrap();
    // Longer than what nobody refers to is kept.
    proxy.set_for("/seg-", Manner::Slow(Duration::from_millis(700)));
    let from = address(proxy.port, "copied", "");
    let to = folder.path().join("copy");
    let coming = async {
        loop {
            store.append(batch(None, 1)).await.unwrap();
        }
    };
    tokio::select! {
        copied = copy_bucket(&from, &to) => copied.unwrap(),
        () = coming => {}
    }
    let copy = EmbeddedLogs::open(&to, small()).await.unwrap();
    let rows = everything(&copy).await.len();
    assert!(rows >= 40, "{rows}");
}
