//! Threads as clients read them.

use duru::ThreadState;
use duru::store::{Entry, Head};
use serde_json::{Map, Value, json};

use super::state::{interrupts, values_of};
use crate::time::iso;

/// A thread: its entry in the catalog, and where its log stands.
pub(crate) fn to_json(
    entry: &Entry,
    head: Option<&Head>,
    state: &ThreadState,
    error: Option<Value>,
) -> Value {
    let mut thread = brief(entry, head);
    if state.checkpoint.is_some()
        && let Value::Object(thread) = &mut thread
    {
        thread.insert("values".into(), Value::Object(values_of(state)));
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

/// What can be said of a thread without its state.
pub(crate) fn brief(entry: &Entry, head: Option<&Head>) -> Value {
    let state_updated = head.map_or(entry.created_ms, |head| head.updated_ms);
    json!({
        "thread_id": entry.id, "created_at": iso(entry.created_ms),
        "updated_at": iso(entry.updated_ms.max(state_updated)), "state_updated_at": iso(state_updated),
        "metadata": entry.metadata, "status": status(entry),
        "config": entry.body.get("config").cloned().unwrap_or_else(|| json!({})), "values": null,
    })
}

/// A thread that no run has touched is idle.
pub(crate) fn status(entry: &Entry) -> &str {
    if entry.status.is_empty() { "idle" } else { &entry.status }
}
