//! A question set as its judge has it: the words of its data, and what is
//! understood of each item. The example program includes this file, too.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use duru_agents::analyst::understand::{Context, Turn, Understanding, Vocabulary, understand};
use duru_sql::guard::Lang;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

/// The distinct values of a CSV file's columns and of its JSON column's keys, where they are few.
pub(crate) fn vocabulary_of(path: &Path) -> Vocabulary {
    let text = std::fs::read_to_string(path).unwrap();
    let mut rows = csv(&text).into_iter();
    let names = rows.next().unwrap();
    let mut seen: BTreeMap<String, HashMap<String, u32>> = BTreeMap::new();
    for row in rows {
        for (name, value) in names.iter().zip(row) {
            if name == "metadata" && !value.is_empty() {
                let keys: serde_json::Map<String, Value> = serde_json::from_str(&value).unwrap();
                for (key, value) in keys {
                    let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                    *seen.entry(format!("metadata.{key}")).or_default().entry(value).or_default() += 1;
                }
            } else if !value.is_empty() {
                *seen.entry(name.clone()).or_default().entry(value).or_default() += 1;
            }
        }
    }
    let mut all = Vocabulary::default();
    for (name, values) in seen {
        let mut values: Vec<(String, u32)> = values.into_iter().collect();
        values.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        let few = values.len() <= 300;
        let values: Vec<String> = values.into_iter().filter(|_| few).map(|(value, _)| value).collect();
        all.add(&name, &values);
    }
    all
}

fn csv(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => cell.extend(letters.next()),
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
    rows
}

/// What is understood of an item of a question set, turn by turn, as its judge reads it.
pub(crate) fn predict(item: &Value, vocabulary: &Vocabulary, now: Timestamp, timezone: &TimeZone) -> Value {
    let questions: Vec<&str> = match item["turns"].as_array() {
        Some(turns) => turns.iter().filter_map(Value::as_str).collect(),
        None => item["question"].as_str().into_iter().collect(),
    };
    let mut previous: Vec<Turn> = Vec::new();
    let mut said = Value::Null;
    for question in questions {
        let context = Context {
            now,
            timezone: timezone.clone(),
            lang: Some(Lang::of(question)),
            vocabulary,
            previous: &previous,
            answers: &[],
            asked: 0,
            picked: None,
        };
        let id = &item["id"];
        let query = match understand(question, &context) {
            Understanding::Query(found) => {
                said =
                    json!({ "id": id, "action": "sql", "sql": found.sql, "explanation": found.explanation });
                found.query
            }
            Understanding::Clarify(asked) => {
                said = json!({ "id": id, "action": "clarify", "field": asked.fields() });
                asked.draft
            }
            Understanding::Refuse(refusal) => {
                said =
                    json!({ "id": id, "action": "refuse", "kind": refusal.kind, "reason": refusal.reason });
                continue;
            }
        };
        previous.push(Turn { question: question.to_owned(), query, top: Vec::new() });
    }
    said
}
