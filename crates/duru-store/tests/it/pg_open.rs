//! Opening: kept, refused, shared; and what a database that can't be opened says.

use std::time::{Duration, Instant};

use duru::store::{Checkpoints, Error};
use duru_store::{PostgresOptions, PostgresStore};
use tokio::task::JoinSet;
use tokio_postgres::{Client, NoTls};

use crate::pg_server::{self, Shared, free_port, open_store};
use crate::{all_rows, one_row, thread};

/// Must not be seen in any error.
const CANARY: &str = "c4nary-s3cret";

async fn admin(pg: &Shared) -> Client {
    let (client, connection) = tokio_postgres::connect(&pg.url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

async fn refused(url: &str, schema: &str) -> Error {
    let options = PostgresOptions {
        schema: schema.to_owned(),
        connect_timeout: Duration::from_secs(1),
        ..PostgresOptions::default()
    };
    let began = Instant::now();
    let Err(error) = PostgresStore::connect_with(url, options).await else { panic!("{url} was opened") };
    // Not for as long as a system waits for an answer that does not come.
    assert!(began.elapsed() < Duration::from_secs(30), "{url}: {:?}", began.elapsed());
    for said in [error.to_string(), format!("{error:?}")] {
        assert!(!said.contains(CANARY) && !said.contains("c4nary"), "the password is in {said}");
    }
    error
}

/// A backend error of one line that says this.
async fn says(url: &str, what: &str) {
    let error = refused(url, "duru").await;
    assert!(matches!(error, Error::Backend { .. }), "{error:?}");
    let said = error.to_string();
    assert!(said.contains(what), "{url}: {said}");
    assert!(!said.contains('\n'), "{said}");
}

#[tokio::test]
async fn what_is_no_url_of_a_database() {
    let bad = "this is no URL of a PostgreSQL database; write postgres://";
    for url in [
        "localhost",
        "threads.db",
        &format!("mysql://u:{CANARY}@h/db"),
        &format!("postgres://u:{CANARY}@h:port/db"),
        &format!("postgres://u:{CANARY}@h/db?no_such_option=1"),
        &format!("postgres:/u:{CANARY}@h/db?x=1"),
        &format!("host=h password={CANARY} {CANARY}=1"),
    ] {
        says(url, bad).await;
    }
    says("", "the URL names no host").await;
    says(&format!("postgres://u:{CANARY}@/db"), "the URL names no host").await;
    says(&format!("postgres://u:{CANARY}@h/db?sslmode=never"), "there is no such sslmode").await;
}

#[tokio::test]
async fn what_can_not_be_reached() {
    says(&format!("postgres://u:{CANARY}@no-such-host.invalid/db"), "the host is unknown").await;
    says(&format!("postgres://u:{CANARY}@127.0.0.1:{}/db", free_port()), "nothing listens there").await;
    // Something listens, and never says a word.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    says(&format!("postgres://u:{CANARY}@127.0.0.1:{port}/db"), "no answer within 1 s").await;
    // Something answers in another language.
    let web = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = web.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut client, _)) = web.accept().await {
            use tokio::io::AsyncWriteExt;
            client.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.unwrap();
        }
    });
    says(&format!("postgres://u:{CANARY}@127.0.0.1:{port}/db"), "open the database postgres://u@127.0.0.1")
        .await;
}

#[tokio::test]
async fn who_is_not_let_in() {
    let Some(pg) = pg_server::shared() else { return };
    let client = admin(pg).await;
    // Roles are the server's, and other runs of these tests may have made them.
    drop(client.batch_execute("CREATE ROLE locked LOGIN PASSWORD 'right'").await);
    drop(client.batch_execute("CREATE ROLE poor LOGIN").await);
    drop(client.batch_execute("CREATE DATABASE plain ENCODING 'SQL_ASCII' TEMPLATE template0").await);
    let host = pg.url.split(['@', '/']).nth(3).unwrap();
    let wrong = "the server refuses this user or password";
    says(&format!("postgres://locked:{CANARY}@{host}/postgres"), wrong).await;
    says(&format!("postgres://nobody_here:{CANARY}@{host}/postgres"), wrong).await;
    says(&format!("postgres://locked@{host}/postgres"), "the server asks for a password").await;
    says(&format!("postgres://duru:{CANARY}@{host}/no_such"), "there is no such database").await;
    says(&format!("postgres://duru:{CANARY}@{host}/plain"), "its encoding is SQL_ASCII").await;
    // May connect, and make nothing.
    says(&format!("postgres://poor:{CANARY}@{host}/postgres"), "permission denied").await;
    for schema in ["", "a'b", "a\"b", "$$", "a b", &"s".repeat(64)] {
        let error = refused(&pg.url, schema).await;
        assert!(error.to_string().contains("can't be the name of a schema"), "{error}");
    }
}

/// A user who may only read and write what another has made.
#[tokio::test]
async fn a_user_without_the_right_to_create_can_work() {
    let Some(pg) = pg_server::shared() else { return };
    let schema = pg.fresh_schema();
    open_store(&pg.url, &schema).await;
    let client = admin(pg).await;
    drop(client.batch_execute("CREATE ROLE worker LOGIN").await);
    let rights = format!(
        "GRANT USAGE ON SCHEMA {schema} TO worker; \
         GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO worker"
    );
    client.batch_execute(&rights).await.unwrap();
    let url = pg.url.replace("duru@", "worker@");
    let store = open_store(&url, &schema).await;
    let t = thread("t");
    let error = store.commit(one_row(&t, None, b"{}")).await.unwrap_err();
    assert!(error.to_string().contains("permission denied"), "{error}");
    assert!(error.to_string().contains("grant this user the rights"), "{error}");
    let rights = format!("GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {schema} TO worker");
    client.batch_execute(&rights).await.unwrap();
    store.commit(one_row(&t, None, b"{}")).await.unwrap();
}

#[tokio::test]
async fn a_newer_schema_is_refused() {
    let Some(pg) = pg_server::shared() else { return };
    let schema = pg.fresh_schema();
    open_store(&pg.url, &schema).await;
    let client = admin(pg).await;
    client.batch_execute(&format!("INSERT INTO {schema}.migrations VALUES (99)")).await.unwrap();
    let error = refused(&pg.url, &schema).await;
    let Error::Newer { what, found: 99, known } = &error else { panic!("{error}") };
    assert!(*known < 99 && what.contains(&schema) && what.contains("postgres://duru@127"), "{error}");
}

#[tokio::test]
async fn an_older_schema_is_brought_up_to_date() {
    let Some(pg) = pg_server::shared() else { return };
    let schema = pg.fresh_schema();
    let first = include_str!("../../migrations/postgres/0001_threads.sql").replace("@schema@", &schema);
    let old = format!(
        "CREATE SCHEMA {schema}; {first}; \
         CREATE TABLE {schema}.migrations (version bigint PRIMARY KEY, at timestamptz NOT NULL DEFAULT now()); \
         INSERT INTO {schema}.migrations VALUES (1); \
         INSERT INTO {schema}.threads (name, version, epoch, next_seq, status, created_ms, updated_ms, \
             updated_span, token) VALUES ('t', 1, 0, 0, 'idle', 5, 5, 0, 0)"
    );
    admin(pg).await.batch_execute(&old).await.unwrap();
    let store = open_store(&pg.url, &schema).await;
    let t = thread("t");
    let head = store.head(&t).await.unwrap();
    assert_eq!(head.unwrap().version, 1);
    store.commit(one_row(&t, head, b"1")).await.unwrap();
}

#[tokio::test]
async fn tables_of_another_program_are_left_alone() {
    let Some(pg) = pg_server::shared() else { return };
    let schema = pg.fresh_schema();
    let client = admin(pg).await;
    client
        .batch_execute(&format!("CREATE SCHEMA {schema}; CREATE TABLE {schema}.log (x int)"))
        .await
        .unwrap();
    let error = refused(&pg.url, &schema).await.to_string();
    assert!(error.contains("already exists") && error.contains(&schema), "{error}");
    let left = client.query(&format!("SELECT to_regclass('{schema}.threads')::text"), &[]).await.unwrap();
    assert_eq!(left[0].get::<_, Option<String>>(0), None);
}

#[tokio::test]
async fn reopening_keeps_everything() {
    let Some(pg) = pg_server::shared() else { return };
    let schema = format!("이름-{}", pg.fresh_schema());
    let t = thread("대화");
    let store = open_store(&pg.url, &schema).await;
    let head = store.commit(one_row(&t, None, b"{}")).await.unwrap();
    let rows = all_rows(&store, &t).await;
    drop(store);
    let store = open_store(&pg.url, &schema).await;
    assert_eq!(store.head(&t).await.unwrap(), Some(head));
    assert_eq!(all_rows(&store, &t).await, rows);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_can_open_a_new_schema_at_once() {
    let Some(pg) = pg_server::shared() else { return };
    let schema = pg.fresh_schema();
    let mut opening = JoinSet::new();
    for i in 0..8 {
        let schema = schema.clone();
        opening.spawn(async move {
            let store = open_store(&pg.url, &schema).await;
            store.commit(one_row(&thread(&format!("t{i}")), None, b"{}")).await.unwrap();
        });
    }
    while let Some(result) = opening.join_next().await {
        result.unwrap();
    }
}
