//! Threads as clients read them.

use std::collections::BTreeMap;

use duru::ThreadState;
use duru::store::{Entry, Head};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::state::{InterruptRecord, interrupts, values_of};
use super::ttl::TtlRecord;
use super::words::ThreadStatusWord;
use crate::time::iso;

/// A thread. What is made of its state is there where that was asked for, and where it has one.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Thread)]
pub(crate) struct ThreadRecord {
    thread_id: String,
    #[schema(format = DateTime)]
    created_at: String,
    #[schema(format = DateTime)]
    updated_at: String,
    #[schema(format = DateTime)]
    state_updated_at: String,
    metadata: Map<String, Value>,
    status: ThreadStatusWord,
    config: Value,
    #[schema(required)]
    pub(crate) values: Option<Map<String, Value>>,
    /// Why its last run failed, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<FailureRecord>)]
    error: Option<Option<FailureRecord>>,
    /// Questions that wait, by the task that asked them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    interrupts: Option<BTreeMap<String, Vec<InterruptRecord>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<TtlRecord>)]
    pub(crate) ttl: Option<Option<TtlRecord>>,
    /// The name that it was given, else what was asked there first.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) title: Option<String>,
    /// The words around those that were looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) excerpt: Option<String>,
}

/// Why something failed.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Failure)]
pub(crate) struct FailureRecord {
    /// The name of the error.
    pub(crate) error: String,
    pub(crate) message: String,
}

impl ThreadRecord {
    /// A thread: its entry in the catalog, and where its log stands.
    pub(crate) fn of(
        entry: &Entry,
        head: Option<&Head>,
        state: &ThreadState,
        error: Option<FailureRecord>,
    ) -> Self {
        let mut thread = Self::brief(entry, head);
        if state.checkpoint.is_some() {
            thread.values = Some(values_of(state));
            thread.error = Some(error);
            let waiting = state.tasks.iter().filter(|task| !task.questions.is_empty());
            let of_task = |task: &duru::TaskState| {
                (task.id.to_string(), interrupts(&task.questions.iter().collect::<Vec<_>>()))
            };
            thread.interrupts = Some(waiting.map(of_task).collect());
        }
        thread
    }

    /// What can be said of a thread without its state.
    pub(crate) fn brief(entry: &Entry, head: Option<&Head>) -> Self {
        let state_updated = head.map_or(entry.created_ms, |head| head.updated_ms);
        Self {
            thread_id: entry.id.clone(),
            created_at: iso(entry.created_ms),
            updated_at: iso(entry.updated_ms.max(state_updated)),
            state_updated_at: iso(state_updated),
            metadata: entry.metadata.clone(),
            status: match status(entry) {
                "busy" => ThreadStatusWord::Busy,
                "interrupted" => ThreadStatusWord::Interrupted,
                "error" => ThreadStatusWord::Error,
                _ => ThreadStatusWord::Idle,
            },
            config: entry.body.get("config").cloned().unwrap_or_else(|| Value::Object(Map::new())),
            values: None,
            error: None,
            interrupts: None,
            ttl: None,
            title: None,
            excerpt: None,
        }
    }
}

/// A thread that no run has touched is idle.
pub(crate) fn status(entry: &Entry) -> &str {
    if entry.status.is_empty() { "idle" } else { &entry.status }
}
