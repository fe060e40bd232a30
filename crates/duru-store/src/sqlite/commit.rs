//! One commit, inside a transaction that the writer has opened.

use duru::store::{Commit, Error, Head, Owner, Row};
use duru::{Clock, RunId, Source, SystemClock, ThreadId};
use rusqlite::{Connection, OptionalExtension, Params, named_params, params};

use super::read;
use super::rows::{MAX_SEQ, interrupt_to_sql, stored};
use crate::shared::{bound, events};

/// Thread numbers above this would not fit into a key.
const MAX_THREAD: i64 = (1 << 31) - 2;

/// The version, the epoch and the next number are compared in the statement
/// that changes them. A thread that exists has at least version 1.
///
/// A claim has to wait while somebody else's lease is valid: that of the thread, or that of the worker whose run is
/// under way on it.
const EXTEND: &str = "UPDATE threads \
    SET version = version + 1, epoch = epoch + :claim, next_seq = next_seq + :events, \
        removals = removals + :removes, status = :status, updated_ms = :at, owner = :owner, lease_ms = :lease, lease_until = :now + :lease \
    WHERE name = :name AND incarnation = :incarnation AND version = :version AND epoch = :epoch AND next_seq = coalesce(:first, next_seq) \
        AND (NOT :claim OR owner = :owner OR owner = :instead_of \
             OR (lease_until NOT BETWEEN :now + 1 AND :now + lease_ms AND NOT EXISTS ( \
                 SELECT 1 FROM runs AS r JOIN worker_leases AS w ON w.owner = r.owner \
                 WHERE r.thread = :name AND r.status IN ('pending', 'running') AND r.status = 'running' \
                     AND r.owner = threads.owner AND w.lease_until BETWEEN :now + 1 AND :now + w.lease_ms))) \
    RETURNING id, epoch, next_seq, removals, created_ms, updated_span";

const CREATE: &str = "INSERT INTO threads \
    (name, incarnation, version, epoch, next_seq, removals, status, created_ms, updated_ms, updated_span, owner, \
     lease_ms, lease_until) \
    VALUES (:name, :incarnation, 1, :claim, :events, :removes, :status, :at, :at, :at >> 16, :owner, \
            :lease, :now + :lease) \
    ON CONFLICT (name) DO NOTHING RETURNING id, epoch, next_seq, removals, created_ms, updated_span";

const ADD_ROW: &str = "INSERT INTO log \
    (key, events, ns, kind, run, checkpoint, at_ms, format, payload, checksum, source) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";

const REMOVE_ROWS: &str = "DELETE FROM log WHERE key >= (?1 << 32 | ?2) AND key < (?1 << 32 | ?3)";

const REMOVE_SNAPSHOTS: &str = "DELETE FROM snapshots WHERE thread = ?1 AND seq >= ?2 AND seq < ?3";

const ADD_SNAPSHOT: &str = "INSERT OR REPLACE INTO snapshots (thread, ns, seq, format, payload, checksum) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)";

const SET_TIMER: &str = "INSERT OR REPLACE INTO timers (thread, interrupt, at_ms) VALUES (?1, ?2, ?3)";

const CLEAR_TIMER: &str = "DELETE FROM timers WHERE thread = ?1 AND interrupt = ?2";

/// What the head became, and the thread's number.
struct Extended {
    id: i64,
    epoch: i64,
    next_seq: i64,
    removals: i64,
    created_ms: i64,
    updated_span: i64,
}

/// Writes a commit. After an error, what it has written must be rolled back.
pub(super) fn apply(conn: &Connection, commit: &Commit) -> Result<Head, Error> {
    if let Some(run) = commit.queued.filter(|_| commit.version == 0)
        && !is_queued(conn, run)?
    {
        return Err(commit.unqueued(run));
    }
    let Some(extended) = extend(conn, commit)? else { return Err(refusal(conn, commit)?) };
    if extended.next_seq > bound(MAX_SEQ) || extended.id > MAX_THREAD {
        let reason =
            format!("thread {} is full: a thread holds {MAX_SEQ} events; begin a new one", commit.thread);
        return Err(Error::backend("commit", reason));
    }
    let span = stored(commit.at_ms)? >> 16;
    if extended.updated_span != span {
        execute(conn, "UPDATE threads SET updated_span = ?2 WHERE id = ?1", params![extended.id, span])?;
    }
    if let Some(range) = &commit.remove {
        let (from, until) = (bound(range.start), bound(range.end).min(bound(MAX_SEQ)));
        execute(conn, REMOVE_ROWS, params![extended.id, from, until])?;
        execute(conn, REMOVE_SNAPSHOTS, params![extended.id, from, until])?;
    }
    for row in &commit.rows {
        add_row(conn, extended.id, row)?;
    }
    if !(commit.snapshots.is_empty() && commit.set_timers.is_empty() && commit.clear_timers.is_empty()) {
        add_others(conn, extended.id, commit)?;
    }
    Ok(Head {
        incarnation: commit.incarnation,
        version: commit.version + 1,
        epoch: extended.epoch as u64,
        next_seq: extended.next_seq as u64,
        removals: extended.removals as u64,
        status: commit.status,
        created_ms: extended.created_ms as u64,
        updated_ms: commit.at_ms,
    })
}

/// Moves the head on, if it is the one that the commit extends.
fn extend(conn: &Connection, commit: &Commit) -> Result<Option<Extended>, Error> {
    let Some(events) = events(&commit.rows) else { return Ok(None) };
    let first = commit.rows.first().map(|row| bound(row.seq));
    let (name, claim, status, at) =
        (commit.thread.as_str(), commit.claim, commit.status.as_str(), stored(commit.at_ms)?);
    let (incarnation, removes) = (stored(commit.incarnation.as_u64())?, commit.remove.is_some());
    let (owner, lease, now) = (commit.lease.owner.as_str(), bound(commit.lease.ttl_ms), bound(now_ms()));
    let extended = |row: &rusqlite::Row<'_>| {
        Ok(Extended {
            id: row.get(0)?,
            epoch: row.get(1)?,
            next_seq: row.get(2)?,
            removals: row.get(3)?,
            created_ms: row.get(4)?,
            updated_span: row.get(5)?,
        })
    };
    let result = if commit.version > 0 {
        let (version, epoch) = (bound(commit.version), bound(commit.epoch));
        conn.prepare_cached(EXTEND).and_then(|mut statement| {
            let values = named_params! {
                ":name": name, ":claim": claim, ":events": bound(events), ":status": status, ":at": at,
                ":version": version, ":epoch": epoch, ":first": first, ":owner": owner, ":lease": lease,
                ":incarnation": incarnation, ":removes": removes, ":now": now, ":instead_of": commit.lease.instead_of.as_ref().map(Owner::as_str),
            };
            statement.query_row(values, extended).optional()
        })
    } else if commit.epoch == 0 && first.is_none_or(|first| first == 0) {
        conn.prepare_cached(CREATE).and_then(|mut statement| {
            let values = named_params! {
                ":name": name, ":claim": claim, ":events": bound(events), ":status": status, ":at": at,
                ":owner": owner, ":lease": lease, ":now": now, ":incarnation": incarnation, ":removes": removes,
            };
            statement.query_row(values, extended).optional()
        })
    } else {
        return Ok(None);
    };
    result.map_err(failed)
}

fn is_queued(conn: &Connection, run: RunId) -> Result<bool, Error> {
    const SQL: &str = "SELECT EXISTS (SELECT 1 FROM runs WHERE id = ?1)";
    let id = run.as_u128().to_be_bytes();
    conn.prepare_cached(SQL)
        .and_then(|mut statement| statement.query_row([id], |row| row.get(0)))
        .map_err(failed)
}

/// The database's time is that of the machine that it is on.
fn now_ms() -> u64 {
    SystemClock.now_ms()
}

fn add_row(conn: &Connection, thread: i64, row: &Row) -> Result<(), Error> {
    let values = params![
        thread << 32 | bound(row.seq),
        row.events,
        row.ns.as_str(),
        row.kind.code(),
        row.run.as_u128().to_be_bytes(),
        row.checkpoint.map(|id| id.as_u128().to_be_bytes()),
        stored(row.at_ms)?,
        row.format,
        row.payload,
        row.checksum as i64,
        row.source.map(Source::code),
    ];
    execute(conn, ADD_ROW, values)
}

fn add_others(conn: &Connection, thread: i64, commit: &Commit) -> Result<(), Error> {
    for s in &commit.snapshots {
        let values = params![thread, s.ns.as_str(), stored(s.seq)?, s.format, s.payload, s.checksum as i64];
        execute(conn, ADD_SNAPSHOT, values)?;
    }
    for (interrupt, at_ms) in &commit.set_timers {
        execute(conn, SET_TIMER, params![thread, interrupt_to_sql(*interrupt)?, stored(*at_ms)?])?;
    }
    for interrupt in &commit.clear_timers {
        execute(conn, CLEAR_TIMER, params![thread, interrupt_to_sql(*interrupt)?])?;
    }
    Ok(())
}

/// Says why a commit does not extend its thread.
fn refusal(conn: &Connection, commit: &Commit) -> Result<Error, Error> {
    let lease = if commit.claim { read::lease(conn, &commit.thread, now_ms())? } else { None };
    let lease = lease.filter(|(owner, _)| commit.lease.yields_to(owner));
    let owned = |(owner, for_ms)| Error::Owned { thread: commit.thread.clone(), owner, for_ms };
    if let Some(valid) = lease.clone().filter(|(_, for_ms)| *for_ms > 0) {
        return Ok(owned(valid));
    }
    Ok(commit.refusal(read::head(conn, &commit.thread)?).unwrap_or_else(|| match lease {
        // Only a lease was in its way, and that ended while it was looked for.
        Some(ended) => owned(ended),
        None => {
            Error::Conflict { thread: commit.thread.clone(), reason: "its head can't be extended".to_owned() }
        }
    }))
}

/// Removes a thread and everything of it. Whether there was one.
pub(super) fn delete(conn: &Connection, thread: &ThreadId) -> Result<bool, Error> {
    remove_log(conn, thread.as_str())
}

/// The same by its name.
pub(super) fn remove_log(conn: &Connection, thread: &str) -> Result<bool, Error> {
    remove(conn, thread).map_err(|e| Error::backend(format_args!("delete thread {thread}"), e))
}

fn remove(conn: &Connection, name: &str) -> rusqlite::Result<bool> {
    let id: Option<i64> = conn
        .prepare_cached("DELETE FROM threads WHERE name = ?1 RETURNING id")?
        .query_row([name], |row| row.get(0))
        .optional()?;
    let Some(id) = id else { return Ok(false) };
    for of_it in [
        "DELETE FROM log WHERE key >= ?1 << 32 AND key < (?1 + 1) << 32",
        "DELETE FROM snapshots WHERE thread = ?1",
        "DELETE FROM timers WHERE thread = ?1",
    ] {
        conn.prepare_cached(of_it)?.execute([id])?;
    }
    Ok(true)
}

pub(super) fn execute(conn: &Connection, sql: &str, values: impl Params) -> Result<(), Error> {
    conn.prepare_cached(sql).and_then(|mut statement| statement.execute(values)).map_err(failed)?;
    Ok(())
}

fn failed(error: rusqlite::Error) -> Error {
    Error::backend("commit", error)
}
