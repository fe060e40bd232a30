//! Programs of two versions on one schema, as while replicas are replaced one by one.

use std::sync::Arc;
use std::time::Duration;

use duru::store::{Checkpoints, Error, Status};
use duru_store::testkit::connect_as_next;
use duru_store::{PostgresOptions, PostgresStore};
use tokio_postgres::{Client, NoTls};

use crate::pg_server::{self, Shared, open_store};
use crate::{all_rows, one_row, thread};

/// Nobody waits longer for something that must happen.
const GIVE_UP: Duration = Duration::from_secs(120);

fn options(schema: &str) -> PostgresOptions {
    PostgresOptions { schema: schema.to_owned(), ..PostgresOptions::default() }
}

async fn next(pg: &Shared, schema: &str) -> PostgresStore {
    connect_as_next(&pg.url, options(schema)).await.unwrap()
}

async fn admin(pg: &Shared) -> Client {
    let (client, connection) = tokio_postgres::connect(&pg.url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// The newest version, and the oldest program that it asks for.
async fn versions(client: &Client, schema: &str) -> (i64, Option<i64>) {
    let sql = format!("SELECT version, oldest FROM {schema}.migrations ORDER BY version DESC LIMIT 1");
    let row = client.query_one(&sql, &[]).await.unwrap();
    (row.get(0), row.get(1))
}

/// A program that ran before the migration goes on, one that starts after it does, and both see what the other wrote.
#[tokio::test]
async fn old_programs_go_on_and_start_again_beside_a_newer_one() {
    let Some(pg) = pg_server::shared() else { return };
    let schema = pg.fresh_schema();
    let before = open_store(&pg.url, &schema).await;
    let t = thread("t");
    let mut head = before.commit(one_row(&t, None, b"1")).await.unwrap();
    let new = next(pg, &schema).await;
    let after = open_store(&pg.url, &schema).await;
    for store in [&before, &new, &after, &before, &new] {
        head = store.commit(one_row(&t, Some(head), b"2")).await.unwrap();
    }
    for store in [&before, &new, &after] {
        assert_eq!(store.head(&t).await.unwrap(), Some(head));
        assert_eq!(all_rows(store, &t).await.len(), 6);
    }
    assert_eq!(head.status, Status::Busy);
    let (newest, oldest) = versions(&admin(pg).await, &schema).await;
    assert_eq!(oldest, Some(newest - 1));
    // And the next one, after all that.
    assert_eq!(next(pg, &schema).await.head(&t).await.unwrap(), Some(head));
}

#[tokio::test]
async fn a_newer_schema_is_refused_if_any_migration_that_is_not_known_asks_for_more() {
    let Some(pg) = pg_server::shared() else { return };
    let schema = pg.fresh_schema();
    drop(open_store(&pg.url, &schema).await);
    let client = admin(pg).await;
    let (known, _) = versions(&client, &schema).await;
    for (change, is_refused) in [
        (format!("INSERT INTO {schema}.migrations VALUES ({}, now(), {known})", known + 1), false),
        (format!("INSERT INTO {schema}.migrations VALUES ({0}, now(), {0})", known + 2), true),
        // It is no use that the one after that asks for less.
        (format!("INSERT INTO {schema}.migrations VALUES ({}, now(), {known})", known + 3), true),
        (format!("DELETE FROM {schema}.migrations WHERE version = {}", known + 2), false),
        // Made by a program that could not say so.
        (format!("UPDATE {schema}.migrations SET oldest = NULL"), true),
        (format!("ALTER TABLE {schema}.migrations DROP COLUMN oldest"), true),
        (format!("DELETE FROM {schema}.migrations WHERE version > {known}"), false),
    ] {
        client.batch_execute(&change).await.unwrap();
        match PostgresStore::connect_with(&pg.url, options(&schema)).await {
            Ok(_) => assert!(!is_refused, "opened after {change}"),
            Err(Error::Newer { .. }) => assert!(is_refused, "refused after {change}"),
            Err(other) => panic!("{other}"),
        }
    }
    // The column comes back with the next migration, and what was there before says nothing.
    drop(next(pg, &schema).await);
    assert_eq!(versions(&client, &schema).await, (known + 1, Some(known)));
}

/// A migration that waits for somebody who is at work keeps no one else waiting for long, and is done in the end.
#[tokio::test(flavor = "multi_thread")]
async fn a_migration_lets_others_work_while_it_waits() {
    let Some(pg) = pg_server::shared() else { return };
    let schema = pg.fresh_schema();
    let old = open_store(&pg.url, &schema).await;
    let t = thread("t");
    let mut head = old.commit(one_row(&t, None, b"1")).await.unwrap();
    let (mut reader, watcher) = (admin(pg).await, admin(pg).await);
    let long = reader.transaction().await.unwrap();
    long.query(&format!("SELECT count(*) FROM {schema}.threads"), &[]).await.unwrap();
    let migrating = tokio::spawn({
        let (url, options) = (pg.url.clone(), options(&schema));
        async move { connect_as_next(&url, options).await.map(Arc::new) }
    });
    let waits = format!(
        "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = '{schema}.threads'::regclass"
    );
    tokio::time::timeout(GIVE_UP, async {
        while watcher.query_one(&waits, &[]).await.unwrap().get::<_, i64>(0) == 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        // They come after the migration, which never comes to it.
        for _ in 0..3 {
            head = old.commit(one_row(&t, Some(head), b"2")).await.unwrap();
        }
        assert!(!migrating.is_finished());
        long.rollback().await.unwrap();
        let new = migrating.await.unwrap().unwrap();
        assert_eq!(new.head(&t).await.unwrap(), Some(head));
    })
    .await
    .unwrap();
}
