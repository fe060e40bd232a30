//! Assistants as agents of the Agent2Agent protocol, over JSON-RPC. A context is a thread, a task a run with the runs
//! that answer what it asked; nothing else is kept, so that any server of several answers for any task, and so does
//! one that was started anew.

mod ask;
mod calls;
mod card;
mod message;
mod spoken;
mod stream;
mod task;

use std::sync::Arc;

use utoipa_axum::routes;

use crate::mcp::Tool;
use crate::wire::assistant::Assistant;
use crate::{Access, ApiError, ApiRoutes, Caller, KeyScope, Runs};

const ASK: Access = Access::Scope(KeyScope::Ask);

/// `POST /a2a/{assistant}` and the agents' cards. Of some graphs there is more to tell than their names: what they
/// are good for is the same as where they are tools.
pub fn routes(runs: Runs, told: Vec<Tool>) -> ApiRoutes {
    ApiRoutes::new()
        .with(ASK, routes!(calls::call))
        .with(ASK, routes!(card::of_path))
        .with(ASK, routes!(card::of_query))
        .with_state(A2a { runs, told: told.into() })
}

#[derive(Clone)]
struct A2a {
    runs: Runs,
    told: Arc<[Tool]>,
}

/// An assistant, as somebody asks it.
#[derive(Clone)]
struct Agent {
    runs: Runs,
    assistant: Assistant,
    told: Option<Tool>,
}

impl A2a {
    async fn agent(&self, id: &str, caller: &Caller) -> Result<Agent, ApiError> {
        let runs = self.runs.acting_for(caller);
        let Some(assistant) = runs.assistant(id).await? else {
            return Err(ApiError::not_found(format!("Assistant '{id}' not found")));
        };
        let told = self.told.iter().find(|told| told.graph == assistant.graph).cloned();
        Ok(Agent { runs, assistant, told })
    }
}
