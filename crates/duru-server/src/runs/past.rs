//! Runs that a client returns to, whichever replica executed them.

use duru::store::{Cancel, QueuedRun, RunQuery};
use duru::{EndStatus, RunId, ThreadId, ThreadState};

use super::{Runs, Started};
use crate::error::ApiError;
use crate::routes::stop;
use crate::stream::Followed;
use crate::wire::assistant::Assistant;
use crate::wire::run::RunPlan;

/// How many runs of a thread are read at once: what somebody comes back to is mostly among the last.
const AT_ONCE: usize = 20;

impl Runs {
    /// An assistant by its id, or the default one of a graph by the graph's.
    pub(crate) async fn assistant(&self, id: &str) -> Result<Option<Assistant>, ApiError> {
        self.hub.assistant(id).await
    }

    /// The last run of a thread that is such a one, and those that were accepted after it, the first one first;
    /// none if no run is.
    pub(crate) async fn since(
        &self,
        thread: &ThreadId,
        such: impl Fn(&QueuedRun) -> bool,
    ) -> Result<Vec<QueuedRun>, ApiError> {
        let mut later: Vec<QueuedRun> = Vec::new();
        for page in 0.. {
            let query = RunQuery {
                thread: Some(thread.clone()),
                offset: page * AT_ONCE,
                limit: Some(AT_ONCE),
                ..RunQuery::default()
            };
            let runs = self.hub.stores.runs.runs(query).await?;
            if runs.is_empty() {
                break;
            }
            for run in runs {
                let found = such(&run);
                // New entries move the pages.
                if later.iter().all(|known| known.id != run.id) {
                    later.push(run);
                }
                if found {
                    later.reverse();
                    return Ok(later);
                }
            }
        }
        Ok(Vec::new())
    }

    /// How a run ended, and where its thread stood then; none if its log does not say.
    pub(crate) async fn end_of(&self, run: &QueuedRun) -> Result<Option<(EndStatus, ThreadState)>, ApiError> {
        let log = self.hub.log(&run.thread);
        let Some(end) = log.run(run.id).await?.and_then(|trace| trace.end) else { return Ok(None) };
        Ok(Some((end.status, log.state_before(end.seq).await?)))
    }

    /// A run that was accepted before, to be followed from its beginning.
    pub(crate) async fn come_back_to(&self, run: &QueuedRun) -> Result<Started, ApiError> {
        let Followed { from, follower } = Followed::of(&self.hub, run).await?;
        drop(follower);
        let temporary = RunPlan::of(run).is_ok_and(|plan| plan.temporary);
        Ok(Started { run: run.id, thread: run.thread.clone(), from, temporary, _reader: None })
    }

    /// Stops a run that waits or is under way; whether it was.
    pub(crate) async fn stop(&self, run: RunId) -> Result<bool, ApiError> {
        let query = RunQuery { ids: vec![run], ..RunQuery::default() };
        Ok(stop(&self.hub, query, Cancel::Interrupt).await? > 0)
    }
}
