//! Questions that nobody has answered in time: a run goes on with the default.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use duru::store::{Enqueued, EntryKind, Error, IfBusy, NewRun, RunQuery, Timer};
use duru::{Clock, InterruptId, RunId, SystemClock};
use serde_json::{Map, Value};

use crate::error::log_line;
use crate::graphs::Graph;
use crate::guard::granted;
use crate::hub::Shared;
use crate::scope::{OWNER, TABLES, mark};
use crate::wire::run::RunPlan;
use crate::wire::words::MultitaskStrategy;

/// How many deadlines are read at once.
const AT_ONCE: usize = 1000;
/// How many times at most in one round; the next one goes on there. However many deadlines nobody here can keep, a
/// round has an end, and those behind them have their turn.
const READS: usize = 10;
/// How long nothing is done again about a deadline that was seen to.
const SEEN_TO: Duration = Duration::from_secs(60);

/// Looks for deadlines that have passed.
pub(super) struct Deadlines {
    /// Where the last round stopped.
    after: Option<Timer>,
    /// Those that were seen to: a run was accepted, or they are somebody else's.
    seen_to: HashSet<(InterruptId, u64)>,
    since: Instant,
}

impl Default for Deadlines {
    fn default() -> Self {
        Self { after: None, seen_to: HashSet::new(), since: Instant::now() }
    }
}

impl Deadlines {
    /// Accepts a run for every deadline that has passed. Several processes may do
    /// so at once: the key makes it one run.
    pub(super) async fn tick(&mut self, hub: &Shared) -> Result<(), Error> {
        if self.since.elapsed() >= SEEN_TO {
            (self.seen_to, self.since) = (HashSet::new(), Instant::now());
        }
        let now_ms = SystemClock.now_ms();
        for _ in 0..READS {
            let due = hub.stores.checkpoints.due(now_ms, self.after.as_ref(), AT_ONCE).await?;
            for timer in &due {
                let key = (timer.interrupt, timer.at_ms);
                if self.seen_to.contains(&key) {
                    continue;
                }
                match go_on(hub, timer).await {
                    Ok(()) => drop(self.seen_to.insert(key)),
                    // One thread that can't be read must not keep the others from going on.
                    Err(error) => log_line(&error),
                }
            }
            self.after = due.last().filter(|_| due.len() == AT_ONCE).cloned();
            if self.after.is_none() {
                break;
            }
        }
        Ok(())
    }
}

async fn go_on(hub: &Shared, timer: &Timer) -> Result<(), Error> {
    // A thread that no server knows belongs to a program of its own.
    let Some(entry) = hub.stores.catalog.entry(EntryKind::Thread, timer.thread.as_str()).await? else {
        return Ok(());
    };
    let id = entry.metadata.get("graph_id").and_then(Value::as_str).unwrap_or_default();
    let Some(graph) = hub.graphs.get(id) else { return Ok(()) };
    let plan = plan(id, graph);
    let mut new = NewRun {
        id: RunId::on(&timer.thread, SystemClock.now_ms()),
        thread: timer.thread.clone(),
        make_thread: false,
        thread_metadata: Map::new(),
        payload: serde_json::to_value(plan).map_err(|error| Error::backend("write a run as JSON", error))?,
        metadata: Map::from_iter([("created_by".to_owned(), "deadline".into())]),
        if_busy: IfBusy::Enqueue,
        key: Some((format!("deadline-{}-{}", timer.interrupt, timer.at_ms), 0)),
        after_ms: 0,
        claim: None,
    };
    // It continues for the caller that asked: visible to them, with their memory.
    if let Some(owner) = entry.metadata.get(OWNER).and_then(Value::as_str) {
        // With the tables of the run that asked.
        let asked = RunQuery { thread: Some(timer.thread.clone()), limit: Some(1), ..RunQuery::default() };
        let asked = hub.stores.runs.runs(asked).await?;
        let tables = asked.first().and_then(|run| granted(run.metadata.get(TABLES)));
        mark(owner, tables.as_deref(), &mut new);
    }
    if let Enqueued::Accepted { .. } = hub.stores.runs.enqueue(new).await? {
        hub.pool.wake();
    }
    Ok(())
}

/// To go on, and nothing else.
fn plan(id: &str, graph: &Graph) -> RunPlan {
    RunPlan {
        assistant_id: graph.assistant,
        graph_id: id.to_owned(),
        input: None,
        command: None,
        config: Map::new(),
        context: Map::new(),
        checkpoint: None,
        checkpoint_ns: String::new(),
        interrupt_before: Vec::new(),
        interrupt_after: Vec::new(),
        stream_mode: vec!["values".to_owned()],
        subgraphs: false,
        resumable: true,
        multitask_strategy: MultitaskStrategy::Enqueue,
        durability: None,
        temporary: false,
        trace: None,
        overdue: true,
    }
}
