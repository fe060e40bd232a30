//! The queue. Every call is one transaction, which others may share; the one
//! thread that writes makes sure that two never overlap.

use async_trait::async_trait;
use duru::store::{
    Cancel, Claim, Claimed, Enqueued, Entry, EntryKind, Error, Expect, HeldRun, IfBusy, NewRun, Owner,
    QueuedRun, RunQuery, RunStatus, Runs, Settled, Worker,
};
use duru::{RunId, ThreadId};
use rusqlite::{Connection, OptionalExtension, Params, ToSql, params};

use super::SqliteStore;
use super::catalog::{failed, find_one, now_ms, object, put, remove, text};
use super::commit::execute;
use super::read::all;
use super::rows::Columns;
use super::workers;
use crate::shared::{bound, corrupt};

const RUN: &str =
    "id, thread, status, payload, metadata, outcome, attempt, deaths, owner, cancel, created_ms, updated_ms";

const ADD: &str = "INSERT INTO runs (id, thread, status, attempt, deaths, owner, lease_ms, lease_until, due_ms, \
    created_ms, updated_ms, key, digest, payload, metadata) \
    VALUES (?1, ?2, 'pending', 0, 0, '', 0, 0, ?3, ?4, ?4, ?5, ?6, ?7, ?8)";

const BEGIN: &str = "UPDATE runs SET status = 'running', attempt = attempt + 1, owner = ?2, lease_ms = ?3, \
    lease_until = ?4 + ?3, updated_ms = ?4 WHERE id = ?1";

/// The first run of every thread that is due, where none is under way.
const NEXT: &str = "SELECT id FROM (SELECT id, number, min(number) FROM runs AS r \
        WHERE status IN ('pending', 'running') AND status = 'pending' AND due_ms <= ?1 \
        AND (?2 IS NULL OR thread = ?2) \
        AND NOT EXISTS (SELECT 1 FROM runs AS o WHERE o.status IN ('pending', 'running') \
                        AND o.thread = r.thread AND o.status = 'running') \
        GROUP BY thread) ORDER BY number";

/// Since when such a run has waited: since it was accepted, given back or due.
const WAITED: &str = "SELECT max(updated_ms, due_ms) FROM runs WHERE id = ?1";

const LOST: &str = "SELECT r.id, r.owner, w.owner IS NULL OR w.lease_until NOT BETWEEN ?1 + 1 AND ?1 + w.lease_ms \
    FROM runs AS r LEFT JOIN worker_leases AS w ON w.owner = r.owner \
    WHERE r.status IN ('pending', 'running') AND r.status = 'running' ORDER BY r.number";

const BUSY: &str =
    "SELECT EXISTS (SELECT 1 FROM runs WHERE thread = ?1 AND status IN ('pending', 'running'))";

#[async_trait]
impl Runs for SqliteStore {
    async fn enqueue(&self, run: NewRun) -> Result<Enqueued, Error> {
        self.change(move |conn| enqueue(conn, &run)).await
    }

    async fn claim(&self, claim: Claim) -> Result<Claimed, Error> {
        // Mostly there is nothing, or no room for it: that costs no turn of the writer.
        let (gone, limit) = (claim.gone.clone(), claim.limit);
        let seen = self.read(move |conn| {
            let next = next(conn, None)?;
            let is_done = (next.is_empty() || limit == 0) && lost(conn, &gone)?.is_empty();
            is_done.then(|| waiting(conn, &next)).transpose()
        });
        if let Some(seen) = seen.await? {
            return Ok(seen);
        }
        self.change(move |conn| take(conn, &claim)).await
    }

    async fn renew(&self, worker: &Worker, unknown: &[(RunId, u32)]) -> Result<Vec<HeldRun>, Error> {
        let (worker, unknown) = (worker.clone(), unknown.to_vec());
        self.change(move |conn| workers::renew(conn, &worker, &unknown)).await
    }

    async fn stopping(&self, owner: &Owner) -> Result<Vec<HeldRun>, Error> {
        let owner = owner.clone();
        self.read(move |conn| workers::stopping(conn, &owner)).await
    }

    async fn owners(&self) -> Result<Vec<Owner>, Error> {
        self.read(workers::owners).await
    }

    async fn statuses(&self, runs: &[RunId]) -> Result<Vec<(RunId, RunStatus)>, Error> {
        let runs = runs.to_vec();
        self.read(move |conn| workers::statuses(conn, &runs)).await
    }

    async fn settle(&self, run: RunId, attempt: u32, settled: Settled) -> Result<bool, Error> {
        const SETTLE: &str = "UPDATE runs SET status = ?3, outcome = ?4, updated_ms = ?5 \
            WHERE id = ?1 AND attempt = ?2 AND status = 'running' RETURNING thread";
        self.change(move |conn| {
            let outcome = settled.outcome.as_ref().map(text).transpose()?;
            let values = params![key(run), attempt, settled.status.as_str(), outcome, now_ms()];
            let thread: Option<String> = one(conn, SETTLE, values)?;
            match &thread {
                Some(thread) if settled.remove_thread => drop(remove(conn, EntryKind::Thread, thread)?),
                Some(thread) => settle_thread(conn, thread, &settled.thread_status)?,
                None => {}
            }
            Ok(thread.is_some())
        })
        .await
    }

    async fn cancel(&self, query: RunQuery, how: Cancel) -> Result<Vec<QueuedRun>, Error> {
        self.change(move |conn| {
            let stopped = stop(conn, list(conn, &query)?, how)?;
            for run in stopped.iter().filter(|run| run.status == RunStatus::Cancelled) {
                settle_thread(conn, run.thread.as_str(), "interrupted")?;
            }
            Ok(stopped)
        })
        .await
    }

    async fn retry(&self, run: RunId) -> Result<bool, Error> {
        const RETRY: &str = "UPDATE runs SET status = 'pending', deaths = 0, cancel = NULL, outcome = NULL, \
            due_ms = 0, updated_ms = ?2 WHERE id = ?1 AND status = 'dead' RETURNING thread";
        self.change(move |conn| {
            let thread: Option<String> = one(conn, RETRY, params![key(run), now_ms()])?;
            if let Some(thread) = &thread {
                settle_thread(conn, thread, "busy")?;
            }
            Ok(thread.is_some())
        })
        .await
    }

    async fn runs(&self, query: RunQuery) -> Result<Vec<QueuedRun>, Error> {
        self.read(move |conn| list(conn, &query)).await
    }

    async fn forget(&self, run: RunId, attempt: Option<u32>) -> Result<bool, Error> {
        self.change(move |conn| {
            let Some(found) = get(conn, run)? else { return Ok(false) };
            if found.status.is_active() && attempt != Some(found.attempt) {
                return Ok(false);
            }
            execute(conn, "DELETE FROM runs WHERE id = ?1", [key(run)])?;
            if found.status.is_active() {
                settle_thread(conn, found.thread.as_str(), "idle")?;
            }
            Ok(true)
        })
        .await
    }
}

fn enqueue(conn: &Connection, new: &NewRun) -> Result<Enqueued, Error> {
    if let Some((key, digest)) = &new.key {
        let found: Option<(Vec<u8>, i64)> = conn
            .prepare_cached("SELECT id, digest FROM runs WHERE key = ?1")
            .and_then(|mut statement| {
                statement.query_row([key], |row| Ok((row.get(0)?, row.get(1)?))).optional()
            })
            .map_err(failed)?;
        match found {
            Some((_, found)) if found != *digest as i64 => return Ok(Enqueued::KeyTaken),
            Some((id, _)) => return Ok(read(conn, id)?.map_or(Enqueued::KeyTaken, Enqueued::Again)),
            None => {}
        }
    }
    let thread = new.thread.as_str();
    let entry = find_one(conn, EntryKind::Thread, thread)?;
    let mut entry = match entry {
        Some(entry) => entry,
        None if new.make_thread => Entry::new(EntryKind::Thread, thread),
        None => return Ok(Enqueued::NoThread),
    };
    let stopping = match new.if_busy {
        IfBusy::Reject if is_busy(conn, thread)? => return Ok(Enqueued::Busy),
        IfBusy::Cancel(how) => {
            let others = RunQuery {
                thread: Some(new.thread.clone()),
                statuses: vec![RunStatus::Pending, RunStatus::Running],
                ..RunQuery::default()
            };
            stop(conn, list(conn, &others)?, how)?
        }
        _ => Vec::new(),
    };
    entry.metadata.extend(new.thread_metadata.clone());
    "busy".clone_into(&mut entry.status);
    put(conn, &entry, Expect::Any)?;
    let now = now_ms();
    let (name, digest) = new.key.as_ref().map(|(key, digest)| (key, *digest as i64)).unzip();
    let due = now.saturating_add(bound(new.after_ms));
    let values =
        params![key(new.id), thread, due, now, name, digest, text(&new.payload)?, text(&new.metadata)?];
    execute(conn, ADD, values)?;
    if let Some(worker) = &new.claim
        && next(conn, Some(thread))?.first().is_some_and(|first| *first == key(new.id))
    {
        workers::keep(conn, worker)?;
        begin(conn, &key(new.id), worker)?;
    }
    let run = get(conn, new.id)?.ok_or_else(|| Error::backend("accept a run", "it is not there"))?;
    let stopping = stopping.into_iter().filter(|run| run.status == RunStatus::Running).collect();
    Ok(Enqueued::Accepted { run, stopping })
}

fn take(conn: &Connection, claim: &Claim) -> Result<Claimed, Error> {
    const LOSE: &str = "UPDATE runs SET status = ?2, deaths = deaths + 1, updated_ms = ?3 WHERE id = ?1";
    let mut claimed = Claimed::default();
    for id in lost(conn, &claim.gone)? {
        let Some(run) = read(conn, id.clone())? else { continue };
        let over = run.deaths + 1 >= claim.most_deaths;
        let status = if over { RunStatus::Dead } else { RunStatus::Pending };
        execute(conn, LOSE, params![id, status.as_str(), now_ms()])?;
        if over {
            settle_thread(conn, run.thread.as_str(), "error")?;
            claimed.dead.extend(read(conn, id)?);
        }
    }
    // After that: who comes back from a long silence has lost its runs, too.
    workers::keep(conn, &claim.worker)?;
    let next = next(conn, None)?;
    let (taken, left) = next.split_at(claim.limit.min(next.len()));
    for id in taken {
        begin(conn, id, &claim.worker)?;
        claimed.runs.extend(read(conn, id.clone())?);
    }
    Ok(Claimed { runs: claimed.runs, dead: claimed.dead, ..waiting(conn, left)? })
}

/// What is told of those that are left to wait.
fn waiting(conn: &Connection, left: &[Vec<u8>]) -> Result<Claimed, Error> {
    let since: Option<i64> = left.first().map(|first| one(conn, WAITED, [first])).transpose()?.flatten();
    let waited_ms = since.map_or(0, |since| u64::try_from(now_ms() - since).unwrap_or(0));
    Ok(Claimed { waiting: left.len(), waited_ms, ..Claimed::default() })
}

fn begin(conn: &Connection, id: &[u8], worker: &Worker) -> Result<(), Error> {
    execute(conn, BEGIN, params![id, worker.owner.as_str(), bound(worker.lease_ms), now_ms()])
}

/// What may begin, of one thread or of all.
fn next(conn: &Connection, thread: Option<&str>) -> Result<Vec<Vec<u8>>, Error> {
    all(conn, NEXT, params![now_ms(), thread], |row| row.get(0).map_err(failed))
}

/// What is under way with a worker that is silent or gone.
fn lost(conn: &Connection, gone: &[Owner]) -> Result<Vec<Vec<u8>>, Error> {
    let running = all(conn, LOST, [now_ms()], |row| {
        let read = || Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        read().map_err(failed)
    })?;
    let is_gone = |owner: &str| gone.iter().any(|gone| gone.as_str() == owner);
    let lost = running.into_iter().filter(|(_, owner, over): &(_, String, bool)| *over || is_gone(owner));
    Ok(lost.map(|(id, ..)| id).collect())
}

fn is_busy(conn: &Connection, thread: &str) -> Result<bool, Error> {
    Ok(one(conn, BUSY, [thread])?.unwrap_or(false))
}

/// What the thread's entry says after one of its runs has ended.
fn settle_thread(conn: &Connection, thread: &str, status: &str) -> Result<(), Error> {
    const TOUCH: &str = "UPDATE entries SET status = ?2, updated_ms = ?3, version = version + 1 \
        WHERE kind = 'thread' AND id = ?1";
    let status = if is_busy(conn, thread)? { "busy" } else { status };
    execute(conn, TOUCH, params![thread, status, now_ms()])
}

/// Stops what waits or is under way; gives what it became.
fn stop(conn: &Connection, runs: Vec<QueuedRun>, how: Cancel) -> Result<Vec<QueuedRun>, Error> {
    const STOP: &str = "UPDATE runs SET cancel = ?2, updated_ms = ?3, \
        status = CASE status WHEN 'pending' THEN 'cancelled' ELSE status END WHERE id = ?1";
    let mut stopped = Vec::new();
    for run in runs.into_iter().filter(|run| run.status.is_active()) {
        execute(conn, STOP, params![key(run.id), how.as_str(), now_ms()])?;
        stopped.extend(get(conn, run.id)?);
        if run.status == RunStatus::Pending && how == Cancel::Rollback {
            execute(conn, "DELETE FROM runs WHERE id = ?1", [key(run.id)])?;
        }
    }
    Ok(stopped)
}

fn list(conn: &Connection, query: &RunQuery) -> Result<Vec<QueuedRun>, Error> {
    let mut sql = format!("SELECT {RUN} FROM runs WHERE true");
    let mut values: Vec<Box<dyn ToSql>> = Vec::new();
    let places = |count: usize| vec!["?"; count].join(",");
    if !query.ids.is_empty() {
        sql += &format!(" AND id IN ({})", places(query.ids.len()));
        values.extend(query.ids.iter().map(|id| Box::new(key(*id)) as Box<dyn ToSql>));
    }
    if let Some(thread) = &query.thread {
        sql += " AND thread = ?";
        values.push(Box::new(thread.as_str().to_owned()));
    }
    if !query.statuses.is_empty() {
        sql += &format!(" AND status IN ({})", places(query.statuses.len()));
        values.extend(query.statuses.iter().map(|status| Box::new(status.as_str()) as Box<dyn ToSql>));
    }
    if let Some(time) = query.older_than_ms {
        sql += " AND updated_ms < ?";
        values.push(Box::new(bound(time)));
    }
    let order = if query.older_than_ms.is_some() { "ASC" } else { "DESC" };
    sql += &format!(" ORDER BY number {order} LIMIT ? OFFSET ?");
    values.push(Box::new(query.limit.map_or(-1, |limit| bound(limit as u64))));
    values.push(Box::new(bound(query.offset as u64)));
    all(conn, &sql, rusqlite::params_from_iter(values), read_run)
}

fn get(conn: &Connection, run: RunId) -> Result<Option<QueuedRun>, Error> {
    read(conn, key(run))
}

fn read(conn: &Connection, id: Vec<u8>) -> Result<Option<QueuedRun>, Error> {
    let sql = format!("SELECT {RUN} FROM runs WHERE id = ?1");
    Ok(all(conn, &sql, [id], read_run)?.pop())
}

pub(super) fn key(run: RunId) -> Vec<u8> {
    run.as_u128().to_be_bytes().to_vec()
}

fn read_run(row: &rusqlite::Row<'_>) -> Result<QueuedRun, Error> {
    let id: [u8; 16] = Columns { row, what: || "the id of a run".to_owned() }.get(0)?;
    let id = RunId::from_u128(u128::from_be_bytes(id));
    let columns = Columns { row, what: || format!("run {id}") };
    let json = |text: String| serde_json::from_str(&text).map_err(|e| corrupt(format_args!("run {id}"), e));
    let word: String = columns.get(2)?;
    let status = RunStatus::from_word(&word)
        .ok_or_else(|| corrupt((columns.what)(), format_args!("there is no status {word:?}")))?;
    Ok(QueuedRun {
        id,
        thread: ThreadId::new(&columns.get::<String>(1)?).map_err(|e| corrupt((columns.what)(), e))?,
        status,
        payload: json(columns.get(3)?)?,
        metadata: object(&columns.get::<String>(4)?, columns.what)?,
        outcome: columns.get::<Option<String>>(5)?.map(json).transpose()?,
        attempt: columns.number(6)?,
        deaths: columns.number(7)?,
        owner: Owner::named(&columns.get::<String>(8)?),
        cancel: columns.get::<Option<String>>(9)?.as_deref().and_then(Cancel::from_word),
        created_ms: columns.number(10)?,
        updated_ms: columns.number(11)?,
    })
}

fn one<T: rusqlite::types::FromSql>(
    conn: &Connection,
    sql: &str,
    values: impl Params,
) -> Result<Option<T>, Error> {
    let mut statement = conn.prepare_cached(sql).map_err(failed)?;
    statement.query_row(values, |row| row.get(0)).optional().map_err(failed)
}
