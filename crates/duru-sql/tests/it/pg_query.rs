//! Queries, their limits and their errors.

use std::time::Duration;

use duru_sql::guard::{Checked, Lang};
use duru_sql::postgres::Options;
use duru_sql::{Answer, Asking, Cap, Error, Fault, Kind, Level, Limits, LogStore, TableSource};
use serde_json::json;

use crate::fixture::{Database, asking, fill, record};

async fn ask(logs: &dyn LogStore, sql: &str) -> Result<Answer, Error> {
    logs.query(&Checked::trusted(sql), &asking()).await
}

#[tokio::test]
async fn levels_compare_by_severity_and_times_are_the_asker_s() {
    let Some(database) = Database::new().await else { return };
    let logs = database.logs().await;
    fill(&logs, Level::ALL.map(|level| record("api", level, level.word())).into()).await;
    let answer = ask(&logs, "SELECT level, level AS level, count(*) FROM logs WHERE level >= 'WARN' GROUP BY 1, 2 ORDER BY level DESC").await.unwrap();
    let words: Vec<_> = answer.rows.iter().map(|row| row[0].as_str().unwrap()).collect();
    assert_eq!(words, ["FATAL", "ERROR", "WARN"]);
    assert_eq!(answer.columns[0].name, answer.columns[1].name, "names may come twice");
    assert!(matches!(&answer.columns[0].kind, Kind::Ordered(labels) if labels[0] == "TRACE"));
    assert_eq!(answer.columns[2].kind, Kind::Bigint);

    let sql = "SELECT date_trunc('day', created_at), created_at::date, created_at::text, \
               created_at::timestamp FROM logs LIMIT 1";
    let seoul = ask(&logs, sql).await.unwrap().rows;
    assert_eq!(
        seoul,
        [[
            json!("2026-03-18T00:00:00+09:00"),
            json!("2026-03-18"),
            json!("2026-03-18 14:30:00.123456+09"),
            json!("2026-03-18T14:30:00.123456"),
        ]]
    );
    let york = Asking { timezone: "America/New_York".into(), ..asking() };
    let york = logs.query(&Checked::trusted(sql), &york).await.unwrap().rows;
    assert_eq!(york[0][0], json!("2026-03-18T00:00:00-04:00"));
    let nowhere = Asking { timezone: "Nowhere'; DROP TABLE logs; --".into(), ..asking() };
    assert!(logs.query(&Checked::trusted(sql), &nowhere).await.is_err());
}

#[tokio::test]
async fn every_kind_of_value_is_json() {
    let Some(database) = Database::new().await else { return };
    let logs = database.logs().await;
    let sql = "SELECT 1::int2, 9007199254740993::int8, 1.50::numeric, 0.1::float8, 'NaN'::float8, NULL, TRUE, \
               interval '1 day 2 hours', ARRAY[1, NULL, 3], '{\"b\": [1]}'::jsonb, '{\"b\":1, \"a\":2}'::json, \
               'a''b'::varchar, '\\x00ff'::bytea, ROW(1, 'x'), avg(x) FROM (VALUES (1), (2)) AS v(x)";
    let answer = ask(&logs, sql).await.unwrap();
    let expected = json!([
        1, 9_007_199_254_740_993_i64, 1.5, 0.1, "NaN", null, true, "1 day 02:00:00", [1, null, 3],
        {"b": [1]}, {"b": 1, "a": 2}, "a'b", "\\x00ff", {"f1": 1, "f2": "x"}, 1.5
    ]);
    assert_eq!(json!(answer.rows[0]), expected);
    assert_eq!(answer.cut, None);
    assert_eq!(ask(&logs, "SELECT FROM logs").await.unwrap().rows.len(), 0, "a query without columns");
}

#[tokio::test]
async fn rows_bytes_and_values_are_capped() {
    let Some(database) = Database::new().await else { return };
    let logs = database.logs().await;
    let limits = Limits { rows: 10, value_bytes: 100, bytes: 4_000, ..Limits::default() };
    let capped = |sql: &'static str| {
        let logs = &logs;
        async move { logs.query(&Checked::trusted(sql), &Asking { limits, ..asking() }).await.unwrap() }
    };
    let answer = capped("SELECT n FROM generate_series(1, 11) AS n").await;
    assert_eq!((answer.rows.len(), answer.cut), (10, Some(Cap::Rows)));
    let answer = capped("SELECT n FROM generate_series(1, 10) AS n").await;
    assert_eq!((answer.rows.len(), answer.cut), (10, None), "exactly as many are all");
    let answer = capped("SELECT n FROM generate_series(1, 200000) AS n").await;
    assert_eq!((answer.rows.len(), answer.cut), (10, Some(Cap::Rows)));

    // 300 MB would be made here.
    let answer = capped("SELECT repeat('가', 100000000), to_jsonb(repeat('x', 1000))").await;
    let value = answer.rows[0][0].as_str().unwrap();
    assert_eq!(value, format!("{}…", "가".repeat(33)));
    assert_eq!(answer.rows[0][1].as_str().unwrap().len(), 100 + "…".len());

    let answer = capped(
        "SELECT repeat('x', 90), repeat('x', 90), repeat('x', 90), repeat('x', 90), \
                         repeat('x', 90), repeat('x', 90) FROM generate_series(1, 9)",
    )
    .await;
    assert_eq!((answer.rows.len(), answer.cut), (7, Some(Cap::Bytes)));
    assert_eq!(capped("SELECT 1").await.rows, [[json!(1)]], "the store is of use afterwards");
}

#[tokio::test]
async fn what_takes_too_long_is_ended_and_what_would_cost_too_much_is_not_begun() {
    let Some(database) = Database::new().await else { return };
    let logs = database.logs().await;
    let limits = Limits { time: Duration::from_millis(200), ..Limits::default() };
    let slow = Checked::trusted("SELECT pg_sleep(30)::text");
    let error = logs.query(&slow, &Asking { limits, ..asking() }).await.unwrap_err();
    assert!(matches!(error, Error::TimedOut { .. }), "{error}");

    let costly = "SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b";
    let error = ask(&logs, costly).await.unwrap_err();
    assert!(matches!(error, Error::TooCostly { .. }), "{error}");
    assert!(error.text(Lang::Ko).contains("무겁습니다"));
}

#[tokio::test]
async fn a_cancelled_query_ends_on_the_server_too() {
    let Some(database) = Database::new().await else { return };
    let logs = database.logs().await;
    let asking = asking();
    let query = Checked::trusted("SELECT 'cancel me', pg_sleep(60)::text");
    let watching = database.client().await;
    let active = "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%cancel me%' \
                  AND pid <> pg_backend_pid() AND datname = current_database() AND query NOT LIKE 'EXPLAIN%'";
    let count = async || -> i64 { watching.query_one(active, &[]).await.unwrap().get(0) };
    let (answer, ()) = tokio::join!(logs.query(&query, &asking), async {
        while count().await == 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        asking.cancel.cancel();
    });
    assert!(matches!(answer, Err(Error::Cancelled)));
    while count().await > 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn nothing_is_written_and_nothing_is_stacked() {
    let Some(database) = Database::new().await else { return };
    let logs = database.logs().await;
    fill(&logs, vec![record("api", Level::Info, "x")]).await;
    for sql in [
        "DELETE FROM logs",
        "WITH d AS (DELETE FROM logs RETURNING 1) SELECT count(*) FROM d",
        "SELECT 1; DELETE FROM logs",
        "SELECT 1) AS q(c0) LIMIT 1; DELETE FROM logs; SELECT 2 FROM (SELECT 1",
        "SELECT nextval('logs_id_seq')",
        "SELECT $1::text",
        "COMMIT",
        "SELECT * INTO stolen FROM logs",
    ] {
        assert!(ask(&logs, sql).await.is_err(), "{sql}");
    }
    assert_eq!(ask(&logs, "SELECT count(*) FROM logs").await.unwrap().rows, [[json!(1)]]);
}

#[tokio::test]
async fn errors_never_quote_a_row() {
    let Some(database) = Database::new().await else { return };
    let logs = database.logs().await;
    fill(&logs, vec![record("api", Level::Info, "s3cret-value")]).await;
    let faults = [
        ("SELECT message::int FROM logs", Fault::NotOfType),
        ("SELECT message::timestamptz FROM logs", Fault::NotATime),
        ("SELECT 1 / length(substr(message, 1, 0)) FROM logs", Fault::DivisionByZero),
        ("SELECT (9e30)::numeric::bigint", Fault::OutOfRange),
        ("SELECT message::jsonb FROM logs", Fault::NotOfType),
        ("SELECT message ~ '(' FROM logs", Fault::BadPattern),
        ("SELECT (SELECT x FROM (VALUES (1), (2)) AS v(x))", Fault::MoreThanOneRow),
        ("SELECT level LIKE 'E%' FROM logs", Fault::WrongTypes),
        ("SELECT nothing FROM logs", Fault::UnknownName),
        ("SELECT FROM WHERE", Fault::Syntax),
        ("SELECT * FROM logs WHERE level = 'LOUD'", Fault::NotOfType),
    ];
    for (sql, expected) in faults {
        let error = ask(&logs, sql).await.unwrap_err();
        assert!(matches!(error, Error::Query { fault } if fault == expected), "{sql}: {error:?}");
        for lang in [Lang::Ko, Lang::En] {
            assert!(!error.text(lang).contains("s3cret") && !format!("{error:?}").contains("s3cret"));
        }
    }
}

#[tokio::test]
async fn a_lost_connection_is_replaced() {
    let Some(database) = Database::new().await else { return };
    let logs = database.logs_with(Options { max_connections: 1, ..Options::default() }).await;
    ask(&logs, "SELECT 1").await.unwrap();
    let kill = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                WHERE datname = current_database() AND pid <> pg_backend_pid()";
    database.client().await.query(kill, &[]).await.unwrap();
    // One may still find the dead connection, before its end is noticed.
    drop(ask(&logs, "SELECT 1").await);
    drop(ask(&logs, "SELECT 1").await);
    ask(&logs, "SELECT 1").await.unwrap();
}

#[tokio::test]
async fn a_server_that_is_not_there_is_named_without_the_password() {
    let port = crate::pg_server::free_port();
    for url in [
        format!("postgres://kim:s3cret@127.0.0.1:{port}/logs"),
        "postgres://kim:s3cret@h:port/logs".to_owned(),
        "postgres:kim:s3cret".to_owned(),
    ] {
        let error = duru_sql::postgres::PostgresLogs::connect(&url).await.err().unwrap();
        assert!(matches!(error, Error::Unavailable { .. }), "{error}");
        assert!(!error.to_string().contains("s3cret"), "{error}");
    }
}
