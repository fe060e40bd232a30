//! Assistants: a graph with settings.

use duru::store::{Entry, EntryKind};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::time::iso;

/// An assistant, as its entry in the catalog says.
#[derive(Debug, Clone)]
pub(crate) struct Assistant {
    pub(crate) id: Uuid,
    pub(crate) graph: String,
    pub(crate) entry: Entry,
}

impl Assistant {
    pub(crate) fn from_entry(entry: Entry) -> Option<Self> {
        let id = Uuid::parse_str(&entry.id).ok()?;
        let graph = entry.body.get("graph_id")?.as_str()?.to_owned();
        Some(Self { id, graph, entry })
    }

    /// The one that every graph has from the start.
    pub(crate) fn default_entry(graph: &str, id: Uuid) -> Entry {
        let body = json!({
            "graph_id": graph, "config": {}, "context": {}, "description": null, "version": 1,
        });
        Entry {
            label: graph.to_owned(),
            metadata: object(json!({ "created_by": "system" })),
            body: object(body),
            ..Entry::new(EntryKind::Assistant, id.to_string())
        }
    }

    pub(crate) fn config(&self) -> Map<String, Value> {
        self.entry.body.get("config").and_then(Value::as_object).cloned().unwrap_or_default()
    }

    pub(crate) fn context(&self) -> Map<String, Value> {
        self.entry.body.get("context").and_then(Value::as_object).cloned().unwrap_or_default()
    }

    pub(crate) fn to_json(&self) -> Value {
        let Entry { body, metadata, label, created_ms, updated_ms, .. } = &self.entry;
        let field = |name: &str| body.get(name).cloned().unwrap_or(Value::Null);
        json!({
            "assistant_id": self.id.to_string(), "graph_id": self.graph, "config": field("config"),
            "context": field("context"), "metadata": metadata, "name": label,
            "created_at": iso(*created_ms), "updated_at": iso(*updated_ms), "version": field("version"),
            "description": field("description"),
        })
    }
}

/// A JSON object.
pub(crate) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}
