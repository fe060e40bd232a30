//! Lines that are kept.

use duru_sql::guard::Checked;
use duru_sql::{Batch, Level, LogStore, Receipt, TableSource};
use serde_json::{Value, json};

use crate::fixture::{Database, asking, fill, record};

async fn rows(logs: &dyn LogStore, sql: &str) -> Vec<Vec<Value>> {
    logs.query(&Checked::trusted(sql), &asking()).await.unwrap().rows
}

#[tokio::test]
async fn a_line_comes_back_as_it_was() {
    let Some(database) = Database::new().await else { return };
    let logs = database.logs().await;
    let mut record =
        record("결제 api", Level::Warn, "tab\there, back\\slash \\N\r\nnew line, NUL\0, '따옴표'");
    record.trace_id = Some("a".repeat(32));
    record.stack_trace = Some("\\.".into());
    record.duration_us = Some(9_999_999_999);
    record.metadata = json!({"a\tb": "x\u{0}y", "deep": [1, 2.5, null, {"한": "글"}]}).as_object().cloned();
    fill(&logs, vec![record]).await;
    let row = rows(&logs, "SELECT id, created_at, level, service, trace_id, message, stack_trace, path, duration_ms, deleted, metadata FROM logs").await;
    assert_eq!(
        row,
        [[
            json!(1),
            json!("2026-03-18T14:30:00.123456+09:00"),
            json!("WARN"),
            json!("결제 api"),
            json!("a".repeat(32)),
            json!("tab\there, back\\slash \\N\r\nnew line, NUL\u{fffd}, '따옴표'"),
            json!("\\."),
            Value::Null,
            json!(9_999_999.999),
            json!(false),
            json!({"a\tb": "x\u{fffd}y", "deep": [1, 2.5, null, {"한": "글"}]}),
        ]]
    );
}

#[tokio::test]
async fn a_batch_that_is_sent_again_is_kept_once() {
    let Some(database) = Database::new().await else { return };
    let logs = database.logs().await;
    let batch = Batch { key: Some("b-1".into()), records: vec![record("api", Level::Info, "once"); 3] };
    assert_eq!(logs.append(batch.clone()).await.unwrap(), Receipt { kept: 3, again: false });
    let version = logs.version().await.unwrap();
    assert_eq!(logs.append(batch.clone()).await.unwrap(), Receipt { kept: 3, again: true });
    assert_eq!(logs.version().await.unwrap(), version, "nothing changed");

    // At the same time, and by another process.
    let other = database.logs().await;
    let batch = Batch { key: Some("b-2".into()), ..batch };
    let all = tokio::join!(
        logs.append(batch.clone()),
        other.append(batch.clone()),
        logs.append(batch.clone()),
        other.append(batch)
    );
    let again =
        [all.0, all.1, all.2, all.3].into_iter().filter(|receipt| receipt.as_ref().unwrap().again).count();
    assert_eq!(again, 3);
    assert_eq!(rows(&logs, "SELECT count(*) FROM logs").await, [[json!(6)]]);
    assert_ne!(logs.version().await.unwrap(), version);
}

#[tokio::test]
async fn a_batch_that_fails_leaves_nothing_behind_not_even_its_key() {
    let Some(database) = Database::new().await else { return };
    let logs = database.logs().await;
    let mut too_long = record("api", Level::Info, "too long");
    too_long.duration_us = Some(10_000_000_000);
    let bad = Batch { key: Some("k".into()), records: vec![record("api", Level::Info, "fine"), too_long] };
    let error = logs.append(bad).await.unwrap_err().to_string();
    assert_eq!(error, "a value is out of its type's range");
    let good = Batch { key: Some("k".into()), records: vec![record("api", Level::Info, "fine")] };
    assert_eq!(logs.append(good).await.unwrap(), Receipt { kept: 1, again: false });
    assert_eq!(rows(&logs, "SELECT count(*) FROM logs").await, [[json!(1)]]);
}

#[tokio::test]
async fn ids_that_lines_bring_are_not_given_again() {
    let Some(database) = Database::new().await else { return };
    let logs = database.logs().await;
    let mut named = record("api", Level::Info, "named");
    named.id = Some(41);
    fill(&logs, vec![record("api", Level::Info, "first"), named.clone()]).await;
    fill(&logs, vec![record("api", Level::Info, "after")]).await;
    let ids = rows(&logs, "SELECT id, message FROM logs ORDER BY id").await;
    assert_eq!(ids, [[json!(1), json!("first")], [json!(41), json!("named")], [json!(42), json!("after")]]);
    let again = logs.append(Batch { key: None, records: vec![named] }).await.unwrap_err();
    assert_eq!(again.to_string(), "a row with the same id is there already");
}

#[tokio::test]
async fn deleted_lines_are_gone_once() {
    let Some(database) = Database::new().await else { return };
    let logs = database.logs().await;
    fill(&logs, vec![record("api", Level::Info, "x"); 4]).await;
    let version = logs.version().await.unwrap();
    assert_eq!(logs.delete(&[2, 3, 99]).await.unwrap(), 2);
    assert_eq!(logs.delete(&[2, 3, 99]).await.unwrap(), 0);
    assert_ne!(logs.version().await.unwrap(), version);
    let ids = rows(&logs, "SELECT id FROM logs WHERE deleted = FALSE ORDER BY id").await;
    assert_eq!(ids, [[json!(1)], [json!(4)]]);
}

#[tokio::test]
async fn changes_by_others_change_the_version_too() {
    let Some(database) = Database::new().await else { return };
    let logs = database.logs().await;
    fill(&logs, vec![record("api", Level::Info, "x")]).await;
    let mut versions = vec![logs.version().await.unwrap()];
    let other = database.client().await;
    for sql in ["UPDATE logs SET message = 'y'", "DELETE FROM logs", "TRUNCATE logs"] {
        other.batch_execute(sql).await.unwrap();
        versions.push(logs.version().await.unwrap());
    }
    versions.dedup();
    assert_eq!(versions.len(), 4, "{versions:?}");
}

#[tokio::test]
async fn several_open_a_new_database_at_once() {
    let Some(database) = Database::new().await else { return };
    let (a, b, c) = tokio::join!(database.logs(), database.logs(), database.logs());
    for logs in [&a, &b, &c] {
        fill(logs, vec![record("api", Level::Info, "x")]).await;
    }
    assert_eq!(rows(&a, "SELECT count(*) FROM logs").await, [[json!(3)]]);
}

#[tokio::test]
async fn somebody_else_s_table_is_not_taken_for_ours() {
    let Some(database) = Database::new().await else { return };
    database.client().await.batch_execute("CREATE TABLE logs (a int)").await.unwrap();
    let error = duru_sql::postgres::PostgresLogs::connect(&database.url).await.err().unwrap();
    assert!(error.to_string().contains("did not make"), "{error}");
}

/// What retention does: the oldest first, so many at a time, whatever became of them.
#[tokio::test]
async fn lines_from_before_a_time_go_the_oldest_first_and_so_many_at_a_time() {
    let Some(database) = Database::new().await else { return };
    let logs = database.logs().await;
    let day = |day: u32, count: usize| {
        let mut line = record("api", Level::Info, &format!("day {day}"));
        line.created_at = format!("2026-03-{day:02}T12:00:00.000001Z").parse().unwrap();
        vec![line; count]
    };
    for (at, count) in [(3, 4), (1, 3), (2, 5)] {
        fill(&logs, day(at, count)).await;
    }
    // One that people no longer see is kept no longer than others.
    assert_eq!(logs.delete(&[1]).await.unwrap(), 1);
    let left = async || {
        let sql = "SELECT message, count(*) FROM logs GROUP BY message ORDER BY message";
        let counted = rows(&logs, sql).await.into_iter();
        counted.map(|row| (row[0].as_str().unwrap().to_owned(), row[1].as_u64().unwrap())).collect::<Vec<_>>()
    };
    let day_of = |day: &str, count: u64| (format!("day {day}"), count);
    let at = |text: &str| text.parse().unwrap();
    assert_eq!(
        logs.drop_before(at("2026-03-01T12:00:00.000001Z"), 100).await.unwrap(),
        0,
        "not that moment itself"
    );
    let version = logs.version().await.unwrap();
    assert_eq!(logs.count_before(at("2026-03-02T12:00:00.000002Z")).await.unwrap(), 8);
    assert_eq!(logs.drop_before(at("2026-03-02T12:00:00.000002Z"), 4).await.unwrap(), 4);
    assert_eq!(left().await, [day_of("2", 4), day_of("3", 4)]);
    assert_ne!(logs.version().await.unwrap(), version, "what was worked out of them no longer holds");
    assert_eq!(logs.drop_before(at("2026-03-02T12:00:00.000002Z"), 100).await.unwrap(), 4);
    assert_eq!(logs.drop_before(at("2026-03-02T12:00:00.000002Z"), 100).await.unwrap(), 0);
    assert_eq!(left().await, [day_of("3", 4)]);
    // The next process sees the same, and ids are not given again.
    let other = database.logs().await;
    fill(&other, day(4, 1)).await;
    assert_eq!(rows(&other, "SELECT max(id), count(*) FROM logs").await, [[json!(13), json!(5)]]);
}
