//! Reads a question set and the log lines as CSV, and writes what was understood of each question.
//!
//! `cargo run -p duru-agents --example eval_logs -- --questions F --logs logs.csv --now T --timezone Z --out preds.jsonl`

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Read as _, Write as _};
use std::process::ExitCode;
use std::time::Instant;

use duru_agents::analyst::understand::{Context, Turn, Understanding, Vocabulary, understand};
use jiff::tz::TimeZone;
use serde_json::{Value, json};

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
    let vocabulary = vocabulary(option("--logs")?)?;
    let now = option("--now")?.parse()?;
    let timezone = TimeZone::get(option("--timezone")?)?;
    let mut out = BufWriter::new(File::create(option("--out")?)?);
    let (mut count, mut longest, started) = (0u32, 0u128, Instant::now());
    for line in BufReader::new(File::open(option("--questions")?)?).lines() {
        let item: Value = serde_json::from_str(&line?)?;
        let questions: Vec<&str> = match item["turns"].as_array() {
            Some(turns) => turns.iter().filter_map(Value::as_str).collect(),
            None => item["question"].as_str().into_iter().collect(),
        };
        let mut previous: Vec<Turn> = Vec::new();
        let mut prediction = json!({ "id": item["id"], "action": "refuse" });
        for question in questions {
            let context = Context {
                now,
                timezone: timezone.clone(),
                lang: None,
                vocabulary: &vocabulary,
                previous: &previous,
                answers: &[],
                asked: 0,
                picked: None,
            };
            let began = Instant::now();
            let understanding = understand(question, &context);
            longest = longest.max(if count > 2 { began.elapsed().as_micros() } else { 0 });
            let (query, said) = match understanding {
                Understanding::Query(found) => (
                    Some(found.query),
                    json!({ "action": "sql", "sql": found.sql, "explanation": found.explanation }),
                ),
                Understanding::Clarify(asked) => {
                    let fields = asked.fields();
                    (Some(asked.draft), json!({ "action": "clarify", "field": fields }))
                }
                Understanding::Refuse(refusal) => {
                    (None, json!({ "action": "refuse", "kind": refusal.kind, "reason": refusal.reason }))
                }
            };
            if let (Value::Object(prediction), Value::Object(said)) = (&mut prediction, said) {
                prediction.retain(|key, _| key == "id");
                prediction.extend(said);
            }
            if let Some(query) = query {
                previous.push(Turn { question: question.into(), query, top: Vec::new() });
            }
        }
        writeln!(out, "{prediction}")?;
        count += 1;
    }
    out.flush()?;
    let took = started.elapsed();
    eprintln!("{count} questions in {took:?}, the longest {longest} µs");
    Ok(())
}

/// The distinct values of the columns and of the JSON column's keys, where they are few.
fn vocabulary(path: &str) -> Result<Vocabulary, Failure> {
    const FEW: usize = 300;
    let mut text = String::new();
    File::open(path)?.read_to_string(&mut text)?;
    let mut rows = csv(&text).into_iter();
    let names = rows.next().unwrap_or_default();
    let mut seen: BTreeMap<String, HashMap<String, u32>> = BTreeMap::new();
    for row in rows {
        for (name, value) in names.iter().zip(row) {
            if name == "metadata" {
                let Ok(Value::Object(keys)) = serde_json::from_str(&value) else { continue };
                for (key, value) in keys {
                    let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                    *seen.entry(format!("metadata.{key}")).or_default().entry(value).or_default() += 1;
                }
            } else if !value.is_empty() {
                *seen.entry(name.clone()).or_default().entry(value).or_default() += 1;
            }
        }
    }
    let mut vocabulary = Vocabulary::default();
    for (name, values) in seen {
        let mut values: Vec<(String, u32)> = values.into_iter().collect();
        values.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        let few = values.len() <= FEW;
        let values: Vec<String> = values.into_iter().filter(|_| few).map(|(value, _)| value).collect();
        vocabulary.add(&name, &values);
    }
    Ok(vocabulary)
}

/// The rows of a CSV text, quotes resolved.
fn csv(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut cell)),
            '\r' if !quoted => {}
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            other => cell.push(other),
        }
    }
    if !cell.is_empty() || !row.is_empty() {
        row.push(cell);
        rows.push(row);
    }
    rows
}
