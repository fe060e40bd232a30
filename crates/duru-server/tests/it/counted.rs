//! A store that counts what requests ask of it, and can be told to break.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use async_trait::async_trait;
use duru::store::{
    Cancel, Catalog, Checkpoints, Claim, Claimed, Commit, Enqueued, Entry, EntryKind, EntryQuery, Error,
    Expect, Found, Head, HeldRun, MemoryStore, NewRun, Owner, Put, QueuedRun, Row, RowQuery, RunQuery,
    RunStatus, Runs, Seq, Settled, Snapshot, ThreadSummary, Timer, Worker,
};
use duru::{Namespace, RunId, ThreadId};
use duru_server::Stores;

/// What a database might say of itself.
pub(crate) const SECRETS: &str =
    "SELECT secret FROM runs at /var/lib/duru/threads.db as duru:hunter2@db.internal";

pub(crate) struct Counted {
    store: Arc<MemoryStore>,
    calls: AtomicUsize,
    broken: AtomicBool,
}

impl Counted {
    pub(crate) fn of(store: Arc<MemoryStore>) -> Arc<Self> {
        Arc::new(Self { store, calls: AtomicUsize::new(0), broken: AtomicBool::new(false) })
    }

    pub(crate) fn stores(self: &Arc<Self>) -> Stores {
        Stores {
            checkpoints: self.clone(),
            runs: self.clone(),
            catalog: self.clone(),
            memories: self.store.clone(),
        }
    }

    /// How many calls there were since this was last asked.
    pub(crate) fn calls(&self) -> usize {
        self.calls.swap(0, Ordering::SeqCst)
    }

    pub(crate) fn break_down(&self) {
        self.broken.store(true, Ordering::SeqCst);
    }

    /// Something that only requests do: what workers do by themselves is not counted.
    fn asked(&self) -> Result<(), Error> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        self.check()
    }

    fn check(&self) -> Result<(), Error> {
        if self.broken.load(Ordering::SeqCst) {
            Err(Error::backend("read the entry", SECRETS))
        } else {
            Ok(())
        }
    }
}

#[async_trait]
impl Catalog for Counted {
    async fn put(&self, entry: Entry, expect: Expect) -> Result<Put, Error> {
        self.asked()?;
        self.store.put(entry, expect).await
    }

    async fn entry(&self, kind: EntryKind, id: &str) -> Result<Option<Entry>, Error> {
        // Keys are read again after a second, whoever asks.
        if kind != EntryKind::Key {
            self.asked()?;
        }
        self.store.entry(kind, id).await
    }

    async fn find(&self, query: EntryQuery) -> Result<Found, Error> {
        self.store.find(query).await
    }

    async fn remove(&self, kind: EntryKind, id: &str) -> Result<bool, Error> {
        self.asked()?;
        Catalog::remove(&*self.store, kind, id).await
    }
}

#[async_trait]
impl Checkpoints for Counted {
    async fn head(&self, thread: &ThreadId) -> Result<Option<Head>, Error> {
        self.asked()?;
        self.store.head(thread).await
    }

    async fn commit(&self, commit: Commit) -> Result<Head, Error> {
        self.asked()?;
        self.store.commit(commit).await
    }

    async fn rows(&self, thread: &ThreadId, query: RowQuery) -> Result<Vec<Row>, Error> {
        self.asked()?;
        self.store.rows(thread, query).await
    }

    async fn snapshot(
        &self,
        thread: &ThreadId,
        ns: &Namespace,
        until: Option<Seq>,
    ) -> Result<Option<Snapshot>, Error> {
        self.asked()?;
        self.store.snapshot(thread, ns, until).await
    }

    async fn due(&self, now_ms: u64, after: Option<&Timer>, limit: usize) -> Result<Vec<Timer>, Error> {
        self.store.due(now_ms, after, limit).await
    }

    async fn threads(&self, offset: usize, limit: usize) -> Result<Vec<ThreadSummary>, Error> {
        self.check()?;
        self.store.threads(offset, limit).await
    }

    async fn delete(&self, thread: &ThreadId) -> Result<bool, Error> {
        self.asked()?;
        self.store.delete(thread).await
    }
}

#[async_trait]
impl Runs for Counted {
    async fn enqueue(&self, run: NewRun) -> Result<Enqueued, Error> {
        self.asked()?;
        self.store.enqueue(run).await
    }

    async fn claim(&self, claim: Claim) -> Result<Claimed, Error> {
        self.store.claim(claim).await
    }

    async fn renew(&self, worker: &Worker, unknown: &[(RunId, u32)]) -> Result<Vec<HeldRun>, Error> {
        self.store.renew(worker, unknown).await
    }

    async fn stopping(&self, owner: &Owner) -> Result<Vec<HeldRun>, Error> {
        self.store.stopping(owner).await
    }

    async fn owners(&self) -> Result<Vec<Owner>, Error> {
        self.store.owners().await
    }

    async fn statuses(&self, runs: &[RunId]) -> Result<Vec<(RunId, RunStatus)>, Error> {
        self.store.statuses(runs).await
    }

    async fn settle(&self, run: RunId, attempt: u32, settled: Settled) -> Result<bool, Error> {
        self.store.settle(run, attempt, settled).await
    }

    async fn cancel(&self, query: RunQuery, how: Cancel) -> Result<Vec<QueuedRun>, Error> {
        self.asked()?;
        self.store.cancel(query, how).await
    }

    async fn retry(&self, run: RunId) -> Result<bool, Error> {
        self.asked()?;
        self.store.retry(run).await
    }

    async fn runs(&self, query: RunQuery) -> Result<Vec<QueuedRun>, Error> {
        // Workers look for those of all threads.
        if !query.ids.is_empty() || query.thread.is_some() {
            self.asked()?;
        }
        self.store.runs(query).await
    }

    async fn forget(&self, run: RunId, attempt: Option<u32>) -> Result<bool, Error> {
        self.asked()?;
        Runs::forget(&*self.store, run, attempt).await
    }
}
