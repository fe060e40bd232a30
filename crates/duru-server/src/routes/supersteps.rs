//! A thread that is made with a past: how clients carry one from server to server.

use duru::ThreadId;
use duru::store::Entry;
use serde::Deserialize;
use serde_json::Value;

use super::state::edit;
use crate::error::{ApiError, ApiResult};
use crate::hub::Shared;

/// What clients call the input of a graph where a node is named.
const INPUTS: [&str; 2] = ["__start__", "__input__"];

/// One step of it.
#[derive(Debug, Deserialize)]
pub(super) struct Superstep {
    updates: Vec<Update>,
}

#[derive(Debug, Deserialize)]
struct Update {
    #[serde(default)]
    values: Value,
    #[serde(default)]
    command: Value,
    as_node: String,
}

/// The past of a thread, step by step: who wrote what.
pub(super) struct Past {
    graph: String,
    writes: Vec<(String, Value)>,
}

impl Past {
    /// What can't be told is refused before there is a thread.
    pub(super) fn of(hub: &Shared, entry: &Entry, steps: Vec<Superstep>) -> ApiResult<Self> {
        let updates: Vec<Update> = steps.into_iter().flat_map(|step| step.updates).collect();
        let Some(last) = updates.last() else { return Ok(Self { graph: String::new(), writes: Vec::new() }) };
        let graph = entry.metadata.get("graph_id").and_then(Value::as_str);
        let graph = graph.ok_or_else(|| ApiError::invalid("supersteps need metadata.graph_id"))?.to_owned();
        let nodes = hub.graph(&graph)?.app.graph().node_names();
        if INPUTS.contains(&last.as_node.as_str()) {
            return Err(ApiError::invalid("supersteps: the last one must be of a node"));
        }
        let mut writes = Vec::with_capacity(updates.len());
        for update in updates {
            if !update.command.is_null() {
                return Err(ApiError::invalid("supersteps: give values; commands can't be told afterwards"));
            }
            let node = match INPUTS.contains(&update.as_node.as_str()) {
                // What would follow from it is told by the next one.
                true => nodes.first().cloned().unwrap_or_default(),
                false => update.as_node,
            };
            if !nodes.contains(&node) {
                return Err(ApiError::bad_request(format!("Node {node} does not exist")));
            }
            writes.push((node, update.values));
        }
        Ok(Self { graph, writes })
    }

    /// Writes it into a thread.
    pub(super) async fn write(self, hub: &Shared, thread: &ThreadId) -> ApiResult<()> {
        for (node, values) in self.writes {
            edit(hub, thread, &self.graph, (None, &node), values).await?;
        }
        Ok(())
    }
}
