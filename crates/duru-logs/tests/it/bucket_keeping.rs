//! A copy keeps up with what goes.

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
