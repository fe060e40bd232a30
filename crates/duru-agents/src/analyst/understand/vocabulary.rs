//! The words that the data itself brings: its columns, keys and values.

use std::collections::BTreeMap;

use duru_sql::Knowledge;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::query::Field;

/// What the logs hold, as far as a question may name it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Vocabulary {
    /// Values by column, most frequent first.
    columns: BTreeMap<String, Vec<String>>,
    /// Values by key of the JSON column; none where they are many or numbers.
    meta: BTreeMap<String, Vec<String>>,
}

impl Vocabulary {
    /// From what a store knows: the values of columns, and keys of the JSON
    /// column, given as columns named `metadata.key` or seen in the newest rows.
    pub fn of(knowledge: &Knowledge) -> Self {
        let mut all = Self::default();
        for table in &knowledge.tables {
            for column in &table.columns {
                all.add(&column.name, &column.values);
            }
            let at = table.newest.columns.iter().position(|column| column.name == "metadata");
            for row in &table.newest.rows {
                if let Some(Value::Object(keys)) = at.and_then(|at| row.get(at)) {
                    keys.keys().for_each(|key| all.add(&format!("metadata.{key}"), &[]));
                }
            }
        }
        all
    }

    /// Adds values of a column, or of `metadata.key`.
    pub fn add(&mut self, column: &str, values: &[String]) {
        let known = match column.strip_prefix("metadata.") {
            Some(key) => self.meta.entry(key.to_owned()).or_default(),
            None => self.columns.entry(column.to_owned()).or_default(),
        };
        for value in values {
            if !known.contains(value) {
                known.push(value.clone());
            }
        }
    }

    pub fn services(&self) -> &[String] {
        self.values("service")
    }

    pub(super) fn values(&self, column: &str) -> &[String] {
        self.columns.get(column).map(Vec::as_slice).unwrap_or_default()
    }

    pub(super) fn has_key(&self, key: &str) -> bool {
        self.meta.contains_key(key)
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.meta.iter().map(|(key, values)| (key.as_str(), values.as_slice()))
    }

    /// Columns whose values a question may name as they are.
    pub(super) fn named_values(&self) -> impl Iterator<Item = (Field, &str)> {
        const COLUMNS: &[&str] = &["error_type", "path", "function_name", "file_path", "action_type"];
        let columns = COLUMNS
            .iter()
            .flat_map(|name| self.values(name).iter().map(|value| (Field::column(name), value.as_str())));
        let meta = self
            .meta
            .iter()
            .flat_map(|(key, values)| values.iter().map(|value| (Field::Meta(key.clone()), value.as_str())));
        columns.chain(meta)
    }
}
