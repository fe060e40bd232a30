//! The one thread that writes. All commits that wait in its queue go into one
//! transaction, so that they share the wait for the disk.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use duru::failpoint;
use duru::store::{Commit, Error, Head};
use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::commit::{apply, execute};

/// So many commits can wait before the next writer has to.
pub(super) const QUEUE: usize = 1024;

/// At most so many commits share a transaction.
const GROUP: usize = 256;

/// What the writer is asked to do.
pub(super) enum Job {
    Commit(Waiting),
    /// Anything else that needs its connection, between two transactions.
    Run(Box<dyn FnOnce(&mut Connection) + Send>),
}

/// A commit, and who waits for it.
pub(super) struct Waiting {
    pub(super) commit: Commit,
    pub(super) reply: oneshot::Sender<Result<Head, Error>>,
}

/// Works until the store is dropped and the queue is empty.
pub(super) fn run(mut conn: Connection, mut queue: mpsc::Receiver<Job>, transactions: Arc<AtomicU64>) {
    let mut group = Vec::new();
    while let Some(job) = queue.blocking_recv() {
        let mut next = Some(job);
        while let Some(job) = next.take() {
            match job {
                Job::Run(work) => work(&mut conn),
                Job::Commit(first) => {
                    group.push(first);
                    next = fill(&mut group, &mut queue);
                    commit_group(&conn, &mut group, &transactions);
                }
            }
        }
    }
}

/// Takes the commits that wait; gives the job that ended the group.
fn fill(group: &mut Vec<Waiting>, queue: &mut mpsc::Receiver<Job>) -> Option<Job> {
    while group.len() < GROUP {
        match queue.try_recv() {
            Ok(Job::Commit(waiting)) => group.push(waiting),
            Ok(other) => return Some(other),
            Err(_) => return None,
        }
    }
    None
}

/// Why a group came to nothing.
enum Failure {
    /// One of its commits could not be written.
    Commit(Error),
    /// The transaction could not.
    Transaction(Error),
}

fn commit_group(conn: &Connection, group: &mut Vec<Waiting>, transactions: &AtomicU64) {
    let heads = match transaction(conn, group, transactions) {
        // One commit must not undo its neighbours, so each is tried alone. That
        // is rare: a conflict is noticed before anything is written.
        Err(Failure::Commit(_)) if group.len() > 1 => {
            let alone = |waiting| match transaction(conn, std::slice::from_ref(waiting), transactions) {
                Ok(mut heads) => heads.pop().unwrap_or_else(|| Err(Error::backend("commit", "no answer"))),
                Err(Failure::Commit(error) | Failure::Transaction(error)) => Err(error),
            };
            group.iter().map(alone).collect()
        }
        Err(Failure::Commit(error) | Failure::Transaction(error)) => vec![Err(error); group.len()],
        Ok(heads) => heads,
    };
    for (waiting, head) in group.drain(..).zip(heads) {
        // Whoever stopped waiting finds the commit in the thread's head.
        drop(waiting.reply.send(head));
    }
}

/// One transaction for the group: everything but the conflicts, or nothing.
fn transaction(
    conn: &Connection,
    group: &[Waiting],
    transactions: &AtomicU64,
) -> Result<Vec<Result<Head, Error>>, Failure> {
    let outcome = write(conn, group);
    transactions.fetch_add(1, Ordering::Relaxed);
    if outcome.is_err() && !conn.is_autocommit() {
        execute(conn, "ROLLBACK", []).map_err(Failure::Transaction)?;
    }
    outcome
}

fn write(conn: &Connection, group: &[Waiting]) -> Result<Vec<Result<Head, Error>>, Failure> {
    pass("store.commit.begin")?;
    execute(conn, "BEGIN IMMEDIATE", []).map_err(Failure::Transaction)?;
    let mut heads = Vec::with_capacity(group.len());
    for waiting in group {
        heads.push(match apply(conn, &waiting.commit) {
            // Nothing of it was written.
            Err(refusal @ (Error::Conflict { .. } | Error::Owned { .. })) => Err(refusal),
            other => Ok(other.map_err(Failure::Commit)?),
        });
    }
    pass("store.commit.written")?;
    execute(conn, "COMMIT", []).map_err(Failure::Transaction)?;
    pass("store.commit.done")?;
    Ok(heads)
}

fn pass(point: &'static str) -> Result<(), Failure> {
    failpoint::hit(point).map_err(|crash| Failure::Transaction(Error::backend("commit", crash)))
}
