//! The tables as a model reads them: columns with their types, keys, values and what people call them.

use std::fmt::Write as _;

use duru_sql::Kind;
use duru_sql::domain::{Domain, DomainColumn, DomainTable};

use super::toolbox::Toolbox;

/// So many values of a column are named, and so many examples of those that have too many.
const VALUES: usize = 15;
const EXAMPLES: usize = 3;
/// A value that is longer is cut.
const VALUE_LETTERS: usize = 40;
/// So much is told in all; tables that do not fit are only counted.
const LETTERS: usize = 14_000;

/// The tables as a model reads them, those that the question names first.
pub async fn schema_for_question(tools: &Toolbox, question: &str) -> Result<String, duru_sql::Error> {
    let knowledge = tools.logs.knowledge().await?;
    let prepared = tools.preparing.of(&knowledge, tools.description.get());
    let question = question.to_lowercase();
    // A part of a word, or one that is too long, does no harm: it only comes first.
    let is_said = |noun: &String| question.contains(noun.to_lowercase().trim_end_matches('s'));
    Ok(schema_text(&prepared.domain, |table| table.nouns.iter().any(is_said)))
}

/// All tables, those that `is_named` says a question names first.
fn schema_text(domain: &Domain, is_named: impl Fn(&DomainTable) -> bool) -> String {
    let mut tables: Vec<&DomainTable> = domain.tables.iter().collect();
    // The order stays as it is among those that are named, and among the others.
    tables.sort_by_key(|table| !is_named(table));
    let mut out = String::new();
    for (place, table) in tables.iter().enumerate() {
        let text = described(table, domain);
        if place > 0 && out.len() + text.len() > LETTERS {
            let _ = writeln!(out, "({} more tables are not shown)", tables.len() - place);
            break;
        }
        out.push_str(&text);
    }
    out
}

fn described(table: &DomainTable, domain: &Domain) -> String {
    let schema = match table.schema.as_str() {
        "" | "public" => String::new(),
        schema => format!("{schema}."),
    };
    let mut out = format!("CREATE TABLE {schema}{} ( -- about {} rows", table.name, table.rows);
    if let Some(about) = &table.description {
        let _ = write!(out, "; {about}");
    }
    out.push('\n');
    for column in table.columns.iter().filter(|column| !column.empty) {
        column_text(&mut out, column, table, domain);
    }
    out.push_str(");\n");
    for measure in &table.measures {
        if let Some(expression) = &measure.expression {
            let _ = writeln!(out, "-- {} = {expression}", measure.name);
        }
    }
    out
}

/// As PostgreSQL would have it, which is what models have seen most of; values and meanings stand behind it.
fn column_text(out: &mut String, column: &DomainColumn, table: &DomainTable, domain: &Domain) {
    let name = match &column.key {
        Some((json, key)) => format!("-- {json}->>'{key}'"),
        None => column.name.clone(),
    };
    let _ = write!(out, "  {name} {}", type_and_key(column, table, domain));
    out.push(',');
    if let Some(about) = about(column, VALUES) {
        let _ = write!(out, " -- {about}");
    }
    out.push('\n');
}

/// A table as a model reads it that is to name it: these columns alone, each by the name that it answers with. How many
/// rows there are says nothing here, and would make the same table another question every day.
pub(super) fn table_to_name(table: &DomainTable, columns: &[&DomainColumn], domain: &Domain) -> String {
    let mut out = format!("CREATE TABLE {} (", table.name);
    if let Some(about) = &table.description {
        let _ = write!(out, " -- {about}");
    }
    out.push('\n');
    for column in columns {
        let _ = write!(out, "  {} {},", column.name, type_and_key(column, table, domain));
        if let Some(about) = about(column, EXAMPLES) {
            let _ = write!(out, " -- {about}");
        }
        out.push('\n');
    }
    out.push_str(");\n");
    out
}

fn type_and_key(column: &DomainColumn, table: &DomainTable, domain: &Domain) -> String {
    let mut out = type_name(&column.kind).to_owned();
    if table.primary_key.len() == 1 && table.primary_key[0] == column.name {
        out.push_str(" PRIMARY KEY");
    }
    let mut keys = domain.joins.iter().filter(|join| join.from == table.name);
    if let Some(join) = keys.find(|join| join.from_columns == [column.name.as_str()]) {
        let _ = write!(out, " REFERENCES {}({})", join.to, join.to_columns.join(", "));
    }
    out
}

/// What a column means, and up to so many of its values.
fn about(column: &DomainColumn, most: usize) -> Option<String> {
    let short = |value: &str| value.chars().take(VALUE_LETTERS).collect::<String>();
    let mut about: Vec<String> = column.description.clone().into_iter().collect();
    about.extend(column.unit.as_ref().map(|unit| format!("in {unit}")));
    let listed = |values: Vec<String>| format!("{} …", values.join(", "));
    if !column.values.is_empty() {
        let values = column.values.iter().take(most).map(|known| format!("'{}'", short(&known.value)));
        about.push(listed(values.collect()));
    } else if !column.samples.is_empty() {
        let samples = column.samples.iter().take(EXAMPLES).map(|sample| format!("'{}'", short(sample)));
        about.push(listed(samples.collect()));
    }
    (!about.is_empty()).then(|| about.join("; "))
}

fn type_name(kind: &Kind) -> &str {
    match kind {
        Kind::Integer => "integer",
        Kind::Bigint => "bigint",
        Kind::Numeric => "numeric",
        Kind::Double => "double precision",
        Kind::Text => "text",
        Kind::Boolean => "boolean",
        Kind::Timestamp => "timestamptz",
        Kind::LocalTimestamp => "timestamp",
        Kind::Date => "date",
        Kind::Json => "jsonb",
        Kind::Uuid => "uuid",
        Kind::Ordered(_) => "text",
        Kind::Other(name) => name,
    }
}
