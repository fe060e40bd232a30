//! The catalog: one table of small documents.

use async_trait::async_trait;
use duru::store::{Catalog, Entry, EntryKind, EntryQuery, Error, Expect, Found, Put, SortBy};
use duru::{Clock, Incarnation, SystemClock};
use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;
use serde_json::{Map, Value};

use super::SqliteStore;
use super::commit::{execute, remove_log};
use super::rows::{Columns, stored};
use crate::shared::{bound, corrupt};

const ENTRY: &str =
    "kind, id, status, label, metadata, body, due_ms, version, created_ms, updated_ms, incarnation";

const PUT: &str = "INSERT OR REPLACE INTO entries \
    (kind, id, status, label, metadata, body, due_ms, version, created_ms, updated_ms, incarnation) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";

#[async_trait]
impl Catalog for SqliteStore {
    async fn put(&self, entry: Entry, expect: Expect) -> Result<Put, Error> {
        self.change(move |conn| put(conn, &entry, expect)).await
    }

    async fn entry(&self, kind: EntryKind, id: &str) -> Result<Option<Entry>, Error> {
        let id = id.to_owned();
        self.read(move |conn| find_one(conn, kind, &id)).await
    }

    async fn find(&self, query: EntryQuery) -> Result<Found, Error> {
        self.read(move |conn| find(conn, &query)).await
    }

    async fn remove(&self, kind: EntryKind, id: &str) -> Result<bool, Error> {
        let id = id.to_owned();
        self.change(move |conn| remove(conn, kind, &id)).await
    }
}

/// Removes an entry; a thread's with all of its runs and its log. Whether there was one.
pub(super) fn remove(conn: &Connection, kind: EntryKind, id: &str) -> Result<bool, Error> {
    if kind == EntryKind::Thread {
        execute(conn, "DELETE FROM runs WHERE thread = ?1", [id])?;
        remove_log(conn, id)?;
    }
    execute(conn, "DELETE FROM entries WHERE kind = ?1 AND id = ?2", params![kind.as_str(), id])?;
    Ok(conn.changes() > 0)
}

pub(super) fn now_ms() -> i64 {
    bound(SystemClock.now_ms())
}

pub(super) fn put(conn: &Connection, entry: &Entry, expect: Expect) -> Result<Put, Error> {
    let old = find_one(conn, entry.kind, &entry.id)?;
    let fits = match expect {
        Expect::Any => true,
        Expect::New => old.is_none(),
        Expect::Version(version) => old.as_ref().is_some_and(|old| entry.follows(old, version)),
    };
    if !fits {
        return Ok(Put::Unexpected(old));
    }
    let now = now_ms() as u64;
    let new = Entry {
        incarnation: old.as_ref().map_or_else(Incarnation::random, |old| old.incarnation),
        version: old.as_ref().map_or(0, |old| old.version) + 1,
        created_ms: old.as_ref().map_or(now, |old| old.created_ms),
        updated_ms: now,
        ..entry.clone()
    };
    let values = params![
        new.kind.as_str(),
        new.id,
        new.status,
        new.label,
        text(&new.metadata)?,
        text(&new.body)?,
        new.due_ms.map(stored).transpose()?,
        stored(new.version)?,
        stored(new.created_ms)?,
        stored(new.updated_ms)?,
        stored(new.incarnation.as_u64())?,
    ];
    execute(conn, PUT, values)?;
    Ok(Put::Stored(new))
}

pub(super) fn find_one(conn: &Connection, kind: EntryKind, id: &str) -> Result<Option<Entry>, Error> {
    let sql = format!("SELECT {ENTRY} FROM entries WHERE kind = ?1 AND id = ?2");
    let mut statement = conn.prepare_cached(&sql).map_err(failed)?;
    let found = statement.query_row([kind.as_str(), id], |row| Ok(read_entry(row))).optional();
    found.map_err(failed)?.transpose()
}

/// Reads entries in their order and looks into each: SQLite has no index for
/// what is inside JSON. Without such a filter it counts instead.
fn find(conn: &Connection, query: &EntryQuery) -> Result<Found, Error> {
    let column = match query.sort {
        SortBy::Created => "created_ms",
        SortBy::Updated => "updated_ms",
        SortBy::Id => "id",
        SortBy::Status => "status",
        SortBy::Label => "label",
    };
    let order = if query.ascending { "ASC" } else { "DESC" };
    let plain = query.metadata.is_empty() && query.body.is_empty();
    let page = if plain { "LIMIT ?4 OFFSET ?5" } else { "LIMIT coalesce(?4, -1) OFFSET coalesce(?5, 0)" };
    // Few of many are looked up by their names.
    let named = if query.ids.is_empty() { "?6 IS NULL" } else { "id IN (SELECT value FROM json_each(?6))" };
    let wanted = format!(
        "WHERE kind = ?1 AND status = coalesce(?2, status) AND (?3 IS NULL OR due_ms <= ?3) AND {named}"
    );
    let sql = format!("SELECT {ENTRY} FROM entries {wanted} ORDER BY {column} {order}, id {page}");
    let (kind, status, due) = (query.kind.as_str(), query.status.as_deref(), query.due_by_ms.map(bound));
    let (limit, offset) = (bound(query.limit as u64), bound(query.offset as u64));
    let (limit, offset) = if plain { (Some(limit), Some(offset)) } else { (None, None) };
    let mut statement = conn.prepare_cached(&sql).map_err(failed)?;
    let ids = if query.ids.is_empty() { None } else { Some(text(&query.ids)?) };
    let mut rows = statement.query(params![kind, status, due, limit, offset, ids]).map_err(failed)?;
    let mut found = Found::default();
    while let Some(row) = rows.next().map_err(failed)? {
        let entry = read_entry(row)?;
        if plain {
            found.entries.push(entry);
        } else if query.wants(&entry) {
            if (query.offset..query.offset.saturating_add(query.limit)).contains(&found.total) {
                found.entries.push(entry);
            }
            found.total += 1;
        }
    }
    if plain {
        let sql = format!("SELECT count(*) FROM entries {}", wanted.replace("?6", "?4"));
        let mut statement = conn.prepare_cached(&sql).map_err(failed)?;
        let values = params![kind, status, due, ids];
        let total: i64 = statement.query_row(values, |row| row.get(0)).map_err(failed)?;
        found.total = usize::try_from(total).unwrap_or_default();
    }
    Ok(found)
}

fn read_entry(row: &rusqlite::Row<'_>) -> Result<Entry, Error> {
    let id: String = Columns { row, what: || "the name of an entry".to_owned() }.get(1)?;
    let columns = Columns { row, what: || format!("the entry {id}") };
    let word: String = columns.get(0)?;
    let kind = EntryKind::from_word(&word)
        .ok_or_else(|| corrupt((columns.what)(), format_args!("there is no kind {word:?}")))?;
    let due: Option<i64> = columns.get(6)?;
    Ok(Entry {
        kind,
        status: columns.get(2)?,
        label: columns.get(3)?,
        metadata: object(&columns.get::<String>(4)?, columns.what)?,
        body: object(&columns.get::<String>(5)?, columns.what)?,
        due_ms: due.map(|due| u64::try_from(due).unwrap_or_default()),
        version: columns.number(7)?,
        created_ms: columns.number(8)?,
        updated_ms: columns.number(9)?,
        incarnation: Incarnation::from_u64(columns.number(10)?),
        id,
    })
}

pub(super) fn object(text: &str, what: impl Fn() -> String) -> Result<Map<String, Value>, Error> {
    serde_json::from_str(text).map_err(|e| corrupt(what(), e))
}

pub(super) fn text(value: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|e| Error::backend("write JSON", e))
}

pub(super) fn failed(error: rusqlite::Error) -> Error {
    Error::backend("read", error)
}
