//! What readers ask.

use duru::store::{
    Error, Head, Kind, Owner, Row, RowQuery, Seq, Snapshot, ThreadSummary, Timer, remaining_ms,
};
use duru::{Namespace, Source, ThreadId};
use rusqlite::{Connection, Params, ToSql, params};

use super::rows::{
    Columns, HEAD, MAX_SEQ, ROW, interrupt_from_sql, interrupt_to_sql, read_head, read_row, read_snapshot,
};
use crate::shared::{are_marks, bound, corrupt};

pub(super) fn head(conn: &Connection, thread: &ThreadId) -> Result<Option<Head>, Error> {
    let sql = format!("SELECT {HEAD} FROM threads WHERE name = ?1");
    let what = || format!("the head of thread {thread}");
    let found = all(conn, &sql, [thread.as_str()], |row| read_head(&Columns { row, what }))?;
    Ok(found.into_iter().next())
}

/// Who has a lease on the thread, and for how long; or who had the last one, and 0. Also a run of theirs that is under
/// way on it keeps the thread, as long as the lease of its worker counts.
pub(super) fn lease(
    conn: &Connection,
    thread: &ThreadId,
    now_ms: u64,
) -> Result<Option<(Owner, u64)>, Error> {
    const SQL: &str = "SELECT t.owner, t.lease_until, t.lease_ms, coalesce(w.lease_until, 0), coalesce(w.lease_ms, 0) \
        FROM threads AS t \
        LEFT JOIN runs AS r ON r.thread = t.name AND r.status IN ('pending', 'running') AND r.status = 'running' \
            AND r.owner = t.owner \
        LEFT JOIN worker_leases AS w ON w.owner = r.owner WHERE t.name = ?1";
    let what = || format!("the lease of thread {thread}");
    let found = all(conn, SQL, [thread.as_str()], |row| {
        let columns = Columns { row, what };
        let own = remaining_ms(columns.number(1)?, columns.number(2)?, now_ms);
        let for_ms = own.max(remaining_ms(columns.number(3)?, columns.number(4)?, now_ms));
        Ok((Owner::named(&columns.get::<String>(0)?), for_ms))
    })?;
    Ok(found.into_iter().next())
}

/// One statement, so that a thread deleted and made anew meanwhile can't be
/// taken for the old one.
pub(super) fn rows(conn: &Connection, thread: &ThreadId, query: &RowQuery) -> Result<Vec<Row>, Error> {
    let ns = query.ns.as_ref().map(Namespace::as_str);
    let run = query.run.map(|run| run.as_u128().to_be_bytes());
    let checkpoint = query.checkpoint.map(|id| id.as_u128().to_be_bytes());
    let source = query.source.map(Source::code);
    let incarnation = query.incarnation.map(|incarnation| bound(incarnation.as_u64()));
    let name = thread.as_str();
    let (first, from) = (bound(query.from.min(MAX_SEQ - 1)), bound(query.from));
    let until = bound(query.until.unwrap_or(MAX_SEQ).min(MAX_SEQ));
    let (kinds, limit) = (kinds(&query.kinds), query.limit.map_or(-1, |limit| bound(limit as u64)));
    let mut values: Vec<(&str, &dyn ToSql)> = vec![
        (":thread", &name),
        (":first", &first),
        (":from", &from),
        (":until", &until),
        (":kinds", &kinds),
        (":limit", &limit),
    ];
    let filters: [(&str, Option<&dyn ToSql>); 5] = [
        (":ns", ns.as_ref().map(|value| value as _)),
        (":run", run.as_ref().map(|value| value as _)),
        (":checkpoint", checkpoint.as_ref().map(|value| value as _)),
        (":source", source.as_ref().map(|value| value as _)),
        (":incarnation", incarnation.as_ref().map(|value| value as _)),
    ];
    values.extend(filters.into_iter().filter_map(|(name, value)| Some((name, value?))));
    let found = all(conn, &rows_sql(query), values.as_slice(), |row| read_row(row, thread))?;
    if let (Some(wanted), true) = (query.incarnation, found.is_empty())
        && head(conn, thread)?.is_none_or(|head| head.incarnation != wanted)
    {
        return Err(Error::Deleted { thread: thread.clone() });
    }
    Ok(found)
}

/// Rows have no gaps but where some were removed: the last row that begins at
/// or before `from` is the only one that may reach over it.
fn rows_sql(query: &RowQuery) -> String {
    let order = if query.newest_first { "DESC" } else { "ASC" };
    let marks = query.run.is_some() && are_marks(&query.kinds);
    // Told which, since SQLite knows nothing of how many rows there are of each.
    let index = match query {
        RowQuery { checkpoint: Some(_), .. } => "INDEXED BY log_by_checkpoint",
        RowQuery { source: Some(_), ns: Some(_), .. } => "INDEXED BY log_by_source",
        _ if marks => "INDEXED BY log_by_run",
        _ => "",
    };
    let filters: String = [
        (query.ns.is_some(), " AND ns = :ns"),
        (query.run.is_some(), " AND run = :run"),
        (marks, " AND kind IN (1, 7)"),
        (query.checkpoint.is_some(), " AND checkpoint = :checkpoint"),
        (query.source.is_some(), " AND source = :source"),
    ]
    .into_iter()
    .filter_map(|(wanted, filter)| wanted.then_some(filter))
    .collect();
    let same = if query.incarnation.is_some() { " AND incarnation = :incarnation" } else { "" };
    format!(
        "WITH t (base) AS MATERIALIZED (SELECT id << 32 FROM threads WHERE name = :thread{same}) \
         SELECT {ROW} FROM log {index} \
         WHERE key >= (SELECT coalesce((SELECT key FROM log WHERE key BETWEEN base AND base + :first \
                                        ORDER BY key DESC LIMIT 1), base) FROM t) \
         AND key < (SELECT base + :until FROM t) \
         AND ((key & 0xffffffff) + events > :from OR events < 0) \
         AND ((:kinds >> kind) & 1 OR kind < 0){filters} \
         ORDER BY key {order} LIMIT :limit"
    )
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
    let sql = format!(
        "SELECT {HEAD}, name FROM threads \
         ORDER BY updated_span DESC, updated_ms DESC, name LIMIT ?1 OFFSET ?2"
    );
    all(conn, &sql, params![bound(limit as u64), bound(offset as u64)], |row| {
        let thread = read_name(row, 8)?;
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

#[cfg(test)]
mod tests {
    use duru::{CheckpointId, RunId};

    use super::*;
    use crate::sqlite::{SqliteOptions, schema::open_writer};

    /// What SQLite says of how it would read the log.
    fn plan(query: &RowQuery) -> String {
        let conn = open_writer(None, &SqliteOptions::default()).unwrap();
        let mut statement = conn.prepare(&format!("EXPLAIN QUERY PLAN {}", rows_sql(query))).unwrap();
        // Without values, of which the plan may know nothing.
        let (mut rows, mut lines) = (statement.raw_query(), Vec::new());
        while let Some(row) = rows.next().unwrap() {
            lines.push(row.get::<_, String>(3).unwrap());
        }
        lines.join("; ")
    }

    #[test]
    fn one_of_many_rows_is_found_by_an_index() {
        let root = RowQuery { ns: Some(Namespace::root()), ..RowQuery::default() };
        let checkpoint = Some(CheckpointId::from_u128(1));
        let marks = vec![Kind::Begin, Kind::End];
        let run = Some(RunId::from_u128(1));
        for newest_first in [false, true] {
            for (query, index) in [
                (
                    RowQuery { checkpoint, ..root.clone() },
                    "INDEX log_by_checkpoint (checkpoint=? AND rowid>? AND rowid<?)",
                ),
                (
                    RowQuery { source: Some(Source::Input), ..root.clone() },
                    "INDEX log_by_source (ns=? AND source=? AND rowid>? AND rowid<?)",
                ),
                (
                    RowQuery { run, kinds: marks.clone(), ..root.clone() },
                    "INDEX log_by_run (run=? AND rowid>? AND rowid<?)",
                ),
                (root.clone(), "INTEGER PRIMARY KEY (rowid>? AND rowid<?)"),
            ] {
                let plan = plan(&RowQuery { newest_first, ..query });
                assert!(plan.contains(index), "{plan}");
                assert!(!plan.contains("SCAN log") && !plan.contains("B-TREE"), "{plan}");
            }
        }
    }
}
