//! Assistants: a graph with settings.

use duru::store::{Entry, EntryKind};
use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::{ApiError, ApiResult};
use crate::time::iso;

/// An assistant, as its entry in the catalog says. The entry's status is the
/// graph's id, so that assistants can be found and sorted by it.
#[derive(Debug, Clone)]
pub(crate) struct Assistant {
    pub(crate) id: Uuid,
    pub(crate) graph: String,
    pub(crate) entry: Entry,
}

/// The settings of an assistant, which its versions have in common with it.
const SETTINGS: [&str; 4] = ["graph_id", "config", "context", "description"];

impl Assistant {
    pub(crate) fn from_entry(entry: Entry) -> Option<Self> {
        let id = Uuid::parse_str(&entry.id).ok()?;
        let graph = entry.body.get("graph_id")?.as_str()?.to_owned();
        Some(Self { id, graph, entry })
    }

    /// The one that every graph has from the start.
    pub(crate) fn default_entry(graph: &str, id: Uuid) -> Entry {
        Entry {
            label: graph.to_owned(),
            metadata: object(json!({ "created_by": "system" })),
            ..Self::new_entry(graph, id)
        }
    }

    /// The first version of one, without settings.
    pub(crate) fn new_entry(graph: &str, id: Uuid) -> Entry {
        let body = json!({
            "graph_id": graph, "config": {}, "context": {}, "description": null, "version": 1, "newest": 1,
        });
        Entry {
            status: graph.to_owned(),
            label: "Untitled".to_owned(),
            body: object(body),
            ..Entry::new(EntryKind::Assistant, id.to_string())
        }
    }

    /// What threads and runs say of it.
    pub(crate) fn names(&self) -> Map<String, Value> {
        object(json!({ "graph_id": self.graph, "assistant_id": self.id.to_string() }))
    }

    pub(crate) fn config(&self) -> Map<String, Value> {
        self.entry.body.get("config").and_then(Value::as_object).cloned().unwrap_or_default()
    }

    pub(crate) fn context(&self) -> Map<String, Value> {
        self.entry.body.get("context").and_then(Value::as_object).cloned().unwrap_or_default()
    }

    pub(crate) fn version(&self) -> u64 {
        self.number("version")
    }

    /// The highest version there has been, which need not be the one in use.
    pub(crate) fn newest(&self) -> u64 {
        self.number("newest")
    }

    fn number(&self, name: &str) -> u64 {
        self.entry.body.get(name).and_then(Value::as_u64).unwrap_or(1)
    }

    pub(crate) fn record(&self) -> AssistantRecord {
        let Entry { body, metadata, label, created_ms, updated_ms, .. } = &self.entry;
        let field = |name: &str| body.get(name).cloned().unwrap_or_default();
        AssistantRecord {
            assistant_id: self.id,
            graph_id: self.graph.clone(),
            config: self.config(),
            context: self.context(),
            metadata: metadata.clone(),
            name: label.clone(),
            created_at: iso(*created_ms),
            updated_at: iso(*updated_ms),
            version: self.version(),
            description: field("description").as_str().map(str::to_owned),
        }
    }

    /// The name of a version's entry. An assistant that is made anew under the
    /// id of a removed one shares nothing with it: the time tells them apart.
    pub(crate) fn version_id(&self, version: u64) -> String {
        format!("{}/{}/{version}", self.id, self.entry.created_ms)
    }

    /// What every version's entry has in its body.
    pub(crate) fn version_mark(&self) -> Map<String, Value> {
        object(json!({ "assistant_id": self.id.to_string(), "born_ms": self.entry.created_ms }))
    }

    /// The version in use as an entry of its own. Its label sorts by number.
    pub(crate) fn version_entry(&self) -> Entry {
        let version = self.version();
        let mut body = self.version_mark();
        for name in SETTINGS {
            body.insert(name.into(), self.entry.body.get(name).cloned().unwrap_or_default());
        }
        body.insert("name".into(), self.entry.label.clone().into());
        body.insert("version".into(), version.into());
        body.insert("made_ms".into(), self.entry.updated_ms.into());
        Entry {
            label: format!("{version:020}"),
            metadata: self.entry.metadata.clone(),
            body,
            ..Entry::new(EntryKind::AssistantVersion, self.version_id(version))
        }
    }

    /// The assistant's entry, back at a version of it.
    pub(crate) fn restored(&self, version: &Entry) -> Entry {
        let mut entry = Entry { metadata: version.metadata.clone(), ..self.entry.clone() };
        for name in SETTINGS.into_iter().chain(["version"]) {
            entry.body.insert(name.into(), version.body.get(name).cloned().unwrap_or_default());
        }
        let text = |name: &str| version.body.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        (entry.label, entry.status) = (text("name"), text("graph_id"));
        entry
    }
}

/// An assistant as clients read it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Assistant)]
pub(crate) struct AssistantRecord {
    assistant_id: Uuid,
    graph_id: String,
    config: Map<String, Value>,
    context: Map<String, Value>,
    metadata: Map<String, Value>,
    name: String,
    #[schema(format = DateTime)]
    created_at: String,
    #[schema(format = DateTime)]
    updated_at: String,
    version: u64,
    #[schema(required)]
    description: Option<String>,
}

/// A version of an assistant as clients read it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AssistantVersion)]
pub(crate) struct AssistantVersionRecord {
    #[schema(value_type = Uuid)]
    assistant_id: Value,
    #[schema(value_type = u64)]
    version: Value,
    #[schema(value_type = String)]
    graph_id: Value,
    #[schema(value_type = Map<String, Value>)]
    config: Value,
    #[schema(value_type = Map<String, Value>)]
    context: Value,
    metadata: Map<String, Value>,
    #[schema(format = DateTime)]
    created_at: String,
    #[schema(value_type = String)]
    name: Value,
    #[schema(value_type = Option<String>, required)]
    description: Value,
}

impl AssistantVersionRecord {
    pub(crate) fn of(version: &Entry) -> Self {
        let field = |name: &str| version.body.get(name).cloned().unwrap_or_default();
        Self {
            assistant_id: field("assistant_id"),
            version: field("version"),
            graph_id: field("graph_id"),
            config: field("config"),
            context: field("context"),
            metadata: version.metadata.clone(),
            created_at: iso(field("made_ms").as_u64().unwrap_or_default()),
            name: field("name"),
            description: field("description"),
        }
    }
}

/// Why `context` beside `config.configurable` is refused.
pub(crate) const BOTH_TOLD: &str =
    "Cannot specify both configurable and context. Prefer setting context alone.";

/// `config` and `context`.
type Both = (Map<String, Value>, Map<String, Value>);

/// `context` and `config.configurable` are two names of one thing: whichever is
/// given, both are set. `None` if neither is given.
pub(crate) fn mirrored(
    config: Option<Map<String, Value>>,
    context: Option<Map<String, Value>>,
    old_config: &Map<String, Value>,
) -> ApiResult<Option<Both>> {
    if config.is_none() && context.is_none() {
        return Ok(None);
    }
    let configurable = config.as_ref().and_then(|config| config.get("configurable")?.as_object().cloned());
    let filled = |map: Option<Map<String, Value>>| map.filter(|map| !map.is_empty());
    let context = match (filled(context), filled(configurable)) {
        (Some(context), Some(configurable)) if context != configurable => {
            return Err(ApiError::bad_request(BOTH_TOLD));
        }
        (context, configurable) => context.or(configurable).unwrap_or_default(),
    };
    let mut config = config.unwrap_or_else(|| old_config.clone());
    if context.is_empty() {
        config.remove("configurable");
    } else {
        config.insert("configurable".into(), Value::Object(context.clone()));
    }
    Ok(Some((config, context)))
}

/// A JSON object.
pub(crate) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}
