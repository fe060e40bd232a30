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
    Write(Box<dyn Member>),
    /// Anything else that needs its connection, between two transactions.
    Run(Box<dyn FnOnce(&mut Connection) + Send>),
}

/// Something to write that may share a transaction with others.
pub(super) trait Member: Send {
    /// Writes, inside the transaction. An error takes the transaction back, and
    /// the member is asked again, alone.
    fn write(&mut self, conn: &Connection) -> Result<(), Error>;

    /// Answers the caller: its write is durable, or why it is not.
    fn done(self: Box<Self>, result: Result<(), Error>);
}

/// A commit, and who waits for it.
pub(super) struct Waiting {
    pub(super) commit: Commit,
    pub(super) head: Option<Result<Head, Error>>,
    pub(super) reply: oneshot::Sender<Result<Head, Error>>,
}

impl Member for Waiting {
    fn write(&mut self, conn: &Connection) -> Result<(), Error> {
        self.head = Some(match apply(conn, &self.commit) {
            // Nothing of it was written.
            Err(refusal @ (Error::Conflict { .. } | Error::Owned { .. })) => Err(refusal),
            other => Ok(other?),
        });
        Ok(())
    }

    fn done(self: Box<Self>, result: Result<(), Error>) {
        let Self { head, reply, .. } = *self;
        // A caller that stopped waiting finds the commit in the thread's head.
        drop(reply.send(result.and_then(|()| head.unwrap_or_else(|| Err(no_answer())))));
    }
}

/// Any other change, and who waits for what it gives.
pub(super) struct Change<T, F> {
    pub(super) work: F,
    pub(super) given: Option<T>,
    pub(super) reply: oneshot::Sender<Result<T, Error>>,
}

impl<T: Send, F: FnMut(&Connection) -> Result<T, Error> + Send> Member for Change<T, F> {
    fn write(&mut self, conn: &Connection) -> Result<(), Error> {
        self.given = Some((self.work)(conn)?);
        Ok(())
    }

    fn done(self: Box<Self>, result: Result<(), Error>) {
        let Self { given, reply, .. } = *self;
        // A caller that stopped waiting finds it in the database.
        drop(reply.send(result.and_then(|()| given.ok_or_else(no_answer))));
    }
}

fn no_answer() -> Error {
    Error::backend("write", "it was never tried")
}

/// Works until the store is dropped and the queue is empty.
pub(super) fn run(mut conn: Connection, mut queue: mpsc::Receiver<Job>, transactions: Arc<AtomicU64>) {
    let mut group = Vec::new();
    while let Some(job) = queue.blocking_recv() {
        let mut next = Some(job);
        while let Some(job) = next.take() {
            match job {
                Job::Run(work) => work(&mut conn),
                Job::Write(first) => {
                    group.push(first);
                    next = fill(&mut group, &mut queue);
                    commit_group(&conn, &mut group, &transactions);
                }
            }
        }
    }
}

/// Takes the commits that wait; gives the job that ended the group.
fn fill(group: &mut Vec<Box<dyn Member>>, queue: &mut mpsc::Receiver<Job>) -> Option<Job> {
    while group.len() < GROUP {
        match queue.try_recv() {
            Ok(Job::Write(member)) => group.push(member),
            Ok(other) => return Some(other),
            Err(_) => return None,
        }
    }
    None
}

/// Why a group came to nothing.
enum Failure {
    /// One of its members could not be written.
    Member(Error),
    /// The transaction could not.
    Transaction(Error),
}

fn commit_group(conn: &Connection, group: &mut Vec<Box<dyn Member>>, transactions: &AtomicU64) {
    match transaction(conn, group, transactions) {
        // One member must not undo its neighbours, so each is tried alone. That
        // is rare: a conflict is noticed before anything is written.
        Err(Failure::Member(_)) if group.len() > 1 => {
            for mut member in group.drain(..) {
                let result = transaction(conn, std::slice::from_mut(&mut member), transactions);
                member.done(result.map_err(Failure::error));
            }
        }
        result => {
            let result = result.map_err(Failure::error);
            group.drain(..).for_each(|member| member.done(result.clone()));
        }
    }
}

impl Failure {
    fn error(self) -> Error {
        let (Self::Member(error) | Self::Transaction(error)) = self;
        error
    }
}

/// One transaction for the group: everything but the conflicts, or nothing.
fn transaction(
    conn: &Connection,
    group: &mut [Box<dyn Member>],
    transactions: &AtomicU64,
) -> Result<(), Failure> {
    let outcome = write(conn, group);
    transactions.fetch_add(1, Ordering::Relaxed);
    if outcome.is_err() && !conn.is_autocommit() {
        execute(conn, "ROLLBACK", []).map_err(Failure::Transaction)?;
    }
    outcome
}

fn write(conn: &Connection, group: &mut [Box<dyn Member>]) -> Result<(), Failure> {
    pass("store.commit.begin")?;
    execute(conn, "BEGIN IMMEDIATE", []).map_err(Failure::Transaction)?;
    for member in group {
        member.write(conn).map_err(Failure::Member)?;
    }
    pass("store.commit.written")?;
    execute(conn, "COMMIT", []).map_err(Failure::Transaction)?;
    pass("store.commit.done")
}

fn pass(point: &'static str) -> Result<(), Failure> {
    failpoint::hit(point).map_err(|crash| Failure::Transaction(Error::backend("commit", crash)))
}
