//! What readers ask.

use duru::store::{
    Error, Head, Kind, Owner, Row, RowQuery, Seq, Snapshot, ThreadSummary, Timer, remaining_ms,
};
use duru::{Namespace, ThreadId};
use rusqlite::{Connection, Params, named_params, params};

use super::rows::{
    Columns, MAX_SEQ, ROW, interrupt_from_sql, interrupt_to_sql, read_head, read_row, read_snapshot,
};
use crate::shared::{bound, corrupt};

pub(super) fn head(conn: &Connection, thread: &ThreadId) -> Result<Option<Head>, Error> {
    const SQL: &str =
        "SELECT version, epoch, next_seq, status, created_ms, updated_ms FROM threads WHERE name = ?1";
    let what = || format!("the head of thread {thread}");
    let found = all(conn, SQL, [thread.as_str()], |row| read_head(&Columns { row, what }))?;
    Ok(found.into_iter().next())
}

/// Who has a lease on the thread, and for how long; or who had the last one, and 0.
pub(super) fn lease(
    conn: &Connection,
    thread: &ThreadId,
    now_ms: u64,
) -> Result<Option<(Owner, u64)>, Error> {
    const SQL: &str = "SELECT owner, lease_until, lease_ms FROM threads WHERE name = ?1";
    let what = || format!("the lease of thread {thread}");
    let found = all(conn, SQL, [thread.as_str()], |row| {
        let columns = Columns { row, what };
        let for_ms = remaining_ms(columns.number(1)?, columns.number(2)?, now_ms);
        Ok((Owner::named(&columns.get::<String>(0)?), for_ms))
    })?;
    Ok(found.into_iter().next())
}

/// One statement, so that a thread deleted and made anew meanwhile can't be
/// taken for the old one. Rows have no gaps: the last row that begins at or
/// before `from` is the only one that may reach over it.
pub(super) fn rows(conn: &Connection, thread: &ThreadId, query: &RowQuery) -> Result<Vec<Row>, Error> {
    let order = if query.newest_first { "DESC" } else { "ASC" };
    let sql = format!(
        "WITH t (base) AS MATERIALIZED (SELECT id << 32 FROM threads WHERE name = :thread) \
         SELECT {ROW} FROM log \
         WHERE key >= (SELECT coalesce((SELECT key FROM log WHERE key BETWEEN base AND base + :first \
                                        ORDER BY key DESC LIMIT 1), base) FROM t) \
         AND key < (SELECT base + :until FROM t) \
         AND ((key & 0xffffffff) + events > :from OR events < 0) \
         AND (:ns IS NULL OR ns = :ns) \
         AND ((:kinds >> kind) & 1 OR kind < 0) \
         AND (:run IS NULL OR run = :run) AND (:checkpoint IS NULL OR checkpoint = :checkpoint) \
         ORDER BY key {order} LIMIT :limit"
    );
    let values = named_params! {
        ":thread": thread.as_str(),
        ":first": bound(query.from.min(MAX_SEQ - 1)),
        ":from": bound(query.from),
        ":until": bound(query.until.unwrap_or(MAX_SEQ).min(MAX_SEQ)),
        ":ns": query.ns.as_ref().map(Namespace::as_str),
        ":kinds": kinds(&query.kinds),
        ":run": query.run.map(|run| run.as_u128().to_be_bytes()),
        ":checkpoint": query.checkpoint.map(|id| id.as_u128().to_be_bytes()),
        ":limit": query.limit.map_or(-1, |limit| bound(limit as u64)),
    };
    all(conn, &sql, values, |row| read_row(row, thread))
}

/// A bit for every kind that is asked for, and for every number that is no
/// kind: a damaged row must not be passed over in silence. (Neither must one
/// with a negative number; those SQLite would shift to the left.)
fn kinds(wanted: &[Kind]) -> i64 {
    let unwanted = Kind::ALL.iter().filter(|kind| !wanted.is_empty() && !wanted.contains(kind));
    unwanted.fold(-1, |bits, kind| bits & !(1 << kind.code()))
}

pub(super) fn snapshot(
    conn: &Connection,
    thread: &ThreadId,
    ns: &Namespace,
    until: Option<Seq>,
) -> Result<Option<Snapshot>, Error> {
    const SQL: &str = "SELECT seq, format, payload, checksum FROM snapshots \
        WHERE thread = (SELECT id FROM threads WHERE name = ?1) AND ns = ?2 AND seq <= ?3 \
        ORDER BY seq DESC LIMIT 1";
    let values = params![thread.as_str(), ns.as_str(), until.map_or(i64::MAX, bound)];
    let found = all(conn, SQL, values, |row| read_snapshot(row, thread, ns))?;
    Ok(found.into_iter().next())
}

pub(super) fn due(
    conn: &Connection,
    now_ms: u64,
    after: Option<&Timer>,
    limit: usize,
) -> Result<Vec<Timer>, Error> {
    const SQL: &str = "SELECT name, interrupt, at_ms FROM timers JOIN threads ON id = thread \
        WHERE at_ms BETWEEN ?3 AND ?1 AND (at_ms, name, interrupt) > (?3, ?4, ?5) \
        ORDER BY at_ms, name, interrupt LIMIT ?2";
    // Before all of them, where none was given.
    let (at_ms, name, interrupt) = match after {
        Some(timer) => (bound(timer.at_ms), timer.thread.as_str(), interrupt_to_sql(timer.interrupt)?),
        None => (-1, "", [0; 16]),
    };
    let values = params![bound(now_ms), bound(limit as u64), at_ms, name, interrupt];
    all(conn, SQL, values, |row| {
        let thread = read_name(row, 0)?;
        let columns = Columns { row, what: || format!("a timer of thread {thread}") };
        let interrupt = interrupt_from_sql(columns.get(1)?, &thread)?;
        let at_ms = columns.number(2)?;
        Ok(Timer { thread, interrupt, at_ms })
    })
}

pub(super) fn threads(conn: &Connection, offset: usize, limit: usize) -> Result<Vec<ThreadSummary>, Error> {
    const SQL: &str = "SELECT version, epoch, next_seq, status, created_ms, updated_ms, name FROM threads \
        ORDER BY updated_span DESC, updated_ms DESC, name LIMIT ?1 OFFSET ?2";
    all(conn, SQL, params![bound(limit as u64), bound(offset as u64)], |row| {
        let thread = read_name(row, 6)?;
        let head = read_head(&Columns { row, what: || format!("the head of thread {thread}") })?;
        Ok(ThreadSummary { thread, head })
    })
}

fn read_name(row: &rusqlite::Row<'_>, index: usize) -> Result<ThreadId, Error> {
    let name: String = Columns { row, what: || "the name of a thread".to_owned() }.get(index)?;
    ThreadId::new(&name).map_err(|e| corrupt("the name of a thread", e))
}

/// All results of a statement. SQLite's own errors are the backend's; what
/// can't be understood in a row is damage.
pub(super) fn all<T>(
    conn: &Connection,
    sql: &str,
    values: impl Params,
    mut read: impl FnMut(&rusqlite::Row<'_>) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    let failed = |e| Error::backend("read", e);
    let mut statement = conn.prepare_cached(sql).map_err(failed)?;
    let mut rows = statement.query(values).map_err(failed)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next().map_err(failed)? {
        found.push(read(row)?);
    }
    Ok(found)
}
