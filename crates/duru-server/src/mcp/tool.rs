//! A graph as a tool.

use duru::Schemas;
use serde_json::{Map, Value, json};

use crate::answer;
use crate::{ApiError, Came, Runs, Start};

/// What every tool that is asked in words calls that.
const QUESTION: &str = "question";
const ASKED: &str = "What is asked, in Korean or English. 무엇을 묻는지, 한국어나 영어로.";

/// A graph as a tool, and what it is good for.
#[derive(Debug, Clone)]
pub struct Tool {
    /// The graph, and the tool's name.
    pub graph: String,
    /// When to use it, for the model that chooses among tools.
    pub description: String,
    /// The fields of the input that are offered; all of them if there are none here and nothing is asked in words.
    pub fields: Vec<&'static str>,
    /// The field of the input that takes what is asked in words, besides those that are offered. Whoever calls says it as `question`, whatever it is
    /// called inside, and must say it.
    pub asked_in: Option<&'static str>,
    /// A field of the values that is set where there is no answer.
    pub trouble: Option<&'static str>,
    /// What it may be asked.
    pub examples: Vec<&'static str>,
}

impl Tool {
    /// With all fields of its input.
    pub fn new(graph: impl Into<String>, description: impl Into<String>) -> Self {
        let (graph, description) = (graph.into(), description.into());
        Self { graph, description, fields: Vec::new(), asked_in: None, trouble: None, examples: Vec::new() }
    }

    /// Asked in words, which this field of its input takes.
    pub fn asked_in(self, field: &'static str) -> Self {
        Self { asked_in: Some(field), ..self }
    }

    /// With these fields of its input.
    pub fn taking(mut self, fields: impl IntoIterator<Item = &'static str>) -> Self {
        self.fields = fields.into_iter().collect();
        self
    }

    /// Where this field of the values is set, what is said is no answer but why there is none.
    pub fn troubled_by(self, field: &'static str) -> Self {
        Self { trouble: Some(field), ..self }
    }

    /// Such as this.
    pub fn such_as(self, examples: impl IntoIterator<Item = &'static str>) -> Self {
        Self { examples: examples.into_iter().collect(), ..self }
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
        if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            properties.retain(|name, _| self.offers(name));
        }
        if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
            required.retain(|name| name.as_str().is_some_and(|name| self.offers(name)));
        }
        if let Some(field) = self.asked_in {
            self.ask_for(field, &mut schema);
        }
        drop_unused(&mut schema);
        schema
    }

    /// Lets a schema ask for a question by the one name that all tools have for it.
    fn ask_for(&self, field: &str, schema: &mut Value) {
        if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            properties.remove(field);
            let question =
                json!({ "type": "string", "minLength": 1, "description": ASKED, "examples": self.examples });
            properties.insert(QUESTION.to_owned(), question);
        }
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        let required = required.filter(|name| name.as_str() != Some(field)).cloned();
        schema["required"] = std::iter::once(QUESTION.into()).chain(required).collect();
    }

    fn offers(&self, name: &str) -> bool {
        let all = self.fields.is_empty() && self.asked_in.is_none();
        name != "interactive" && (all || self.fields.contains(&name) || self.asked_in == Some(name))
    }

    /// The arguments of a call as the input of the graph.
    fn input(&self, arguments: &Value) -> Result<Map<String, Value>, ApiError> {
        let mut input: Map<String, Value> = match arguments {
            Value::Object(given) => given.clone(),
            Value::Null => Map::new(),
            _ => return Err(ApiError::invalid("arguments must be an object")),
        };
        let question = self.asked_in.and_then(|_| input.remove(QUESTION));
        // The calling model may have been talked into more than it was offered.
        input.retain(|name, _| self.offers(name) && self.asked_in != Some(name));
        if let Some(field) = self.asked_in {
            let question =
                question.filter(|asked| asked.as_str().is_some_and(|text| !text.trim().is_empty()));
            let question = question.ok_or_else(|| {
                ApiError::invalid("\"question\" is a required property: what is asked, in words")
            })?;
            input.insert(field.to_owned(), question);
        }
        Ok(input)
    }

    /// What a run says, and whether that is an error.
    pub(super) async fn call(&self, runs: &Runs, arguments: &Value) -> Result<(String, bool), ApiError> {
        let mut input = self.input(arguments)?;
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
            Came::Done(values) => {
                let troubled =
                    self.trouble.is_some_and(|field| values.get(field).is_some_and(|v| !v.is_null()));
                (answer::text(&values), troubled)
            }
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

/// Takes definitions out that nothing refers to any more: the model that chooses among tools reads all of it.
fn drop_unused(schema: &mut Value) {
    let Some(Value::Object(all)) = schema.get_mut("$defs").map(Value::take) else { return };
    let mut used = Map::new();
    let mut text = schema.to_string();
    loop {
        let named = |name: &str| text.contains(&format!("\"#/$defs/{name}\""));
        let found: Vec<&String> =
            all.keys().filter(|name| !used.contains_key(*name) && named(name)).collect();
        if found.is_empty() {
            break;
        }
        let found: Map<String, Value> =
            found.into_iter().map(|name| (name.clone(), all[name].clone())).collect();
        text = Value::Object(found.clone()).to_string();
        used.extend(found);
    }
    match used.is_empty() {
        true => drop(schema.as_object_mut().and_then(|schema| schema.remove("$defs"))),
        false => schema["$defs"] = used.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_has_one_name_and_must_be_said() {
        let tool = Tool::new("advisor", "Advises.").taking(["region"]).asked_in("query").such_as(["왜?"]);
        let mut schema =
            json!({ "properties": { "query": {}, "region": {} }, "required": ["query", "region"] });
        tool.ask_for("query", &mut schema);
        assert_eq!(schema["required"], json!(["question", "region"]));
        assert_eq!(schema["properties"]["question"]["examples"], json!(["왜?"]));
        assert!(schema["properties"].get("query").is_none());
        let input =
            tool.input(&json!({ "question": "왜?", "query": "x", "region": "서울", "user": "u" })).ok();
        assert_eq!(input, json!({ "query": "왜?", "region": "서울" }).as_object().cloned());
        for wrong in
            [json!({}), json!({ "query": "왜?" }), json!({ "question": " " }), json!({ "question": 3 })]
        {
            assert!(tool.input(&wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn only_definitions_that_are_needed_are_told() {
        let mut schema = json!({
            "properties": { "a": { "$ref": "#/$defs/A" } },
            "$defs": { "A": { "items": { "$ref": "#/$defs/B" } }, "B": { "type": "string" }, "C": { "$ref": "#/$defs/A" } },
        });
        drop_unused(&mut schema);
        assert_eq!(schema["$defs"].as_object().unwrap().keys().collect::<Vec<_>>(), ["A", "B"]);
        let mut plain = json!({ "properties": {}, "$defs": { "C": {} } });
        drop_unused(&mut plain);
        assert_eq!(plain, json!({ "properties": {} }));
    }
}
