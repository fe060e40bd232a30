//! A thread that is made with a past: how clients carry one from server to server.

use duru::store::Entry;
use duru::{Edit, EditWrite, ThreadId};
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::edit::make;
use crate::error::{ApiError, ApiResult};
use crate::hub::Shared;
use crate::wire::run::Command;

/// One step of it.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct Superstep {
    updates: Vec<SuperstepUpdate>,
}

/// What a node wrote in it.
#[derive(Debug, Deserialize, ToSchema)]
struct SuperstepUpdate {
    #[serde(default)]
    values: Option<Value>,
    #[serde(default)]
    command: Option<Command>,
    as_node: String,
}

impl SuperstepUpdate {
    fn write(self) -> ApiResult<EditWrite> {
        let Some(command) = self.command else { return Ok(EditWrite::new(self.values, Some(self.as_node))) };
        if command.resume.is_some() {
            return Err(ApiError::invalid("supersteps: an answer can't be told afterwards; give values"));
        }
        let values = command.update.or(self.values);
        let goto = command.goto.map(|goto| goto.targets()).unwrap_or_default();
        Ok(EditWrite::new(values, Some(self.as_node)).goto(goto))
    }
}

/// The past of a thread, step by step: who wrote what.
pub(super) struct Past {
    graph: String,
    steps: Vec<Edit>,
}

impl Past {
    /// What can't be told is refused before there is a thread.
    pub(super) fn of(hub: &Shared, entry: &Entry, steps: Vec<Superstep>) -> ApiResult<Self> {
        if steps.is_empty() {
            return Ok(Self { graph: String::new(), steps: Vec::new() });
        }
        let graph = entry.metadata.get("graph_id").and_then(Value::as_str);
        let graph = graph.ok_or_else(|| ApiError::invalid("supersteps need metadata.graph_id"))?.to_owned();
        hub.graph(&graph)?;
        let edit = |step: Superstep| {
            let writes =
                step.updates.into_iter().map(SuperstepUpdate::write).collect::<ApiResult<Vec<_>>>()?;
            Ok(Edit::step(writes))
        };
        Ok(Self { graph, steps: steps.into_iter().map(edit).collect::<ApiResult<_>>()? })
    }

    /// Writes it into a thread.
    pub(super) async fn write(self, hub: &Shared, thread: &ThreadId) -> ApiResult<()> {
        for step in self.steps {
            make(hub, thread, &self.graph, step).await?;
        }
        Ok(())
    }
}
