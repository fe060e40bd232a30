//! Memory across threads: rows, and an index from terms to rows. Words, scores
//! and filters are the engine's. Every call is one statement, which can be sent
//! again if its answer is lost; only a search is two.

use std::collections::HashMap;

use async_trait::async_trait;
use duru::memory::rank::{Candidate, Page};
use duru::memory::{Address, Hit, Item, Namespace, NamespaceQuery, Put, Search, expiry, is_live};
use duru::store::{Error, Memories};
use tokio_postgres::Row;
use tokio_postgres::types::Type;

use super::PostgresStore;
use super::connection::Value;
use super::read::Tables;
use super::rows::{Columns, stored};
use crate::shared::{bound, corrupt};

/// At most so many are swept in one transaction.
const SWEPT_AT_ONCE: i64 = 500;

/// So many values are read at once.
const READ_AT_ONCE: usize = 100;

/// The columns that [`read_item`] expects, in this order.
const ITEM: &str = "namespace, key, created_ms, updated_ms, ttl_ms, expires_ms, value";

#[async_trait]
impl Memories for PostgresStore {
    async fn put(&self, put: Put, now_ms: u64) -> Result<(), Error> {
        let sql = format!("SELECT {}.put_memory($1, $2, $3, $4, $5, $6, $7)", self.tables.schema);
        let (namespace, key) = (put.at().namespace().as_stored(), put.at().key());
        let terms: Vec<&str> = put.terms().iter().map(String::as_str).collect();
        let values: &[Value<'_>] = &[
            (&namespace, Type::TEXT),
            (&key, Type::TEXT),
            (&stored::<u64, i64>(now_ms)?, Type::INT8),
            (&put.ttl_ms().map(bound), Type::INT8),
            (&expiry(now_ms, put.ttl_ms()).map(bound), Type::INT8),
            (&put.json(), Type::TEXT),
            (&terms, Type::TEXT_ARRAY),
        ];
        self.tables.readers.query("change memory", &sql, values).await.map(drop)
    }

    async fn get(&self, at: &Address, refresh: bool, now_ms: u64) -> Result<Option<Item>, Error> {
        let item = self.tables.memory(at, now_ms).await?;
        match item {
            Some(Item { ttl_ms: ttl_ms @ Some(_), .. }) if refresh => {
                let ends = expiry(now_ms, ttl_ms);
                match self.tables.prolong(at, (ttl_ms, ends), now_ms).await? {
                    Some(item) => Ok(Some(item)),
                    // It has changed since it was read.
                    None => self.tables.memory(at, now_ms).await,
                }
            }
            item => Ok(item),
        }
    }

    async fn forget(&self, at: &Address, now_ms: u64) -> Result<bool, Error> {
        let sql = format!("SELECT {}.remove_memory($1, $2, $3)", self.tables.schema);
        let (namespace, key) = (at.namespace().as_stored(), at.key());
        let values: &[Value<'_>] =
            &[(&namespace, Type::TEXT), (&key, Type::TEXT), (&bound(now_ms), Type::INT8)];
        let (rows, before) = self.tables.readers.query_often("change memory", &sql, values).await?;
        let removed = rows.first().map(|row| row.try_get::<_, bool>(0)).transpose();
        // If the answer was lost on the way, it is gone by now.
        Ok(removed.map_err(|e| Error::backend("change memory", e))?.unwrap_or(false) || before)
    }

    async fn search(&self, search: Search, now_ms: u64) -> Result<Vec<Hit>, Error> {
        let mut page = Page::new(search.clone(), self.tables.candidates(&search, now_ms).await?);
        loop {
            let ids = page.wanted(READ_AT_ONCE);
            if ids.is_empty() {
                return Ok(page.into_hits());
            }
            // What was put meanwhile is given as it is now, what was removed is not.
            let mut items = self.tables.memories(&ids, now_ms).await?;
            ids.iter().for_each(|id| page.offer(items.remove(id)));
        }
    }

    async fn namespaces(&self, query: NamespaceQuery, now_ms: u64) -> Result<Vec<Namespace>, Error> {
        let sql = format!(
            "SELECT DISTINCT namespace FROM {}.memories \
             WHERE namespace >= $1 AND namespace < $2 AND (expires_ms IS NULL OR expires_ms > $3)",
            self.tables.schema
        );
        let within = query.within();
        let (start, end) = (within.as_stored(), within.stored_end());
        let values: &[Value<'_>] = &[(&start, Type::TEXT), (&end, Type::TEXT), (&bound(now_ms), Type::INT8)];
        let rows = self.tables.readers.query("read memory", &sql, values).await?;
        let all = rows.iter().map(|row| read_namespace(row, 0)).collect::<Result<Vec<_>, _>>()?;
        Ok(query.answer(all))
    }

    async fn sweep(&self, now_ms: u64) -> Result<u64, Error> {
        let sql = format!("SELECT {}.sweep_memories($1, $2)", self.tables.schema);
        let values: &[Value<'_>] = &[(&bound(now_ms), Type::INT8), (&SWEPT_AT_ONCE, Type::INT8)];
        let mut count = 0;
        loop {
            let rows = self.tables.readers.query("change memory", &sql, values).await?;
            let swept = rows.first().map(|row| row.try_get::<_, i64>(0)).transpose();
            let swept = swept.map_err(|e| Error::backend("change memory", e))?.unwrap_or(0);
            count += swept.unsigned_abs();
            if swept < SWEPT_AT_ONCE {
                return Ok(count);
            }
        }
    }
}

impl Tables {
    async fn memory(&self, at: &Address, now_ms: u64) -> Result<Option<Item>, Error> {
        let sql = format!("SELECT {ITEM} FROM {}.memories WHERE namespace = $1 AND key = $2", self.schema);
        let (namespace, key) = (at.namespace().as_stored(), at.key());
        let values: &[Value<'_>] = &[(&namespace, Type::TEXT), (&key, Type::TEXT)];
        let rows = self.readers.query("read memory", &sql, values).await?;
        let item = rows.first().map(|row| read_item(row, 0)).transpose()?;
        Ok(item.filter(|item| is_live(item.expires_ms, now_ms)))
    }

    /// Lets an item live on, if it is still there and still lives so long.
    async fn prolong(
        &self,
        at: &Address,
        (ttl_ms, ends): (Option<u64>, Option<u64>),
        now_ms: u64,
    ) -> Result<Option<Item>, Error> {
        let sql = format!(
            "UPDATE {}.memories SET expires_ms = $3 \
             WHERE namespace = $1 AND key = $2 AND ttl_ms = $4 AND expires_ms > $5 RETURNING {ITEM}",
            self.schema
        );
        let (namespace, key) = (at.namespace().as_stored(), at.key());
        let values: &[Value<'_>] = &[
            (&namespace, Type::TEXT),
            (&key, Type::TEXT),
            (&ends.map(bound), Type::INT8),
            (&ttl_ms.map(bound), Type::INT8),
            (&bound(now_ms), Type::INT8),
        ];
        let rows = self.readers.query("change memory", &sql, values).await?;
        rows.first().map(|row| read_item(row, 0)).transpose()
    }

    async fn candidates(&self, search: &Search, now_ms: u64) -> Result<Vec<Candidate<i64>>, Error> {
        let schema = &self.schema;
        let (start, end) = (search.within.as_stored(), search.within.stored_end());
        let now = bound(now_ms);
        let terms = search.terms();
        let mut values: Vec<Value<'_>> = vec![(&start, Type::TEXT), (&end, Type::TEXT), (&now, Type::INT8)];
        let sql = match &terms {
            None => format!(
                "SELECT id, namespace, key, updated_ms, 0::bigint FROM {schema}.memories \
                 WHERE namespace >= $1 AND namespace < $2 AND (expires_ms IS NULL OR expires_ms > $3)"
            ),
            Some(terms) => {
                values.push((terms, Type::TEXT_ARRAY));
                format!(
                    "SELECT m.id, m.namespace, m.key, m.updated_ms, bit_or(1::bigint << (q.number - 1)::integer) \
                     FROM unnest($4) WITH ORDINALITY AS q (term, number) \
                     JOIN {schema}.memory_terms AS t \
                         ON t.term = q.term AND t.namespace >= $1 AND t.namespace < $2 \
                     JOIN {schema}.memories AS m \
                         ON m.id = t.memory AND (m.expires_ms IS NULL OR m.expires_ms > $3) \
                     GROUP BY m.id"
                )
            }
        };
        let rows = self.readers.query("read memory", &sql, &values).await?;
        rows.iter().map(read_candidate).collect()
    }

    async fn memories(&self, ids: &[i64], now_ms: u64) -> Result<HashMap<i64, Item>, Error> {
        let sql = format!(
            "SELECT id, {ITEM} FROM {}.memories WHERE id = ANY ($1) AND (expires_ms IS NULL OR expires_ms > $2)",
            self.schema
        );
        let values: &[Value<'_>] = &[(&ids, Type::INT8_ARRAY), (&bound(now_ms), Type::INT8)];
        let rows = self.readers.query("read memory", &sql, values).await?;
        let item = |row: &Row| {
            let id: i64 = Columns { row, what: || "a memory".to_owned() }.get(0)?;
            Ok((id, read_item(row, 1)?))
        };
        rows.iter().map(item).collect()
    }
}

fn read_candidate(row: &Row) -> Result<Candidate<i64>, Error> {
    let namespace = read_namespace(row, 1)?;
    let columns = Columns { row, what: || format!("a memory in {namespace}") };
    Ok(Candidate {
        id: columns.get(0)?,
        key: columns.get(2)?,
        updated_ms: columns.big(3)?,
        // All 64 bits.
        terms: columns.get::<i64>(4)? as u64,
        namespace: namespace.clone(),
    })
}

fn read_namespace(row: &Row, index: usize) -> Result<Namespace, Error> {
    let path: &str = Columns { row, what: || "the namespace of a memory".to_owned() }.get(index)?;
    Namespace::from_stored(path)
        .ok_or_else(|| corrupt("the namespace of a memory", format_args!("there is none {path:?}")))
}

/// An item from the columns [`ITEM`], the first of which is at `first`.
fn read_item(row: &Row, first: usize) -> Result<Item, Error> {
    let namespace = read_namespace(row, first)?;
    let key: String = Columns { row, what: || format!("a memory in {namespace}") }.get(first + 1)?;
    let what = || format!("memory {key:?} in {namespace}");
    let columns = Columns { row, what };
    let time = |index| match columns.get::<Option<i64>>(index)? {
        Some(_) => columns.big(index).map(Some),
        None => Ok(None),
    };
    let value = serde_json::from_str(columns.get(first + 6)?).map_err(|e| corrupt(what(), e))?;
    Ok(Item {
        created_ms: columns.big(first + 2)?,
        updated_ms: columns.big(first + 3)?,
        ttl_ms: time(first + 4)?,
        expires_ms: time(first + 5)?,
        value,
        namespace: namespace.clone(),
        key: key.clone(),
    })
}
