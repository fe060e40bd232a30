//! The task that writes. All commits that wait while one is under way go to the
//! server together: one message, one transaction, one wait for its disk.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use duru::failpoint;
use duru::store::{Commit, Error, Head};

use super::answer::{Answer, Verdict};
use super::connection::Conn;
use super::failure::{Failure, Patience};
use super::group::{self, Group};
use super::queue::{Jobs, Waiting};
use super::read::Tables;

/// Whoever was in a group may soon come with the next commit. So many times the
/// others may run before the next group leaves: without that, two halves of the
/// threads take turns, and all wait twice as long.
const TURNS: usize = 16;

pub(super) struct Writer {
    tables: Arc<Tables>,
    transactions: Arc<AtomicU64>,
    conn: Option<Conn>,
    sql: String,
}

/// Why a group came to nothing.
enum Nothing {
    /// The server took it back, perhaps because of one of its commits only.
    Refused(Error),
    /// There is no server, or there will soon be none of us.
    Over(Error),
}

impl Writer {
    pub(super) fn new(tables: Arc<Tables>, transactions: Arc<AtomicU64>) -> Self {
        let places: Vec<String> = (1..=group::PARAMETERS).map(|n| format!("${n}")).collect();
        let sql = format!("SELECT {}.commit({})", tables.schema, places.join(","));
        Self { tables, transactions, conn: None, sql }
    }

    /// Works until the store is dropped and the queue is empty.
    pub(super) async fn run(mut self, mut jobs: Jobs) {
        while let Some(group) = jobs.next().await {
            let turns = if group.len() > 1 { TURNS } else { 0 };
            let heads = self.write(&group).await;
            for (Waiting { reply, pending, .. }, head) in group.into_iter().zip(heads) {
                drop(pending);
                // A caller that stopped waiting finds the commit in the thread's head.
                drop(reply.send(head));
            }
            for _ in 0..turns {
                tokio::task::yield_now().await;
            }
        }
    }

    async fn write(&mut self, group: &[Waiting]) -> Vec<Result<Head, Error>> {
        match self.transaction(group).await {
            Ok(heads) => heads,
            // One commit must not undo its neighbours, so each is tried alone.
            Err(Nothing::Refused(_)) if group.len() > 1 => {
                let mut heads = Vec::with_capacity(group.len());
                for waiting in group.chunks(1) {
                    match self.transaction(waiting).await {
                        Ok(head) => heads.extend(head),
                        Err(Nothing::Refused(error) | Nothing::Over(error)) => heads.push(Err(error)),
                    }
                }
                heads
            }
            Err(Nothing::Refused(error) | Nothing::Over(error)) => vec![Err(error); group.len()],
        }
    }

    /// One transaction for the group: everything but the conflicts, or nothing.
    async fn transaction(&mut self, group: &[Waiting]) -> Result<Vec<Result<Head, Error>>, Nothing> {
        let mut arrays = Group::default();
        for waiting in group {
            arrays.add(&waiting.commit, waiting.token).map_err(Nothing::Refused)?;
        }
        pass("pg.commit.sent")?;
        let (answers, doubt) = self.send(&arrays).await?;
        pass("pg.commit.unknown")?;
        if answers.len() != group.len() {
            return Err(Nothing::Over(Error::backend("commit", "the server's answer makes no sense")));
        }
        let mut heads = Vec::with_capacity(group.len());
        for (waiting, answer) in group.iter().zip(answers) {
            heads.push(match answer.verdict {
                Verdict::Written => Ok(answer.head(&waiting.commit)),
                Verdict::Refused if doubt => self.in_doubt(&waiting.commit, answer).await,
                Verdict::Refused if answer.fits(&waiting.commit) && waiting.commit.claim => {
                    // Only a lease was in its way, and that ended while it was looked for.
                    Err(self.owned(&waiting.commit, answer).await)
                }
                Verdict::Refused => Err(answer.refusal(&waiting.commit)),
                Verdict::Owned => Err(self.owned(&waiting.commit, answer).await),
                Verdict::Unqueued => Err(match waiting.commit.queued {
                    Some(run) => waiting.commit.unqueued(run),
                    None => answer.refusal(&waiting.commit),
                }),
            });
        }
        pass("pg.commit.done")?;
        Ok(heads)
    }

    /// Sends a group until there is an answer; and whether it was sent before,
    /// on a connection that was lost. Sending it again is safe: what was
    /// written is found by its token.
    async fn send(&mut self, group: &Group<'_>) -> Result<(Vec<Answer>, bool), Nothing> {
        let mut patience = Patience::new(self.tables.readers.server.patience);
        let mut doubt = false;
        loop {
            let failure = match self.attempt(group).await {
                Ok(answers) => return Ok((answers, doubt)),
                Err((failure, sent)) => {
                    doubt |= sent;
                    failure
                }
            };
            if let Failure::Refused(reason) = failure {
                return Err(Nothing::Refused(Error::backend("commit", reason)));
            }
            if !patience.wait().await {
                let doubts = "; whether the last commit was written is not known: \
                              open the thread again, it is whole either way";
                let reason = failure.reason().with(if doubt { doubts } else { "" });
                return Err(Nothing::Over(Error::backend("commit", reason)));
            }
        }
    }

    /// Sends a group once. If there is no answer: whether it may be written.
    async fn attempt(&mut self, group: &Group<'_>) -> Result<Vec<Answer>, (Failure, bool)> {
        let conn = match self.conn.take().filter(|conn| !conn.client.is_closed()) {
            Some(conn) => conn,
            None => self.tables.readers.server.connect().await.map_err(|failure| (failure, false))?,
        };
        self.transactions.fetch_add(1, Ordering::Relaxed);
        let result = conn.query(&self.sql, &group.values()).await;
        match &result {
            // It is of no more use.
            Err(Failure::Lost(_)) => drop(conn),
            _ => self.conn = Some(conn),
        }
        let rows = result.map_err(|failure| {
            let sent = matches!(failure, Failure::Lost(_));
            (failure, sent)
        })?;
        let numbers = rows.first().map(|row| row.try_get::<_, Vec<i64>>(0)).transpose();
        let numbers = numbers.map_err(|e| (e.into(), true))?.unwrap_or_default();
        Ok(Answer::all(&numbers))
    }

    /// Says who owns the thread that a commit wanted to claim.
    async fn owned(&self, commit: &Commit, answer: Answer) -> Error {
        match self.tables.lease(&commit.thread).await {
            Ok(Some((owner, for_ms))) => Error::Owned { thread: commit.thread.clone(), owner, for_ms },
            // Deleted in this moment.
            Ok(None) => answer.refusal(commit),
            Err(error) => error,
        }
    }

    /// Refused, after it may have been written: if others have written since,
    /// only its own rows can tell.
    async fn in_doubt(&self, commit: &Commit, answer: Answer) -> Result<Head, Error> {
        match commit.rows.last() {
            Some(row)
                if answer.incarnation == commit.incarnation
                    && answer.version > commit.version
                    && self.tables.has(&commit.thread, row).await? =>
            {
                Ok(answer.head_then(commit))
            }
            _ => Err(answer.refusal(commit)),
        }
    }
}

fn pass(point: &'static str) -> Result<(), Nothing> {
    failpoint::hit(point).map_err(|crash| Nothing::Over(Error::backend("commit", crash)))
}
