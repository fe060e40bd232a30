//! The catalog. Every call is one statement.

use async_trait::async_trait;
use duru::Incarnation;
use duru::store::{Catalog, Entry, EntryKind, EntryQuery, Error, Expect, Found, Put, SortBy};
use tokio_postgres::Row;
use tokio_postgres::types::Type;

use super::PostgresStore;
use super::clauses::Clauses;
use super::connection::Value;
use super::json::{has_nul, parsed, searchable};
use super::rows::{Columns, stored};
use crate::shared::{bound, corrupt};

const CHANGE: &str = "change the catalog";
const READ: &str = "read the catalog";

/// The columns that [`read_entry`] expects, in this order.
const ENTRY: [&str; 11] = [
    "kind",
    "id",
    "status",
    "label",
    "metadata::text",
    "body::text",
    "due_ms",
    "version",
    "created_ms",
    "updated_ms",
    "incarnation",
];

/// These columns of a row, or of the field `entry` of a function's answer.
fn columns_of(row: &str) -> String {
    ENTRY.map(|column| format!("{row}.{column}")).join(", ")
}

#[async_trait]
impl Catalog for PostgresStore {
    async fn put(&self, entry: Entry, expect: Expect) -> Result<Put, Error> {
        let sql = format!(
            "SELECT p.is_stored, (p.entry).kind IS NOT NULL, {} \
             FROM {}.put_entry($1, $2, $3, $4, $5::json, $6::json, $7, $8, $9, $10) AS p",
            columns_of("(p.entry)"),
            self.tables.schema
        );
        let due = entry.due_ms.map(stored::<u64, i64>).transpose()?;
        let expected = match expect {
            Expect::Any => None,
            Expect::New => Some(0),
            // No entry has ever had version 0.
            Expect::Version(0) => Some(-1),
            Expect::Version(version) => Some(bound(version)),
        };
        let values: &[Value<'_>] = &[
            (&entry.kind.as_str(), Type::TEXT),
            (&entry.id, Type::TEXT),
            (&entry.status, Type::TEXT),
            (&entry.label, Type::TEXT),
            (&searchable(CHANGE, &entry.metadata)?, Type::TEXT),
            (&searchable(CHANGE, &entry.body)?, Type::TEXT),
            (&due, Type::INT8),
            (&bound(entry.incarnation.as_u64()), Type::INT8),
            (&expected, Type::INT8),
            (&self.token(), Type::INT8),
        ];
        let rows = self.tables.readers.query(CHANGE, &sql, values).await?;
        let Some(row) = rows.first() else { return Err(corrupt("an answer of the catalog", "it is empty")) };
        let columns = Columns { row, what: || "an answer of the catalog".to_owned() };
        let (is_stored, is_there): (bool, bool) = (columns.get(0)?, columns.get(1)?);
        match (is_stored, is_there) {
            (true, _) => Ok(Put::Stored(read_entry(row, 2)?)),
            (false, true) => Ok(Put::Unexpected(Some(read_entry(row, 2)?))),
            (false, false) => Ok(Put::Unexpected(None)),
        }
    }

    async fn entry(&self, kind: EntryKind, id: &str) -> Result<Option<Entry>, Error> {
        let sql = format!(
            "SELECT {} FROM {}.entries AS e WHERE e.kind = $1 AND e.id = $2",
            columns_of("e"),
            self.tables.schema
        );
        let values: &[Value<'_>] = &[(&kind.as_str(), Type::TEXT), (&id, Type::TEXT)];
        let rows = self.tables.readers.query(READ, &sql, values).await?;
        rows.first().map(|row| read_entry(row, 0)).transpose()
    }

    /// The number of all and one page of them, of the same moment.
    async fn find(&self, query: EntryQuery) -> Result<Found, Error> {
        if has_nul(&query.metadata) || has_nul(&query.body) {
            // Nothing of that kind can be stored.
            return Ok(Found::default());
        }
        let (metadata, body) = (searchable(READ, &query.metadata)?, searchable(READ, &query.body)?);
        let (kind, due) = (query.kind.as_str(), query.due_by_ms.map(bound));
        let (offset, limit) = (bound(query.offset as u64), bound(query.limit as u64));
        let mut clauses = Clauses::default();
        clauses.add("WHERE e.kind = ?", &kind, Type::TEXT);
        if !query.ids.is_empty() {
            clauses.add("AND e.id = ANY (?)", &query.ids, Type::TEXT_ARRAY);
        }
        if let Some(status) = &query.status {
            clauses.add("AND e.status = ?", status, Type::TEXT);
        }
        if due.is_some() {
            clauses.add("AND e.due_ms <= ?", &due, Type::INT8);
        }
        if !query.metadata.is_empty() {
            clauses.add("AND e.metadata::jsonb @> ?::jsonb", &metadata, Type::TEXT);
        }
        if !query.body.is_empty() {
            clauses.add("AND e.body::jsonb @> ?::jsonb", &body, Type::TEXT);
        }
        let (limit, offset) = (clauses.value(&limit, Type::INT8), clauses.value(&offset, Type::INT8));
        let (schema, filter, order) = (&self.tables.schema, &clauses.text, order(&query));
        let sql = format!(
            "SELECT total.number, e.kind IS NOT NULL, {} \
             FROM (SELECT count(*) AS number FROM {schema}.entries AS e{filter}) AS total \
             LEFT JOIN (SELECT e.* FROM {schema}.entries AS e{filter} {order} LIMIT {limit} OFFSET {offset}) AS e \
             ON true {order}",
            columns_of("e")
        );
        let rows = self.tables.readers.query(READ, &sql, &clauses.values).await?;
        let mut found = Found::default();
        for row in &rows {
            let columns = Columns { row, what: || "the number of entries".to_owned() };
            found.total = columns.number::<i64, usize>(0)?;
            if columns.get(1)? {
                found.entries.push(read_entry(row, 2)?);
            }
        }
        Ok(found)
    }

    async fn remove(&self, kind: EntryKind, id: &str) -> Result<bool, Error> {
        let sql = format!("SELECT {}.remove_entry($1, $2)", self.tables.schema);
        let values: &[Value<'_>] = &[(&kind.as_str(), Type::TEXT), (&id, Type::TEXT)];
        let (rows, before) = self.tables.readers.query_often(CHANGE, &sql, values).await?;
        let removed = rows.first().map(|row| row.try_get::<_, bool>(0)).transpose();
        // If the answer was lost on the way, it is gone by now.
        Ok(removed.map_err(|e| Error::backend(CHANGE, e))?.unwrap_or(false) || before)
    }
}

/// Equal ones by their name, always from small to large.
fn order(query: &EntryQuery) -> String {
    let by: &[&str] = match query.sort {
        SortBy::Created => &["created_ms"],
        // The first one has an index, and says less.
        SortBy::Updated => &["updated_span", "updated_ms"],
        SortBy::Id => &["id"],
        SortBy::Status => &["status"],
        SortBy::Label => &["label"],
    };
    let direction = if query.ascending { "ASC" } else { "DESC" };
    let by: String = by.iter().map(|column| format!("e.{column} {direction}, ")).collect();
    format!("ORDER BY {by}e.id")
}

/// An entry from the columns [`ENTRY`], the first of which is at `first`.
fn read_entry(row: &Row, first: usize) -> Result<Entry, Error> {
    let columns = Columns { row, what: || "an entry of the catalog".to_owned() };
    let (word, id): (&str, &str) = (columns.get(first)?, columns.get(first + 1)?);
    let what = || format!("the {word} {id:?} in the catalog");
    let columns = Columns { row, what };
    Ok(Entry {
        kind: EntryKind::from_word(word).ok_or_else(|| corrupt(what(), "there is no such kind"))?,
        id: id.to_owned(),
        status: columns.get(first + 2)?,
        label: columns.get(first + 3)?,
        metadata: parsed(columns.get(first + 4)?, what)?,
        body: parsed(columns.get(first + 5)?, what)?,
        due_ms: match columns.get::<Option<i64>>(first + 6)? {
            Some(_) => Some(columns.big(first + 6)?),
            None => None,
        },
        version: columns.big(first + 7)?,
        created_ms: columns.big(first + 8)?,
        updated_ms: columns.big(first + 9)?,
        incarnation: Incarnation::from_u64(columns.big(first + 10)?),
    })
}
