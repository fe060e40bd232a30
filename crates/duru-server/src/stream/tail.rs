//! The events of one run as they come, wherever it runs.

use duru::store::{self, QueuedRun, RunQuery, RunStatus, Seq};
use duru::{Event, Mode, Reader, RunId, ThreadId};
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use super::lookout::Watcher;
use crate::hub::Shared;
use crate::wire::state::{interrupts, values_of};
use crate::worker::{Ended, Follower};

/// What comes next of a run.
pub(crate) enum Step {
    Event(Event),
    /// Nothing happened for a while.
    Silence,
    /// The server stops, and the run goes on without it.
    Cut,
    /// It is over, and everything was shown.
    Over(Ended),
}

/// Follows one run from a place in its thread's log to its end.
pub(crate) struct Tail {
    hub: Shared,
    run: RunId,
    thread: ThreadId,
    reader: Reader,
    follower: Follower,
    /// Where the run is another process's.
    watcher: Watcher,
    over: Option<Ended>,
    heartbeat: Instant,
}

impl Tail {
    pub(crate) async fn open(
        hub: &Shared,
        thread: &ThreadId,
        run: RunId,
        from: Seq,
        modes: Vec<Mode>,
    ) -> Result<Self, duru::Error> {
        let follower = hub.pool.follow(run).reading();
        let reader = hub.log(thread).events(from, modes).await?;
        let heartbeat = Instant::now() + hub.options.heartbeat;
        let watcher = hub.lookout.watch_run(thread, run);
        let (hub, thread) = (hub.clone(), thread.clone());
        Ok(Self { hub, run, thread, reader, follower, watcher, over: None, heartbeat })
    }

    /// Safe to drop while it waits.
    pub(crate) async fn next(&mut self) -> Result<Step, duru::Error> {
        match self.step().await {
            // It went with its thread: whatever has its name now is not for who followed it.
            Err(duru::Error::Store(store::Error::Deleted { .. })) => Ok(Step::Over(gone())),
            step => step,
        }
    }

    async fn step(&mut self) -> Result<Step, duru::Error> {
        loop {
            while let Some(event) = self.reader.next_ready().await? {
                if event.run == self.run {
                    return Ok(Step::Event(event));
                }
            }
            if let Some(ended) = &self.over {
                return Ok(Step::Over(ended.clone()));
            }
            tokio::select! {
                biased;
                event = self.reader.next() => {
                    let event = event?;
                    if event.run == self.run {
                        return Ok(Step::Event(event));
                    }
                }
                ended = self.follower.ended() => self.over = Some(ended),
                () = tokio::time::sleep_until(self.heartbeat) => {
                    // Regular, whatever else was sent: clients measure it.
                    self.heartbeat += self.hub.options.heartbeat;
                    return Ok(Step::Silence);
                }
                () = self.hub.pool.closed() => return Ok(Step::Cut),
                () = self.watcher.over() => {
                    self.over = ended_elsewhere(&self.hub, self.run, &self.thread).await?;
                    if self.over.is_none() {
                        self.watcher.goes_on();
                    }
                }
            }
        }
    }

    /// The thread's values before an event.
    pub(crate) async fn values_before(&self, event: &Event) -> Result<Map<String, Value>, duru::Error> {
        Ok(values_of(&self.hub.log(&self.thread).state_before(event.seq).await?))
    }
}

/// What came of a run, as the store says; none while it waits or is under way.
pub(crate) async fn ended_elsewhere(
    hub: &Shared,
    run: RunId,
    thread: &ThreadId,
) -> Result<Option<Ended>, store::Error> {
    let query = RunQuery { ids: vec![run], ..RunQuery::default() };
    let Some(run) = hub.stores.runs.runs(query).await?.pop() else {
        return Ok(Some(gone()));
    };
    if run.status.is_active() {
        return Ok(None);
    }
    Ok(Some(Ended { result: result_of(hub, &run, thread).await }))
}

/// Of a run that was undone, or removed with its thread.
fn gone() -> Ended {
    Ended { result: json!({}) }
}

async fn result_of(hub: &Shared, run: &QueuedRun, thread: &ThreadId) -> Value {
    if run.status == RunStatus::Dead {
        let message = format!("the run was given up: {} workers died of it", run.deaths);
        return json!({ "__error__": { "error": "RunGivenUp", "message": message } });
    }
    if let (RunStatus::Error | RunStatus::Timeout, Some(error)) = (run.status, &run.outcome) {
        return json!({ "__error__": error });
    }
    match hub.log(thread).state().await {
        Ok(state) => {
            let mut values = values_of(&state);
            let questions = state.questions();
            if !questions.is_empty() {
                values.insert("__interrupt__".into(), json!(interrupts(&questions)));
            }
            Value::Object(values)
        }
        Err(_) => json!({}),
    }
}

/// A run that somebody comes to see later.
pub(crate) struct Followed {
    pub(crate) follower: Follower,
    /// Where its events begin.
    pub(crate) from: Seq,
}

impl Followed {
    pub(crate) async fn of(hub: &Shared, run: &QueuedRun) -> Result<Self, duru::Error> {
        let follower = hub.pool.follow(run.id).reading();
        let log = hub.log(&run.thread);
        // One that has not written yet writes after what is there now.
        let next = hub.stores.checkpoints.head(&run.thread).await?.map_or(0, |head| head.next_seq);
        let from = log.run(run.id).await?.map_or(next, |trace| trace.first);
        Ok(Self { follower, from })
    }
}
