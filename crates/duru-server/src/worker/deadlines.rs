//! Questions that nobody has answered in time: a run goes on with the default.

use duru::store::{Enqueued, EntryKind, Error, IfBusy, NewRun, Timer};
use duru::{Clock, RunId, SystemClock};
use serde_json::{Map, Value};

use crate::graphs::Graph;
use crate::hub::Shared;
use crate::scope::{OWNER, mark};
use crate::wire::run::RunPlan;

/// How many deadlines are looked at in one go.
const AT_ONCE: usize = 100;

/// Accepts a run for every deadline that has passed. Several processes may do
/// so at once: the key makes it one run.
pub(super) async fn tick(hub: &Shared) -> Result<(), Error> {
    for timer in hub.stores.checkpoints.due(SystemClock.now_ms(), AT_ONCE).await? {
        go_on(hub, &timer).await?;
    }
    Ok(())
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
        id: RunId::random(SystemClock.now_ms()),
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
    // It goes on for whoever asked: theirs to see, with their memory.
    if let Some(owner) = entry.metadata.get(OWNER).and_then(Value::as_str) {
        mark(owner, &mut new);
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
        multitask_strategy: "enqueue".to_owned(),
        durability: None,
        temporary: false,
        trace: None,
    }
}
