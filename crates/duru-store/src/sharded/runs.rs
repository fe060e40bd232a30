//! The queue: a run is with its thread.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashSet};
use std::sync::atomic;

use async_trait::async_trait;
use duru::RunId;
use duru::store::{
    Cancel, Claim, Claimed, Enqueued, Error, HeldRun, NewRun, Owner, QueuedRun, RunQuery, RunStatus, Runs,
    Settled, Worker,
};
use futures_util::future::join_all;

use super::merge::merged;
use super::shard::{Asked, Backend};
use super::{ShardedStore, answers};

impl ShardedStore {
    /// Where a run is, unless somebody chose its id who does not know of threads' buckets.
    fn likely(&self, run: RunId) -> usize {
        self.buckets[usize::from(run.bucket())]
    }

    /// Runs by where they likely are.
    fn by_shard(&self, runs: &[RunId]) -> BTreeMap<usize, Vec<RunId>> {
        let mut parts: BTreeMap<usize, Vec<RunId>> = BTreeMap::new();
        for run in runs {
            parts.entry(self.likely(*run)).or_default().push(*run);
        }
        parts
    }

    /// Everywhere else than where they likely are.
    fn elsewhere(&self, runs: &[RunId]) -> BTreeMap<usize, Vec<RunId>> {
        let other =
            |n: usize| -> Vec<RunId> { runs.iter().copied().filter(|run| self.likely(*run) != n).collect() };
        (0..self.shards.len()).map(|n| (n, other(n))).filter(|(_, runs)| !runs.is_empty()).collect()
    }

    async fn statuses_in(
        &self,
        parts: BTreeMap<usize, Vec<RunId>>,
    ) -> Result<Vec<(usize, Vec<(RunId, RunStatus)>)>, Error> {
        let asked = parts.iter().map(async |(n, runs)| {
            let told = self.shards[*n].ask_soon(|store| store.statuses(runs)).await?;
            Ok((*n, told))
        });
        join_all(asked).await.into_iter().collect()
    }

    /// What runs are doing, and where. Those that are nowhere are left out; if that is not sure, it is an error.
    async fn located(&self, runs: &[RunId]) -> Result<Vec<(usize, Vec<(RunId, RunStatus)>)>, Error> {
        let mut told = self.statuses_in(self.by_shard(runs)).await?;
        let known: HashSet<RunId> = told.iter().flat_map(|(_, runs)| runs).map(|(run, _)| *run).collect();
        let missing: Vec<RunId> = runs.iter().copied().filter(|run| !known.contains(run)).collect();
        if !missing.is_empty() {
            told.extend(self.statuses_in(self.elsewhere(&missing)).await?);
        }
        Ok(told)
    }

    /// Does something with a run where it likely is, or else where it is. Whether it was done.
    async fn with_run<'a>(
        &'a self,
        run: RunId,
        act: impl Fn(&'a dyn Backend) -> Asked<'a, bool>,
    ) -> Result<bool, Error> {
        let likely = self.likely(run);
        if self.shards[likely].ask(&act).await? {
            return Ok(true);
        }
        if !self.shards[likely]
            .ask(|store| Box::pin(async move { store.statuses(&[run]).await }))
            .await?
            .is_empty()
        {
            return Ok(false);
        }
        let told = self.statuses_in(self.elsewhere(&[run])).await?;
        match told.iter().find(|(_, told)| !told.is_empty()) {
            Some((n, _)) => self.shards[*n].ask(&act).await,
            None => Ok(false),
        }
    }

    async fn runs_in(&self, parts: BTreeMap<usize, RunQuery>) -> Result<Vec<Vec<QueuedRun>>, Error> {
        let asked = parts.into_iter().map(|(n, query)| self.shards[n].ask_soon(|store| store.runs(query)));
        join_all(asked).await.into_iter().collect()
    }

    async fn runs_by_id(&self, query: &RunQuery) -> Result<Vec<Vec<QueuedRun>>, Error> {
        let of = |ids| RunQuery { ids, offset: 0, limit: None, ..query.clone() };
        let parts =
            |parts: BTreeMap<usize, Vec<RunId>>| parts.into_iter().map(|(n, ids)| (n, of(ids))).collect();
        let mut lists = self.runs_in(parts(self.by_shard(&query.ids))).await?;
        let known: HashSet<RunId> = lists.iter().flatten().map(|run| run.id).collect();
        let missing: Vec<RunId> = query.ids.iter().copied().filter(|run| !known.contains(run)).collect();
        if !missing.is_empty() {
            lists.extend(self.runs_in(parts(self.elsewhere(&missing))).await?);
        }
        Ok(lists)
    }
}

/// The latest first, or the oldest where old ones were asked for. Ids are ordered by time, too.
fn order(query: &RunQuery, a: &QueuedRun, b: &QueuedRun) -> Ordering {
    let by = (a.created_ms, a.id).cmp(&(b.created_ms, b.id));
    if query.older_than_ms.is_some() { by } else { by.reverse() }
}

#[async_trait]
impl Runs for ShardedStore {
    async fn enqueue(&self, run: NewRun) -> Result<Enqueued, Error> {
        match run.key.clone() {
            Some(key) if run.make_thread && self.shards.len() > 1 => self.enqueue_once(run, key).await,
            _ => self.of(&run.thread).ask(|store| store.enqueue(run)).await,
        }
    }

    /// Each gives its share, those that have more what the others leave.
    async fn claim(&self, claim: Claim) -> Result<Claimed, Error> {
        let (count, turn) = (self.shards.len(), self.turn.fetch_add(1, atomic::Ordering::Relaxed));
        let share = |n: usize| claim.limit / count + usize::from((n + turn) % count < claim.limit % count);
        let asked = self.shards.iter().enumerate().map(async |(n, shard)| {
            let part = Claim { limit: share(n), ..claim.clone() };
            shard.ask_soon(|store| store.claim(part)).await.map(|claimed| (n, claimed))
        });
        let (mut whole, mut more) = (Claimed::default(), Vec::new());
        for (n, claimed) in answers(join_all(asked).await)? {
            whole.runs.extend(claimed.runs);
            whole.dead.extend(claimed.dead);
            if claimed.waiting > 0 {
                more.push((n, claimed.waiting, claimed.waited_ms));
            }
        }
        for (n, waiting, waited_ms) in more {
            let room = claim.limit.saturating_sub(whole.runs.len());
            let part = Claim { limit: room, ..claim.clone() };
            let answer =
                if room > 0 { self.shards[n].ask_soon(|store| store.claim(part)).await.ok() } else { None };
            let Some(claimed) = answer else {
                whole.waiting += waiting;
                whole.waited_ms = whole.waited_ms.max(waited_ms);
                continue;
            };
            whole.runs.extend(claimed.runs);
            whole.dead.extend(claimed.dead);
            whole.waiting += claimed.waiting;
            whole.waited_ms = whole.waited_ms.max(claimed.waited_ms);
        }
        Ok(whole)
    }

    /// In all of them, also where one fails: the lease in the others must not end because of that.
    async fn renew(&self, worker: &Worker, unknown: &[(RunId, u32)]) -> Result<Vec<HeldRun>, Error> {
        Ok(self.all(|store| store.renew(worker, unknown)).await?.into_iter().flatten().collect())
    }

    async fn stopping(&self, owner: &Owner) -> Result<Vec<HeldRun>, Error> {
        Ok(self.present(|store| store.stopping(owner)).await?.into_iter().flatten().collect())
    }

    async fn owners(&self) -> Result<Vec<Owner>, Error> {
        let mut owners: Vec<Owner> =
            self.present(|store| store.owners()).await?.into_iter().flatten().collect();
        owners.sort_by(|a, b| a.as_str().cmp(b.as_str()));
        owners.dedup();
        Ok(owners)
    }

    async fn statuses(&self, runs: &[RunId]) -> Result<Vec<(RunId, RunStatus)>, Error> {
        Ok(self.located(runs).await?.into_iter().flat_map(|(_, told)| told).collect())
    }

    async fn settle(&self, run: RunId, attempt: u32, settled: Settled) -> Result<bool, Error> {
        self.with_run(run, |store| store.settle(run, attempt, settled.clone())).await
    }

    async fn cancel(&self, query: RunQuery, how: Cancel) -> Result<Vec<QueuedRun>, Error> {
        if let Some(thread) = &query.thread {
            let shard = self.of(thread);
            return shard.ask(|store| store.cancel(query, how)).await;
        }
        let mut lists = Vec::new();
        if query.ids.is_empty() {
            lists = self.all(|store| store.cancel(query.clone(), how)).await?;
        } else {
            for (n, told) in self.located(&query.ids).await? {
                let ids: Vec<RunId> = told.into_iter().map(|(run, _)| run).collect();
                if !ids.is_empty() {
                    let part = RunQuery { ids, ..query.clone() };
                    lists.push(self.shards[n].ask(|store| store.cancel(part, how)).await?);
                }
            }
        }
        Ok(merged(lists, 0, usize::MAX, |a, b| order(&query, a, b)))
    }

    async fn retry(&self, run: RunId) -> Result<bool, Error> {
        self.with_run(run, |store| store.retry(run)).await
    }

    async fn runs(&self, query: RunQuery) -> Result<Vec<QueuedRun>, Error> {
        if let Some(thread) = &query.thread {
            let shard = self.of(thread);
            return shard.ask(|store| store.runs(query)).await;
        }
        let lists = if query.ids.is_empty() {
            let limit = query.limit.map(|limit| limit.saturating_add(query.offset));
            let part = RunQuery { offset: 0, limit, ..query.clone() };
            self.runs_in((0..self.shards.len()).map(|n| (n, part.clone())).collect()).await?
        } else {
            self.runs_by_id(&query).await?
        };
        Ok(merged(lists, query.offset, query.limit.unwrap_or(usize::MAX), |a, b| order(&query, a, b)))
    }

    async fn forget(&self, run: RunId, attempt: Option<u32>) -> Result<bool, Error> {
        self.with_run(run, |store| Runs::forget(store, run, attempt)).await
    }
}
