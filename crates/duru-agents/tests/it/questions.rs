//! A question set as its judge has it: the words of its data, and what is
//! understood of each item. The example program includes this file, too.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::time::Duration;

use duru_agents::analyst::reader::{
    Clarification, Linked, ReadTurn, Reply, Subject, UNREAD, Understanding, understand,
};
use duru_language::Lang;
use duru_sql::domain::{Description, Domain};
use duru_sql::{Answer, Catalog, ColumnKnowledge, Kind, Knowledge, TableKnowledge, json_keys};
use jiff::Zoned;
use serde_json::{Value, json};

/// The log table with the values of some data, ready to be read with.
pub(crate) struct Tables {
    pub(crate) domain: Domain,
    pub(crate) linked: Linked,
}

/// Columns that every line has.
const NEVER_NULL: [&str; 9] = [
    "id",
    "created_at",
    "level",
    "log_type",
    "service",
    "environment",
    "service_version",
    "message",
    "deleted",
];

impl Tables {
    /// With the values of columns, separated by spaces; keys of the JSON column are `metadata.key`.
    pub(crate) fn with(values: &[(&str, &[&str])]) -> Self {
        let known = |name: &str| values.iter().find(|(column, _)| *column == name).map(|(_, values)| *values);
        let Some(table) = Catalog::logs().tables.pop() else { unreachable!("there is the log table") };
        let described = |name: &str, values: &[&str]| ColumnKnowledge {
            name: name.to_owned(),
            data_type: String::new(),
            nullable: !NEVER_NULL.contains(&name),
            default: None,
            values: values.iter().map(ToString::to_string).collect(),
            samples: samples(name),
            empty: false,
        };
        let mut columns: Vec<ColumnKnowledge> = table
            .columns
            .iter()
            .map(|column| described(&column.name, known(&column.name).unwrap_or_default()))
            .collect();
        let keys = values.iter().filter(|(name, _)| name.starts_with("metadata."));
        columns.extend(keys.map(|(name, values)| described(name, values)));
        Self::of(TableKnowledge {
            table,
            columns,
            indexes: Vec::new(),
            estimated_rows: 1_000,
            newest: nothing(),
        })
    }

    /// The distinct values of a CSV file's columns and of its JSON column's keys, where they are few.
    pub(crate) fn of_csv(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).unwrap();
        let mut rows = csv(&text).into_iter();
        let names = rows.next().unwrap();
        let mut seen: BTreeMap<String, HashMap<String, u32>> = BTreeMap::new();
        let mut documents = Vec::new();
        for row in rows {
            for (name, value) in names.iter().zip(row) {
                if name == "metadata" && !value.is_empty() {
                    documents.push(serde_json::from_str::<Value>(&value).unwrap());
                } else if !value.is_empty() {
                    *seen.entry(name.clone()).or_default().entry(value).or_default() += 1;
                }
            }
        }
        let Some(table) = Catalog::logs().tables.pop() else { unreachable!("there is the log table") };
        let mut columns: Vec<ColumnKnowledge> = table
            .columns
            .iter()
            .map(|column| {
                let mut values: Vec<(String, u32)> =
                    seen.remove(&column.name).unwrap_or_default().into_iter().collect();
                values.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
                let named =
                    matches!(column.kind, Kind::Text | Kind::Ordered(_)) && column.name != "stack_trace";
                let few = named && values.len() <= 300 && column.name != "message";
                let frequent = values
                    .iter()
                    .filter(|(value, count)| column.name != "message" || *count > 2 && value.len() <= 80);
                let samples: Vec<String> = frequent
                    .take(if column.name == "message" { 200 } else { 5 })
                    .map(|(value, _)| value.clone())
                    .collect();
                ColumnKnowledge {
                    name: column.name.clone(),
                    data_type: String::new(),
                    nullable: !NEVER_NULL.contains(&column.name.as_str()),
                    default: None,
                    samples: if named && !few { samples } else { Vec::new() },
                    values: if few {
                        values.into_iter().map(|(value, _)| value).collect()
                    } else {
                        Vec::new()
                    },
                    empty: false,
                }
            })
            .collect();
        columns.extend(json_keys("metadata", documents.iter()));
        Self::of(TableKnowledge {
            table,
            columns,
            indexes: Vec::new(),
            estimated_rows: 50_000,
            newest: nothing(),
        })
    }

    fn of(table: TableKnowledge) -> Self {
        let domain = Domain::of(&Knowledge { tables: vec![table] }, &Description::logs());
        let linked = Linked::new(&domain);
        Self { domain, linked }
    }
}

fn nothing() -> Answer {
    Answer { columns: Vec::new(), rows: Vec::new(), cut: None, took: Duration::ZERO }
}

/// How identifiers are written.
fn samples(column: &str) -> Vec<String> {
    let one = match column {
        "user_id" => "user_007",
        "trace_id" => "a1b2c3d4e5f60718293a4b5c6d7e8f90",
        "session_id" => "sess_0a1b2c3d4e5f",
        "metadata.client_ip" => "198.51.100.7",
        _ => return Vec::new(),
    };
    vec![one.to_owned()]
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

/// The queries of the readings that a person is offered.
fn offered(question: &str, subject: &Subject<'_>, asked: &Clarification) -> Vec<String> {
    let options = asked.asks.iter().filter(|ask| ask.field == UNREAD).flat_map(|ask| &ask.options);
    let picked = options.filter_map(|value| {
        let answers = [Reply { field: UNREAD.into(), value: value.clone() }];
        match understand(question, &Subject { answers: &answers, asked: 1, picked: None, ..*subject }) {
            Understanding::Query(found) => Some(found.sql),
            _ => None,
        }
    });
    picked.collect()
}

/// What is understood of an item of a question set, turn by turn, as its judge reads it.
pub(crate) fn predict(item: &Value, tables: &Tables, now: &Zoned) -> Value {
    let questions: Vec<&str> = match item["turns"].as_array() {
        Some(turns) => turns.iter().filter_map(Value::as_str).collect(),
        None => item["question"].as_str().into_iter().collect(),
    };
    let mut previous: Vec<ReadTurn> = Vec::new();
    let mut said = Value::Null;
    for question in questions {
        let subject = Subject {
            domain: &tables.domain,
            linked: &tables.linked,
            now,
            lang: Lang::of(question),
            previous: &previous,
            answers: &[],
            asked: 0,
            picked: None,
        };
        let id = &item["id"];
        let frame = match understand(question, &subject) {
            Understanding::Query(found) => {
                said =
                    json!({ "id": id, "action": "sql", "sql": found.sql, "explanation": found.explanation });
                found.frame
            }
            Understanding::Clarify(asked) => {
                let offered = offered(question, &subject, &asked);
                said = json!({ "id": id, "action": "clarify", "field": asked.fields(), "offered": offered });
                asked.draft
            }
            Understanding::Refuse(refusal) => {
                said =
                    json!({ "id": id, "action": "refuse", "kind": refusal.kind, "reason": refusal.reason });
                continue;
            }
        };
        previous.push(ReadTurn { frame, top: Vec::new() });
    }
    said
}
