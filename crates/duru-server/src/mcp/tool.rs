//! A graph as a tool.

use duru::Schemas;
use serde_json::{Map, Value, json};

use crate::answer;
use crate::{ApiError, Came, Runs, Start};

/// A graph as a tool, and what it is good for.
#[derive(Debug, Clone)]
pub struct Tool {
    /// The graph, and the tool's name.
    pub graph: String,
    /// When to use it, for whoever chooses among tools.
    pub description: String,
    /// The fields of the input that are offered; all of them if there are none here.
    pub fields: Vec<&'static str>,
}

impl Tool {
    /// With all fields of its input.
    pub fn new(graph: impl Into<String>, description: impl Into<String>) -> Self {
        Self { graph: graph.into(), description: description.into(), fields: Vec::new() }
    }

    /// With these fields of its input.
    pub fn taking(mut self, fields: impl IntoIterator<Item = &'static str>) -> Self {
        self.fields = fields.into_iter().collect();
        self
    }

    pub(super) fn described(&self, runs: &Runs) -> Option<Value> {
        let schema = self.schema(runs.schemas(&self.graph)?);
        Some(json!({ "name": self.graph, "description": self.description, "inputSchema": schema }))
    }

    /// The schema of the arguments. Whether somebody can be asked is not the caller's to say.
    fn schema(&self, schemas: &Schemas) -> Value {
        let mut schema = schemas.input.clone();
        if !schema.is_object() {
            schema = json!({});
        }
        schema["type"] = "object".into();
        let offered =
            |name: &str| name != "interactive" && (self.fields.is_empty() || self.fields.contains(&name));
        if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            properties.retain(|name, _| offered(name));
        }
        if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
            required.retain(|name| name.as_str().is_some_and(offered));
        }
        schema
    }

    /// What a run says, and whether that is an error.
    pub(super) async fn call(&self, runs: &Runs, arguments: &Value) -> Result<(String, bool), ApiError> {
        let mut input: Map<String, Value> = match arguments {
            Value::Object(given) => given.clone(),
            Value::Null => Map::new(),
            _ => return Err(ApiError::invalid("arguments must be an object")),
        };
        let known = runs.schemas(&self.graph).and_then(|schemas| schemas.input.get("properties"));
        if known.is_some_and(|known| known.get("interactive").is_some()) {
            input.insert("interactive".into(), false.into());
        }
        let start = Start::new(&self.graph, Value::Object(input)).metadata("interface", json!("mcp"));
        let started = runs.start(start).await?;
        let mut leaving = runs.leaving(&started);
        let came = runs.wait(&started).await?;
        leaving.stay();
        Ok(match came {
            Came::Done(values) => (answer::text(&values), false),
            Came::Asks { questions, .. } => {
                let asked: Vec<String> =
                    questions.iter().map(|asked| answer::question(&asked["value"])).collect();
                (asked.join("\n\n"), false)
            }
            Came::Failed { name, message } => (format!("{name}: {message}"), true),
            Came::Stopped => ("the run was cancelled".to_owned(), true),
        })
    }
}
