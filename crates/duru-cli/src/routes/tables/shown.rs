//! Tables and columns as they are shown to whoever may ask them.

use duru_sql::TableKnowledge;
use duru_sql::domain::{DomainColumn, DomainTable, spelled};
use serde_json::{Value, json};

use crate::tables::{AskedTables, TableWords};

/// So many values of a column are shown.
const VALUES: usize = 8;

/// A table of a list: enough to find it, and its columns, by their words.
pub(super) fn listed(table: &DomainTable, source: &AskedTables) -> Value {
    let columns: Vec<Value> = table
        .columns
        .iter()
        .map(|column| json!({ "name": column.name, "synonyms": synonyms(&column.name, &column.nouns) }))
        .collect();
    json!({
        "name": table.name, "schema": table.schema, "description": table.description,
        "synonyms": synonyms(&table.name, &table.nouns), "rows": table.rows, "columns": columns,
        "hidden": hidden(table, source).len(),
    })
}

/// A table with all that is known of it. `own` is what people wrote, which may be changed.
pub(super) fn whole(table: &DomainTable, known: &TableKnowledge, source: &AskedTables) -> Value {
    let description = source.description.get();
    let own = |column: Option<&str>| match super::is_described_in_a_file(source) {
        true => json!(TableWords::of(&description, &table.name, column)),
        false => Value::Null,
    };
    let columns: Vec<Value> = table
        .columns
        .iter()
        .map(|column| {
            let stored = known.columns.iter().find(|stored| stored.name == column.name);
            let kind = stored.map(|stored| json!(stored.data_type)).unwrap_or_else(|| json!(column.kind));
            json!({
                "name": column.name, "type": kind, "nullable": column.nullable, "description": column.description,
                "synonyms": synonyms(&column.name, &column.nouns), "unit": column.unit, "values": values(column),
                "own": own(Some(&column.name)),
            })
        })
        .collect();
    json!({
        "source": source.name, "name": table.name, "schema": table.schema, "description": table.description,
        "synonyms": synonyms(&table.name, &table.nouns), "rows": table.rows, "columns": columns,
        "hidden": hidden(table, source), "editable": super::is_described_in_a_file(source), "own": own(None),
    })
}

/// What else it is called than by its name.
fn synonyms<'a>(name: &str, nouns: &'a [String]) -> Vec<&'a String> {
    let spelled = spelled(name);
    nouns.iter().filter(|noun| **noun != spelled && *noun != name).collect()
}

/// Some of the values that questions may name.
fn values(column: &DomainColumn) -> Vec<&str> {
    let known = column.values.iter().map(|value| value.value.as_str());
    known.chain(column.samples.iter().map(String::as_str)).take(VALUES).collect()
}

/// The columns that nobody may ask, by their names alone.
fn hidden<'a>(table: &DomainTable, source: &'a AskedTables) -> Vec<&'a String> {
    let all = source.columns.get(&table.name).map(Vec::as_slice).unwrap_or_default();
    all.iter().filter(|name| table.column(name).is_none()).collect()
}
