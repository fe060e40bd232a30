//! What the tables hold, for whoever writes the query.

use std::fmt::Write as _;
use std::sync::Arc;

use duru::{Cx, Result};
use duru_sql::TableKnowledge;
use duru_sql::domain::TableDescription;
use serde_json::{Value, json};

use super::super::state::{Analysis, AnalysisUpdate};
use super::shared;

/// So many values of a column are named.
const VALUES: usize = 20;

pub(in super::super) async fn retrieve_schema(s: Arc<Analysis>, cx: Cx) -> Result<AnalysisUpdate> {
    let tools = shared::toolbox(&s, &cx)?;
    let knowledge = shared::knowledge(&tools).await?;
    let words = tools.description.get();
    let schema: String = knowledge
        .tables
        .iter()
        .map(|table| {
            described(table, words.table.get(&table.table.name).unwrap_or(&TableDescription::default()))
        })
        .collect();
    let samples: Vec<Value> = knowledge
        .tables
        .iter()
        .map(|table| json!({ "table": table.table.name, "rows": shared::named_rows(&table.newest) }))
        .collect();
    Ok(AnalysisUpdate::new().schema_info(schema).sample_data(Value::Array(samples)))
}

fn described(table: &TableKnowledge, words: &TableDescription) -> String {
    let mut out = format!("{} (about {} rows)", table.table.name, table.estimated_rows);
    // What people wrote says more than what the table came with.
    if let Some(about) = words.description.as_ref().or(table.table.description.as_ref()) {
        let _ = write!(out, ": {about}");
    }
    out.push('\n');
    for column in &table.columns {
        let null = if column.nullable { "" } else { " not null" };
        let _ = write!(out, "  {} {}{null}", column.name, column.data_type);
        if let Some(default) = &column.default {
            let _ = write!(out, " default {default}");
        }
        if !column.values.is_empty() {
            let values: Vec<&str> = column.values.iter().take(VALUES).map(String::as_str).collect();
            let _ = write!(out, " in ({})", values.join(", "));
        }
        if let Some(about) = words.column.get(&column.name).and_then(|words| words.description.as_ref()) {
            let _ = write!(out, ": {about}");
        }
        out.push('\n');
    }
    if !table.indexes.is_empty() {
        let _ = writeln!(out, "  indexed: {}", table.indexes.join("; "));
    }
    out
}
