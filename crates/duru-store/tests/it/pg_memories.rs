//! Memory across threads on PostgreSQL.

use std::sync::Arc;

use duru::memory::{Address, Namespace, Put, Search};
use duru::store::{Error, Memories};
use duru::testkit::{memory_contract, memory_model};
use serde_json::json;

use crate::pg_server;

#[tokio::test(flavor = "multi_thread")]
async fn the_contract() {
    let Some(pg) = pg_server::shared() else { return };
    memory_contract::check(async || Arc::new(pg.store().await) as Arc<dyn Memories>).await;
}

/// The same seeds as SQLite and the memory store: all agree with a list, and so
/// with each other.
#[tokio::test]
async fn random_operations_give_the_same_as_in_memory() {
    let Some(pg) = pg_server::shared() else { return };
    for seed in 1000..1012 {
        memory_model::compare(&(Arc::new(pg.store().await) as Arc<dyn Memories>), seed, 150).await;
    }
}

/// What is replaced, deleted or swept leaves nothing in the index, and damage
/// has a name.
#[tokio::test]
async fn the_index_holds_nothing_that_is_gone() {
    let Some(pg) = pg_server::shared() else { return };
    let schema = pg.fresh_schema();
    let store = Arc::new(pg_server::open_store(&pg.url, &schema).await);
    memory_model::compare(&(Arc::clone(&store) as Arc<dyn Memories>), 7, 300).await;
    let (client, connection) = tokio_postgres::connect(&pg.url, tokio_postgres::NoTls).await.unwrap();
    let _connection = tokio::spawn(connection);
    let count = async |sql: String| client.query_one(&sql, &[]).await.unwrap().get::<_, i64>(0);
    let terms = format!("SELECT count(*) FROM {schema}.memory_terms");
    assert!(count(terms.clone()).await > 50);
    let stray = format!(
        "{terms} AS t LEFT JOIN {schema}.memories AS m \
         ON m.id = t.memory AND m.namespace = t.namespace AND t.term = ANY (m.terms) WHERE m.id IS NULL"
    );
    assert_eq!(count(stray).await, 0);
    for hit in store.search(Search::default().limit(usize::MAX), 0).await.unwrap() {
        store.forget(&Address::new(hit.item.namespace, hit.item.key).unwrap(), 0).await.unwrap();
    }
    store.sweep(u64::MAX).await.unwrap();
    assert_eq!(count(terms).await, 0);

    let at = Address::new(Namespace::new(["a"]).unwrap(), "k").unwrap();
    store.put(Put::new(at.clone(), json!({"t": "전세"}), None).unwrap(), 1).await.unwrap();
    client.batch_execute(&format!("UPDATE {schema}.memories SET value = '{{'")).await.unwrap();
    let error = store.search(Search::default().text("전세"), 1).await.unwrap_err();
    assert!(matches!(error, Error::Corrupt { .. }), "{error}");
    assert!(error.to_string().contains("memory \"k\" in a is damaged"), "{error}");
    assert!(store.forget(&at, 1).await.unwrap());
}
