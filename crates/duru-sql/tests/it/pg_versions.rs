//! A log store that a newer program has been at, as while replicas are replaced one by one.

use duru_sql::postgres::{Options, PostgresLogs};
use duru_sql::{Batch, Error, Level, LogStore as _, TableSource as _};

use crate::fixture::{Database, record};

/// Opens it as whoever serves does, and as whoever makes it.
async fn opened(database: &Database) -> Vec<Result<PostgresLogs, Error>> {
    let mut opened = Vec::new();
    for make in [false, true] {
        let options = Options { make, ..Options::default() };
        opened.push(PostgresLogs::connect_with(&database.url, options).await);
    }
    opened
}

#[tokio::test]
async fn a_newer_log_store_is_used_if_it_says_that_this_program_will_do() {
    let Some(database) = Database::new().await else { return };
    let before = database.logs().await;
    let client = database.client().await;
    let own = Options::default().own;
    let known: i64 =
        client.query_one(&format!("SELECT max(version) FROM {own}.migrations"), &[]).await.unwrap().get(0);
    let oldest = format!("SELECT oldest FROM {own}.migrations WHERE version = {known}");
    assert!(client.query_one(&oldest, &[]).await.unwrap().get::<_, i64>(0) <= known);

    let added = format!("INSERT INTO {own}.migrations VALUES ({}, now(), {known})", known + 1);
    client.batch_execute(&added).await.unwrap();
    for logs in opened(&database).await {
        let batch = Batch { key: None, records: vec![record("api", Level::Info, "on")] };
        assert_eq!(logs.unwrap().append(batch).await.unwrap().kept, 1);
    }
    before.version().await.unwrap();

    let more = known + 2;
    for changed in [
        format!("INSERT INTO {own}.migrations VALUES ({more}, now(), {more})"),
        // Made by a program that could not say so.
        format!("ALTER TABLE {own}.migrations DROP COLUMN oldest"),
    ] {
        client.batch_execute(&changed).await.unwrap();
        for logs in opened(&database).await {
            let Err(Error::Failed { reason }) = logs else { panic!("opened after {changed}") };
            assert!(
                reason.contains(&format!("version {more}")) && reason.contains("use a newer one"),
                "{reason}"
            );
        }
    }
}
