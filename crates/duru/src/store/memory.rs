//! Threads in memory: for tests, and for programs that need no durability.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use tokio::time::{Duration, Instant};

use super::memory_board::Board;
use super::memory_items::Items;
use super::{Checkpoints, Commit, Error, Head, Owner, Row, RowQuery, Seq, Snapshot, ThreadSummary, Timer};
use crate::{InterruptId, Namespace, ThreadId};

/// Threads, and memory across them, in memory. They are gone when the store is dropped.
///
/// ```
/// let store = std::sync::Arc::new(duru::store::MemoryStore::new());
/// # let _: std::sync::Arc<dyn duru::store::Checkpoints> = store;
/// ```
#[derive(Default)]
pub struct MemoryStore {
    threads: Mutex<HashMap<ThreadId, Thread>>,
    pub(super) items: Items,
    pub(super) board: Board,
}

struct Thread {
    head: Head,
    /// Who has a lease, and until when.
    owner: Owner,
    until: Instant,
    rows: Vec<Row>,
    snapshots: Vec<Snapshot>,
    timers: BTreeMap<InterruptId, u64>,
}

impl MemoryStore {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// Removes the log of a thread whose runs are gone: a first commit has found its run before that, or not.
    pub(super) fn remove_log(&self, thread: &str) {
        if let Ok(thread) = ThreadId::new(thread) {
            self.lock().remove(&thread);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ThreadId, Thread>> {
        // Nothing below panics half-way through a change.
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Checks a commit against the head that it wants to extend, and gives the
/// head that follows. Backends without a query language share it.
pub(crate) fn extend(head: Option<Head>, commit: &Commit) -> Result<Head, Error> {
    if let Some(error) = commit.refusal(head) {
        return Err(error);
    }
    let head = head.unwrap_or(Head {
        incarnation: commit.incarnation,
        version: 0,
        epoch: 0,
        next_seq: 0,
        removals: 0,
        status: super::Status::Idle,
        created_ms: commit.at_ms,
        updated_ms: commit.at_ms,
    });
    let next_seq = commit.rows.last().map_or(head.next_seq, Row::end);
    Ok(Head {
        version: head.version + 1,
        epoch: head.epoch + u64::from(commit.claim),
        next_seq,
        removals: head.removals + u64::from(commit.remove.is_some()),
        status: commit.status,
        updated_ms: commit.at_ms,
        ..head
    })
}

#[async_trait]
impl Checkpoints for MemoryStore {
    async fn head(&self, thread: &ThreadId) -> Result<Option<Head>, Error> {
        Ok(self.lock().get(thread).map(|thread| thread.head))
    }

    async fn commit(&self, commit: Commit) -> Result<Head, Error> {
        let mut threads = self.lock();
        let now = Instant::now();
        if let Some(thread) = threads.get(&commit.thread)
            && commit.claim
            && commit.lease.yields_to(&thread.owner)
            // Its own lease, or that of the worker whose run is under way on it.
            && let until = self.board.held_until(&commit.thread, &thread.owner).max(Some(thread.until))
            && let Some(left) = until.and_then(|until| until.checked_duration_since(now))
            && !left.is_zero()
        {
            let for_ms = u64::try_from(left.as_millis()).unwrap_or(u64::MAX);
            return Err(Error::Owned { thread: commit.thread, owner: thread.owner.clone(), for_ms });
        }
        let head = extend(threads.get(&commit.thread).map(|thread| thread.head), &commit)?;
        if let Some(run) = commit.queued.filter(|run| commit.version == 0 && !self.board.has(*run)) {
            return Err(commit.unqueued(run));
        }
        let thread = threads.entry(commit.thread).or_insert_with(|| Thread {
            head,
            owner: Owner::default(),
            until: now,
            rows: Vec::new(),
            snapshots: Vec::new(),
            timers: BTreeMap::new(),
        });
        thread.head = head;
        thread.until = now + Duration::from_millis(commit.lease.ttl_ms);
        thread.owner = commit.lease.owner;
        if let Some(range) = &commit.remove {
            thread.rows.retain(|row| !range.contains(&row.seq));
            thread.snapshots.retain(|snapshot| !range.contains(&snapshot.seq));
        }
        thread.rows.extend(commit.rows);
        thread.snapshots.extend(commit.snapshots);
        thread.timers.extend(commit.set_timers);
        for interrupt in commit.clear_timers {
            thread.timers.remove(&interrupt);
        }
        Ok(head)
    }

    async fn rows(&self, thread: &ThreadId, query: RowQuery) -> Result<Vec<Row>, Error> {
        let threads = self.lock();
        let found = threads.get(thread);
        if query.incarnation.is_some_and(|wanted| found.is_none_or(|found| found.head.incarnation != wanted))
        {
            return Err(Error::Deleted { thread: thread.clone() });
        }
        let Some(thread) = found else { return Ok(Vec::new()) };
        let first = thread.rows.partition_point(|row| row.end() <= query.from);
        let last =
            query.until.map_or(thread.rows.len(), |until| thread.rows.partition_point(|row| row.seq < until));
        let fits = |row: &&Row| {
            query.ns.as_ref().is_none_or(|ns| *ns == row.ns)
                && (query.kinds.is_empty() || query.kinds.contains(&row.kind))
                && query.run.is_none_or(|run| run == row.run)
                && query.checkpoint.is_none_or(|id| Some(id) == row.checkpoint)
                && query.source.is_none_or(|source| Some(source) == row.source)
        };
        let range = thread.rows.get(first..last).unwrap_or_default().iter();
        let limit = query.limit.unwrap_or(usize::MAX);
        Ok(if query.newest_first {
            range.rev().filter(fits).take(limit).cloned().collect()
        } else {
            range.filter(fits).take(limit).cloned().collect()
        })
    }

    async fn snapshot(
        &self,
        thread: &ThreadId,
        ns: &Namespace,
        until: Option<Seq>,
    ) -> Result<Option<Snapshot>, Error> {
        let threads = self.lock();
        let snapshots = threads.get(thread).map_or(&[][..], |thread| &thread.snapshots);
        let fits = |s: &&Snapshot| s.ns == *ns && until.is_none_or(|until| s.seq <= until);
        Ok(snapshots.iter().rev().find(fits).cloned())
    }

    async fn due(&self, now_ms: u64, after: Option<&Timer>, limit: usize) -> Result<Vec<Timer>, Error> {
        let threads = self.lock();
        let mut due: Vec<Timer> = threads
            .iter()
            .flat_map(|(id, thread)| thread.timers.iter().map(move |(interrupt, at)| (id, *interrupt, *at)))
            .filter(|(_, _, at_ms)| *at_ms <= now_ms)
            .map(|(thread, interrupt, at_ms)| Timer { thread: thread.clone(), interrupt, at_ms })
            .collect();
        let place = |timer: &Timer| (timer.at_ms, timer.thread.clone(), timer.interrupt);
        due.retain(|timer| after.is_none_or(|after| place(timer) > place(after)));
        due.sort_by_cached_key(place);
        due.truncate(limit);
        Ok(due)
    }

    async fn threads(&self, offset: usize, limit: usize) -> Result<Vec<ThreadSummary>, Error> {
        let threads = self.lock();
        let mut all: Vec<ThreadSummary> = threads
            .iter()
            .map(|(id, thread)| ThreadSummary { thread: id.clone(), head: thread.head })
            .collect();
        all.sort_by(|a, b| (b.head.updated_ms, &a.thread).cmp(&(a.head.updated_ms, &b.thread)));
        Ok(all.into_iter().skip(offset).take(limit).collect())
    }

    async fn delete(&self, thread: &ThreadId) -> Result<bool, Error> {
        Ok(self.lock().remove(thread).is_some())
    }
}
