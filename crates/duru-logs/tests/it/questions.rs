//! Limits of a question: rows, bytes, time, cancelling.

use duru_sql::TableSource as _;
use std::time::Duration;

use duru_logs::{EmbeddedLogs, Options};
use duru_sql::guard::Checked;
use duru_sql::{Batch, Cap, Error, Fault, LogStore};

use crate::differential::asking;
use crate::rows::lines;

const HEAVY: &str = "SELECT count(*) FROM logs a, logs b, logs c WHERE a.id + b.id + c.id > 0";

async fn filled(folder: &std::path::Path, count: usize) -> EmbeddedLogs {
    let store = EmbeddedLogs::open(folder, Options::default()).await.unwrap();
    store.append(Batch { key: None, records: lines(3, count) }).await.unwrap();
    store
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_ends_when_its_time_is_over_and_when_it_is_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let store = filled(folder.path(), 3_000).await;
    let mut asking = asking();
    asking.limits.time = Duration::from_millis(200);
    let found = store.query(&Checked::trusted(HEAVY), &asking).await;
    assert!(matches!(found, Err(Error::TimedOut { .. })), "{found:?}");
    asking.limits.time = Duration::from_secs(600);
    let cancel = asking.cancel.clone();
    let question = tokio::spawn(async move {
        let found = store.query(&Checked::trusted(HEAVY), &asking).await;
        (found, store)
    });
    tokio::time::sleep(Duration::from_millis(50)).await;
    cancel.cancel();
    let (found, store) = question.await.unwrap();
    assert!(matches!(found, Err(Error::Cancelled)), "{found:?}");
    // The store goes on.
    let answer =
        store.query(&Checked::trusted("SELECT count(*) FROM logs"), &crate::differential::asking()).await;
    assert_eq!(answer.unwrap().rows[0][0], 3_000);
}

#[tokio::test]
async fn rows_and_bytes_are_capped_and_long_values_are_cut() {
    let folder = tempfile::tempdir().unwrap();
    let store = filled(folder.path(), 500).await;
    let mut asking = asking();
    asking.limits.rows = 10;
    let answer = store.query(&Checked::trusted("SELECT id FROM logs"), &asking).await.unwrap();
    assert_eq!((answer.rows.len(), answer.cut), (10, Some(Cap::Rows)));
    let answer =
        store.query(&Checked::trusted("SELECT id FROM logs ORDER BY id LIMIT 10"), &asking).await.unwrap();
    assert_eq!((answer.rows.len(), answer.cut), (10, None));
    asking.limits.rows = 500;
    asking.limits.bytes = 1_000;
    let answer = store.query(&Checked::trusted("SELECT message FROM logs"), &asking).await.unwrap();
    assert_eq!(answer.cut, Some(Cap::Bytes));
    asking.limits.value_bytes = 4;
    let answer = store.query(&Checked::trusted("SELECT '주문 번호' AS m"), &asking).await.unwrap();
    assert_eq!(answer.rows[0][0], "주");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_needs_too_much_memory_is_told_so() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { query_memory: 1 << 20, spill_bytes: 0, ..Options::default() };
    let store = EmbeddedLogs::open(folder.path(), options).await.unwrap();
    store.append(Batch { key: None, records: lines(3, 4_000) }).await.unwrap();
    let sql = "SELECT a.message || b.message AS m, count(*) FROM logs a JOIN logs b ON a.service = b.service GROUP BY 1 ORDER BY 1";
    let found = store.query(&Checked::trusted(sql), &asking()).await;
    assert!(matches!(found, Err(Error::OutOfMemory)), "{found:?}");
}

/// The values of a group came as slices of a batch once, and each of them held the batch of all groups.
#[tokio::test(flavor = "multi_thread")]
async fn percentiles_of_many_groups_need_little_more_memory_than_the_values() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { query_memory: 16 << 20, spill_bytes: 0, ..Options::default() };
    let store = EmbeddedLogs::open(folder.path(), options).await.unwrap();
    store.append(Batch { key: None, records: lines(3, 20_000) }).await.unwrap();
    for kind in ["percentile_cont", "percentile_disc"] {
        let sql = format!(
            "SELECT service, level, {kind}(0.95) WITHIN GROUP (ORDER BY duration_ms) AS p95 FROM logs GROUP BY 1, 2 ORDER BY 1, 2"
        );
        let answer = store.query(&Checked::trusted(&sql), &asking()).await.unwrap();
        assert_eq!(answer.rows.len(), 48, "{kind}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_error_holds_a_value_of_a_row() {
    let folder = tempfile::tempdir().unwrap();
    let store = filled(folder.path(), 100).await;
    // In memory, and in a file, where the filter runs while it is read.
    for _ in 0..2 {
        for (sql, fault) in [
            ("SELECT message::int FROM logs", Fault::NotOfType),
            ("SELECT message::timestamptz FROM logs", Fault::NotOfType),
            ("SELECT message::jsonb FROM logs", Fault::BadJson),
            ("SELECT id FROM logs WHERE message::int > 3", Fault::NotOfType),
            ("SELECT id FROM logs WHERE 1 / (id - id) > 3", Fault::DivisionByZero),
        ] {
            let found = store.query(&Checked::trusted(sql), &asking()).await;
            assert!(matches!(&found, Err(Error::Query { fault: f }) if *f == fault), "{sql}: {found:?}");
        }
        store.seal().await.unwrap();
    }
}
