//! Memory across threads: rows, and an index from terms to rows. Words, scores
//! and filters are the engine's.

use std::collections::{BTreeSet, HashMap};

use async_trait::async_trait;
use duru::memory::rank::{Candidate, Page};
use duru::memory::{Address, Hit, Item, Namespace, NamespaceQuery, Put, Search, expiry, is_live};
use duru::store::{Error, Memories};
use rusqlite::{Connection, Params, params};

use super::SqliteStore;
use super::read::all;
use super::rows::{Columns, stored};
use crate::shared::{bound, corrupt};

/// At most so many are swept in one transaction, so that commits in between
/// need not wait.
const SWEPT_AT_ONCE: usize = 200;

const FIND: &str = "SELECT id, created_ms, expires_ms, terms FROM memories WHERE namespace = ?1 AND key = ?2";

const ADD: &str = "INSERT INTO memories (namespace, key, created_ms, updated_ms, ttl_ms, expires_ms, value, terms) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) RETURNING id";

const CHANGE: &str = "UPDATE memories SET created_ms = ?2, updated_ms = ?3, ttl_ms = ?4, expires_ms = ?5, \
    value = ?6, terms = ?7 WHERE id = ?1";

const ADD_TERM: &str = "INSERT OR IGNORE INTO memory_terms (term, namespace, memory) VALUES (?1, ?2, ?3)";

const REMOVE_TERM: &str = "DELETE FROM memory_terms WHERE term = ?1 AND namespace = ?2 AND memory = ?3";

const REMOVE: &str = "DELETE FROM memories WHERE id = ?1";

const REFRESH: &str = "UPDATE memories SET expires_ms = ?3 WHERE namespace = ?1 AND key = ?2";

const EXPIRED: &str = "SELECT id, namespace, terms FROM memories WHERE expires_ms <= ?1 LIMIT ?2";

const READ: &str = "SELECT namespace, key, created_ms, updated_ms, ttl_ms, expires_ms, value FROM memories";

const WITHIN: &str = "SELECT id, namespace, key, updated_ms FROM memories \
    WHERE namespace >= ?1 AND namespace < ?2 AND (expires_ms IS NULL OR expires_ms > ?3)";

// In this order: from the term's rows within the namespace to the memories.
const WITHIN_BY_TERM: &str = "SELECT m.id, m.namespace, m.key, m.updated_ms \
    FROM memory_terms AS t CROSS JOIN memories AS m ON m.id = t.memory \
    WHERE t.namespace >= ?1 AND t.namespace < ?2 AND (m.expires_ms IS NULL OR m.expires_ms > ?3) \
    AND t.term = ?4";

const NAMESPACES: &str = "SELECT DISTINCT namespace FROM memories \
    WHERE namespace >= ?1 AND namespace < ?2 AND (expires_ms IS NULL OR expires_ms > ?3)";

#[async_trait]
impl Memories for SqliteStore {
    async fn put(&self, put: Put, now_ms: u64) -> Result<(), Error> {
        self.change(move |conn| write(conn, &put, now_ms)).await
    }

    async fn get(&self, at: &Address, refresh: bool, now_ms: u64) -> Result<Option<Item>, Error> {
        let place = at.clone();
        let item = self.read(move |conn| find(conn, &place, now_ms)).await?;
        // Only what is to live longer concerns the writer.
        match &item {
            Some(Item { ttl_ms: Some(_), .. }) if refresh => {
                let at = at.clone();
                self.change(move |conn| prolong(conn, &at, now_ms)).await
            }
            _ => Ok(item),
        }
    }

    async fn forget(&self, at: &Address, now_ms: u64) -> Result<bool, Error> {
        let at = at.clone();
        self.change(move |conn| remove(conn, &at, now_ms)).await
    }

    async fn search(&self, search: Search, now_ms: u64) -> Result<Vec<Hit>, Error> {
        self.read(move |conn| {
            // One view of the database for all statements.
            let view = conn.unchecked_transaction().map_err(|e| Error::backend("read", e))?;
            hits(&view, search, now_ms)
        })
        .await
    }

    async fn namespaces(&self, query: NamespaceQuery, now_ms: u64) -> Result<Vec<Namespace>, Error> {
        self.read(move |conn| {
            let within = query.within();
            let values = params![within.as_stored(), within.stored_end(), bound(now_ms)];
            Ok(query.answer(all(conn, NAMESPACES, values, |row| read_namespace(row, 0))?))
        })
        .await
    }

    async fn sweep(&self, now_ms: u64) -> Result<u64, Error> {
        let mut count = 0;
        loop {
            let swept = self.change(move |conn| sweep(conn, now_ms)).await?;
            count += swept as u64;
            if swept < SWEPT_AT_ONCE {
                return Ok(count);
            }
        }
    }
}

fn failed(error: rusqlite::Error) -> Error {
    Error::backend("change memory", error)
}

fn execute(conn: &Connection, sql: &str, values: impl Params) -> Result<(), Error> {
    conn.prepare_cached(sql).and_then(|mut statement| statement.execute(values)).map_err(failed)?;
    Ok(())
}

/// The row of an address, expired or not.
struct Old {
    id: i64,
    created_ms: u64,
    expires_ms: Option<u64>,
    terms: BTreeSet<String>,
}

fn old(conn: &Connection, at: &Address) -> Result<Option<Old>, Error> {
    let values = params![at.namespace().as_stored(), at.key()];
    let found = all(conn, FIND, values, |row| {
        let columns = Columns { row, what: || at.to_string() };
        let expires_ms: Option<i64> = columns.get(2)?;
        Ok(Old {
            id: columns.get(0)?,
            created_ms: columns.number(1)?,
            // One that makes no sense was long ago.
            expires_ms: expires_ms.map(|ms| u64::try_from(ms).unwrap_or(0)),
            terms: split(&columns.get::<String>(3)?),
        })
    })?;
    Ok(found.into_iter().next())
}

fn split(terms: &str) -> BTreeSet<String> {
    terms.split_ascii_whitespace().map(str::to_owned).collect()
}

fn write(conn: &Connection, put: &Put, now_ms: u64) -> Result<(), Error> {
    let at = put.at();
    let namespace = at.namespace().as_stored();
    let terms = Vec::from_iter(put.terms().iter().map(String::as_str)).join(" ");
    let (now, ttl) = (stored(now_ms)?, put.ttl_ms().map(bound));
    let expires = expiry(now_ms, put.ttl_ms()).map(bound);
    let Some(old) = old(conn, at)? else {
        let id: i64 = conn
            .prepare_cached(ADD)
            .and_then(|mut statement| {
                let values = params![namespace, at.key(), now, now, ttl, expires, put.json(), terms];
                statement.query_row(values, |row| row.get(0))
            })
            .map_err(failed)?;
        return put.terms().iter().try_for_each(|term| execute(conn, ADD_TERM, params![term, namespace, id]));
    };
    let created = if is_live(old.expires_ms, now_ms) { bound(old.created_ms) } else { now };
    execute(conn, CHANGE, params![old.id, created, now, ttl, expires, put.json(), terms])?;
    for term in old.terms.difference(put.terms()) {
        execute(conn, REMOVE_TERM, params![term, namespace, old.id])?;
    }
    for term in put.terms().difference(&old.terms) {
        execute(conn, ADD_TERM, params![term, namespace, old.id])?;
    }
    Ok(())
}

fn find(conn: &Connection, at: &Address, now_ms: u64) -> Result<Option<Item>, Error> {
    let sql = format!("{READ} WHERE namespace = ?1 AND key = ?2");
    let found = all(conn, &sql, params![at.namespace().as_stored(), at.key()], read_item)?;
    Ok(found.into_iter().next().filter(|item| is_live(item.expires_ms, now_ms)))
}

/// The item may have changed since it was read.
fn prolong(conn: &Connection, at: &Address, now_ms: u64) -> Result<Option<Item>, Error> {
    let Some(mut item) = find(conn, at, now_ms)? else { return Ok(None) };
    item.expires_ms = expiry(now_ms, item.ttl_ms);
    execute(conn, REFRESH, params![at.namespace().as_stored(), at.key(), item.expires_ms.map(bound)])?;
    Ok(Some(item))
}

fn remove(conn: &Connection, at: &Address, now_ms: u64) -> Result<bool, Error> {
    let Some(old) = old(conn, at)? else { return Ok(false) };
    erase(conn, old.id, at.namespace().as_stored(), &old.terms)?;
    Ok(is_live(old.expires_ms, now_ms))
}

fn erase(conn: &Connection, id: i64, namespace: &str, terms: &BTreeSet<String>) -> Result<(), Error> {
    for term in terms {
        execute(conn, REMOVE_TERM, params![term, namespace, id])?;
    }
    execute(conn, REMOVE, [id])
}

fn sweep(conn: &Connection, now_ms: u64) -> Result<usize, Error> {
    let expired = all(conn, EXPIRED, params![bound(now_ms), bound(SWEPT_AT_ONCE as u64)], |row| {
        let columns = Columns { row, what: || "an expired memory".to_owned() };
        Ok((columns.get::<i64>(0)?, columns.get::<String>(1)?, columns.get::<String>(2)?))
    })?;
    for (id, namespace, terms) in &expired {
        erase(conn, *id, namespace, &split(terms))?;
    }
    Ok(expired.len())
}

fn hits(conn: &Connection, search: Search, now_ms: u64) -> Result<Vec<Hit>, Error> {
    let (start, end) = (search.within.as_stored().to_owned(), search.within.stored_end());
    let candidates = match search.terms() {
        None => all(conn, WITHIN, params![start, end, bound(now_ms)], read_candidate)?,
        Some(terms) => {
            let mut found: HashMap<i64, Candidate<i64>> = HashMap::new();
            for (bit, term) in terms.iter().enumerate() {
                let values = params![start, end, bound(now_ms), term];
                for candidate in all(conn, WITHIN_BY_TERM, values, read_candidate)? {
                    found.entry(candidate.id).or_insert(candidate).terms |= 1 << bit;
                }
            }
            found.into_values().collect()
        }
    };
    let mut page = Page::new(search, candidates);
    let sql = format!("{READ} WHERE id = ?1");
    while let Some(id) = page.wanted(1).pop() {
        page.offer(all(conn, &sql, [id], read_item)?.pop());
    }
    Ok(page.into_hits())
}

fn read_candidate(row: &rusqlite::Row<'_>) -> Result<Candidate<i64>, Error> {
    let namespace = read_namespace(row, 1)?;
    let columns = Columns { row, what: || format!("a memory in {namespace}") };
    Ok(Candidate {
        id: columns.get(0)?,
        key: columns.get(2)?,
        updated_ms: columns.number(3)?,
        terms: 0,
        namespace: namespace.clone(),
    })
}

fn read_namespace(row: &rusqlite::Row<'_>, index: usize) -> Result<Namespace, Error> {
    let path: String = Columns { row, what: || "the namespace of a memory".to_owned() }.get(index)?;
    Namespace::from_stored(&path)
        .ok_or_else(|| corrupt("the namespace of a memory", format_args!("there is none {path:?}")))
}

/// An item from the columns of [`READ`].
fn read_item(row: &rusqlite::Row<'_>) -> Result<Item, Error> {
    let namespace = read_namespace(row, 0)?;
    let key: String = Columns { row, what: || format!("a memory in {namespace}") }.get(1)?;
    let what = || format!("memory {key:?} in {namespace}");
    let columns = Columns { row, what };
    let time = |index| match columns.get::<Option<i64>>(index)? {
        Some(_) => columns.number(index).map(Some),
        None => Ok(None),
    };
    let value = serde_json::from_str(&columns.get::<String>(6)?).map_err(|e| corrupt(what(), e))?;
    Ok(Item {
        created_ms: columns.number(2)?,
        updated_ms: columns.number(3)?,
        ttl_ms: time(4)?,
        expires_ms: time(5)?,
        value,
        namespace: namespace.clone(),
        key: key.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SqliteOptions;

    /// A search reads an index, and of it only what lies within its namespace.
    #[test]
    fn no_search_reads_other_namespaces() {
        let conn = crate::sqlite::schema::open_writer(None, &SqliteOptions::default()).unwrap();
        let plan = |sql: &str| {
            let mut statement = conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
            let nulls = vec![rusqlite::types::Null; statement.parameter_count()];
            let lines = statement.query_map(rusqlite::params_from_iter(nulls), |row| row.get(3)).unwrap();
            lines.collect::<Result<Vec<String>, _>>().unwrap().join("; ")
        };
        let by_key = "USING INDEX sqlite_autoindex_memories_1";
        for (sql, expected) in [
            (WITHIN, format!("SEARCH memories {by_key} (namespace>? AND namespace<?)")),
            (NAMESPACES, format!("SEARCH memories {by_key} (namespace>? AND namespace<?)")),
            (FIND, format!("SEARCH memories {by_key} (namespace=? AND key=?)")),
            (
                WITHIN_BY_TERM,
                "SEARCH t USING PRIMARY KEY (term=? AND namespace>? AND namespace<?); \
                 SEARCH m USING INTEGER PRIMARY KEY (rowid=?)"
                    .to_owned(),
            ),
            (EXPIRED, "SEARCH memories USING INDEX memories_by_expiry (expires_ms<?)".to_owned()),
        ] {
            assert_eq!(plan(sql), expected, "{sql}");
        }
    }
}
