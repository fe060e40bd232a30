//! Runs that failed for good: those that too many workers died of, and those
//! whose tries are used up. They stay until somebody tries them again or drops them.

use std::sync::Arc;

use duru::store::{self, Enqueued, EntryKind, IfBusy, NewRun, QueuedRun, RunQuery, RunStatus};
use duru::{Clock, EndStatus, RunId, SystemClock, ThreadLog};
use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use crate::hub::Stores;
use crate::scope::OWNER;
use crate::time::iso;
use crate::wire::run::RunPlan;

/// Where a run says which one it tries again.
pub(crate) const RETRY_OF: &str = "retry_of";
/// More are not looked through at once.
const MOST: usize = 10_000;

/// The runs of a store that failed for good.
#[derive(Clone)]
pub struct DeadRuns {
    stores: Stores,
}

/// One of them.
#[derive(Debug, Clone, PartialEq)]
pub struct DeadRun {
    run: QueuedRun,
    graph: Option<String>,
}

/// A run that failed for good.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DeadRun)]
pub(crate) struct DeadRunRecord {
    run_id: String,
    thread_id: String,
    #[schema(required)]
    graph_id: Option<String>,
    /// `dead` if workers died of it, otherwise `error` or `timeout`.
    status: &'static str,
    /// Why it failed, in a line.
    reason: String,
    attempts: u32,
    /// How many workers died of it.
    deaths: u32,
    #[schema(required)]
    owner: Option<String>,
    #[schema(format = DateTime)]
    created_at: String,
    #[schema(format = DateTime)]
    updated_at: String,
}

/// Why one of them can't be tried again.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RetryError {
    /// It is not among them.
    #[error("no run that failed for good has this id")]
    Unknown,
    /// Its thread has other runs since, on which it would be put.
    #[error("the thread has gone on since: start a new run on it instead")]
    GoneOn,
    /// What was asked for can't be read any more.
    #[error("what the run was asked for can't be read: {0}")]
    Unreadable(String),
    /// The store could not be used.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// The thread could not be read.
    #[error(transparent)]
    Engine(#[from] duru::Error),
}

impl DeadRuns {
    /// Those of a store.
    pub fn new(stores: Stores) -> Self {
        Self { stores }
    }

    /// The latest of them.
    ///
    /// # Errors
    /// If the store can't be asked.
    pub async fn list(&self, limit: usize) -> Result<Vec<DeadRun>, store::Error> {
        let statuses = vec![RunStatus::Dead, RunStatus::Error, RunStatus::Timeout];
        let query = RunQuery { statuses, limit: Some(MOST), ..RunQuery::default() };
        let found = self.stores.runs.runs(query).await?;
        Ok(found.into_iter().take(limit).map(DeadRun::of).collect())
    }

    /// One of them.
    ///
    /// # Errors
    /// If the store can't be asked.
    pub async fn find(&self, run: RunId) -> Result<Option<DeadRun>, store::Error> {
        let query = RunQuery { ids: vec![run], ..RunQuery::default() };
        let found = self.stores.runs.runs(query).await?.pop();
        let for_good =
            |run: &QueuedRun| matches!(run.status, RunStatus::Dead | RunStatus::Error | RunStatus::Timeout);
        Ok(found.filter(for_good).map(DeadRun::of))
    }

    /// Tries one of them again, and says under which id. One that workers died
    /// of goes on under its own; one that ended goes on as a new run of its
    /// thread, from what it had finished, and is no longer among these.
    ///
    /// # Errors
    /// If it is not among them, or its thread has gone on, or the store can't be asked.
    pub async fn retry(&self, run: RunId) -> Result<RunId, RetryError> {
        let dead = self.find(run).await?.ok_or(RetryError::Unknown)?.run;
        if dead.status == RunStatus::Dead {
            return if self.stores.runs.retry(run).await? { Ok(run) } else { Err(RetryError::Unknown) };
        }
        let latest = RunQuery { thread: Some(dead.thread.clone()), limit: Some(1), ..RunQuery::default() };
        let latest = self.stores.runs.runs(latest).await?.pop();
        // The same again, by somebody whose first answer was lost.
        let key = format!("retry {run}");
        let is_latest = latest.as_ref().is_some_and(|latest| {
            latest.id == run
                || latest.metadata.get(RETRY_OF).and_then(Value::as_str) == Some(&run.to_string())
        });
        if !is_latest {
            return Err(RetryError::GoneOn);
        }
        let plan = self.plan_of(&dead).await?;
        let mut metadata = dead.metadata.clone();
        metadata.insert(RETRY_OF.into(), run.to_string().into());
        let new = NewRun {
            id: RunId::on(&dead.thread, SystemClock.now_ms()),
            thread: dead.thread.clone(),
            make_thread: false,
            thread_metadata: Map::new(),
            payload: serde_json::to_value(&plan)
                .map_err(|error| RetryError::Unreadable(error.to_string()))?,
            metadata,
            if_busy: IfBusy::Enqueue,
            key: Some((key, 0)),
            after_ms: 0,
            claim: None,
        };
        let again = match self.stores.runs.enqueue(new).await? {
            Enqueued::Accepted { run, .. } | Enqueued::Again(run) => run.id,
            Enqueued::KeyTaken | Enqueued::Busy | Enqueued::NoThread => return Err(RetryError::GoneOn),
        };
        self.stores.runs.forget(run, None).await?;
        Ok(again)
    }

    /// Forgets one of them; what it wrote stays in its thread, unless that was made for it alone. Whether there was one.
    ///
    /// # Errors
    /// If the store can't be asked.
    pub async fn drop(&self, run: RunId) -> Result<bool, store::Error> {
        let Some(dead) = self.find(run).await? else { return Ok(false) };
        let forgotten = self.stores.runs.forget(run, None).await?;
        if RunPlan::of(&dead.run).is_ok_and(|plan| plan.temporary) {
            self.stores.catalog.remove(EntryKind::Said, dead.thread()).await?;
            self.stores.catalog.remove(EntryKind::Thread, dead.thread()).await?;
        }
        Ok(forgotten)
    }

    /// What is to be done for one that ended: what is left of it, or all if it never began.
    async fn plan_of(&self, dead: &QueuedRun) -> Result<RunPlan, RetryError> {
        let mut plan = RunPlan::of(dead).map_err(|error| RetryError::Unreadable(error.to_string()))?;
        let log = ThreadLog::new(Arc::clone(&self.stores.checkpoints), dead.thread.clone());
        let ended = log.run(dead.id).await?.and_then(|trace| trace.end);
        if ended.is_some_and(|end| end.status == EndStatus::Failed) && !log.state().await?.next().is_empty() {
            (plan.input, plan.command, plan.checkpoint) = (None, None, None);
        }
        Ok(plan)
    }
}

impl DeadRun {
    fn of(run: QueuedRun) -> Self {
        let graph = RunPlan::of(&run).ok().map(|plan| plan.graph_id);
        Self { run, graph }
    }

    /// Which.
    pub fn id(&self) -> RunId {
        self.run.id
    }

    /// Of which thread.
    pub fn thread(&self) -> &str {
        self.run.thread.as_str()
    }

    /// Of which graph.
    pub fn graph(&self) -> &str {
        self.graph.as_deref().unwrap_or("?")
    }

    /// `dead` if workers died of it, otherwise `error`.
    pub fn status(&self) -> &'static str {
        self.run.status.as_str()
    }

    /// Why it failed, in a line.
    pub fn reason(&self) -> String {
        if self.run.status == RunStatus::Dead {
            return format!("WorkersDied: {} workers died of it", self.run.deaths);
        }
        let outcome = self.run.outcome.clone().unwrap_or_default();
        let text = |name: &str| outcome[name].as_str().unwrap_or_default().to_owned();
        format!("{}: {}", text("error"), text("message"))
    }

    /// When it last changed, as clients read it.
    pub fn when(&self) -> String {
        iso(self.run.updated_ms)
    }

    /// As programs read it.
    pub fn json(&self) -> Value {
        json!(self.record())
    }

    pub(crate) fn record(&self) -> DeadRunRecord {
        DeadRunRecord {
            run_id: self.run.id.to_string(),
            thread_id: self.run.thread.to_string(),
            graph_id: self.graph.clone(),
            status: self.status(),
            reason: self.reason(),
            attempts: self.run.attempt,
            deaths: self.run.deaths,
            owner: self.run.metadata.get(OWNER).and_then(Value::as_str).map(str::to_owned),
            created_at: iso(self.run.created_ms),
            updated_at: self.when(),
        }
    }
}
