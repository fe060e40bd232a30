//! Prints what can be known of a database without a word of configuration:
//! `cargo run -p duru-sql --example tables -- postgres://reader@localhost/shop`

use duru_sql::TableSource as _;
use duru_sql::domain::Description;
use duru_sql::postgres::{PostgresTables, TableOptions};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Some(url) = std::env::args().nth(1) else {
        println!("usage: tables postgres://user@host/database");
        return Ok(());
    };
    let tables = PostgresTables::connect(&url, &Description::default(), TableOptions::default()).await?;
    for known in &tables.knowledge().await?.tables {
        let table = &known.table;
        println!(
            "{}.{} ({} rows) key {:?}",
            table.schema, table.name, known.estimated_rows, table.primary_key
        );
        for column in &known.columns {
            let (values, samples) = (column.values.len(), column.samples.len());
            println!("  {} {} values {values} samples {samples}", column.name, column.data_type);
        }
        for key in &table.foreign_keys {
            let how = if key.inferred { "inferred" } else { "declared" };
            println!("  {:?} -> {}.{:?} {how}", key.columns, key.table, key.to);
        }
    }
    for note in tables.notes() {
        println!("note: {note}");
    }
    Ok(())
}
