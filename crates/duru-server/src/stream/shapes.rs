//! What the engine's events say, in the words that clients know.

use duru::{Namespace, ThreadId};
use serde_json::{Map, Value, json};

use crate::time::iso;

/// Questions, without what only we know of them.
pub(super) fn interrupts(questions: &Value) -> Value {
    let one = |question: &Value| {
        json!({
            "value": question.get("value"), "id": question.get("id"),
            "response_schema": question.get("response_schema"),
        })
    };
    questions.as_array().into_iter().flatten().map(one).collect()
}

/// Values, with the questions in them as clients know them.
pub(super) fn values(data: &Value) -> Value {
    let mut data = data.clone();
    if let Some(questions) = data.get_mut("__interrupt__") {
        *questions = interrupts(questions);
    }
    data
}

/// The name of a checkpoint, as part of a configuration.
fn config(thread: &ThreadId, ns: &Namespace, id: &Value) -> Value {
    if id.is_null() {
        return Value::Null;
    }
    json!({ "configurable": { "checkpoint_ns": ns.as_str(), "thread_id": thread.as_str(), "checkpoint_id": id } })
}

/// What made a checkpoint, in the few words that clients know.
pub(super) fn source(data: &Value) -> &str {
    let known = data["source"].as_str().filter(|source| matches!(*source, "input" | "update" | "fork"));
    known.unwrap_or("loop")
}

/// A checkpoint; `data` is the engine's description of it.
pub(super) fn checkpoint(thread: &ThreadId, ns: &Namespace, data: &Value) -> Value {
    let task = |task: &Value| json!({ "id": task.get("id"), "name": task.get("node"), "interrupts": [], "state": null });
    let tasks: Vec<Value> = data["tasks"].as_array().into_iter().flatten().map(task).collect();
    json!({
        "config": config(thread, ns, &data["id"]), "parent_config": config(thread, ns, &data["parent"]),
        "values": data["values"], "metadata": { "source": source(data), "step": data["step"], "parents": {} },
        "next": data["next"], "tasks": tasks,
    })
}

/// A checkpoint in the debug stream says its name twice.
fn debug_checkpoint(thread: &ThreadId, ns: &Namespace, data: &Value) -> Value {
    let mut payload = checkpoint(thread, ns, data);
    let name = |id: &Value| match id {
        Value::Null => Value::Null,
        id => json!({ "checkpoint_id": id, "thread_id": thread.as_str(), "checkpoint_ns": ns.as_str() }),
    };
    payload["checkpoint"] = name(&data["id"]);
    payload["parent_checkpoint"] = name(&data["parent"]);
    payload
}

/// A task that starts or ends. `input` is the state where it has no input of its own.
pub(super) fn task(data: &Value, input: &Value, metadata: &Map<String, Value>) -> Value {
    let node = data["node"].as_str().unwrap_or_default();
    if data["type"] == "start" {
        let input = if data["input"].is_null() { input } else { &data["input"] };
        return json!({
            "id": data["id"], "name": node, "input": input, "triggers": [format!("branch:to:{node}")],
            "metadata": metadata,
        });
    }
    json!({
        "id": data["id"], "name": node, "error": data["error"]["message"],
        "result": data.get("result").filter(|result| !result.is_null()).cloned().unwrap_or_else(|| json!({})),
        "interrupts": interrupts(&data["interrupts"]),
    })
}

/// An event of the debug stream; none for those that clients don't know.
pub(super) fn debug(
    thread: &ThreadId,
    ns: &Namespace,
    data: &Value,
    input: &Value,
    metadata: &Map<String, Value>,
) -> Option<Value> {
    let payload = &data["payload"];
    let (kind, step, payload) = match data["type"].as_str()? {
        "checkpoint" => ("checkpoint", &payload["step"], debug_checkpoint(thread, ns, payload)),
        "task" => ("task", &payload["step"], task(payload, input, metadata)),
        "task_result" => ("task_result", &data["step"], task(payload, input, metadata)),
        _ => return None,
    };
    let at = iso(data["at_ms"].as_u64().unwrap_or_default());
    // The engine knows the step that was: a task belongs to the one after it.
    let step = match (kind, step.as_i64()) {
        ("task_result", Some(step)) => json!(step + 1),
        (_, Some(step)) => json!(step),
        (_, None) => Value::Null,
    };
    Some(json!({ "step": step, "timestamp": at, "type": kind, "payload": payload }))
}
