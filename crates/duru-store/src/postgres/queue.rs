//! Commits on their way to a writer.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use duru::store::{Commit, Error, Head};
use tokio::sync::{mpsc, oneshot};

use super::group::size;

/// So many commits can wait for a writer before the next has to.
const LONGEST: usize = 1024;

/// At most so many commits share a transaction,
const MOST: usize = 128;

/// and no more join one that is as large as this.
const LARGE: usize = 4 << 20;

/// What a writer is asked to do.
pub(super) enum Job {
    Commit(Waiting),
    /// Say when all commits before this are done.
    Flush(oneshot::Sender<()>),
}

/// A commit, and who waits for it.
pub(super) struct Waiting {
    pub(super) commit: Commit,
    /// Tells it from all other commits: sent twice, it is written once.
    pub(super) token: i64,
    pub(super) reply: oneshot::Sender<Result<Head, Error>>,
    pub(super) pending: Pending,
}

/// Counts the commits that are not done yet.
pub(super) struct Pending(Arc<AtomicUsize>);

impl Drop for Pending {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The way to a writer.
pub(super) struct Queue {
    jobs: mpsc::Sender<Job>,
    pending: Arc<AtomicUsize>,
}

impl Queue {
    pub(super) fn new() -> (Self, Jobs) {
        let (jobs, queue) = mpsc::channel(LONGEST);
        (Self { jobs, pending: Arc::default() }, Jobs { queue, next: None })
    }

    pub(super) async fn commit(&self, commit: Commit, token: i64) -> Result<Head, Error> {
        self.pending.fetch_add(1, Ordering::SeqCst);
        let pending = Pending(self.pending.clone());
        let (reply, result) = oneshot::channel();
        let job = Job::Commit(Waiting { commit, token, reply, pending });
        self.jobs.send(job).await.map_err(|_| gone())?;
        result.await.map_err(|_| gone())?
    }

    /// Waits for the commits that were sent before, also for those that nobody
    /// else waits for any more.
    pub(super) async fn flush(&self) -> Result<(), Error> {
        if self.pending.load(Ordering::SeqCst) > 0 {
            let (done, flushed) = oneshot::channel();
            self.jobs.send(Job::Flush(done)).await.map_err(|_| gone())?;
            flushed.await.map_err(|_| gone())?;
        }
        Ok(())
    }
}

pub(super) fn gone() -> Error {
    Error::backend("reach the database", "the runtime that opened the store has ended")
}

/// A writer's end of the queue.
pub(super) struct Jobs {
    queue: mpsc::Receiver<Job>,
    /// Taken out, and to be done after the group before it.
    next: Option<Job>,
}

impl Jobs {
    /// The commits that wait, to be sent together; none if there will be no more.
    pub(super) async fn next(&mut self) -> Option<Vec<Waiting>> {
        loop {
            let job = match self.next.take() {
                Some(job) => job,
                None => self.queue.recv().await?,
            };
            match job {
                Job::Commit(first) => return Some(self.group(first)),
                // Whoever asked may have gone.
                Job::Flush(done) => drop(done.send(())),
            }
        }
    }

    /// Ends before another commit of a thread that is in the group already.
    fn group(&mut self, first: Waiting) -> Vec<Waiting> {
        let mut bytes = size(&first.commit);
        let mut group = vec![first];
        let mut threads = HashSet::new();
        while group.len() < MOST
            && bytes < LARGE
            && let Ok(job) = self.queue.try_recv()
        {
            threads.extend(group.last().map(|last| last.commit.thread.clone()));
            match job {
                Job::Commit(waiting) if !threads.contains(&waiting.commit.thread) => {
                    bytes += size(&waiting.commit);
                    group.push(waiting);
                }
                other => {
                    self.next = Some(other);
                    break;
                }
            }
        }
        // Every group locks its threads in this order: none waits for one that
        // waits for it.
        group.sort_by(|a, b| a.commit.thread.cmp(&b.commit.thread));
        group
    }
}
