//! The examples of `docs/logs.md` are what it says they are.

use duru_sql::ingest::{Mapping, Settings, read_batch};
use serde_json::Value;

const DOCUMENT: &str = include_str!("../../../../docs/logs.md");

/// What stands between fences, with the words after the first one.
fn fences() -> Vec<(&'static str, String)> {
    let (mut fences, mut open): (Vec<(&str, String)>, bool) = (Vec::new(), false);
    for line in DOCUMENT.lines() {
        match line.strip_prefix("```") {
            Some(_) if open => open = false,
            Some(info) => {
                open = true;
                fences.push((info, String::new()));
            }
            None if open => {
                if let Some((_, text)) = fences.last_mut() {
                    text.push_str(line);
                    text.push('\n');
                }
            }
            None => {}
        }
    }
    fences
}

#[test]
fn examples_of_logs_are_read_as_written() {
    let (mut mapping, mut log, mut checked) = (Mapping::default(), String::new(), 0);
    for (info, text) in fences() {
        match info {
            "json mapping" => {
                mapping = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
            }
            "text log" => log = text,
            "json rows" => {
                let settings = Settings::new(&mapping).unwrap();
                let parsed = read_batch(log.as_bytes(), None, None, &settings).unwrap();
                assert_eq!(parsed.bad, [], "{log}");
                let expected: Vec<Value> = serde_json::from_str(&text).unwrap();
                assert_eq!(parsed.records.len(), expected.len(), "{log}");
                for (record, expected) in parsed.records.iter().zip(&expected) {
                    let record = serde_json::to_value(record).unwrap();
                    for (column, value) in expected.as_object().unwrap() {
                        assert_eq!(&record[column], value, "{column} of {log}");
                    }
                }
                checked += 1;
                mapping = Mapping::default();
            }
            _ => {}
        }
    }
    assert_eq!(checked, 5, "every example is one");
}
