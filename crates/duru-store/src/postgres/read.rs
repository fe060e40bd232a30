//! What readers ask: each one statement, one message to the server and one
//! answer.

use duru::store::{
    Error, Head, Kind, LogPosition, LogUpdate, Owner, Row, RowQuery, Seq, Snapshot, ThreadSummary, Timer,
    remaining_ms,
};
use duru::{Namespace, ThreadId};
use tokio_postgres::types::Type;
use uuid::Uuid;

use super::clauses::Clauses;
use super::connection::{Readers, Value};
use super::rows::{
    Columns, HEAD, ROW, columns_in, interrupt_from_sql, interrupt_to_sql, read_head, read_row, read_snapshot,
};
use crate::shared::{are_marks, bound, corrupt};

/// The tables of one schema.
pub(super) struct Tables {
    pub(super) readers: Readers,
    /// The schema's name, quoted.
    pub(super) schema: String,
}

impl Tables {
    pub(super) async fn head(&self, thread: &ThreadId) -> Result<Option<Head>, Error> {
        let sql = format!("SELECT {HEAD} FROM {}.head_of($1)", self.schema);
        let rows = self.readers.query("read", &sql, &[(&thread.as_str(), Type::TEXT)]).await?;
        let what = || format!("the head of thread {thread}");
        rows.first().map(|row| read_head(&Columns { row, what }, 0)).transpose()
    }

    /// Who has a lease on the thread, and for how long; or who had the last one,
    /// and 0. Also a run of theirs that is under way keeps the thread.
    pub(super) async fn lease(&self, thread: &ThreadId) -> Result<Option<(Owner, u64)>, Error> {
        let sql = format!(
            "SELECT owner, lease_until, lease_ms, {schema}.now_ms(), coalesce({schema}.kept_until(name, owner), 0) \
             FROM {schema}.threads WHERE name = $1",
            schema = self.schema
        );
        let rows = self.readers.query("read", &sql, &[(&thread.as_str(), Type::TEXT)]).await?;
        let Some(row) = rows.first() else { return Ok(None) };
        let columns = Columns { row, what: || format!("the lease of thread {thread}") };
        let now_ms = columns.big(3)?;
        let own = remaining_ms(columns.big(1)?, columns.big(2)?, now_ms);
        let for_ms = own.max(columns.big(4)?.saturating_sub(now_ms));
        Ok(Some((Owner::named(columns.get(0)?), for_ms)))
    }

    /// One moment, so that a thread deleted and made anew meanwhile can't be
    /// taken for the old one.
    pub(super) async fn rows(&self, thread: &ThreadId, query: &RowQuery) -> Result<Vec<Row>, Error> {
        let is_filtered = query.run.is_some() || query.checkpoint.is_some() || query.source.is_some();
        let rows = if is_filtered {
            self.filtered(thread, query).await?
        } else {
            let sql = format!("SELECT {ROW} FROM {}.rows_of($1, $2, $3, $4, $5, $6, $7, $8)", self.schema);
            let values: &[Value<'_>] = &[
                (&thread.as_str(), Type::TEXT),
                (&query.incarnation.map(|incarnation| bound(incarnation.as_u64())), Type::INT8),
                (&bound(query.from), Type::INT8),
                (&bound(query.until.unwrap_or(Seq::MAX)), Type::INT8),
                (&query.ns.as_ref().map(Namespace::as_str), Type::TEXT),
                (&unwanted(&query.kinds), Type::INT2_ARRAY),
                (&query.limit.map(|limit| bound(limit as u64)), Type::INT8),
                (&query.newest_first, Type::BOOL),
            ];
            self.readers.query("read", &sql, values).await?
        };
        if let (Some(wanted), true) = (query.incarnation, rows.is_empty())
            && self.head(thread).await?.is_none_or(|head| head.incarnation != wanted)
        {
            return Err(Error::Deleted { thread: thread.clone() });
        }
        rows.iter().map(|row| read_row(row, thread, 0)).collect()
    }

    /// One statement for all of them, and one moment.
    pub(super) async fn updates_since(&self, known: &[LogPosition]) -> Result<Vec<LogUpdate>, Error> {
        let names: Vec<&str> = known.iter().map(|known| known.thread.as_str()).collect();
        let (incarnations, versions): (Vec<Option<i64>>, Vec<Option<i64>>) = known
            .iter()
            .map(|known| known.version.map(|(of, version)| (bound(of.as_u64()), bound(version))).unzip())
            .unzip();
        let starts: Vec<i64> = known.iter().map(|known| bound(known.next_seq)).collect();
        let sql = format!(
            "SELECT u.nth, (u.head).id IS NOT NULL, (u.entry).seq IS NOT NULL, {}, {} \
             FROM {}.updates_since($1, $2, $3, $4, $5, $6) AS u",
            columns_in("u.head", HEAD),
            columns_in("u.entry", ROW),
            self.schema
        );
        let values: &[Value<'_>] = &[
            (&names, Type::TEXT_ARRAY),
            (&incarnations, Type::INT8_ARRAY),
            (&versions, Type::INT8_ARRAY),
            (&starts, Type::INT8_ARRAY),
            (&bound(LogUpdate::MOST_ROWS as u64), Type::INT8),
            (&bound(LogUpdate::MOST_BYTES as u64), Type::INT8),
        ];
        let rows = self.readers.query("read", &sql, values).await?;
        let mut updates: Vec<LogUpdate> = Vec::new();
        for row in &rows {
            let columns = Columns { row, what: || "what is new of a thread".to_owned() };
            let nth: usize = columns.number::<i64, usize>(0)?;
            let Some(LogPosition { thread, .. }) = nth.checked_sub(1).and_then(|at| known.get(at)) else {
                return Err(corrupt("what is new of a thread", "nobody asked for it"));
            };
            if columns.get(2)? {
                let update = updates.last_mut().filter(|update| update.thread == *thread);
                let rows = update.map(|update| &mut update.rows);
                rows.into_iter().try_for_each(|rows| read_row(row, thread, 11).map(|row| rows.push(row)))?;
            } else {
                let what = || format!("the head of thread {thread}");
                let is_there: bool = columns.get(1)?;
                let head = is_there.then(|| read_head(&Columns { row, what }, 3)).transpose()?;
                updates.push(LogUpdate { thread: thread.clone(), head, rows: Vec::new() });
            }
        }
        Ok(updates)
    }

    /// The same where an index knows which rows they are: planned for what is
    /// asked, which a statement in a function is not.
    async fn filtered(&self, thread: &ThreadId, query: &RowQuery) -> Result<Vec<tokio_postgres::Row>, Error> {
        let schema = &self.schema;
        let name = thread.as_str();
        let ns = query.ns.as_ref().map(Namespace::as_str);
        let run = query.run.map(|run| Uuid::from_u128(run.as_u128()));
        let checkpoint = query.checkpoint.map(|id| Uuid::from_u128(id.as_u128()));
        let source = query.source.map(|source| i16::from(source.code()));
        let incarnation = query.incarnation.map(|incarnation| bound(incarnation.as_u64()));
        let (from, until) = (bound(query.from), bound(query.until.unwrap_or(Seq::MAX)));
        let (unwanted, limit) = (unwanted(&query.kinds), query.limit.map(|limit| bound(limit as u64)));
        let mut clauses = Clauses::default();
        clauses.add("WHERE t.name = ?", &name, Type::TEXT);
        if incarnation.is_some() {
            clauses.add("AND t.incarnation = ?", &incarnation, Type::INT8);
        }
        let same = std::mem::take(&mut clauses.text);
        clauses.add("AND l.seq < ?", &until, Type::INT8);
        if query.from > 0 {
            let reaches = format!(
                "AND l.seq >= coalesce((SELECT max(b.seq) FROM {schema}.log AS b \
                 WHERE b.thread = (SELECT t.id FROM t) AND b.seq <= ?), 0) AND (l.seq + l.events > ? OR l.events < 0)"
            );
            clauses.add(&reaches, &from, Type::INT8);
        }
        if ns.is_some() {
            clauses.add("AND l.ns = ?", &ns, Type::TEXT);
        }
        if run.is_some() {
            clauses.add("AND l.run = ?", &run, Type::UUID);
            if are_marks(&query.kinds) {
                clauses.text.push_str(" AND l.kind IN (1, 7)");
            }
        }
        if checkpoint.is_some() {
            clauses.add("AND l.checkpoint = ?", &checkpoint, Type::UUID);
        }
        if source.is_some() {
            clauses.add("AND l.source = ?", &source, Type::INT2);
        }
        clauses.add("AND l.kind <> ALL (?)", &unwanted, Type::INT2_ARRAY);
        clauses.add(
            if query.newest_first { "ORDER BY l.seq DESC LIMIT ?" } else { "ORDER BY l.seq LIMIT ?" },
            &limit,
            Type::INT8,
        );
        let sql = format!(
            "WITH t AS MATERIALIZED (SELECT t.id FROM {schema}.threads AS t{same}) \
             SELECT {ROW} FROM {schema}.log AS l WHERE l.thread = (SELECT t.id FROM t){}",
            clauses.text
        );
        self.readers.query("read", &sql, &clauses.values).await
    }

    pub(super) async fn snapshot(
        &self,
        thread: &ThreadId,
        ns: &Namespace,
        until: Option<Seq>,
    ) -> Result<Option<Snapshot>, Error> {
        let sql =
            format!("SELECT seq, format, payload, checksum FROM {}.snapshot_of($1, $2, $3)", self.schema);
        let until = bound(until.unwrap_or(Seq::MAX));
        let values: &[Value<'_>] =
            &[(&thread.as_str(), Type::TEXT), (&ns.as_str(), Type::TEXT), (&until, Type::INT8)];
        let rows = self.readers.query("read", &sql, values).await?;
        rows.first().map(|row| read_snapshot(row, thread, ns)).transpose()
    }

    pub(super) async fn due(
        &self,
        now_ms: u64,
        after: Option<&Timer>,
        limit: usize,
    ) -> Result<Vec<Timer>, Error> {
        let schema = &self.schema;
        let sql = format!(
            "SELECT name, interrupt, at_ms FROM {schema}.timers JOIN {schema}.threads ON id = thread \
             WHERE at_ms BETWEEN $3 AND $1 AND (at_ms, name, interrupt) > ($3, $4, $5) \
             ORDER BY at_ms, name, interrupt LIMIT $2"
        );
        // Before all of them, where none was given.
        let (at_ms, name, interrupt) = match after {
            Some(timer) => (bound(timer.at_ms), timer.thread.as_str(), interrupt_to_sql(timer.interrupt)?),
            None => (-1, "", Uuid::nil()),
        };
        let values: &[Value<'_>] = &[
            (&bound(now_ms), Type::INT8),
            (&bound(limit as u64), Type::INT8),
            (&at_ms, Type::INT8),
            (&name, Type::TEXT),
            (&interrupt, Type::UUID),
        ];
        let rows = self.readers.query("read", &sql, values).await?;
        let timer = |row| {
            let thread = read_name(row, 0)?;
            let columns = Columns { row, what: || format!("a timer of thread {thread}") };
            let interrupt = interrupt_from_sql(columns.get(1)?, &thread)?;
            let at_ms = columns.big(2)?;
            Ok(Timer { thread, interrupt, at_ms })
        };
        rows.iter().map(timer).collect()
    }

    pub(super) async fn threads(&self, offset: usize, limit: usize) -> Result<Vec<ThreadSummary>, Error> {
        let sql = format!(
            "SELECT {HEAD}, name FROM {}.threads \
             ORDER BY updated_span DESC, updated_ms DESC, name LIMIT $1 OFFSET $2",
            self.schema
        );
        let values: &[Value<'_>] = &[(&bound(limit as u64), Type::INT8), (&bound(offset as u64), Type::INT8)];
        let rows = self.readers.query("read", &sql, values).await?;
        let summary = |row| {
            let thread = read_name(row, 8)?;
            let head = read_head(&Columns { row, what: || format!("the head of thread {thread}") }, 0)?;
            Ok(ThreadSummary { thread, head })
        };
        rows.iter().map(summary).collect()
    }

    /// Whether this very row is in the thread's log.
    pub(super) async fn has(&self, thread: &ThreadId, row: &Row) -> Result<bool, Error> {
        let query =
            RowQuery { from: row.seq, until: row.seq.checked_add(1), limit: Some(1), ..RowQuery::default() };
        let found = self.rows(thread, &query).await?;
        Ok(found.first().is_some_and(|found| found == row))
    }
}

/// The kinds that are not asked for. Numbers that are no kind are not among
/// them: a damaged row must not be passed over in silence.
fn unwanted(wanted: &[Kind]) -> Vec<i16> {
    let unwanted = Kind::ALL.iter().filter(|kind| !wanted.is_empty() && !wanted.contains(kind));
    unwanted.map(|kind| kind.code().into()).collect()
}

fn read_name(row: &tokio_postgres::Row, index: usize) -> Result<ThreadId, Error> {
    let name: &str = Columns { row, what: || "the name of a thread".to_owned() }.get(index)?;
    ThreadId::new(name).map_err(|e| corrupt("the name of a thread", e))
}
