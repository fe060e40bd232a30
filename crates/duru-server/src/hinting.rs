//! Stores that tell other processes what they have written: after the commit, and never instead of it.

use std::sync::Arc;

use async_trait::async_trait;
use duru::store::{
    Cancel, Checkpoints, Claim, Claimed, Commit, Enqueued, Error, Head, HeldRun, Hint, Hints, LogPosition,
    LogUpdate, NewRun, Owner, QueuedRun, Row, RowQuery, RunQuery, RunStatus, Runs, Seq, Settled, Snapshot,
    ThreadSummary, Timer, Worker,
};
use duru::{Namespace, RunId, ThreadId};

use crate::hub::Stores;

/// The same stores, with hints.
pub(crate) fn telling(stores: Stores, hints: &Arc<dyn Hints>) -> Stores {
    let checkpoints = TellingCheckpoints { inner: stores.checkpoints, hints: Arc::clone(hints) };
    let runs = TellingRuns { inner: stores.runs, hints: Arc::clone(hints) };
    Stores { checkpoints: Arc::new(checkpoints), runs: Arc::new(runs), ..stores }
}

struct TellingCheckpoints {
    inner: Arc<dyn Checkpoints>,
    hints: Arc<dyn Hints>,
}

#[async_trait]
impl Checkpoints for TellingCheckpoints {
    fn place(&self, thread: &ThreadId) -> usize {
        self.inner.place(thread)
    }

    async fn head(&self, thread: &ThreadId) -> Result<Option<Head>, Error> {
        self.inner.head(thread).await
    }

    async fn commit(&self, commit: Commit) -> Result<Head, Error> {
        let thread = commit.thread.clone();
        let head = self.inner.commit(commit).await?;
        self.hints.tell(Hint::Thread(thread));
        Ok(head)
    }

    async fn rows(&self, thread: &ThreadId, query: RowQuery) -> Result<Vec<Row>, Error> {
        self.inner.rows(thread, query).await
    }

    async fn updates_since(&self, known: &[LogPosition]) -> Result<Vec<LogUpdate>, Error> {
        self.inner.updates_since(known).await
    }

    async fn snapshot(
        &self,
        thread: &ThreadId,
        ns: &Namespace,
        until: Option<Seq>,
    ) -> Result<Option<Snapshot>, Error> {
        self.inner.snapshot(thread, ns, until).await
    }

    async fn due(&self, now_ms: u64, after: Option<&Timer>, limit: usize) -> Result<Vec<Timer>, Error> {
        self.inner.due(now_ms, after, limit).await
    }

    async fn threads(&self, offset: usize, limit: usize) -> Result<Vec<ThreadSummary>, Error> {
        self.inner.threads(offset, limit).await
    }

    async fn delete(&self, thread: &ThreadId) -> Result<bool, Error> {
        let there = self.inner.delete(thread).await?;
        self.hints.tell(Hint::Thread(thread.clone()));
        Ok(there)
    }
}

struct TellingRuns {
    inner: Arc<dyn Runs>,
    hints: Arc<dyn Hints>,
}

impl TellingRuns {
    /// Tells the workers of runs that are under way, and those who wait for one that is over.
    fn stopped(&self, runs: &[QueuedRun]) {
        for run in runs {
            self.hints.tell(match run.status {
                RunStatus::Running => Hint::Stop(run.owner.clone()),
                _ => Hint::Thread(run.thread.clone()),
            });
        }
    }
}

#[async_trait]
impl Runs for TellingRuns {
    async fn enqueue(&self, run: NewRun) -> Result<Enqueued, Error> {
        let enqueued = self.inner.enqueue(run).await?;
        if let Enqueued::Accepted { run, stopping } = &enqueued {
            self.stopped(stopping);
            if run.status == RunStatus::Pending {
                self.hints.tell(Hint::Work);
            }
        }
        Ok(enqueued)
    }

    async fn claim(&self, claim: Claim) -> Result<Claimed, Error> {
        let claimed = self.inner.claim(claim).await?;
        self.stopped(&claimed.dead);
        Ok(claimed)
    }

    async fn renew(&self, worker: &Worker, unknown: &[(RunId, u32)]) -> Result<Vec<HeldRun>, Error> {
        self.inner.renew(worker, unknown).await
    }

    async fn stopping(&self, owner: &Owner) -> Result<Vec<HeldRun>, Error> {
        self.inner.stopping(owner).await
    }

    async fn owners(&self) -> Result<Vec<Owner>, Error> {
        self.inner.owners().await
    }

    async fn statuses(&self, runs: &[RunId]) -> Result<Vec<(RunId, RunStatus)>, Error> {
        self.inner.statuses(runs).await
    }

    async fn settle(&self, run: RunId, attempt: u32, settled: Settled) -> Result<bool, Error> {
        // Given back: somebody else goes on with it. Of one that is over, whoever carried it out tells its thread.
        let is_back = settled.status == RunStatus::Pending;
        let counts = self.inner.settle(run, attempt, settled).await?;
        if counts && is_back {
            self.hints.tell(Hint::Work);
        }
        Ok(counts)
    }

    async fn cancel(&self, query: RunQuery, how: Cancel) -> Result<Vec<QueuedRun>, Error> {
        let stopped = self.inner.cancel(query, how).await?;
        self.stopped(&stopped);
        Ok(stopped)
    }

    async fn retry(&self, run: RunId) -> Result<bool, Error> {
        let is_back = self.inner.retry(run).await?;
        if is_back {
            self.hints.tell(Hint::Work);
        }
        Ok(is_back)
    }

    async fn runs(&self, query: RunQuery) -> Result<Vec<QueuedRun>, Error> {
        self.inner.runs(query).await
    }

    async fn forget(&self, run: RunId, attempt: Option<u32>) -> Result<bool, Error> {
        self.inner.forget(run, attempt).await
    }
}

#[cfg(test)]
mod tests {
    use duru::store::{LocalHints, MemoryStore};

    use super::*;

    #[tokio::test]
    async fn others_are_told_after_the_commit_what_there_is_to_look_at() {
        let [here, there] = LocalHints::pair();
        let plain = Stores::of(Arc::new(MemoryStore::new()));
        let hints: Arc<dyn Hints> = Arc::new(here);
        let stores = telling(plain.clone(), &hints);
        let thread = ThreadId::new("t").unwrap();
        let run = |n| NewRun {
            id: RunId::from_u128(n),
            thread: thread.clone(),
            make_thread: true,
            thread_metadata: serde_json::Map::new(),
            payload: serde_json::Value::Null,
            metadata: serde_json::Map::new(),
            if_busy: duru::store::IfBusy::Enqueue,
            key: None,
            after_ms: 0,
            claim: None,
        };
        let worker = Worker { owner: Owner::named("w"), lease_ms: 60_000 };
        stores.runs.enqueue(NewRun { claim: Some(worker.clone()), ..run(1) }).await.unwrap();
        stores.runs.enqueue(run(2)).await.unwrap();
        assert_eq!(there.hear().await, Hint::Work, "the first one needs nobody else");
        let of = RunQuery { thread: Some(thread.clone()), ..RunQuery::default() };
        there.follow(&thread);
        assert_eq!(stores.runs.cancel(of, Cancel::Interrupt).await.unwrap().len(), 2);
        let told = [there.hear().await, there.hear().await];
        assert!(told.contains(&Hint::Stop(worker.owner)) && told.contains(&Hint::Thread(thread)), "{told:?}");
    }
}
