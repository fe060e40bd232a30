//! The runs that are somebody's own.

use std::sync::Arc;

use async_trait::async_trait;
use duru::RunId;
use duru::store::{
    Cancel, Catalog, Claim, Claimed, Enqueued, Entry, EntryKind, Error, Expect, HeldRun, NewRun, Owner, Put,
    QueuedRun, RunQuery, RunStatus, Runs, Settled, Worker,
};
use serde_json::json;

use super::{OWNER, TABLES, is_of};

pub(super) struct Own {
    pub(super) owner: Arc<str>,
    pub(super) tables: Option<Arc<[String]>>,
    pub(super) runs: Arc<dyn Runs>,
    pub(super) catalog: Arc<dyn Catalog>,
}

/// Says whose a new run is, and its thread, and which tables it may ask about.
pub(crate) fn mark(owner: &str, tables: Option<&[String]>, run: &mut NewRun) {
    run.thread_metadata.insert(OWNER.into(), json!(owner));
    run.metadata.insert(OWNER.into(), json!(owner));
    // Written over whatever the request says.
    match tables {
        Some(tables) => run.metadata.insert(TABLES.into(), json!(tables)),
        None => run.metadata.remove(TABLES),
    };
    // What one calls a request is nothing to another.
    run.key = run.key.take().map(|(key, digest)| (format!("{owner}\n{key}"), digest));
}

impl Own {
    fn is_mine(&self, run: &QueuedRun) -> bool {
        is_of(&self.owner, &run.metadata)
    }
}

#[async_trait]
impl Runs for Own {
    async fn enqueue(&self, mut run: NewRun) -> Result<Enqueued, Error> {
        let mut thread = self.catalog.entry(EntryKind::Thread, run.thread.as_str()).await?;
        if thread.is_none() && run.make_thread {
            // Under its owner from the first moment: who comes at the same time finds it taken.
            let mut entry = Entry::new(EntryKind::Thread, run.thread.as_str());
            entry.metadata.insert(OWNER.into(), json!(*self.owner));
            thread = match self.catalog.put(entry, Expect::New).await? {
                Put::Stored(entry) => Some(entry),
                Put::Unexpected(there) => there,
            };
        }
        if thread.is_none_or(|thread| !is_of(&self.owner, &thread.metadata)) {
            return Ok(Enqueued::NoThread);
        }
        mark(&self.owner, self.tables.as_deref(), &mut run);
        self.runs.enqueue(run).await
    }

    async fn claim(&self, claim: Claim) -> Result<Claimed, Error> {
        self.runs.claim(claim).await
    }

    async fn renew(&self, worker: &Worker, unknown: &[(RunId, u32)]) -> Result<Vec<HeldRun>, Error> {
        self.runs.renew(worker, unknown).await
    }

    async fn stopping(&self, owner: &Owner) -> Result<Vec<HeldRun>, Error> {
        self.runs.stopping(owner).await
    }

    async fn owners(&self) -> Result<Vec<Owner>, Error> {
        self.runs.owners().await
    }

    async fn statuses(&self, runs: &[RunId]) -> Result<Vec<(RunId, RunStatus)>, Error> {
        let query = RunQuery { ids: runs.to_vec(), ..RunQuery::default() };
        Ok(self.runs(query).await?.into_iter().map(|run| (run.id, run.status)).collect())
    }

    async fn settle(&self, run: RunId, attempt: u32, settled: Settled) -> Result<bool, Error> {
        self.runs.settle(run, attempt, settled).await
    }

    async fn cancel(&self, query: RunQuery, how: Cancel) -> Result<Vec<QueuedRun>, Error> {
        let statuses = match query.statuses.is_empty() {
            true => vec![RunStatus::Pending, RunStatus::Running],
            false => query.statuses.clone(),
        };
        let mine = self.runs(RunQuery { statuses, ..query }).await?;
        if mine.is_empty() {
            return Ok(Vec::new());
        }
        let ids = mine.iter().map(|run| run.id).collect();
        self.runs.cancel(RunQuery { ids, ..RunQuery::default() }, how).await
    }

    async fn retry(&self, run: RunId) -> Result<bool, Error> {
        let query = RunQuery { ids: vec![run], ..RunQuery::default() };
        if self.runs(query).await?.is_empty() {
            return Ok(false);
        }
        self.runs.retry(run).await
    }

    async fn runs(&self, query: RunQuery) -> Result<Vec<QueuedRun>, Error> {
        // A thread has one owner, and so have all of its runs.
        let mut found = self.runs.runs(query).await?;
        found.retain(|run| self.is_mine(run));
        Ok(found)
    }

    async fn forget(&self, run: RunId, attempt: Option<u32>) -> Result<bool, Error> {
        let query = RunQuery { ids: vec![run], ..RunQuery::default() };
        if self.runs(query).await?.is_empty() {
            return Ok(false);
        }
        self.runs.forget(run, attempt).await
    }
}
