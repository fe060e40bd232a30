//! Connections that callers share, on a real server: waits end, and what was interrupted is closed.

use std::sync::Arc;
use std::time::{Duration, Instant};

use duru_postgres::{Address, Lease, Pool, PoolError, PoolOptions};
use duru_sql::postgres::Options;
use duru_sql::{Batch, Error, Level, LogStore as _, TableSource as _};
use tokio_postgres::Client;

use crate::fixture::{Database, record};

/// Long enough to be noticed, short enough for a test.
const WAIT: Duration = Duration::from_millis(100);
/// Nobody waits longer for something that must happen.
const GIVE_UP: Duration = Duration::from_secs(30);

fn pool(database: &Database, max_connections: usize) -> Pool {
    let options = PoolOptions { max_connections, wait_timeout: WAIT, ..PoolOptions::default() };
    Pool::new(Address::parse(&database.url).unwrap(), options).unwrap()
}

async fn pid(lease: &Lease) -> i32 {
    lease.client().query_one("SELECT pg_backend_pid()", &[]).await.unwrap().get(0)
}

/// Waits until so many sessions are like this.
async fn until(client: &Client, condition: &str, count: i64) {
    let sql =
        format!("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND {condition}");
    let started = Instant::now();
    while client.query_one(&sql, &[]).await.unwrap().get::<_, i64>(0) != count {
        assert!(started.elapsed() < GIVE_UP, "never {count} sessions where {condition}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn a_caller_waits_for_a_connection_only_so_long() {
    let Some(database) = Database::new().await else { return };
    let pool = pool(&database, 2);
    let (one, two) = (pool.lease().await.unwrap(), pool.lease().await.unwrap());
    let started = Instant::now();
    let refused = pool.lease().await.err().unwrap();
    assert!(started.elapsed() >= WAIT && started.elapsed() < GIVE_UP);
    assert!(matches!(refused, PoolError::Busy { max_connections: 2, waited: WAIT }), "{refused}");
    assert!(refused.to_string().contains("all 2 connections"), "{refused}");
    one.give_back();
    drop(pool.lease().await.unwrap());
    drop(two);
    let both = (pool.lease().await, pool.lease().await);
    assert!(both.0.is_ok() && both.1.is_ok(), "those that were closed leave their place to others");
}

#[tokio::test]
async fn a_connection_is_used_again_once_it_is_given_back_and_closed_if_not() {
    let Some(database) = Database::new().await else { return };
    let (pool, watcher) = (pool(&database, 1), database.client().await);
    let lease = pool.lease().await.unwrap();
    let first = pid(&lease).await;
    lease.give_back();
    let lease = pool.lease().await.unwrap();
    assert_eq!(pid(&lease).await, first);
    lease.client().batch_execute("BEGIN; CREATE TABLE half_done (id int8)").await.unwrap();
    drop(lease);
    let lease = pool.lease().await.unwrap();
    assert_ne!(pid(&lease).await, first);
    lease.give_back();
    until(&watcher, &format!("pid = {first}"), 0).await;
    let found = watcher.query_one("SELECT to_regclass('half_done') IS NULL", &[]).await.unwrap();
    assert!(found.get::<_, bool>(0), "what was begun is taken back");
}

#[tokio::test]
async fn a_store_whose_connections_are_all_in_use_says_so() {
    let Some(database) = Database::new().await else { return };
    let options = Options { max_connections: 1, wait_timeout: WAIT, ..Options::default() };
    let logs = Arc::new(database.logs_with(options).await);
    let (blocker, watcher) = (database.client().await, database.client().await);
    blocker.batch_execute("BEGIN; LOCK TABLE logs IN ACCESS EXCLUSIVE MODE").await.unwrap();
    let batch = Batch { key: None, records: vec![record("api", Level::Info, "late")] };
    let (storing, waiting) = (Arc::clone(&logs), batch.clone());
    let stored = tokio::spawn(async move { storing.append(waiting).await });
    until(&watcher, "wait_event_type = 'Lock'", 1).await;
    let refused = logs.version().await.unwrap_err();
    assert!(matches!(&refused, Error::Unavailable { reason } if reason.contains("in use")), "{refused}");
    let refused = logs.append(batch).await.unwrap_err();
    assert!(matches!(&refused, Error::Unavailable { reason } if reason.contains("in use")), "{refused}");
    blocker.batch_execute("ROLLBACK").await.unwrap();
    assert_eq!(stored.await.unwrap().unwrap().kept, 1);
    logs.version().await.unwrap();
}
