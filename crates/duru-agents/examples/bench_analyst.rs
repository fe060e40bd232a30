//! What the analyst itself costs per question: everything but the database and a model.
//!
//! `cargo xtask bench analyst` builds it for release and runs it on question sets: files with a question or `turns` per line.
//! Every question goes through the whole graph, by rules, on a log store that answers at once with the same rows.

#![allow(clippy::unwrap_used, reason = "a measurement that can't go on has failed")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use duru::store::MemoryStore;
use duru::{App, Unfinished};
use duru_agents::analyst::{Analysis, Inquiry, Toolbox, graph};
use duru_llm::decision::Decider;
use duru_sql::guard::{Checked, Guard};
use duru_sql::{
    Answer, Asking, Batch, Catalog, Column, ColumnKnowledge, Error, Kind, Knowledge, LogStore, Receipt,
    TableKnowledge, TableSource,
};
use jiff::Timestamp;
use serde_json::{Value, json};

const NOW: &str = "2026-03-18T14:30:00+09:00";
const ROUNDS: usize = 5;

/// A store that has always just answered.
struct Instantly {
    knowledge: Arc<Knowledge>,
    answer: Answer,
}

#[async_trait]
impl TableSource for Instantly {
    async fn query(&self, _: &Checked, _: &Asking) -> Result<Answer, Error> {
        Ok(self.answer.clone())
    }

    async fn knowledge(&self) -> Result<Arc<Knowledge>, Error> {
        Ok(Arc::clone(&self.knowledge))
    }

    /// A version of its own for every question: nothing is answered from the cache.
    async fn version(&self) -> Result<String, Error> {
        Ok(fastrand::u64(..).to_string())
    }
}

#[async_trait]
impl LogStore for Instantly {
    async fn append(&self, batch: Batch) -> Result<Receipt, Error> {
        Ok(Receipt { kept: batch.records.len() as u64, again: false })
    }

    async fn delete(&self, _: &[i64]) -> Result<u64, Error> {
        Ok(0)
    }

    async fn drop_before(&self, _: Timestamp, _: u64) -> Result<u64, Error> {
        Ok(0)
    }

    async fn count_before(&self, _: Timestamp) -> Result<u64, Error> {
        Ok(0)
    }

    async fn settle(&self) -> Result<(), Error> {
        Ok(())
    }
}

/// As many values as a shop's logs have.
fn values(column: &str) -> Vec<String> {
    let words: &[&str] = match column {
        "service" => &[
            "payment-api",
            "order-api",
            "user-api",
            "auth-api",
            "inventory-api",
            "notification-api",
            "product-api",
            "web-app",
            "mobile-app",
            "batch-worker",
            "sensor-hub",
        ],
        "level" => &["INFO", "WARN", "ERROR", "DEBUG", "TRACE", "FATAL"],
        "environment" => &["production", "staging", "development"],
        "method" => &["GET", "POST", "PUT", "PATCH"],
        "error_type" | "path" | "function_name" | "file_path" => {
            return (0..60).map(|n| format!("{column}/Value{n}")).collect();
        }
        _ => &[],
    };
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn store() -> Instantly {
    let table = Catalog::logs().tables.remove(0);
    let columns = table.columns.iter().map(|column| ColumnKnowledge {
        name: column.name.clone(),
        data_type: "text".to_owned(),
        nullable: true,
        default: None,
        samples: Vec::new(),
        values: values(&column.name),
        empty: false,
    });
    let keys =
        ["status_code", "client_ip", "browser", "device", "os", "db_query_ms", "external_api", "cache_hit"];
    let keys = keys.iter().map(|key| ColumnKnowledge {
        name: format!("metadata.{key}"),
        data_type: "text".to_owned(),
        nullable: true,
        default: None,
        samples: Vec::new(),
        values: Vec::new(),
        empty: false,
    });
    let columns = columns.chain(keys).collect();
    let column = |name: &str, kind| Column { name: name.to_owned(), kind };
    let answer = Answer {
        columns: vec![column("service", Kind::Text), column("count", Kind::Bigint)],
        rows: (0..50).map(|n| vec![json!(format!("service-{n}")), json!(1000 - n * 7)]).collect(),
        cut: None,
        took: Duration::ZERO,
    };
    let newest = Answer { columns: Vec::new(), rows: Vec::new(), cut: None, took: Duration::ZERO };
    let tables =
        vec![TableKnowledge { table, columns, indexes: Vec::new(), estimated_rows: 1_000_000, newest }];
    Instantly { knowledge: Arc::new(Knowledge { tables }), answer }
}

fn questions(files: &[String]) -> Vec<String> {
    let mut all = Vec::new();
    for file in files {
        for line in std::fs::read_to_string(file).unwrap().lines() {
            let item: Value = serde_json::from_str(line).unwrap();
            let turns = item["turns"].as_array().cloned().unwrap_or_else(|| vec![item["question"].clone()]);
            all.extend(turns.iter().filter_map(Value::as_str).map(str::to_owned));
        }
    }
    all
}

async fn ask(analyst: &App<Analysis, Inquiry>, thread: &str, question: &str) {
    let inquiry = Inquiry { now: Some(NOW.to_owned()), ..Inquiry::question(question) };
    // A question back is an end, too.
    let run = analyst.thread(thread).unwrap().invoke(inquiry).on_unfinished(Unfinished::Discard);
    let _outcome = run.await.unwrap();
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let questions = questions(&files);
    let toolbox = Toolbox::new(Arc::new(store()), Guard::new(Catalog::logs()));
    let analyst = graph(toolbox).unwrap().provide(Decider::by_rules()).on(Arc::new(MemoryStore::new()));
    // The first round compiles the patterns.
    for question in &questions {
        ask(&analyst, "first", question).await;
    }
    let mut times: Vec<Duration> = Vec::new();
    for round in 0..ROUNDS {
        for (place, question) in questions.iter().enumerate() {
            let thread = format!("{round}-{place}");
            let began = Instant::now();
            ask(&analyst, &thread, question).await;
            times.push(began.elapsed());
        }
    }
    times.sort_unstable();
    let at = |share: f64| {
        times.get(((times.len() - 1) as f64 * share) as usize).map_or(0.0, |time| time.as_secs_f64() * 1e3)
    };
    println!(
        "{}",
        json!({
            "questions": questions.len(), "asked": times.len(), "median_ms": at(0.5), "p99_ms": at(0.99), "longest_ms": at(1.0),
        })
    );
}
