//! What the engine's events say, in the words that clients know.

use duru::{CheckpointId, Namespace, ThreadId};
use serde_json::{Map, Value, json};

use crate::time::iso;

/// Questions, without what only we know of them.
pub(super) fn interrupts(questions: &Value) -> Value {
    let one = |question: &Value| {
        json!({
            "value": question.get("value"), "id": question.get("id"),
            "response_schema": question.get("response_schema").filter(|schema| says_something(schema)),
        })
    };
    questions.as_array().into_iter().flatten().map(one).collect()
}

/// Whether a schema lets anything but everything pass.
pub(crate) fn says_something(schema: &Value) -> bool {
    schema.as_object().is_some_and(|schema| schema.keys().any(|key| key != "$schema" && key != "title"))
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

/// A checkpoint; `data` is the engine's description of it. One that an input
/// made follows from the moment before that input.
pub(super) fn checkpoint(thread: &ThreadId, ns: &Namespace, data: &Value) -> Value {
    let task = |task: &Value| json!({ "id": task.get("id"), "name": task.get("node"), "interrupts": [], "state": null });
    let tasks: Vec<Value> = data["tasks"].as_array().into_iter().flatten().map(task).collect();
    let (source, parent) = match data["source"].as_str() {
        Some("input") if data["next"] == json!(["__start__"]) => ("input", data["parent"].clone()),
        Some("input") if ns.is_root() && took_input(data) => ("loop", before(&data["id"])),
        Some(source @ ("update" | "fork")) => (source, data["parent"].clone()),
        _ => ("loop", data["parent"].clone()),
    };
    json!({
        "config": config(thread, ns, &data["id"]), "parent_config": config(thread, ns, &parent),
        "values": data["values"], "metadata": { "source": source, "step": data["step"], "parents": {} },
        "next": data["next"], "tasks": tasks,
    })
}

/// The moment before an input; none where no input made the checkpoint.
pub(super) fn before_input(thread: &ThreadId, ns: &Namespace, data: &Value, values: &Value) -> Option<Value> {
    (ns.is_root() && took_input(data)).then(|| {
        let values = if data["base"].is_null() { values } else { &data["base"] };
        let id = before(&data["id"]);
        let step = data["step"].as_i64().map(|step| step - 1);
        json!({
            "config": config(thread, ns, &id), "parent_config": config(thread, ns, &data["parent"]),
            "values": values, "metadata": { "source": "input", "step": step, "parents": {} },
            "next": ["__start__"],
            "tasks": [{ "id": id, "name": "__start__", "interrupts": [], "state": null }],
        })
    })
}

fn before(id: &Value) -> Value {
    let id: Option<CheckpointId> = id.as_str().and_then(|id| id.parse().ok());
    id.map(|id| id.before_input().to_string()).into()
}

/// Whether there was a moment before the input that made a checkpoint.
fn took_input(data: &Value) -> bool {
    !data["input"].is_null()
}

/// A checkpoint in the debug stream says its name twice.
pub(super) fn named_twice(mut payload: Value) -> Value {
    for (name, config) in [("checkpoint", "config"), ("parent_checkpoint", "parent_config")] {
        payload[name] = payload[config].get("configurable").cloned().unwrap_or_default();
    }
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

/// An event of the debug stream.
pub(super) fn debug(kind: &str, step: Option<i64>, at_ms: u64, payload: &Value) -> Value {
    json!({ "step": step, "timestamp": iso(at_ms), "type": kind, "payload": payload })
}
