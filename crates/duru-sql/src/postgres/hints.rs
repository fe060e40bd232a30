//! The values of columns that have few.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::Value;

use super::knowledge::{asking, live};
use super::names::{literal, quoted};
use super::query::Runner;
use crate::store::{ColumnKnowledge, Error, Limits};
use crate::{Kind, Table, json_keys};

/// How many of the newest rows are looked at.
const SAMPLE: usize = 20_000;

/// A column with more values than this has too many to be listed.
const MOST: usize = 300;

/// Services are listed further: questions name them, and so do answers to
/// "which service do you mean?".
const MOST_SERVICES: usize = 200;

/// A longer value is a text, not a name.
const LONGEST: usize = 64;

const LIMITS: Limits =
    Limits { time: Duration::from_secs(5), rows: 10_000, value_bytes: 4 * LONGEST, bytes: 4 << 20 };

/// So many values show how others of a column are written.
const SAMPLES: usize = 5;

/// So many texts that were written again and again: a question may search for their words.
const TEXTS: usize = 200;

/// What is known of the values of a column.
#[derive(Default)]
pub(super) struct Hints {
    /// The most frequent first; none where there are too many.
    pub(super) values: Vec<String>,
    pub(super) samples: Vec<String>,
}

/// By column. Only of visible rows: the server's own statistics would tell values of deleted ones.
pub(super) async fn values(
    runner: &Runner,
    table: &Table,
    time: Option<&str>,
) -> Result<HashMap<String, Hints>, Error> {
    let mut values: HashMap<String, Hints> = HashMap::new();
    let mut parts = Vec::new();
    let mut texts = Vec::new();
    for column in &table.columns {
        match &column.kind {
            Kind::Ordered(labels) => {
                values.entry(column.name.clone()).or_default().values.clone_from(labels);
            }
            Kind::Text => {
                let name = quoted(&column.name);
                parts.push(format!(
                    "(SELECT {}::text, left({name}::text, {}), count(*) FROM sample \
                     WHERE {name} IS NOT NULL GROUP BY {name} ORDER BY count(*) DESC, 2 LIMIT {})",
                    literal(&column.name),
                    LONGEST + 1,
                    MOST_SERVICES + 1
                ));
                texts.push(name);
            }
            _ => {}
        }
    }
    if parts.is_empty() {
        return Ok(values);
    }
    let order = time.map(|time| format!(" ORDER BY {} DESC NULLS LAST", quoted(time))).unwrap_or_default();
    let sql = format!(
        "WITH sample AS MATERIALIZED (SELECT {} FROM {}{order} LIMIT {SAMPLE}) {}",
        texts.join(", "),
        live(table),
        parts.join(" UNION ALL ")
    );
    let answer = match runner.run(&sql, &asking(LIMITS)).await {
        Ok(answer) => answer,
        // Hints are a help, not a need: a view may be too slow for them.
        Err(Error::TimedOut { .. } | Error::TooCostly { .. }) => return Ok(values),
        Err(error) => return Err(error),
    };
    let mut counted: HashMap<String, Vec<(String, u64)>> = HashMap::new();
    for row in answer.rows {
        if let [Value::String(column), Value::String(value), count] = row.as_slice() {
            let count = count.as_u64().unwrap_or(0);
            counted.entry(column.clone()).or_default().push((value.clone(), count));
        }
    }
    for (column, found) in counted {
        let mut found: Vec<_> = found.into_iter().collect();
        let is_service = column == "service";
        if is_service {
            add_rare(runner, table, &mut found).await?;
        }
        let hints = values.entry(column).or_default();
        if listed(is_service, &found) {
            hints.values = found.into_iter().map(|(value, _)| value).collect();
        } else {
            let is_text = found.iter().take(SAMPLES).any(|(value, _)| value.contains(' '));
            let short = found
                .into_iter()
                .filter(|(value, count)| value.chars().count() <= LONGEST && (!is_text || *count > 2));
            hints.samples =
                short.take(if is_text { TEXTS } else { SAMPLES }).map(|(value, _)| value).collect();
        }
    }
    Ok(values)
}

/// Larger tables are not read whole to find out what is empty.
const COUNTED: u64 = 1_000_000;

/// Marks the columns in which no visible row has a value, where that is found out quickly.
pub(super) async fn mark_empty(
    runner: &Runner,
    table: &Table,
    estimated_rows: u64,
    columns: &mut [ColumnKnowledge],
) -> Result<(), Error> {
    let seen = |column: &ColumnKnowledge| !column.values.is_empty() || !column.samples.is_empty();
    let open: Vec<usize> =
        (0..columns.len()).filter(|at| columns[*at].nullable && !seen(&columns[*at])).collect();
    if open.is_empty() || estimated_rows > COUNTED {
        return Ok(());
    }
    let counts: Vec<String> =
        open.iter().map(|at| format!("count({})", quoted(&columns[*at].name))).collect();
    let sql = format!("SELECT count(*), {} FROM {}", counts.join(", "), live(table));
    let answer = match runner.run(&sql, &asking(LIMITS)).await {
        Ok(answer) => answer,
        // A help, not a need.
        Err(Error::TimedOut { .. } | Error::TooCostly { .. }) => return Ok(()),
        Err(error) => return Err(error),
    };
    let counts: Vec<u64> = answer.rows.iter().flatten().map(|count| count.as_u64().unwrap_or(1)).collect();
    if let Some((rows, counts)) = counts.split_first().filter(|(rows, _)| **rows > 0) {
        for (at, count) in open.into_iter().zip(counts) {
            columns[at].empty = *rows > 0 && *count == 0;
        }
    }
    Ok(())
}

/// How many of the newest documents are looked at for their keys.
const DOCUMENTS: usize = 2_000;

/// The keys of the table's JSON columns.
pub(super) async fn keys(
    runner: &Runner,
    table: &Table,
    time: Option<&str>,
) -> Result<Vec<ColumnKnowledge>, Error> {
    let order = time.map(|time| format!(" ORDER BY {} DESC NULLS LAST", quoted(time))).unwrap_or_default();
    let mut keys = Vec::new();
    for column in table.columns.iter().filter(|column| column.kind == Kind::Json) {
        let sql = format!("SELECT {} FROM {}{order} LIMIT {DOCUMENTS}", quoted(&column.name), live(table));
        let limits = Limits { value_bytes: 16 << 10, ..LIMITS };
        match runner.run(&sql, &asking(limits)).await {
            Ok(answer) => keys.extend(json_keys(&column.name, answer.rows.iter().flatten())),
            // A help, not a need.
            Err(Error::TimedOut { .. } | Error::TooCostly { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(keys)
}

/// Few values, each a name, that come again: an id or a message is none of that.
fn listed(is_service: bool, found: &[(String, u64)]) -> bool {
    let short = found.iter().all(|(value, _)| value.chars().count() <= LONGEST);
    let rows: u64 = found.iter().map(|(_, count)| count).sum();
    let again = rows >= 2 * found.len() as u64;
    short && if is_service { found.len() <= MOST_SERVICES } else { found.len() <= MOST && again }
}

/// Services that wrote nothing lately, found by hopping through the index from
/// each to the next.
async fn add_rare(runner: &Runner, table: &Table, found: &mut Vec<(String, u64)>) -> Result<(), Error> {
    let rows = live(table);
    let and = if table.soft_delete.is_some() { "AND" } else { "WHERE" };
    let sql = format!(
        "WITH RECURSIVE hop(service, n) AS (\
           (SELECT service::text, 1 FROM {rows} {and} service IS NOT NULL ORDER BY service LIMIT 1) \
           UNION ALL \
           SELECT (SELECT service::text FROM {rows} {and} service > hop.service ORDER BY service LIMIT 1), hop.n + 1 \
             FROM hop WHERE hop.service IS NOT NULL AND hop.n <= {MOST_SERVICES}) \
         SELECT service FROM hop WHERE service IS NOT NULL"
    );
    match runner.run(&sql, &asking(LIMITS)).await {
        Ok(answer) => {
            let all = answer.rows.into_iter().flatten();
            for name in all.filter_map(|value| value.as_str().map(str::to_owned)) {
                if !found.iter().any(|(known, _)| *known == name) {
                    found.push((name, 0));
                }
            }
            Ok(())
        }
        // Without an index this takes too long; the sample must do.
        Err(Error::TimedOut { .. } | Error::TooCostly { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(values: &[(&str, u64)]) -> Vec<(String, u64)> {
        values.iter().map(|(value, count)| ((*value).to_owned(), *count)).collect()
    }

    #[test]
    fn names_that_come_again_are_listed_and_texts_are_not() {
        assert!(listed(false, &found(&[("GET", 90), ("POST", 10)])));
        assert!(!listed(false, &found(&[("a1", 1), ("a2", 1), ("a3", 1)])), "ids");
        assert!(!listed(false, &found(&[(&"x".repeat(65), 90)])), "texts");
        assert!(listed(true, &found(&[("api", 1)])), "a service is one however seldom it writes");
    }
}
