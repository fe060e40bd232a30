//! Reads a question set and the log lines as CSV, and writes what was understood of each question.
//!
//! `cargo run -p duru-agents --example eval_logs -- --questions F --logs logs.csv --now T --timezone Z --out preds.jsonl`

#![allow(clippy::unwrap_used, reason = "it shares its code with the tests")]

// The tests use more of it.
#[allow(dead_code)]
#[path = "../tests/it/questions.rs"]
mod questions;

use std::collections::HashMap;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::Value;

type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let options: HashMap<&str, &str> =
        words.chunks(2).filter_map(|pair| Some((pair.first()?.as_str(), pair.get(1)?.as_str()))).collect();
    let option = |name: &str| options.get(name).copied().ok_or_else(|| format!("{name} is missing"));
    let tables = questions::Tables::of_csv(Path::new(option("--logs")?));
    let now: Timestamp = option("--now")?.parse()?;
    let now = now.to_zoned(TimeZone::get(option("--timezone")?)?);
    let text = std::fs::read_to_string(option("--questions")?)?;
    let items: Vec<Value> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    // The first round makes the lexicons; the second is timed.
    let mut lines = String::new();
    for item in &items {
        let prediction = questions::predict(item, &tables, &now);
        lines.push_str(&format!("{prediction}\n"));
    }
    std::fs::write(option("--out")?, lines)?;
    let mut times: Vec<u128> = Vec::new();
    for item in &items {
        let began = Instant::now();
        questions::predict(item, &tables, &now);
        times.push(began.elapsed().as_micros());
    }
    times.sort_unstable();
    let middle = times.get(times.len() / 2).copied().unwrap_or_default();
    let longest = times.last().copied().unwrap_or_default();
    eprintln!("{} items, {middle} µs in the middle, {longest} µs at most", items.len());
    Ok(())
}
