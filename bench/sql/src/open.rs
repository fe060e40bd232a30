//! How long it takes from nothing to the first answer, on lines that are there.

use std::time::Instant;

use anyhow::{Context, Result};
use serde_json::json;

use crate::data;
use crate::words::{Words, peak_mib};

pub(crate) async fn run(words: &Words) -> Result<()> {
    let folder = words.must("folder")?;
    let begun = Instant::now();
    let store = data::open(folder).await?;
    let opened = begun.elapsed().as_secs_f64();
    let query = data::guard()?
        .check("SELECT count(*) FROM logs WHERE created_at > now() - INTERVAL '1 hour'")
        .map_err(|refusal| anyhow::anyhow!("{refusal:?}"))?;
    let answer = store.query(&query, &data::asking()).await?;
    let answered = begun.elapsed().as_secs_f64();
    let found = answer.rows.first().and_then(|row| row.first()).context("there is no count")?;
    let known = store.knowledge().await?;
    let rows: u64 = known.tables.iter().map(|table| table.estimated_rows).sum();
    println!(
        "{}",
        json!({
            "case": "open", "rows": rows, "last_hour": found, "open_s": opened,
            "first_answer_s": answered, "peak_mib": peak_mib("self"),
        })
    );
    Ok(())
}
