//! Databases of others, read without a word of configuration.

use duru_sql::domain::{Description, Domain};
use duru_sql::guard::Guard;
use duru_sql::postgres::{PostgresTables, TableOptions};
use duru_sql::tables::TableNote;
use duru_sql::{ColumnKnowledge, Kind, Knowledge, TableSource};
use serde_json::json;

use crate::fixture::{Database, asking};

const SHOP: &str = "
    CREATE SCHEMA sales; CREATE TYPE state AS ENUM ('new', 'paid');
    CREATE TABLE customers (id int PRIMARY KEY, name text NOT NULL, email text UNIQUE, password_hash text,
      city text, is_deleted boolean NOT NULL DEFAULT false);
    COMMENT ON TABLE customers IS 'People who bought something';
    COMMENT ON COLUMN customers.city IS 'Where they live';
    CREATE TABLE sales.orders (id int PRIMARY KEY, customer_id int REFERENCES customers, state state,
      channel text CHECK (channel IN ('web', 'shop', 'phone')), amount numeric, at timestamptz, deleted_at timestamptz);
    CREATE TABLE sales.items (order_id int, product_code text, n int);
    CREATE TABLE products (product_code text, title text);
    CREATE TABLE \"주문 메모\" (\"Order\" int, \"select\" text, 내용 text);
    CREATE TABLE hidden_from_us (id int);
    CREATE VIEW sales.broken AS SELECT 1 / (n - n) AS x FROM sales.items;
    INSERT INTO customers SELECT i, 'Customer ' || i, i || '@x', 'h', CASE WHEN i % 2 = 0 THEN 'Seoul' ELSE 'Busan' END,
      i > 90 FROM generate_series(1, 100) AS i;
    INSERT INTO products SELECT 'P' || i, 'Product ' || i FROM generate_series(1, 20) AS i;
    INSERT INTO sales.orders SELECT i, i % 90 + 1, 'paid', 'web', i, now(), CASE WHEN i > 150 THEN now() END
      FROM generate_series(1, 200) AS i;
    INSERT INTO sales.items SELECT i % 200 + 1, 'P' || (i % 20 + 1), 1 FROM generate_series(1, 400) AS i;
    INSERT INTO \"주문 메모\" VALUES (1, 'x', '급함');";

/// A role of its own that may only read.
async fn reader(database: &Database) -> String {
    let name = format!("reader_{}", database.name);
    let grants = format!(
        "CREATE ROLE {name} LOGIN; GRANT USAGE ON SCHEMA public, sales TO {name}; \
         GRANT SELECT ON ALL TABLES IN SCHEMA public, sales TO {name}; REVOKE SELECT ON hidden_from_us FROM {name}"
    );
    database.client().await.batch_execute(&grants).await.unwrap();
    database.url_of(&name)
}

async fn shop(description: &str) -> Option<(Database, PostgresTables)> {
    let database = Database::new().await?;
    database.client().await.batch_execute(SHOP).await.unwrap();
    let url = reader(&database).await;
    let description = Description::read(description).unwrap();
    let tables = PostgresTables::connect(&url, &description, TableOptions::default()).await.unwrap();
    Some((database, tables))
}

fn column<'a>(knowledge: &'a Knowledge, table: &str, name: &str) -> &'a ColumnKnowledge {
    let known = knowledge.tables.iter().find(|known| known.table.name == table).unwrap();
    known.columns.iter().find(|column| column.name == name).unwrap()
}

#[tokio::test]
async fn a_database_of_others_is_known_without_configuration() {
    let Some((_database, tables)) = shop("").await else { return };
    let catalog = tables.catalog();
    let customers = catalog.table("customers").unwrap();
    assert_eq!(customers.primary_key, ["id"]);
    assert_eq!(customers.unique, [["email"]]);
    assert_eq!(customers.description.as_deref(), Some("People who bought something"));
    assert_eq!(customers.column("city").unwrap().description.as_deref(), Some("Where they live"));
    assert_eq!(customers.column("password_hash"), None, "a secret");
    assert_eq!(customers.soft_delete.as_deref(), Some("\"is_deleted\" IS NOT TRUE"));
    let orders = catalog.table("orders").unwrap();
    assert_eq!(orders.schema, "sales");
    assert_eq!(orders.column("state").unwrap().kind, Kind::Ordered(vec!["new".into(), "paid".into()]));
    assert_eq!(orders.soft_delete.as_deref(), Some("\"deleted_at\" IS NULL"));
    assert!(!orders.foreign_keys[0].inferred && orders.foreign_keys[0].table == "customers");

    let knowledge = tables.knowledge().await.unwrap();
    assert_eq!(column(&knowledge, "customers", "city").values, ["Busan", "Seoul"]);
    assert_eq!(
        column(&knowledge, "customers", "name").values.len(),
        90,
        "all names, but no deleted person's"
    );
    assert_eq!(column(&knowledge, "orders", "channel").values, ["web", "shop", "phone"], "also unused ones");
    assert!(!column(&knowledge, "customers", "name").nullable);
    let rows =
        |name: &str| knowledge.tables.iter().find(|known| known.table.name == name).unwrap().estimated_rows;
    assert_eq!((rows("customers"), rows("orders"), rows("items")), (90, 150, 400));

    let domain = Domain::of(&knowledge, &Description::default());
    let joins: Vec<String> = domain
        .joins
        .iter()
        .map(|join| format!("{}.{} = {}.{}", join.from, join.from_columns[0], join.to, join.to_columns[0]))
        .collect();
    for join in [
        "orders.customer_id = customers.id",
        "items.order_id = orders.id",
        "주문 메모.Order = orders.id",
        "items.product_code = products.product_code",
    ] {
        assert!(joins.iter().any(|found| found == join), "{join} of {joins:?}");
    }
    assert_eq!(joins.len(), 4, "{joins:?}");
    assert_eq!(domain.table("customers").unwrap().primary_key, ["id"]);
    assert_eq!(domain.table("products").unwrap().primary_key, ["product_code"], "by what others name it");
}

#[tokio::test]
async fn what_can_not_be_asked_is_said() {
    let Some((_database, tables)) = shop("").await else { return };
    let said: Vec<String> = tables.notes().iter().map(ToString::to_string).collect();
    let said = said.join("\n");
    for part in ["hidden_from_us", "broken is left out", "password_hash", "customers: only rows with"] {
        assert!(said.contains(part), "{part} of {said}");
    }
    assert!(tables.catalog().table("broken").is_none() && tables.catalog().table("hidden_from_us").is_none());
    assert!(tables.notes().iter().any(|note| matches!(note, TableNote::NotReadable { .. })));
}

#[tokio::test]
async fn a_description_allows_hides_and_says_which_rows_count() {
    let words = "[table.customers]\nallowed = [\"password_hash\"]\nhidden = [\"email\"]\nsoft_delete = \"\"";
    let Some((_database, tables)) = shop(words).await else { return };
    let catalog = tables.catalog();
    let customers = catalog.table("customers").unwrap();
    assert!(customers.column("password_hash").is_some() && customers.column("email").is_none());
    assert!(customers.unique.is_empty(), "no key of a column that may not be asked");
    assert_eq!(customers.soft_delete, None);
}

#[tokio::test]
async fn asking_needs_only_select_and_changes_nothing() {
    let Some((database, tables)) = shop("").await else { return };
    let guard = Guard::new(tables.catalog());
    let ask = async |sql: &str| tables.query(&guard.check(sql).unwrap(), &asking()).await.unwrap().rows;
    assert_eq!(ask("SELECT count(*) FROM customers").await, [[json!(90)]]);
    let joined = "SELECT c.city, count(*) FROM sales.orders o JOIN customers c ON c.id = o.customer_id GROUP BY 1 ORDER BY 1";
    assert_eq!(ask(joined).await.len(), 2);
    assert_eq!(
        ask("SELECT \"select\", 내용 FROM \"주문 메모\" WHERE \"Order\" = 1").await,
        [[json!("x"), json!("급함")]]
    );

    let written = duru_sql::guard::Checked::trusted("INSERT INTO products VALUES ('a', 'b')");
    assert!(tables.query(&written, &asking()).await.is_err());
    let client = database.client().await;
    let ours = "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
                WHERE n.nspname LIKE 'duru%' OR c.relname = 'logs'";
    assert_eq!(client.query_one(ours, &[]).await.unwrap().get::<_, i64>(0), 0, "nothing was made");
}

#[tokio::test]
async fn an_empty_database_is_no_error() {
    let Some(database) = Database::new().await else { return };
    let tables = PostgresTables::connect(&database.url, &Description::default(), TableOptions::default())
        .await
        .unwrap();
    assert!(tables.catalog().tables.is_empty() && tables.knowledge().await.unwrap().tables.is_empty());
    assert!(!tables.version().await.unwrap().is_empty());
}

#[tokio::test]
async fn five_hundred_columns_and_a_table_without_a_key_are_read() {
    let Some(database) = Database::new().await else { return };
    let columns: Vec<String> = (0..500).map(|i| format!("column_{i} text")).collect();
    let wide =
        format!("CREATE TABLE wide ({}); INSERT INTO wide (column_3) VALUES ('x')", columns.join(", "));
    database.client().await.batch_execute(&wide).await.unwrap();
    let tables = PostgresTables::connect(&database.url, &Description::default(), TableOptions::default())
        .await
        .unwrap();
    let knowledge = tables.knowledge().await.unwrap();
    assert_eq!((knowledge.tables[0].columns.len(), knowledge.tables[0].estimated_rows), (500, 1));
    assert_eq!(column(&knowledge, "wide", "column_3").values, ["x"]);
}
