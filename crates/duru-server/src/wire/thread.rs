//! Threads as clients read them.

use duru::store::{Entry, Head};
use duru::{RunError, ThreadState};
use serde_json::{Map, Value, json};

use super::state::{interrupts, values_of};
use crate::time::iso;

/// A thread: its entry in the catalog, and where its log stands.
pub(crate) fn to_json(
    entry: &Entry,
    head: Option<&Head>,
    state: &ThreadState,
    error: Option<&RunError>,
) -> Value {
    let ran = state.checkpoint.is_some();
    let state_updated = head.map_or(entry.created_ms, |head| head.updated_ms);
    let mut thread = json!({
        "thread_id": entry.id, "created_at": iso(entry.created_ms),
        "updated_at": iso(entry.updated_ms.max(state_updated)), "state_updated_at": iso(state_updated),
        "metadata": entry.metadata, "status": status(entry),
        "config": entry.body.get("config").cloned().unwrap_or_else(|| json!({})),
        "values": if ran { Value::Object(values_of(state)) } else { Value::Null },
    });
    if ran && let Value::Object(thread) = &mut thread {
        let error = error.map(|error| json!({ "error": error.name, "message": error.cause }));
        thread.insert("error".into(), error.unwrap_or_default());
        let mut waiting = Map::new();
        for task in state.tasks.iter().filter(|task| !task.questions.is_empty()) {
            let questions: Vec<_> = task.questions.iter().collect();
            waiting.insert(task.id.to_string(), interrupts(&questions));
        }
        thread.insert("interrupts".into(), Value::Object(waiting));
    }
    thread
}

/// A thread that no run has touched is idle.
pub(crate) fn status(entry: &Entry) -> &str {
    if entry.status.is_empty() { "idle" } else { &entry.status }
}
