//! Files of others as tables.

use std::path::Path;

use duru_logs::FileTables;
use duru_sql::domain::{Description, Domain};
use duru_sql::guard::Guard;
use duru_sql::{Asking, Kind, Limits, TableSource as _};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

fn shop(folder: &Path) {
    let orders = "\u{feff}id;customer_id;amount;at;zip\n1;1;10.5;2026-01-02 10:00:00;01234\n2;2;20;2026-01-03 11:30:00;04524\n3;1;;2026-01-03 12:00:00;01234\n";
    let customers = "[{\"id\": 1, \"name\": \"Kim\", \"home\": {\"city\": \"Seoul\"}, \"password\": \"x\", \"is_deleted\": false},\
                      {\"id\": 2, \"name\": \"Lee\", \"home\": {\"city\": \"Busan\"}, \"password\": \"y\", \"is_deleted\": null},\
                      {\"id\": 3, \"name\": \"Gone\", \"home\": {\"city\": \"Jeju\"}, \"password\": \"z\", \"is_deleted\": true}]";
    std::fs::write(folder.join("orders.csv"), orders).unwrap();
    std::fs::write(folder.join("customers.json"), customers).unwrap();
    std::fs::write(folder.join("lines.jsonl"), "{\"a\": 1}\n{\"a\": 2, \"b\": \"x\"}\n").unwrap();
    std::fs::write(folder.join("broken.json"), "{\"a\": ").unwrap();
    std::fs::write(folder.join("notes.txt"), "not a table").unwrap();
}

async fn ask(tables: &FileTables, sql: &str) -> Vec<Vec<Value>> {
    let checked = Guard::new(tables.catalog()).check(sql).unwrap();
    let asking = Asking {
        timezone: "Asia/Seoul".into(),
        limits: Limits::default(),
        cancel: CancellationToken::new(),
        who: None,
    };
    tables.query(&checked, &asking).await.unwrap().rows
}

#[tokio::test]
async fn a_folder_of_files_is_asked_like_a_database() {
    let folder = tempfile::tempdir().unwrap();
    shop(folder.path());
    let tables = FileTables::open(folder.path(), &Description::default()).await.unwrap();
    let catalog = tables.catalog();
    let names: Vec<&str> = catalog.tables.iter().map(|table| table.name.as_str()).collect();
    assert_eq!(names, ["customers", "lines", "orders"]);
    let orders = catalog.table("orders").unwrap();
    let kinds: Vec<Kind> = orders.columns.iter().map(|column| column.kind.clone()).collect();
    assert_eq!(kinds, [Kind::Bigint, Kind::Bigint, Kind::Double, Kind::LocalTimestamp, Kind::Text]);
    let customers = catalog.table("customers").unwrap();
    assert!(customers.column("password").is_none() && customers.column("home_city").is_some());
    let said: Vec<String> = tables.notes().iter().map(ToString::to_string).collect();
    let said = said.join("\n");
    for part in ["broken.json", "password", "is_deleted"] {
        assert!(said.contains(part), "{part} of {said}");
    }

    assert_eq!(ask(&tables, "SELECT count(*), sum(amount) FROM orders").await, [[json!(3), json!(30.5)]]);
    assert_eq!(ask(&tables, "SELECT count(*) FROM customers").await, [[json!(2)]], "one is deleted");
    let joined = "SELECT c.home_city, count(*) FROM orders o JOIN customers c ON c.id = o.customer_id \
                  WHERE o.at >= '2026-01-03' GROUP BY 1 ORDER BY 1";
    assert_eq!(ask(&tables, joined).await, [[json!("Busan"), json!(1)], [json!("Seoul"), json!(1)]]);
    assert_eq!(ask(&tables, "SELECT zip FROM orders WHERE id = 2").await, [[json!("04524")]]);

    let knowledge = tables.knowledge().await.unwrap();
    let domain = Domain::of(&knowledge, &Description::default());
    assert_eq!(domain.joins.len(), 1, "{:?}", domain.joins);
    assert_eq!((&*domain.joins[0].from, &*domain.joins[0].to), ("orders", "customers"));
    assert!(!format!("{knowledge:?}").contains("Gone"), "nothing of deleted rows");
}

#[tokio::test]
async fn a_file_is_a_table_and_a_path_that_is_not_there_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    shop(folder.path());
    let one = FileTables::open(&folder.path().join("lines.jsonl"), &Description::default()).await.unwrap();
    assert_eq!(
        ask(&one, "SELECT a, b FROM lines ORDER BY a").await,
        [[json!(1), Value::Null], [json!(2), json!("x")]]
    );
    assert!(FileTables::open(&folder.path().join("none"), &Description::default()).await.is_err());
}
