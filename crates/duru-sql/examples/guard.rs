//! Asks the guard about queries, one JSON object `{"id", "sql"}` per line, and
//! says how long an answer takes: `guard [SCHEMA.json] < queries.jsonl`.

use std::io::BufRead;
use std::time::{Duration, Instant};

use duru_sql::Catalog;
use duru_sql::guard::Guard;
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let catalog = match std::env::args().nth(1) {
        Some(file) => Catalog::read_json(&std::fs::read_to_string(file)?)?,
        None => Catalog::logs(),
    };
    let guard = Guard::new(catalog);
    let mut times = Vec::new();
    for line in std::io::stdin().lock().lines() {
        let asked: Value = serde_json::from_str(&line?)?;
        let sql = asked["sql"].as_str().unwrap_or_default();
        let (answer, time) = timed(&guard, sql);
        times.push(time);
        println!(
            "{}",
            match answer {
                Ok(sql) => json!({"id": asked["id"], "action": "accept", "sql": sql}),
                Err(reason) => json!({"id": asked["id"], "action": "reject", "reason": reason}),
            }
        );
    }
    times.sort_unstable();
    if let (Some(median), Some(most)) = (times.get(times.len() / 2), times.last()) {
        eprintln!("{} queries: median {median:?}, slowest {most:?}", times.len());
    }
    Ok(())
}

fn timed(guard: &Guard, sql: &str) -> (Result<String, String>, Duration) {
    // The first time also pays for cold caches.
    drop(guard.check(sql));
    let start = Instant::now();
    let answer = guard.check(sql);
    let time = start.elapsed();
    let answer = match answer {
        Ok(checked) => Ok(checked.sql().to_owned()),
        Err(refusal) => Err(format!("{}: {refusal}", refusal.rule.code())),
    };
    (answer, time)
}
