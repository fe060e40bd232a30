//! What is kept, and what is seen of it.

use duru_sql::TableSource as _;
use std::fs;

use duru_logs::{EmbeddedLogs, Options};
use duru_sql::guard::Checked;
use duru_sql::{Batch, Error, LogStore, Receipt};
use jiff::{Timestamp, ToSpan};

use crate::differential::asking;
use crate::rows::lines;

pub(crate) async fn count(store: &EmbeddedLogs) -> i64 {
    let answer = store
        .query(&Checked::trusted("SELECT count(*) FROM public.logs WHERE deleted = FALSE"), &asking())
        .await;
    answer.unwrap().rows[0][0].as_i64().unwrap()
}

fn visible(count: usize) -> Vec<duru_sql::Record> {
    let mut lines = lines(1, count);
    lines.iter_mut().for_each(|line| (line.deleted, line.id) = (false, None));
    lines
}

fn small() -> Options {
    Options { seal_rows: 300, ..Options::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_are_there_at_once_and_after_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let store = EmbeddedLogs::open(folder.path(), small()).await.unwrap();
    for (i, part) in visible(1_000).chunks(100).enumerate() {
        let receipt = store.append(Batch { key: None, records: part.to_vec() }).await.unwrap();
        assert_eq!(receipt, Receipt { kept: 100, again: false });
        assert_eq!(count(&store).await, (i as i64 + 1) * 100);
    }
    let version = store.version().await.unwrap();
    drop(store);
    assert!(
        fs::read_dir(folder.path())
            .unwrap()
            .flatten()
            .any(|e| e.path().extension().is_some_and(|e| e == "parquet"))
    );
    let store = EmbeddedLogs::open(folder.path(), small()).await.unwrap();
    assert_eq!(count(&store).await, 1_000);
    assert_eq!(store.version().await.unwrap(), version);
    // Ids go on where they were.
    let answer = store
        .query(&Checked::trusted("SELECT min(id), max(id), count(DISTINCT id) FROM logs"), &asking())
        .await;
    assert_eq!(answer.unwrap().rows[0], [1, 1_000, 1_000]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_sent_again_is_kept_once_also_after_sealing_and_reopening() {
    let folder = tempfile::tempdir().unwrap();
    let store = EmbeddedLogs::open(folder.path(), small()).await.unwrap();
    let batch = Batch { key: Some("배치-1".into()), records: visible(20) };
    assert_eq!(store.append(batch.clone()).await.unwrap(), Receipt { kept: 20, again: false });
    assert_eq!(store.append(batch.clone()).await.unwrap(), Receipt { kept: 20, again: true });
    store.seal().await.unwrap();
    assert_eq!(store.append(batch.clone()).await.unwrap(), Receipt { kept: 20, again: true });
    drop(store);
    let store = EmbeddedLogs::open(folder.path(), small()).await.unwrap();
    assert_eq!(store.append(batch).await.unwrap(), Receipt { kept: 20, again: true });
    assert_eq!(count(&store).await, 20);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_at_once_share_an_fsync_and_all_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let store = std::sync::Arc::new(EmbeddedLogs::open(folder.path(), small()).await.unwrap());
    let mut tasks = tokio::task::JoinSet::new();
    for i in 0..50 {
        let store = store.clone();
        // Half of them share a key with another.
        let batch = Batch { key: Some(format!("k{}", i % 25)), records: visible(10) };
        tasks.spawn(async move { store.append(batch).await.unwrap().again });
    }
    let again = tasks.join_all().await.into_iter().filter(|again| *again).count();
    assert_eq!((again, count(&store).await), (25, 250));
}

#[tokio::test(flavor = "multi_thread")]
async fn deleted_lines_are_gone_from_memory_and_from_files() {
    let folder = tempfile::tempdir().unwrap();
    let store = EmbeddedLogs::open(folder.path(), small()).await.unwrap();
    store.append(Batch { key: None, records: visible(100) }).await.unwrap();
    let before = store.version().await.unwrap();
    assert_eq!(store.delete(&[3, 4, 5, 999]).await.unwrap(), 3);
    assert_ne!(store.version().await.unwrap(), before);
    assert_eq!(store.delete(&[5, 6]).await.unwrap(), 1);
    assert_eq!(count(&store).await, 96);
    store.seal().await.unwrap();
    assert_eq!(count(&store).await, 96);
    assert_eq!(store.delete(&[7, 3]).await.unwrap(), 1);
    assert_eq!(count(&store).await, 95);
    drop(store);
    let store = EmbeddedLogs::open(folder.path(), small()).await.unwrap();
    assert_eq!(count(&store).await, 95);
    store.seal().await.unwrap();
    drop(store);
    let store = EmbeddedLogs::open(folder.path(), small()).await.unwrap();
    assert_eq!(count(&store).await, 95);
    let answer = store
        .query(
            &Checked::trusted("SELECT id FROM logs WHERE deleted = FALSE AND id < 10 ORDER BY id"),
            &asking(),
        )
        .await;
    let ids: Vec<_> = answer.unwrap().rows.into_iter().map(|row| row[0].as_i64().unwrap()).collect();
    assert_eq!(ids, [1, 2, 8, 9]);
}

#[tokio::test(flavor = "multi_thread")]
async fn files_older_than_they_are_to_be_kept_go_whole() {
    let folder = tempfile::tempdir().unwrap();
    let store = EmbeddedLogs::open(folder.path(), small()).await.unwrap();
    for days in [40, 20, 1] {
        let mut lines = visible(50);
        let then = Timestamp::now() - (days * 24).hours();
        lines.iter_mut().for_each(|line| line.created_at = then);
        store.append(Batch { key: Some(format!("{days}")), records: lines }).await.unwrap();
        store.seal().await.unwrap();
    }
    assert_eq!(store.keep(30).await.unwrap(), 50);
    assert_eq!(store.keep(30).await.unwrap(), 0);
    assert_eq!(count(&store).await, 100);
    drop(store);
    let store = EmbeddedLogs::open(folder.path(), small()).await.unwrap();
    assert_eq!(count(&store).await, 100);
    let files = fs::read_dir(folder.path()).unwrap().flatten();
    assert_eq!(files.filter(|e| e.path().extension().is_some_and(|e| e == "parquet")).count(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_from_before_a_time_go_though_they_came_in_lately() {
    let folder = tempfile::tempdir().unwrap();
    let store = EmbeddedLogs::open(folder.path(), small()).await.unwrap();
    let month_ago = Timestamp::now() - (30 * 24).hours();
    let mut lines = visible(50);
    lines.iter_mut().for_each(|line| line.created_at = month_ago);
    // One that no query sees goes with the others, and is counted.
    lines[0].deleted = true;
    store.append(Batch { key: None, records: lines }).await.unwrap();
    let day_ago = Timestamp::now() - 24.hours();
    assert_eq!(store.count_before(month_ago).await.unwrap(), 0);
    assert_eq!(store.drop_before(month_ago, 1000).await.unwrap(), 0);
    assert_eq!(store.count_before(day_ago).await.unwrap(), 50);
    assert_eq!(store.drop_before(day_ago, 1000).await.unwrap(), 50);
    assert_eq!(store.drop_before(day_ago, 1000).await.unwrap(), 0);
    assert_eq!(count(&store).await, 0);
}

/// Logs are sealed, files merged and old ones dropped while they are copied.
#[tokio::test(flavor = "multi_thread")]
async fn a_copy_made_while_lines_come_in_has_all_that_was_acknowledged() {
    const EACH: usize = 20;
    let folder = tempfile::tempdir().unwrap();
    let store = std::sync::Arc::new(EmbeddedLogs::open(folder.path(), small()).await.unwrap());
    let kept = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
    let writing = tokio::spawn({
        let (store, kept) = (store.clone(), kept.clone());
        async move {
            for i in 0..80 {
                store.append(Batch { key: Some(format!("{i}")), records: visible(EACH) }).await.unwrap();
                kept.fetch_add(EACH as u64, std::sync::atomic::Ordering::SeqCst);
                if i % 10 == 9 {
                    store.seal().await.unwrap();
                    store.compact().await.unwrap();
                }
            }
        }
    });
    for i in 0..6 {
        let copy = tempfile::tempdir().unwrap();
        let least = kept.load(std::sync::atomic::Ordering::SeqCst);
        let (from, to) = (folder.path().to_owned(), copy.path().join("logs"));
        let to_open = to.clone();
        tokio::task::spawn_blocking(move || duru_logs::copy_folder(&from, &to)).await.unwrap().unwrap();
        let copied = EmbeddedLogs::open(&to_open, small()).await.unwrap();
        let found = count(&copied).await as u64;
        assert!(
            found >= least && found.is_multiple_of(EACH as u64),
            "copy {i} has {found} lines of {least} or more"
        );
    }
    writing.await.unwrap();
    assert_eq!(count(&store).await as usize, 80 * EACH);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_is_open_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = EmbeddedLogs::open(folder.path(), small()).await.unwrap();
    let Err(Error::Unavailable { reason }) = EmbeddedLogs::open(folder.path(), small()).await else {
        panic!()
    };
    assert!(reason.contains("another process"), "{reason}");
    drop(store);
    EmbeddedLogs::open(folder.path(), small()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_torn_tail_is_dropped_and_damage_before_it_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let store = EmbeddedLogs::open(folder.path(), Options::default()).await.unwrap();
    for part in visible(30).chunks(10) {
        store.append(Batch { key: None, records: part.to_vec() }).await.unwrap();
    }
    drop(store);
    let wal = folder.path().join("wal-00000001");
    let whole = fs::read(&wal).unwrap();
    fs::write(&wal, &whole[..whole.len() - 5]).unwrap();
    let store = EmbeddedLogs::open(folder.path(), Options::default()).await.unwrap();
    assert!(store.torn_bytes() > 0);
    assert_eq!(count(&store).await, 20);
    // It goes on from there.
    store.append(Batch { key: None, records: visible(5) }).await.unwrap();
    drop(store);
    let store = EmbeddedLogs::open(folder.path(), Options::default()).await.unwrap();
    assert_eq!((store.torn_bytes(), count(&store).await), (0, 25));
    drop(store);
    let mut damaged = fs::read(&wal).unwrap();
    damaged[100] ^= 1;
    fs::write(&wal, &damaged).unwrap();
    let Err(Error::Corrupt { .. }) = EmbeddedLogs::open(folder.path(), Options::default()).await else {
        panic!()
    };
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_or_cut_segment_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let store = EmbeddedLogs::open(folder.path(), small()).await.unwrap();
    store.append(Batch { key: None, records: visible(20) }).await.unwrap();
    store.seal().await.unwrap();
    drop(store);
    let segment = folder.path().join("seg-00000001.parquet");
    let whole = fs::read(&segment).unwrap();
    fs::write(&segment, &whole[..whole.len() - 1]).unwrap();
    let Err(Error::Corrupt { .. }) = EmbeddedLogs::open(folder.path(), small()).await else { panic!() };
    fs::remove_file(&segment).unwrap();
    let Err(Error::Corrupt { .. }) = EmbeddedLogs::open(folder.path(), small()).await else { panic!() };
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_known_follows_changes() {
    let folder = tempfile::tempdir().unwrap();
    let store = EmbeddedLogs::open(folder.path(), small()).await.unwrap();
    let known = store.knowledge().await.unwrap();
    assert_eq!((known.tables[0].estimated_rows, known.tables[0].newest.rows.len()), (0, 0));
    store.append(Batch { key: None, records: visible(400) }).await.unwrap();
    let known = store.knowledge().await.unwrap();
    let table = &known.tables[0];
    // The table's own columns, and the keys of its JSON column beside them.
    let (keys, columns): (Vec<_>, Vec<_>) =
        table.columns.iter().partition(|column| column.name.contains('.'));
    assert_eq!((columns.len(), table.estimated_rows, table.newest.rows.len()), (21, 400, 3));
    assert!(keys.iter().any(|key| key.name == "metadata.http"), "{keys:?}");
    let values = |name: &str| &table.columns.iter().find(|column| column.name == name).unwrap().values;
    assert_eq!(values("service").len(), 8);
    assert!(values("level").contains(&"ERROR".to_owned()));
    assert!(values("message").is_empty());
    assert!(std::sync::Arc::ptr_eq(&known, &store.knowledge().await.unwrap()));
    // A single line is soon enough known later; a tenth more at once.
    let mut newer = visible(50);
    newer[0].created_at = "2027-01-01T00:00:00Z".parse().unwrap();
    newer[0].service = "brand-new".into();
    store.append(Batch { key: None, records: newer }).await.unwrap();
    let known = store.knowledge().await.unwrap();
    assert_eq!(known.tables[0].newest.rows[0][4], "brand-new");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_column_without_a_value_is_known_to_be_empty() {
    let folder = tempfile::tempdir().unwrap();
    let store = EmbeddedLogs::open(folder.path(), small()).await.unwrap();
    let empty = async || {
        let known = store.knowledge().await.unwrap();
        let columns = known.tables[0].columns.iter().filter(|column| column.empty);
        columns.map(|column| column.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(empty().await, [""; 0], "of nothing, nothing is known");
    let mut records = visible(20);
    for record in &mut records {
        (record.duration_us, record.user_id, record.stack_trace) = (None, None, None);
    }
    store.append(Batch { key: None, records }).await.unwrap();
    let found = empty().await;
    for name in ["duration_ms", "user_id", "stack_trace"] {
        assert!(found.contains(&name.to_owned()), "{name}: {found:?}");
    }
    assert!(!found.contains(&"message".to_owned()) && !found.contains(&"metadata".to_owned()), "{found:?}");
    let mut records = visible(40);
    records[0].duration_us = Some(7);
    store.append(Batch { key: None, records }).await.unwrap();
    assert!(!empty().await.contains(&"duration_ms".to_owned()), "one value is enough");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_with_an_id_that_is_taken_is_refused_whole() {
    let folder = tempfile::tempdir().unwrap();
    let store = EmbeddedLogs::open(folder.path(), small()).await.unwrap();
    let with = |ids: &[Option<i64>]| {
        let mut lines = visible(ids.len());
        lines.iter_mut().zip(ids).for_each(|(line, id)| line.id = *id);
        lines
    };
    let keep = async |key: Option<&str>, ids: &[Option<i64>]| {
        store.append(Batch { key: key.map(str::to_owned), records: with(ids) }).await
    };
    let refused = |found: Result<Receipt, Error>| {
        matches!(found, Err(Error::Query { fault: duru_sql::Fault::Duplicate }))
    };
    keep(Some("first"), &[Some(5), Some(9), None]).await.unwrap();
    // In memory, and then in a file.
    for _ in 0..2 {
        assert!(refused(keep(None, &[Some(20), Some(9)]).await));
        assert!(refused(keep(Some("other"), &[None, Some(10)]).await));
        assert!(refused(keep(None, &[Some(30), Some(30)]).await));
        assert_eq!(count(&store).await, 3);
        // The same batch again is no conflict.
        assert!(keep(Some("first"), &[Some(5), Some(9), None]).await.unwrap().again);
        store.seal().await.unwrap();
    }
    // A deleted line keeps its id; gaps can be filled.
    assert_eq!(store.delete(&[9]).await.unwrap(), 1);
    assert!(refused(keep(None, &[Some(9)]).await));
    keep(None, &[Some(7), Some(8)]).await.unwrap();
    // Of many at once, one is kept.
    let all = futures_util::future::join_all((0..8).map(|_| keep(None, &[Some(11)]))).await;
    assert_eq!(all.iter().filter(|found| found.is_ok()).count(), 1);
    assert_eq!(count(&store).await, 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_store_turns_what_is_in_memory_into_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { seal_rows: 800, seal_after: std::time::Duration::from_millis(20), ..small() };
    let store = EmbeddedLogs::open(folder.path(), options).await.unwrap();
    let files = || {
        let all = fs::read_dir(folder.path()).unwrap().flatten();
        all.filter(|e| e.path().extension().is_some_and(|e| e == "parquet")).count()
    };
    // Too few for a file of their own, then enough.
    store.append(Batch { key: None, records: visible(40) }).await.unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    assert_eq!(files(), 0);
    store.append(Batch { key: None, records: visible(100) }).await.unwrap();
    while files() == 0 {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!(count(&store).await, 140);
    drop(store);
    let store = EmbeddedLogs::open(folder.path(), small()).await.unwrap();
    assert_eq!(count(&store).await, 140);
}

fn files(folder: &std::path::Path, ending: &str) -> usize {
    fs::read_dir(folder)
        .unwrap()
        .flatten()
        .filter(|e| e.file_name().to_string_lossy().ends_with(ending))
        .count()
}

#[tokio::test(flavor = "multi_thread")]
async fn small_files_are_merged_and_nothing_else_changes() {
    let folder = tempfile::tempdir().unwrap();
    let store = EmbeddedLogs::open(folder.path(), small()).await.unwrap();
    let all = lines(5, 2_000);
    for (i, part) in all.chunks(50).enumerate() {
        let mut records = part.to_vec();
        records.iter_mut().for_each(|record| record.id = None);
        store.append(Batch { key: Some(format!("k{i}")), records }).await.unwrap();
        store.seal().await.unwrap();
    }
    let deleted = store.delete(&[3, 700, 1_999]).await.unwrap();
    let everything = Checked::trusted("SELECT * FROM logs WHERE deleted = FALSE ORDER BY created_at, id");
    let before = store.query(&everything, &asking()).await.unwrap().rows;
    let version = store.version().await.unwrap();
    assert_eq!(files(folder.path(), ".parquet"), 40);

    // Someone who reads meanwhile sees all of it, too.
    let patient = asking();
    let (gone, meanwhile) = tokio::join!(store.compact(), store.query(&everything, &patient));
    assert!(gone.unwrap() >= 30);
    assert!(meanwhile.unwrap().rows == before);
    assert!(files(folder.path(), ".parquet") <= 8, "{}", files(folder.path(), ".parquet"));
    assert!(files(folder.path(), ".json") <= 9, "{}", files(folder.path(), ".json"));
    assert!(store.query(&everything, &asking()).await.unwrap().rows == before);
    assert_eq!(store.version().await.unwrap(), version);
    // Deleted stays deleted, and what was kept is known.
    assert_eq!(store.delete(&[3, 700, 1_999]).await.unwrap(), 0);
    assert!(deleted > 0);
    assert!(store.append(Batch { key: Some("k7".into()), records: visible(2) }).await.unwrap().again);
    drop(store);
    let store = EmbeddedLogs::open(folder.path(), small()).await.unwrap();
    assert!(store.query(&everything, &asking()).await.unwrap().rows == before);
    assert_eq!(store.version().await.unwrap(), version);
    assert_eq!(store.compact().await.unwrap(), 0);
    // And it can still be dropped by age.
    assert!(store.keep(1).await.unwrap() > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn small_files_are_merged_when_nobody_writes() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { seal_after: std::time::Duration::from_millis(50), ..small() };
    let store = EmbeddedLogs::open(folder.path(), options).await.unwrap();
    for part in visible(160).chunks(20) {
        store.append(Batch { key: None, records: part.to_vec() }).await.unwrap();
        store.seal().await.unwrap();
    }
    for _ in 0..400 {
        if files(folder.path(), ".parquet") == 1 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    assert_eq!((files(folder.path(), ".parquet"), count(&store).await), (1, 160));
}
