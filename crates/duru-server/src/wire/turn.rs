//! Conversations as clients read them.

use duru::Question;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::run_record::RunRecord;
use super::state::CheckpointRecord;
use super::thread::{FailureRecord, ThreadRecord};
use crate::stream::says_something;
use crate::time::iso;

/// A page of a conversation.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Turns)]
pub(crate) struct TurnsRecord {
    pub(crate) thread: ThreadRecord,
    pub(crate) turns: Vec<TurnRecord>,
    /// How many turns come before this page.
    pub(crate) earlier: usize,
    #[schema(required)]
    pub(crate) newest_run: Option<String>,
}

/// A question, and all that followed from it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Turn)]
pub(crate) struct TurnRecord {
    pub(crate) turn_id: String,
    /// The turn that it follows.
    #[schema(required)]
    pub(crate) parent: Option<String>,
    /// The turns that follow the same turn, itself among them.
    pub(crate) siblings: Vec<String>,
    pub(crate) runs: Vec<RunRecord>,
    /// What they wrote: of lists that grow, only what they added.
    pub(crate) values: Map<String, Value>,
    #[schema(required)]
    pub(crate) before: Option<CheckpointRecord>,
    #[schema(required)]
    pub(crate) checkpoint: Option<CheckpointRecord>,
    /// The nodes that were still to run.
    pub(crate) next: Vec<String>,
    pub(crate) questions: Vec<OpenQuestion>,
    /// Whether an answer to them is still waited for.
    pub(crate) waits: bool,
    /// What nodes told on the way.
    pub(crate) custom: Vec<Value>,
    #[schema(required)]
    pub(crate) error: Option<FailureRecord>,
}

/// A question with all that is needed to answer it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OpenQuestion {
    id: String,
    value: Value,
    /// A JSON schema of the answer, where there is one.
    response_schema: Value,
    #[schema(required, format = DateTime)]
    deadline: Option<String>,
}

impl OpenQuestion {
    pub(crate) fn of(question: &Question) -> Self {
        let schema: Value = serde_json::from_str(question.schema.get()).unwrap_or_default();
        Self {
            id: question.id.to_string(),
            value: question.get().unwrap_or_default(),
            response_schema: Some(schema).filter(says_something).unwrap_or_default(),
            deadline: question.deadline_ms.map(iso),
        }
    }
}
