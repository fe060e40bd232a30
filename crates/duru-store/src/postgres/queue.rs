//! Commits on their way to the writer.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use duru::ThreadId;
use duru::store::{Commit, Error, Head};
use tokio::sync::{mpsc, oneshot};

use super::group::size;

/// So many commits can wait for the writer before the next has to.
const LONGEST: usize = 1024;

/// At most so many commits share a transaction,
const MOST: usize = 128;

/// and no more join one that is as large as this.
const LARGE: usize = 4 << 20;

/// What the writer is asked to do.
pub(super) enum Job {
    Commit(Box<Waiting>),
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

/// How many commits of a thread are not done yet; threads without any are not
/// in it.
type Counts = Arc<Mutex<HashMap<ThreadId, usize>>>;

/// A commit that is counted as long as this lives.
pub(super) struct Pending {
    thread: ThreadId,
    counts: Counts,
}

impl Pending {
    fn new(thread: ThreadId, counts: &Counts) -> Self {
        *lock(counts).entry(thread.clone()).or_default() += 1;
        Self { thread, counts: counts.clone() }
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        let mut counts = lock(&self.counts);
        match counts.get_mut(&self.thread) {
            Some(count) if *count > 1 => *count -= 1,
            _ => drop(counts.remove(&self.thread)),
        }
    }
}

fn lock(counts: &Counts) -> MutexGuard<'_, HashMap<ThreadId, usize>> {
    // Nothing panics half-way through a change.
    counts.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The way to the writer.
pub(super) struct Queue {
    jobs: mpsc::Sender<Job>,
    pending: Counts,
}

impl Queue {
    pub(super) fn new() -> (Self, Jobs) {
        let (jobs, queue) = mpsc::channel(LONGEST);
        (Self { jobs, pending: Arc::default() }, Jobs { queue, next: None })
    }

    pub(super) async fn commit(&self, commit: Commit, token: i64) -> Result<Head, Error> {
        let pending = Pending::new(commit.thread.clone(), &self.pending);
        let (reply, result) = oneshot::channel();
        let job = Job::Commit(Box::new(Waiting { commit, token, reply, pending }));
        self.jobs.send(job).await.map_err(|_| gone())?;
        result.await.map_err(|_| gone())?
    }

    /// Waits for the commits of a thread that were sent before, also for those
    /// that nobody else waits for any more.
    pub(super) async fn flush(&self, thread: &ThreadId) -> Result<(), Error> {
        let pending = lock(&self.pending).contains_key(thread);
        if pending {
            let (done, flushed) = oneshot::channel();
            self.jobs.send(Job::Flush(done)).await.map_err(|_| gone())?;
            flushed.await.map_err(|_| gone())?;
        }
        Ok(())
    }
}

pub(super) fn gone() -> Error {
    Error::backend("reach the database", "whoever writes to it has ended")
}

/// The writer's end of the queue.
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
                Job::Commit(first) => return Some(self.group(*first)),
                // The caller may have stopped waiting.
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
                    group.push(*waiting);
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
