//! What is in a table: how many rows, which values its texts have, which columns tell rows apart.

use std::collections::BTreeMap;

use std::time::Duration;

use serde_json::Value;
use tokio_postgres::{Client, Row};

use super::structure::FoundTable;
use crate::postgres::failure;
use crate::postgres::knowledge::live;
use crate::postgres::names::{literal, quoted};
use crate::store::Error;
use crate::tables::{ColumnValues, FEW, LONGEST, NAMES};
use crate::{Answer, Column, Kind};

/// A table with more rows is too large to be looked at as a whole.
pub(super) const SMALL: u64 = 20_000;

/// Text columns of one table that are looked at.
const COLUMNS: usize = 100;

/// Of a text that is only shown.
const SHOWN: usize = 200;

/// What was found in a table.
#[derive(Debug, Default)]
pub(super) struct Contents {
    pub(super) rows: u64,
    /// The rows were counted, and there are few.
    pub(super) small: bool,
    /// By column: the values, and whether these are all.
    pub(super) values: BTreeMap<String, ColumnValues>,
    /// Columns without two equal values.
    pub(super) unique: Vec<String>,
    /// A few rows, to see what they look like.
    pub(super) first_rows: Option<Answer>,
}

/// Reads a table's contents. Every statement is bounded by the session's time limit, and none looks at more
/// than so many rows of a large table.
pub(super) async fn contents(client: &Client, found: &FoundTable, keys: &[&str]) -> Result<Contents, Error> {
    let mut contents = Contents::default();
    let small = found.rows.is_none_or(|rows| rows <= SMALL);
    contents.rows = found.rows.unwrap_or_default();
    if small {
        count(client, found, keys, &mut contents).await?;
    }
    if contents.small {
        let counted = counted(client, found).await?;
        for (column, values) in counted {
            contents.values.insert(column, ColumnValues::of(values, NAMES, true));
        }
    } else {
        // The server's own statistics would tell values of rows that count as deleted.
        let told = match found.table.soft_delete {
            None => statistics(client, found, &mut contents).await?,
            Some(_) => false,
        };
        if !told {
            for (column, values) in counted(client, found).await? {
                contents.values.insert(column, ColumnValues::of(values, FEW, false));
            }
        }
    }
    contents.first_rows = Some(first_rows(client, found).await?);
    Ok(contents)
}

/// Three rows, long texts cut.
async fn first_rows(client: &Client, found: &FoundTable) -> Result<Answer, Error> {
    let columns = &found.table.columns;
    let shown: Vec<String> = columns
        .iter()
        .map(|column| {
            let name = quoted(&column.name);
            match column.kind {
                Kind::Text | Kind::Json | Kind::Other(_) => {
                    format!("to_json(left({name}::text, {SHOWN}))::text")
                }
                _ => format!("to_json({name})::text"),
            }
        })
        .collect();
    let sql = format!("SELECT {} FROM {} LIMIT 3", shown.join(", "), live(&found.table));
    let mut rows = Vec::new();
    for row in query(client, &sql).await? {
        let values = (0..columns.len()).map(|at| {
            let text: Option<&str> = row.try_get(at).map_err(|error| failure::of(&error))?;
            Ok(text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or(Value::Null))
        });
        rows.push(values.collect::<Result<Vec<Value>, Error>>()?);
    }
    let columns = columns.iter().map(|one| Column { name: one.name.clone(), kind: one.kind.clone() });
    Ok(Answer { columns: columns.collect(), rows, cut: None, took: Duration::ZERO })
}

/// How many rows there are, up to a limit, and which columns tell them apart.
async fn count(
    client: &Client,
    found: &FoundTable,
    keys: &[&str],
    contents: &mut Contents,
) -> Result<(), Error> {
    let names: Vec<String> = keys.iter().map(|key| quoted(key)).collect();
    let each: String = names.iter().map(|name| format!(", count(DISTINCT {name}), count({name})")).collect();
    let inner = if names.is_empty() { "1".to_owned() } else { names.join(", ") };
    let sql = format!(
        "SELECT count(*){each} FROM (SELECT {inner} FROM {} LIMIT {}) AS visible",
        live(&found.table),
        SMALL + 1
    );
    let rows = query(client, &sql).await?;
    let Some(row) = rows.first() else { return Ok(()) };
    let number = |at: usize| -> Result<u64, Error> {
        let number: i64 = row.try_get(at).map_err(|error| failure::of(&error))?;
        Ok(u64::try_from(number).unwrap_or_default())
    };
    let all = number(0)?;
    contents.small = all <= SMALL;
    contents.rows = if contents.small { all } else { found.rows.unwrap_or_default().max(all) };
    for (place, key) in keys.iter().enumerate() {
        let (different, filled) = (number(1 + 2 * place)?, number(2 + 2 * place)?);
        if contents.small && all > 1 && different == filled && filled == all {
            contents.unique.push((*key).to_owned());
        }
    }
    Ok(())
}

/// The values of every text column of the first rows, most frequent first, with how often each is there.
async fn counted(client: &Client, found: &FoundTable) -> Result<BTreeMap<String, Vec<(String, u64)>>, Error> {
    let texts = found.table.columns.iter().filter(|column| is_text(&column.kind)).take(COLUMNS);
    let names: Vec<&str> = texts.map(|column| column.name.as_str()).collect();
    let mut values: BTreeMap<String, Vec<(String, u64)>> = BTreeMap::new();
    if names.is_empty() {
        return Ok(values);
    }
    let parts: Vec<String> = names
        .iter()
        .map(|name| {
            let column = quoted(name);
            format!(
                "(SELECT {}::text, left({column}::text, {}), count(*) FROM visible WHERE {column} IS NOT NULL \
                 GROUP BY 2 ORDER BY 3 DESC, 2 LIMIT {})",
                literal(name),
                LONGEST + 1,
                NAMES + 1
            )
        })
        .collect();
    let columns: Vec<String> = names.iter().map(|name| quoted(name)).collect();
    let sql = format!(
        "WITH visible AS MATERIALIZED (SELECT {} FROM {} LIMIT {}) {}",
        columns.join(", "),
        live(&found.table),
        SMALL + 1,
        parts.join(" UNION ALL ")
    );
    for row in query(client, &sql).await? {
        let value = || -> Result<(String, String, i64), tokio_postgres::Error> {
            Ok((row.try_get(0)?, row.try_get(1)?, row.try_get(2)?))
        };
        let (column, value, count) = value().map_err(|error| failure::of(&error))?;
        values.entry(column).or_default().push((value, u64::try_from(count).unwrap_or_default()));
    }
    Ok(values)
}

/// What the server's statistics say of a large table; whether they say anything.
async fn statistics(client: &Client, found: &FoundTable, contents: &mut Contents) -> Result<bool, Error> {
    let sql = "SELECT attname::text, n_distinct::float8, most_common_vals::text::text[] \
               FROM pg_catalog.pg_stats WHERE schemaname = $1 AND tablename = $2";
    let rows = client.query(sql, &[&found.table.schema, &found.table.name]).await;
    let rows = rows.map_err(|error| failure::of(&error))?;
    for row in &rows {
        let read = || -> Result<(String, f64, Option<Vec<String>>), tokio_postgres::Error> {
            Ok((row.try_get(0)?, row.try_get(1)?, row.try_get(2)?))
        };
        let (name, different, common) = read().map_err(|error| failure::of(&error))?;
        if different == -1.0 {
            contents.unique.push(name.clone());
        }
        let Some(column) = found.table.column(&name).filter(|column| is_text(&column.kind)) else { continue };
        let common: Vec<(String, u64)> =
            common.unwrap_or_default().into_iter().map(|value| (value, 2)).collect();
        let complete = different > 0.0 && different <= common.len() as f64;
        let values = ColumnValues::of(common, if complete { FEW } else { 0 }, false);
        contents.values.insert(column.name.clone(), values);
    }
    Ok(!rows.is_empty())
}

fn is_text(kind: &Kind) -> bool {
    *kind == Kind::Text
}

pub(super) async fn query(client: &Client, sql: &str) -> Result<Vec<Row>, Error> {
    client.query(sql, &[]).await.map_err(|error| failure::of(&error))
}
