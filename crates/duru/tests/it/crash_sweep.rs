//! Killing runs in this process, on the memory store. The same sweep runs on
//! every other store, and with real processes, in the stores' own tests.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use duru::store::{
    Checkpoints, Commit, Error, Head, MemoryStore, Row, RowQuery, Seq, Snapshot, ThreadSummary, Timer,
};
use duru::testkit::crash::{CrashStore, Death};
use duru::testkit::ledger::Ledger;
use duru::testkit::sweep::{self, ENGINE_FAILPOINTS, Report, Shown};
use duru::{Namespace, ThreadId};

async fn memory() -> Arc<dyn Checkpoints> {
    Arc::new(MemoryStore::new())
}

fn assert_clean(report: &Report, least_deaths: usize) {
    let first: Vec<&str> = report.wrong.iter().take(3).map(String::as_str).collect();
    assert!(first.is_empty(), "{} wrong of {}:\n{}", report.wrong.len(), report.deaths, first.join("\n"));
    assert!(report.deaths >= least_deaths, "only {} deaths", report.deaths);
}

#[tokio::test]
async fn a_kill_at_any_store_call_changes_nothing() {
    let report = sweep::over_store_calls(memory).await;
    assert_clean(&report, 200);
}

#[tokio::test]
async fn a_kill_at_any_failpoint_changes_nothing() {
    let report = sweep::over_failpoints(memory).await;
    assert_clean(&report, 300);
    let hit: BTreeSet<&str> = report.hit.iter().map(String::as_str).collect();
    for name in ENGINE_FAILPOINTS {
        assert!(hit.contains(name), "failpoint {name} was never hit");
    }
}

/// A store that says "kept" before it has kept: its last commit is lost when it dies.
struct Hasty {
    inner: Arc<dyn Checkpoints>,
    last: tokio::sync::Mutex<Option<Commit>>,
}

impl Hasty {
    async fn catch_up(&self) -> Result<(), Error> {
        match self.last.lock().await.take() {
            Some(commit) => self.inner.commit(commit).await.map(drop),
            None => Ok(()),
        }
    }
}

#[async_trait]
impl Checkpoints for Hasty {
    async fn head(&self, thread: &ThreadId) -> Result<Option<Head>, Error> {
        self.catch_up().await?;
        self.inner.head(thread).await
    }
    async fn commit(&self, commit: Commit) -> Result<Head, Error> {
        self.catch_up().await?;
        let head = Head {
            incarnation: commit.incarnation,
            version: commit.version + 1,
            epoch: commit.epoch + u64::from(commit.claim),
            next_seq: commit.rows.last().map_or(0, Row::end),
            removals: 0,
            status: commit.status,
            created_ms: commit.at_ms,
            updated_ms: commit.at_ms,
        };
        *self.last.lock().await = Some(commit);
        Ok(head)
    }
    async fn rows(&self, thread: &ThreadId, query: RowQuery) -> Result<Vec<Row>, Error> {
        self.catch_up().await?;
        self.inner.rows(thread, query).await
    }
    async fn snapshot(
        &self,
        thread: &ThreadId,
        ns: &Namespace,
        until: Option<Seq>,
    ) -> Result<Option<Snapshot>, Error> {
        self.catch_up().await?;
        self.inner.snapshot(thread, ns, until).await
    }
    async fn due(&self, now_ms: u64, after: Option<&Timer>, limit: usize) -> Result<Vec<Timer>, Error> {
        self.inner.due(now_ms, after, limit).await
    }
    async fn threads(&self, offset: usize, limit: usize) -> Result<Vec<ThreadSummary>, Error> {
        self.inner.threads(offset, limit).await
    }
    async fn delete(&self, thread: &ThreadId) -> Result<bool, Error> {
        self.inner.delete(thread).await
    }
}

/// The sweep can fail: a store that acknowledges too early is found out.
#[tokio::test]
async fn the_sweep_finds_a_store_that_acknowledges_too_early() {
    let case = sweep::case("chain").unwrap();
    let expected = sweep::undisturbed(case, memory().await).await;
    let (mut report, mut died) = (Report::default(), true);
    for nth in 1.. {
        if !died {
            break;
        }
        let inner = memory().await;
        let ledger = Ledger::in_memory();
        let hasty = Arc::new(Hasty { inner: Arc::clone(&inner), last: Default::default() });
        let dying = Arc::new(CrashStore::new(hasty, nth, Death::Before));
        let mut shown = Vec::new();
        let app = sweep::app(case, Arc::clone(&dying) as Arc<dyn Checkpoints>, &ledger);
        let _ = sweep::finish(&app, &mut |event| shown.push(Shown::of(event))).await;
        died = dying.died();
        let place = format!("store call {nth}");
        sweep::compare(&mut report, place, &expected, sweep::ending(inner, case, &ledger, &shown).await);
    }
    assert!(report.wrong.iter().any(|wrong| wrong.contains("was shown and is lost")), "{:?}", report.wrong);
}
