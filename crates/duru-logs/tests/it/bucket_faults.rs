//! What a bucket may do to a store, and what people set wrongly: nothing is lost, and it is said what to do.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use duru_logs::{BucketAddress, BucketLogs, Options};
use duru_sql::guard::Lang;
use duru_sql::{BucketTrouble, Error, LogStore, Receipt, TableSource as _};

use crate::bucket::{batch, count, ingester, objects, reader, small};
use crate::s3_proxy::{Manner, S3Proxy};
use crate::seaweed::{Seaweed, address, text};

/// What a bucket is said to lack, in words with what to do.
fn trouble<T>(found: Result<T, Error>) -> Option<BucketTrouble> {
    let Err(error @ Error::Bucket { trouble, .. }) = found else { return None };
    let (ko, en) = (error.text(Lang::Ko), error.text(Lang::En));
    assert!(ko.starts_with("s3://") && en.starts_with("s3://") && ko != en, "{ko} {en}");
    assert!(!en.contains("duru-secret") && en.contains("; "), "{en}");
    Some(trouble)
}

pub(crate) async fn eventually(what: impl AsyncFn() -> bool) {
    let give_up = Instant::now() + Duration::from_secs(60);
    while !what().await {
        assert!(Instant::now() < give_up, "it never comes");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_set_wrongly_is_said() {
    let Some(weed) = Seaweed::start() else { return };
    let open = async |text: String| {
        let address: BucketAddress = text.parse().unwrap();
        BucketLogs::open(&address, small()).await.map(drop)
    };
    let good = text(weed.s3, "x", "");
    let other = |from: &str, to: &str| good.replace(from, to);
    assert_eq!(open(good.clone()).await.ok(), Some(()));
    assert_eq!(trouble(open(other("s3://logs/", "s3://elsewhere/")).await), Some(BucketTrouble::Missing));
    assert_eq!(trouble(open(other("id=duru", "id=kim")).await), Some(BucketTrouble::WrongKey));
    assert_eq!(trouble(open(other("key=duru-secret", "key=secret")).await), Some(BucketTrouble::WrongKey));
    let free = crate::pg_cluster::free_port();
    let silent = other(&format!(":{}", weed.s3), &format!(":{free}"));
    assert_eq!(trouble(open(silent).await), Some(BucketTrouble::Silent));
    // One that may only read can be asked, and takes nothing in.
    let folder = tempfile::tempdir().unwrap();
    let reads = other("id=duru", "id=reader").replace("duru-secret", "reader-secret");
    let address = reads.parse::<BucketAddress>().unwrap().or_folder(|| Some(folder.path().to_owned()));
    let store = BucketLogs::open(&address, small()).await.unwrap();
    assert_eq!(trouble(store.append(batch(None, 1)).await), Some(BucketTrouble::Denied));
    // A service in front of which the clock is wrong, or nothing is as it should be.
    let proxy = S3Proxy::start(weed.s3).await;
    proxy.set(Manner::Refuse("RequestTimeTooSkewed"));
    assert_eq!(trouble(open(text(proxy.port, "x", "")).await), Some(BucketTrouble::Clock));
    proxy.set(Manner::Refuse("AccessDenied"));
    assert_eq!(trouble(open(text(proxy.port, "x", "")).await), Some(BucketTrouble::Denied));
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_bucket_is_busy_lines_are_taken_as_long_as_there_is_room() {
    let Some(weed) = Seaweed::start() else { return };
    let proxy = S3Proxy::start(weed.s3).await;
    let folder = tempfile::tempdir().unwrap();
    let address = address(proxy.port, "busy", "ship=50ms");
    let store = ingester(&address, folder.path()).await;
    store.append(batch(None, 100)).await.unwrap();
    store.ship().await.unwrap();
    proxy.set(Manner::Busy);
    let mut kept = 100;
    let refused = loop {
        match store.append(batch(None, 100)).await {
            Ok(_) => kept += 100,
            Err(e) => break e,
        }
        assert!(kept < 5_000, "there is no bound");
    };
    // Two full logs of 300, and what was begun.
    assert!(kept >= 600, "{kept}");
    assert_eq!(trouble::<()>(Err(refused)), Some(BucketTrouble::Busy));
    assert_eq!(
        trouble(
            store.query(&duru_sql::guard::Checked::trusted("SELECT 1"), &crate::differential::asking()).await
        ),
        Some(BucketTrouble::Busy)
    );
    let told = store.trouble().unwrap();
    assert!(matches!(told, Error::Bucket { trouble: BucketTrouble::Busy, .. }), "{told}");
    assert!(store.unshipped().rows >= 500 && store.unshipped().age > Duration::from_millis(50));
    proxy.set(Manner::Pass);
    eventually(async || store.append(batch(None, 100)).await.is_ok()).await;
    eventually(async || store.unshipped().rows == 0).await;
    assert_eq!((count(&store).await, store.trouble().is_none()), (kept + 100, true));
    assert_eq!(count(&reader(&address).await).await, kept + 100);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_not_acknowledged_in_strict_mode_is_there_once_when_it_is_sent_again() {
    let Some(weed) = Seaweed::start() else { return };
    let proxy = S3Proxy::start(weed.s3).await;
    let folder = tempfile::tempdir().unwrap();
    let store = ingester(&address(proxy.port, "strict", "ship=0"), folder.path()).await;
    let other = reader(&weed.address("strict", "")).await;
    store.append(batch(Some("a"), 10)).await.unwrap();
    assert_eq!(count(&other).await, 10);
    proxy.set(Manner::Busy);
    assert_eq!(trouble(store.append(batch(Some("b"), 10)).await), Some(BucketTrouble::Busy));
    // It is on the disk, and that is not enough.
    assert_eq!(trouble(store.append(batch(Some("b"), 10)).await), Some(BucketTrouble::Busy));
    assert_eq!(count(&other).await, 10);
    proxy.set(Manner::Pass);
    let sent =
        async || store.append(batch(Some("b"), 10)).await.ok() == Some(Receipt { kept: 10, again: true });
    eventually(sent).await;
    assert_eq!(count(&other).await, 20);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_that_is_slow_or_silent_makes_nobody_wait_for_ever() {
    let Some(weed) = Seaweed::start() else { return };
    let proxy = S3Proxy::start(weed.s3).await;
    let folder = tempfile::tempdir().unwrap();
    let store = ingester(&address(proxy.port, "slow", "ship=0"), folder.path()).await;
    proxy.set(Manner::Slow(Duration::from_millis(300)));
    let begun = Instant::now();
    store.append(batch(None, 10)).await.unwrap();
    // Two requests: the rows, and the manifest that says so.
    assert!(begun.elapsed() >= Duration::from_millis(600), "{:?}", begun.elapsed());
    assert_eq!(count(&store).await, 10);
    proxy.set(Manner::Silent);
    let begun = Instant::now();
    assert_eq!(trouble(store.version().await), Some(BucketTrouble::Silent));
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    // Nobody waits long for it to end, either.
    let begun = Instant::now();
    tokio::task::spawn_blocking(move || drop(store)).await.unwrap();
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_process_left_in_a_folder_beside_is_brought_in() {
    let Some(weed) = Seaweed::start() else { return };
    let proxy = S3Proxy::start(weed.s3).await;
    let folder = tempfile::tempdir().unwrap();
    let address = address(proxy.port, "left", "ship=10m");
    let (first, second) = (ingester(&address, folder.path()).await, ingester(&address, folder.path()).await);
    first.append(batch(None, 1)).await.unwrap();
    second.append(batch(None, 10)).await.unwrap();
    // Nothing of the second gets there any more, as if it were killed.
    proxy.set(Manner::Busy);
    tokio::task::spawn_blocking(move || drop(second)).await.unwrap();
    proxy.set(Manner::Pass);
    assert_eq!(count(&first).await, 1);
    drop(first);
    let first = ingester(&address, folder.path()).await;
    let other = reader(&address).await;
    eventually(async || count(&first).await == 11 && count(&other).await == 11).await;
    drop(first);
    let again = ingester(&address, folder.path()).await;
    assert_eq!((count(&again).await, count(&other).await), (11, 11));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_that_heeds_no_conditions_takes_nothing_in() {
    let Some(weed) = Seaweed::start() else { return };
    let proxy = S3Proxy::start(weed.s3).await;
    let folder = tempfile::tempdir().unwrap();
    let address = address(proxy.port, "careless", "").or_folder(|| Some(folder.path().to_owned()));
    let store = BucketLogs::open(&address, small()).await.unwrap();
    proxy.set(Manner::Careless);
    assert_eq!(trouble(store.take_in().await), Some(BucketTrouble::Unconditional));
    proxy.set(Manner::Pass);
    store.take_in().await.unwrap();
    store.append(batch(None, 1)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_takes_long_to_read_is_waited_for_and_what_was_read_is_not_read_again() {
    let Some(weed) = Seaweed::start() else { return };
    let proxy = S3Proxy::start(weed.s3).await;
    let folder = tempfile::tempdir().unwrap();
    let writer = ingester(&weed.address("long", "ship=0"), folder.path()).await;
    let store = reader(&address(proxy.port, "long", "")).await;
    assert_eq!(count(&store).await, 0);
    // Two parts: the second is too small to be joined with the first.
    for rows in [100, 10] {
        writer.append(batch(None, rows)).await.unwrap();
    }
    let parts = objects(&weed, "long/data").await;
    let [first, second] = &parts[..] else { panic!("{parts:?}") };
    let version = async || trouble(store.version().await);
    proxy.set_for(second, Manner::Refuse("AccessDenied"));
    assert_eq!(version().await, Some(BucketTrouble::Denied));
    // What could be read is known, and need not be read again.
    proxy.set_for(first, Manner::Refuse("AccessDenied"));
    assert_eq!((version().await, count(&store).await), (None, 110));
    // Longer than anybody waits for a list or a manifest.
    proxy.set_for("/tail-", Manner::Slow(Duration::from_secs(11)));
    writer.append(batch(None, 200)).await.unwrap();
    assert_eq!((version().await, count(&store).await), (None, 310));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_answer_is_no_conflict() {
    let Some(weed) = Seaweed::start() else { return };
    let proxy = S3Proxy::start(weed.s3).await;
    let folder = tempfile::tempdir().unwrap();
    let store = ingester(&address(proxy.port, "lost", "ship=0"), folder.path()).await;
    for n in 0..4 {
        proxy.set(Manner::Forgetful);
        let before = proxy.requests.load(Ordering::Relaxed);
        let key = format!("{n}");
        let sending = store.append(batch(Some(&key), 10));
        let watching = async {
            // What was put is there, and nobody knows.
            eventually(async || proxy.requests.load(Ordering::Relaxed) > before + 1).await;
            proxy.set(Manner::Pass);
        };
        let (sent, ()) = tokio::join!(sending, watching);
        if sent.is_err() {
            eventually(async || store.append(batch(Some(&key), 10)).await.is_ok()).await;
        }
        assert_eq!(count(&store).await, (n + 1) * 10);
    }
    store.seal().await.unwrap();
    assert_eq!(count(&reader(&weed.address("lost", "")).await).await, 40);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_that_was_emptied_is_not_begun_anew() {
    let Some(weed) = Seaweed::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let address = weed.address("emptied", "ship=20ms");
    let (store, other) = (ingester(&address, folder.path()).await, reader(&address).await);
    store.append(batch(None, 100)).await.unwrap();
    store.seal().await.unwrap();
    assert_eq!(count(&other).await, 100);
    weed.empty("emptied");
    assert_eq!(trouble(other.version().await), Some(BucketTrouble::Emptied));
    assert_eq!(trouble(store.version().await), Some(BucketTrouble::Emptied));
    // Whether it is taken is a matter of when it is noticed.
    drop(store.append(batch(None, 10)).await);
    eventually(async || trouble(store.append(batch(None, 10)).await) == Some(BucketTrouble::Emptied)).await;
    drop(store);
    let named = address.clone().or_folder(|| Some(folder.path().to_owned()));
    let store = BucketLogs::open(&named, Options::default()).await.unwrap();
    assert_eq!(trouble(store.take_in().await), Some(BucketTrouble::Emptied));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_of_an_ingesters_folder_ends_the_first_and_overwrites_nothing() {
    let Some(weed) = Seaweed::start() else { return };
    let (folder, copy) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let address = weed.address("copied", "ship=0");
    let first = ingester(&address, folder.path()).await;
    first.append(batch(None, 100)).await.unwrap();
    std::fs::create_dir(copy.path().join("1")).unwrap();
    for entry in std::fs::read_dir(folder.path().join("1")).unwrap().flatten() {
        if entry.file_type().unwrap().is_file() {
            std::fs::copy(entry.path(), copy.path().join("1").join(entry.file_name())).unwrap();
        }
    }
    let second = ingester(&address, copy.path()).await;
    second.append(batch(None, 20)).await.unwrap();
    // Neither row of the first is acknowledged, nor one of the second lost.
    assert_eq!(trouble(first.append(batch(None, 3)).await), Some(BucketTrouble::Copied));
    assert_eq!(trouble(first.append(batch(None, 3)).await), Some(BucketTrouble::Copied));
    second.seal().await.unwrap();
    assert_eq!((count(&second).await, count(&reader(&address).await).await), (120, 120));
    drop(first);
    // Nor does the first come back over it.
    let named = address.clone().or_folder(|| Some(folder.path().to_owned()));
    let store = BucketLogs::open(&named, small()).await.unwrap();
    assert_eq!(trouble(store.take_in().await), Some(BucketTrouble::Copied));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_of_another_bucket_is_not_taken() {
    let Some(weed) = Seaweed::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    drop(ingester(&weed.address("one", ""), folder.path()).await);
    let named = weed.address("two", "").or_folder(|| Some(folder.path().to_owned()));
    let store = BucketLogs::open(&named, small()).await.unwrap();
    let Err(Error::Unavailable { reason }) = store.take_in().await else { panic!() };
    assert!(reason.contains("s3://logs/one") && reason.contains("?folder="), "{reason}");
}
