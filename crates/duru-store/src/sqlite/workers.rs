//! Workers, the one lease that each of them has, and what they must know of their runs.

use duru::RunId;
use duru::store::{Cancel, Error, HeldRun, Owner, RunStatus, Worker};
use rusqlite::{Connection, params};

use super::catalog::now_ms;
use super::commit::execute;
use super::read::all;
use super::rows::Columns;
use super::runs::key;
use crate::shared::{bound, corrupt};

/// How long the leases of workers are kept that are no more.
const LONG_GONE_MS: i64 = 3_600_000;

const SET: &str =
    "INSERT OR REPLACE INTO worker_leases (owner, lease_ms, lease_until) VALUES (?1, ?2, ?3 + ?2)";

const HELD: &str = "SELECT id, attempt, cancel, lease_until NOT BETWEEN ?2 + 1 AND ?2 + lease_ms FROM runs \
    WHERE status IN ('pending', 'running') AND status = 'running' AND owner = ?1";

/// A sign of life beside the renewals; between two of them it changes nothing.
pub(super) fn keep(conn: &Connection, worker: &Worker) -> Result<(), Error> {
    const KEEP: &str = "INSERT INTO worker_leases (owner, lease_ms, lease_until) VALUES (?1, ?2, ?3 + ?2) \
        ON CONFLICT (owner) DO UPDATE SET lease_ms = excluded.lease_ms, lease_until = excluded.lease_until \
        WHERE lease_until NOT BETWEEN ?3 + ?2 / 2 AND ?3 + lease_ms";
    execute(conn, KEEP, params![worker.owner.as_str(), bound(worker.lease_ms), now_ms()])
}

pub(super) fn renew(
    conn: &Connection,
    worker: &Worker,
    unknown: &[(RunId, u32)],
) -> Result<Vec<HeldRun>, Error> {
    const GIVE_UP: &str = "UPDATE runs SET owner = '' WHERE id = ?1 AND attempt = ?2 AND owner = ?3 \
        AND status = 'running' AND lease_until NOT BETWEEN ?4 + 1 AND ?4 + lease_ms";
    const FORGET: &str = "DELETE FROM worker_leases WHERE lease_until < ?1 AND owner NOT IN \
        (SELECT owner FROM runs WHERE status IN ('pending', 'running') AND status = 'running')";
    let (owner, now) = (worker.owner.as_str(), now_ms());
    execute(conn, SET, params![owner, bound(worker.lease_ms), now])?;
    for (run, attempt) in unknown {
        execute(conn, GIVE_UP, params![key(*run), attempt, owner, now])?;
    }
    execute(conn, FORGET, [now - LONG_GONE_MS])?;
    held(conn, HELD, owner)
}

pub(super) fn stopping(conn: &Connection, owner: &Owner) -> Result<Vec<HeldRun>, Error> {
    held(conn, &format!("{HELD} AND cancel IS NOT NULL"), owner.as_str())
}

pub(super) fn owners(conn: &Connection) -> Result<Vec<Owner>, Error> {
    const OWNERS: &str =
        "SELECT DISTINCT owner FROM runs WHERE status IN ('pending', 'running') AND status = 'running'";
    all(conn, OWNERS, [], |row| {
        let columns = Columns { row, what: || "the owner of a run".to_owned() };
        Ok(Owner::named(&columns.get::<String>(0)?))
    })
}

pub(super) fn statuses(conn: &Connection, runs: &[RunId]) -> Result<Vec<(RunId, RunStatus)>, Error> {
    let mut found = Vec::new();
    for run in runs {
        let what = || format!("run {run}");
        found.extend(all(conn, "SELECT status FROM runs WHERE id = ?1", [key(*run)], |row| {
            let word: String = Columns { row, what }.get(0)?;
            let unknown = || corrupt(what(), format_args!("there is no status {word:?}"));
            Ok((*run, RunStatus::from_word(&word).ok_or_else(unknown)?))
        })?);
    }
    Ok(found)
}

fn held(conn: &Connection, sql: &str, owner: &str) -> Result<Vec<HeldRun>, Error> {
    all(conn, sql, params![owner, now_ms()], |row| {
        let columns = Columns { row, what: || "a run under way".to_owned() };
        Ok(HeldRun {
            id: RunId::from_u128(u128::from_be_bytes(columns.get(0)?)),
            attempt: columns.number(1)?,
            cancel: columns.get::<Option<String>>(2)?.as_deref().and_then(Cancel::from_word),
            overdue: columns.get(3)?,
        })
    })
}
