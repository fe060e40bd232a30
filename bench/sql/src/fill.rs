//! Puts lines into a store by its own interface, in batches of 1,000, four at a time.

use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;
use duru_sql::{Batch, Record};
use serde_json::json;
use tokio::task::JoinSet;

use crate::data;
use crate::words::{Words, peak_mib};

const BATCH: usize = 1_000;
const AT_ONCE: usize = 4;

pub(crate) async fn run(words: &Words) -> Result<()> {
    let (place, rows) = (words.must("into")?, words.number("rows", 1_000_000)?);
    let store = data::open(place).await?;
    let mut lines = data::lines(rows)?;
    let (mut waiting, mut kept) = (JoinSet::new(), 0);
    let begun = Instant::now();
    loop {
        let records: Vec<Record> = lines.by_ref().take(BATCH).collect();
        let ended = records.is_empty();
        while waiting.len() >= if ended { 1 } else { AT_ONCE } {
            if let Some(receipt) = waiting.join_next().await {
                let receipt: Result<duru_sql::Receipt, duru_sql::Error> = receipt?;
                kept += receipt?.kept;
            }
        }
        if ended {
            break;
        }
        let store = Arc::clone(&store);
        waiting.spawn(async move { store.append(Batch { key: None, records }).await });
    }
    let seconds = begun.elapsed().as_secs_f64();
    if place.starts_with("postgres") {
        settle(place).await?;
    }
    println!(
        "{}",
        json!({
            "case": "fill", "store": store_name(place), "rows": kept,
            "rows_per_s": kept as f64 / seconds, "peak_mib": peak_mib("self"),
        })
    );
    Ok(())
}

pub(crate) fn store_name(place: &str) -> &'static str {
    if place.starts_with("postgres") { "postgres" } else { "embedded" }
}

/// What the database would do by itself in the next minutes, so that it is measured at its best.
async fn settle(url: &str) -> Result<()> {
    let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await?;
    let carried = tokio::spawn(connection);
    client.batch_execute("VACUUM (ANALYZE) public.logs").await?;
    drop(client);
    Ok(carried.await??)
}
