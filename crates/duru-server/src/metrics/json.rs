//! The numbers as JSON, for programs that do not know Prometheus' text.

use serde_json::{Map, Value, json};

/// Reads the text that the library writes: families with their kind, help and samples. A counter is called as its sample is.
pub(crate) fn json(text: &str) -> Value {
    let mut families: Vec<Value> = Vec::new();
    let mut help = "";
    for line in text.lines() {
        if let Some(said) = line.strip_prefix("# HELP ") {
            help = said.split_once(' ').map_or("", |(_, help)| help);
        } else if let Some(said) = line.strip_prefix("# TYPE ") {
            let (name, kind) = said.split_once(' ').unwrap_or((said, ""));
            let name = if kind == "counter" { format!("{name}_total") } else { name.to_owned() };
            families.push(json!({ "name": name, "type": kind, "help": help, "samples": [] }));
        } else if let (Some(sample), Some(family)) = (sample(line), families.last_mut())
            && let Some(samples) = family["samples"].as_array_mut()
        {
            samples.push(sample);
        }
    }
    Value::Array(families)
}

/// `name{label="word",…} 1.5`.
fn sample(line: &str) -> Option<Value> {
    let (before, value) = line.rsplit_once(' ')?;
    let value: f64 = value.parse().ok()?;
    let (name, labels) = match before.split_once('{') {
        Some((name, labels)) => (name, words(labels.strip_suffix('}')?)),
        None => (before, Map::new()),
    };
    Some(json!({ "name": name, "labels": labels, "value": value }))
}

/// Labels with their words, in which quotes, line ends and backslashes are escaped.
fn words(mut text: &str) -> Map<String, Value> {
    let mut all = Map::new();
    while let Some((label, rest)) = text.split_once("=\"") {
        let mut word = String::new();
        let mut letters = rest.char_indices();
        let mut end = rest.len();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '"' => {
                    end = at + 1;
                    break;
                }
                '\\' => {
                    word.extend(letters.next().map(|(_, letter)| if letter == 'n' { '\n' } else { letter }))
                }
                letter => word.push(letter),
            }
        }
        all.insert(label.trim_start_matches(',').to_owned(), word.into());
        text = &rest[end..];
    }
    all
}
