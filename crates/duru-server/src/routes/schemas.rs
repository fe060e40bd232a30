//! The shapes of what travels, for `/openapi.json`; the page's types are made of them. Whatever else a client sends is
//! let pass.

use serde_json::{Map, Value, json};

/// An object whose fields are all there.
fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
    let fields: Map<String, Value> =
        fields.iter().map(|(name, shape)| ((*name).to_owned(), shape.clone())).collect();
    json!({ "type": "object", "properties": fields, "required": names })
}

fn of(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn list(of: Value) -> Value {
    json!({ "type": "array", "items": of })
}

fn or_null(shape: Value) -> Value {
    json!({ "anyOf": [shape, { "type": "null" }] })
}

fn one_of(words: &[&str]) -> Value {
    json!({ "type": "string", "enum": words })
}

pub(super) fn schemas() -> Value {
    let text = || json!({ "type": "string" });
    let maybe_text = || json!({ "type": ["string", "null"] });
    let time = || json!({ "type": "string", "format": "date-time" });
    let any = || json!({ "type": "object", "additionalProperties": true });
    let flag = || json!({ "type": "boolean" });
    json!({
        "Object": any(), "Integer": { "type": "integer" },
        "Error": object([("detail", text())]),
        "RunCreate": {
            "type": "object", "required": ["assistant_id"],
            "properties": {
                "assistant_id": text(), "input": {}, "command": any(), "stream_mode": {}, "config": any(),
                "context": any(), "metadata": any(), "checkpoint": any(), "durability": text(),
                "stream_subgraphs": flag(), "stream_resumable": flag(),
                "multitask_strategy": one_of(&["enqueue", "reject", "interrupt", "rollback"]),
                "interrupt_before": {}, "interrupt_after": {}, "on_disconnect": text(), "on_completion": text(),
                "if_not_exists": text(), "after_seconds": { "type": "number" },
            },
        },
        "RunCreateList": list(of("RunCreate")),
        "Run": object([
            ("run_id", text()), ("thread_id", text()), ("assistant_id", text()), ("metadata", any()),
            ("status", one_of(&["pending", "running", "success", "error", "timeout", "interrupted"])),
            ("kwargs", any()), ("multitask_strategy", text()), ("created_at", time()), ("updated_at", time()),
        ]),
        "Thread": {
            "type": "object", "required": ["thread_id", "created_at", "updated_at", "metadata", "status"],
            "properties": {
                "thread_id": text(), "created_at": time(), "updated_at": time(), "state_updated_at": maybe_text(),
                "metadata": any(), "status": one_of(&["idle", "busy", "interrupted", "error"]), "config": any(),
                "values": or_null(any()), "error": {}, "interrupts": any(), "title": text(), "excerpt": text(),
            },
        },
        "Interrupt": { "type": "object", "properties": { "id": text(), "value": {} }, "required": ["id", "value"] },
        "Checkpoint": object([("thread_id", text()), ("checkpoint_ns", text()), ("checkpoint_id", text())]),
        "Task": {
            "type": "object", "required": ["id", "name", "interrupts"],
            "properties": { "id": text(), "name": text(), "error": {}, "interrupts": list(of("Interrupt")) },
        },
        "ThreadState": object([
            ("values", or_null(any())), ("next", list(text())), ("tasks", list(of("Task"))), ("metadata", any()),
            ("created_at", maybe_text()), ("checkpoint", or_null(of("Checkpoint"))),
            ("parent_checkpoint", or_null(of("Checkpoint"))), ("interrupts", list(of("Interrupt"))),
            ("checkpoint_id", maybe_text()), ("parent_checkpoint_id", maybe_text()),
        ]),
        "OpenQuestion": object([
            ("id", text()), ("value", json!({})), ("response_schema", json!({})), ("deadline", maybe_text()),
        ]),
        "Turn": object([
            ("turn_id", text()), ("parent", maybe_text()), ("siblings", list(text())), ("runs", list(of("Run"))),
            ("values", any()), ("before", or_null(of("Checkpoint"))), ("checkpoint", or_null(of("Checkpoint"))),
            ("next", list(text())),
            ("questions", list(of("OpenQuestion"))), ("waits", flag()), ("custom", list(json!({}))),
            ("error", json!({})),
        ]),
        "Turns": object([
            ("thread", of("Thread")), ("turns", list(of("Turn"))), ("earlier", json!({ "type": "integer" })),
            ("newest_run", maybe_text()),
        ]),
        "Assistant": object([
            ("assistant_id", text()), ("graph_id", text()), ("config", any()), ("context", any()),
            ("metadata", any()), ("name", text()), ("version", json!({ "type": "integer" })),
            ("description", maybe_text()), ("created_at", time()), ("updated_at", time()),
        ]),
        "GraphNode": {
            "type": "object", "required": ["id"], "properties": { "id": text(), "type": text(), "data": any() },
        },
        "GraphEdge": {
            "type": "object", "required": ["source", "target"],
            "properties": { "source": text(), "target": text(), "conditional": flag(), "data": text() },
        },
        "Graph": object([("nodes", list(of("GraphNode"))), ("edges", list(of("GraphEdge")))]),
        "Item": {
            "type": "object", "required": ["namespace", "key", "value", "created_at", "updated_at"],
            "properties": {
                "namespace": list(text()), "key": text(), "value": any(), "created_at": time(), "updated_at": time(),
                "score": { "type": ["number", "null"] },
            },
        },
        "Items": object([("items", list(of("Item")))]),
    })
}
