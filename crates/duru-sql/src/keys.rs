//! The keys of a JSON column, known like columns: questions name them, too.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::ColumnKnowledge;

/// A key with more values than this has too many to be listed.
const MOST: usize = 300;
/// A longer value is a text, not a name.
const LONGEST: usize = 64;
/// So many values show how others of the key are written.
const SAMPLES: usize = 5;
/// A column of documents without an order has keys without end.
const MOST_KEYS: usize = 200;

/// What rows of a JSON column hold, as `column.key`, with the values of keys
/// that have few; numbers are not listed.
pub fn json_keys<'a>(column: &str, rows: impl Iterator<Item = &'a Value>) -> Vec<ColumnKnowledge> {
    let mut found: BTreeMap<&str, Option<BTreeMap<String, u64>>> = BTreeMap::new();
    let mut samples: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (key, value) in rows.filter_map(Value::as_object).flatten() {
        if !found.contains_key(key.as_str()) && found.len() >= MOST_KEYS {
            continue;
        }
        let values = found.entry(key).or_insert_with(|| Some(BTreeMap::new()));
        let name = match value {
            Value::String(text) if text.chars().count() <= LONGEST => {
                let some = samples.entry(key).or_default();
                if some.len() < SAMPLES && !some.contains(text) {
                    some.push(text.clone());
                }
                text.clone()
            }
            Value::Bool(truth) => truth.to_string(),
            Value::Null => continue,
            _ => {
                *values = None;
                continue;
            }
        };
        if let Some(known) = values {
            *known.entry(name).or_default() += 1;
            if known.len() > MOST {
                *values = None;
            }
        }
    }
    let known =
        |(key, values)| known(&format!("{column}.{key}"), values, samples.remove(key).unwrap_or_default());
    found.into_iter().map(known).collect()
}

fn known(name: &str, values: Option<BTreeMap<String, u64>>, samples: Vec<String>) -> ColumnKnowledge {
    let mut values: Vec<(String, u64)> = values.into_iter().flatten().collect();
    values.sort_by(|(a, x), (b, y)| y.cmp(x).then_with(|| a.cmp(b)));
    ColumnKnowledge {
        name: name.to_owned(),
        data_type: "key of jsonb".to_owned(),
        nullable: true,
        default: None,
        samples: if values.is_empty() { samples } else { Vec::new() },
        empty: false,
        values: values.into_iter().map(|(value, _)| value).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_are_listed_and_numbers_are_not() {
        let rows = [
            json!({"region": "seoul", "status_code": 200, "cached": true}),
            json!({"region": "busan", "status_code": 500}),
            json!({"region": "seoul", "note": "x".repeat(65)}),
            json!(null),
        ];
        let known = json_keys("metadata", rows.iter());
        let listed: Vec<(&str, Vec<&str>)> = known
            .iter()
            .map(|key| (key.name.as_str(), key.values.iter().map(String::as_str).collect()))
            .collect();
        assert_eq!(
            listed,
            [
                ("metadata.cached", vec!["true"]),
                ("metadata.note", vec![]),
                ("metadata.region", vec!["seoul", "busan"]),
                ("metadata.status_code", vec![]),
            ]
        );
    }
}
