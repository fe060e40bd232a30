//! A store that dies.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;

use crate::store::{Checkpoints, Commit, Error, Head, Row, RowQuery, Seq, Snapshot, ThreadSummary, Timer};
use crate::{Namespace, ThreadId};

/// When a [`CrashStore`] dies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Death {
    /// Before it carries the call out.
    Before,
    /// After it carried the call out, before it says so.
    After,
}

/// A store whose process dies at its `n`-th call, and answers nothing afterwards.
pub struct CrashStore {
    inner: Arc<dyn Checkpoints>,
    calls: AtomicU64,
    nth: u64,
    death: Death,
}

impl CrashStore {
    /// Dies at the `nth` call, from 1.
    pub fn new(inner: Arc<dyn Checkpoints>, nth: u64, death: Death) -> Self {
        Self { inner, calls: AtomicU64::new(0), nth, death }
    }

    /// How many calls were made.
    pub fn calls(&self) -> u64 {
        self.calls.load(Ordering::SeqCst)
    }

    /// Whether it lived to its death.
    pub fn died(&self) -> bool {
        self.calls() >= self.nth
    }

    async fn pass<T>(&self, call: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        let nth = self.calls.fetch_add(1, Ordering::SeqCst) + 1;
        let dead = || Err(Error::backend("answer", "the process died"));
        match nth.cmp(&self.nth) {
            std::cmp::Ordering::Less => call.await,
            std::cmp::Ordering::Equal if self.death == Death::After => {
                call.await?;
                dead()
            }
            _ => dead(),
        }
    }
}

#[async_trait]
impl Checkpoints for CrashStore {
    async fn head(&self, thread: &ThreadId) -> Result<Option<Head>, Error> {
        self.pass(self.inner.head(thread)).await
    }

    async fn commit(&self, commit: Commit) -> Result<Head, Error> {
        self.pass(self.inner.commit(commit)).await
    }

    async fn rows(&self, thread: &ThreadId, query: RowQuery) -> Result<Vec<Row>, Error> {
        self.pass(self.inner.rows(thread, query)).await
    }

    async fn snapshot(
        &self,
        thread: &ThreadId,
        ns: &Namespace,
        until: Option<Seq>,
    ) -> Result<Option<Snapshot>, Error> {
        self.pass(self.inner.snapshot(thread, ns, until)).await
    }

    async fn due(&self, now_ms: u64, after: Option<&Timer>, limit: usize) -> Result<Vec<Timer>, Error> {
        self.pass(self.inner.due(now_ms, after, limit)).await
    }

    async fn threads(&self, offset: usize, limit: usize) -> Result<Vec<ThreadSummary>, Error> {
        self.pass(self.inner.threads(offset, limit)).await
    }

    async fn delete(&self, thread: &ThreadId) -> Result<bool, Error> {
        self.pass(self.inner.delete(thread)).await
    }
}
