//! What is kept for how long.

use std::time::Duration;

use duru::store::{Entry, EntryKind, EntryQuery, Error, RunQuery, RunStatus, SortBy, Status};
use duru::{Clock, Keep, SystemClock, ThreadId, ThreadLog};
use serde::Serialize;

use super::People;
use super::holdings::PAGE;

/// How long things are kept after they were last touched. None is for ever.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Retention {
    /// Threads with everything in them.
    pub threads: Option<Duration>,
    /// What the queue knows of runs that are over.
    pub runs: Option<Duration>,
    /// Events and checkpoints of threads that stay; where a thread stands stays, too.
    pub events: Option<Duration>,
}

/// What went, or would go.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Swept {
    /// Threads, whole.
    pub threads: u64,
    /// Runs in the queue.
    pub runs: u64,
    /// Rows of threads' logs; where it is only asked, threads that may have such rows.
    pub events: u64,
}

/// Whether to do it, and how fast.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sweep {
    /// Only say what would go.
    Count,
    /// In small pieces, with a rest after each.
    Remove {
        /// How long to rest.
        rest: Duration,
    },
}

impl Sweep {
    async fn rest(self) {
        if let Self::Remove { rest } = self {
            tokio::time::sleep(rest).await;
        }
    }
}

impl People {
    /// Goes through everything once and removes what is too old. It may be dropped at any time, and several
    /// processes may do it at once.
    ///
    /// # Errors
    /// If a store can't be used.
    pub async fn sweep(&self, keep: &Retention, how: Sweep) -> Result<Swept, Error> {
        let now = SystemClock.now_ms();
        let before = |age: Duration| now.saturating_sub(u64::try_from(age.as_millis()).unwrap_or(u64::MAX));
        let mut swept = Swept::default();
        if let Some(age) = keep.threads {
            swept.threads = self.old_threads(before(age), how).await?;
            swept.threads += self.old_unlisted(before(age), how).await?;
        }
        if let Some(age) = keep.runs {
            swept.runs = self.old_runs(before(age), how).await?;
        }
        if let Some(age) = keep.events {
            swept.events = self.old_events(before(age), how).await?;
        }
        Ok(swept)
    }

    async fn old_threads(&self, before: u64, how: Sweep) -> Result<u64, Error> {
        let (mut gone, mut passed) = (0, 0);
        loop {
            let query = EntryQuery {
                sort: SortBy::Updated,
                ascending: true,
                offset: passed,
                limit: PAGE,
                ..EntryQuery::of(EntryKind::Thread)
            };
            let page = self.stores.catalog.find(query).await?.entries;
            let last = page.len() < PAGE || page.iter().any(|entry| entry.updated_ms >= before);
            for entry in page.into_iter().filter(|entry| entry.updated_ms < before) {
                let id = thread(&entry);
                match (id, how) {
                    (Some(_), Sweep::Count) => (gone, passed) = (gone + 1, passed + 1),
                    (Some(id), Sweep::Remove { .. }) => {
                        self.remove_thread(&id).await?;
                        gone += 1;
                    }
                    (None, _) => passed += 1,
                }
            }
            if last {
                return Ok(gone);
            }
            how.rest().await;
        }
    }

    /// Those of commands, which no server lists.
    async fn old_unlisted(&self, before: u64, how: Sweep) -> Result<u64, Error> {
        let (mut gone, mut passed) = (0, 0);
        loop {
            let page = self.stores.checkpoints.threads(passed, PAGE).await?;
            let last = page.len() < PAGE;
            for found in page {
                passed += 1;
                let (name, head) = (found.thread.as_str(), found.head);
                if head.updated_ms >= before || head.status == Status::Busy {
                    continue;
                }
                if self.stores.catalog.entry(EntryKind::Thread, name).await?.is_none() {
                    gone += 1;
                    if how != Sweep::Count {
                        self.stores.checkpoints.delete(&found.thread).await?;
                        passed -= 1;
                    }
                }
            }
            if last {
                return Ok(gone);
            }
            how.rest().await;
        }
    }

    async fn old_runs(&self, before: u64, how: Sweep) -> Result<u64, Error> {
        let over: Vec<RunStatus> = RunStatus::ALL.into_iter().filter(|status| !status.is_active()).collect();
        let mut query = RunQuery {
            statuses: over,
            older_than_ms: Some(before),
            limit: Some(PAGE),
            ..RunQuery::default()
        };
        let mut gone = 0;
        loop {
            let page = self.stores.runs.runs(query.clone()).await?;
            let last = page.len() < PAGE;
            for run in page {
                match how {
                    Sweep::Count => (gone, query.offset) = (gone + 1, query.offset + 1),
                    Sweep::Remove { .. } if self.stores.runs.forget(run.id, None).await? => gone += 1,
                    // Somebody else was quicker, or it began again.
                    Sweep::Remove { .. } => {}
                }
            }
            if last {
                return Ok(gone);
            }
            how.rest().await;
        }
    }

    async fn old_events(&self, before: u64, how: Sweep) -> Result<u64, Error> {
        let (mut gone, mut offset) = (0, 0);
        loop {
            let query = EntryQuery {
                sort: SortBy::Created,
                ascending: true,
                offset,
                limit: PAGE,
                ..EntryQuery::of(EntryKind::Thread)
            };
            let page = self.stores.catalog.find(query).await?.entries;
            offset += page.len();
            let last = page.len() < PAGE || page.iter().any(|entry| entry.created_ms >= before);
            for entry in page.into_iter().filter(|entry| entry.created_ms < before) {
                let Some(id) = thread(&entry) else { continue };
                if how == Sweep::Count {
                    gone += 1;
                    continue;
                }
                let log = ThreadLog::new(self.stores.checkpoints.clone(), id);
                match log.prune(Keep::Since(before)).await {
                    Ok(rows) => gone += rows as u64,
                    // Somebody runs it right now: next time.
                    Err(duru::Error::Store(Error::Conflict { .. } | Error::Owned { .. })) => {}
                    Err(duru::Error::Store(error)) => return Err(error),
                    Err(other) => return Err(Error::backend("forget old events", other)),
                }
            }
            if last {
                return Ok(gone);
            }
            how.rest().await;
        }
    }
}

/// A thread that nobody is at work on.
fn thread(entry: &Entry) -> Option<ThreadId> {
    if entry.status == "busy" {
        return None;
    }
    ThreadId::new(&entry.id).ok()
}
