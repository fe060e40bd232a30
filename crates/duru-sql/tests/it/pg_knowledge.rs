//! What the store knows of its tables.

use std::sync::Arc;
use std::time::Duration;

use duru_sql::guard::Checked;
use duru_sql::postgres::{Foreign, Meaning, Options};
use duru_sql::{Kind, Level, LogStore, TableSource};
use serde_json::json;

use crate::fixture::{Database, asking, fill, record};

#[tokio::test]
async fn the_lines_are_known() {
    let Some(database) = Database::new().await else { return };
    let logs = database.logs_with(Options { knowledge_age: Duration::ZERO, ..Options::default() }).await;
    let mut records = Vec::new();
    for i in 0..50 {
        let mut record = record(if i == 0 { "rare" } else { "api" }, Level::Info, &format!("message {i}"));
        record.method = Some(if i % 5 == 0 { "POST" } else { "GET" }.into());
        record.trace_id = Some(format!("trace-{i}"));
        record.created_at = record.created_at.checked_add(jiff::SignedDuration::from_secs(i)).unwrap();
        records.push(record);
    }
    let mut gone = record("gone", Level::Info, "gone");
    gone.deleted = true;
    gone.session_id = Some("gone".into());
    gone.created_at = "2030-01-01T00:00:00Z".parse().unwrap();
    records.push(gone);
    fill(&logs, records).await;

    let knowledge = logs.knowledge().await.unwrap();
    let known = &knowledge.tables[0];
    let (keys, columns): (Vec<_>, Vec<_>) =
        known.columns.iter().partition(|column| column.name.contains('.'));
    assert_eq!(columns.len(), 21);
    assert!(keys.iter().all(|key| key.name.starts_with("metadata.")) && !keys.is_empty());
    let column = |name: &str| known.columns.iter().find(|column| column.name == name).unwrap();
    assert_eq!(column("duration_ms").data_type, "numeric(10,3)");
    assert!(column("duration_ms").nullable && !column("service").nullable);
    assert_eq!(column("deleted").default.as_deref(), Some("false"));
    assert_eq!(column("service").values, ["api", "rare"]);
    assert_eq!(column("method").values, ["GET", "POST"], "most frequent first");
    assert_eq!(column("level").values.len(), 6);
    assert!(column("trace_id").values.is_empty() && column("message").values.is_empty());
    let empty: Vec<_> =
        columns.iter().filter(|column| column.empty).map(|column| column.name.as_str()).collect();
    assert!(
        empty.contains(&"session_id") && empty.contains(&"path"),
        "a deleted row's value is none: {empty:?}"
    );
    assert!(!empty.contains(&"duration_ms") && !empty.contains(&"trace_id") && !empty.contains(&"metadata"));
    assert_eq!(known.indexes.len(), 5);
    assert!(known.estimated_rows > 0);
    let messages: Vec<_> = known.newest.rows.iter().map(|row| row[11].clone()).collect();
    assert_eq!(messages, [json!("message 49"), json!("message 48"), json!("message 47")]);
    assert!(!format!("{known:?}").contains("gone"), "nothing of deleted rows");

    assert!(Arc::ptr_eq(&knowledge, &logs.knowledge().await.unwrap()), "from the cache");
    database
        .client()
        .await
        .batch_execute("ALTER TABLE logs ALTER COLUMN path SET DEFAULT '/'")
        .await
        .unwrap();
    let path = async || {
        let known = logs.knowledge().await.unwrap();
        known.tables[0].columns.iter().find(|column| column.name == "path").unwrap().default.clone()
    };
    while path().await.is_none() {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn tables_and_views_of_others_can_be_asked() {
    let Some(database) = Database::new().await else { return };
    let client = database.client().await;
    client
        .batch_execute(
            "CREATE SCHEMA shop; CREATE TYPE shop.state AS ENUM ('new', 'paid'); \
             CREATE TABLE shop.orders (id int PRIMARY KEY, state shop.state, note varchar(50), \
               card text, at timestamp DEFAULT now(), removed_at timestamptz); \
             INSERT INTO shop.orders SELECT i, 'paid', 'gift', '4111', timestamp '2026-01-01' + i * interval '1 day', \
               CASE WHEN i > 5 THEN now() END FROM generate_series(1, 10) AS i; \
             CREATE VIEW shop.paid AS SELECT id, note FROM shop.orders WHERE state = 'paid'",
        )
        .await
        .unwrap();
    let orders = Foreign {
        schema: "shop".into(),
        name: "orders".into(),
        soft_delete: Some("removed_at IS NULL".into()),
        hidden: vec!["card".into()],
        description: Some("What customers ordered".into()),
        synonyms: vec!["주문".into()],
        columns: [("note".to_owned(), Meaning { synonyms: vec!["메모".into()], ..Meaning::default() })]
            .into(),
    };
    let view = Foreign { schema: "shop".into(), name: "paid".into(), ..Foreign::default() };
    let options = Options { logs: None, tables: vec![orders.clone(), view], ..Options::default() };
    let store = database.logs_with(options).await;
    let catalog = store.catalog();
    let table = catalog.table("orders").unwrap();
    let names: Vec<_> = table.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["id", "state", "note", "at", "removed_at"]);
    assert_eq!(table.column("state").unwrap().kind, Kind::Ordered(vec!["new".into(), "paid".into()]));
    assert_eq!(table.column("note").unwrap().synonyms, ["메모"]);

    let knowledge = store.knowledge().await.unwrap();
    assert_eq!(knowledge.tables[0].newest.rows[0][0], json!(5), "the newest that is not removed");
    assert!(!format!("{knowledge:?}").contains("4111"), "nothing of hidden columns");
    assert_eq!(knowledge.tables[1].columns.len(), 2);
    let answer = store.query(&Checked::trusted("SELECT count(*) FROM paid"), &asking()).await.unwrap();
    assert_eq!(answer.rows, [[json!(10)]]);

    let version = store.version().await.unwrap();
    assert_eq!(store.version().await.unwrap().split(':').next(), version.split(':').next());
    client.batch_execute("DELETE FROM shop.orders WHERE id = 1").await.unwrap();
    assert_ne!(store.version().await.unwrap(), version);
    let refused = store.append(duru_sql::Batch::default()).await.unwrap_err();
    assert!(refused.to_string().contains("keeps no lines"), "{refused}");

    let typo = Foreign { hidden: vec!["cart".into()], ..orders };
    let options = Options { logs: None, tables: vec![typo], ..Options::default() };
    let error = duru_sql::postgres::PostgresLogs::connect_with(&database.url, options).await.err().unwrap();
    assert_eq!(error.to_string(), "shop.orders has no column cart");
}
