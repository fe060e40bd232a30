//! Every category of questions on both stores in turn, and what the guard takes.

use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use duru_sql::guard::Checked;
use duru_sql::{Answer, LogStore};
use serde_json::{Value, json};

use crate::data;
use crate::questions::QUESTIONS;
use crate::words::{Words, middle_and_worst, peak_mib};

pub(crate) async fn run(words: &Words) -> Result<()> {
    let rounds = words.number("rounds", 7)?;
    let embedded = data::open(words.must("folder")?).await?;
    let postgres = match words.get("url") {
        Some(url) => Some(data::open(url).await?),
        None => None,
    };
    let guard = data::guard()?;
    let (trace, session) = known(&embedded).await?;
    for (category, sql) in QUESTIONS {
        let sql = sql.replace("{trace}", &trace).replace("{session}", &session);
        let check = || guard.check(&sql).map_err(|refusal| anyhow!("{sql}: {refusal:?}"));
        let query = check()?;
        let mut guarded = Vec::new();
        for _ in 0..200 {
            let begun = Instant::now();
            check()?;
            guarded.push(begun.elapsed().as_secs_f64() * 1e6);
        }
        let (mut ours, mut theirs, mut rows) = (Vec::new(), Vec::new(), 0);
        // One more than counts: the first warms up.
        for round in 0..=rounds {
            let (answer, took) = timed(&*embedded, &query).await.with_context(|| sql.clone())?;
            rows = answer.rows.len();
            ours.extend((round > 0).then_some(took));
            if let Some(postgres) = &postgres {
                let (other, took) = timed(&**postgres, &query).await.with_context(|| sql.clone())?;
                theirs.extend((round > 0).then_some(took));
                if !same(&answer, &other) {
                    bail!("the stores differ: {sql}\n{:?}\n{:?}", answer.rows, other.rows);
                }
            }
        }
        let (guard_us, guard_worst_us) = middle_and_worst(guarded);
        let ((ms, worst_ms), (postgres_ms, _)) = (middle_and_worst(ours), middle_and_worst(theirs));
        println!(
            "{}",
            json!({
                "case": "query", "category": category, "sql": sql, "rows": rows, "embedded_ms": ms,
                "embedded_worst_ms": worst_ms, "postgres_ms": finite(postgres_ms),
                "postgres_over_embedded": finite(postgres_ms / ms),
                "guard_us": guard_us, "guard_worst_us": guard_worst_us,
            })
        );
    }
    println!("{}", json!({"case": "asking", "store": "embedded", "peak_mib": peak_mib("self")}));
    Ok(())
}

fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}

/// From the checked query to the rows as JSON, in ms.
async fn timed(store: &dyn LogStore, query: &Checked) -> Result<(Answer, f64)> {
    let begun = Instant::now();
    let answer = store.query(query, &data::asking()).await?;
    Ok((answer, begun.elapsed().as_secs_f64() * 1e3))
}

/// A journey that is there.
async fn known(store: &Arc<dyn LogStore>) -> Result<(String, String)> {
    let sql = "SELECT trace_id, session_id FROM logs WHERE trace_id IS NOT NULL AND session_id IS NOT NULL \
               ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 5000";
    let query = data::guard()?.check(sql).map_err(|refusal| anyhow!("{refusal:?}"))?;
    let answer = store.query(&query, &data::asking()).await?;
    match answer.rows.first().map(Vec::as_slice) {
        Some([Value::String(trace), Value::String(session)]) => Ok((trace.clone(), session.clone())),
        _ => bail!("there are no journeys: too few rows"),
    }
}

pub(crate) fn same(ours: &Answer, theirs: &Answer) -> bool {
    let value = |pair: (&Value, &Value)| match (pair.0.as_f64(), pair.1.as_f64()) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0),
        _ => pair.0 == pair.1,
    };
    ours.rows.len() == theirs.rows.len()
        && ours.rows.iter().zip(&theirs.rows).all(|(a, b)| a.len() == b.len() && a.iter().zip(b).all(value))
}
