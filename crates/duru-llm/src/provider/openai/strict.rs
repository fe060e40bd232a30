//! The part of a JSON schema that OpenAI's `strict` mode takes.

use serde_json::{Map, Value};

/// What strict mode refuses a request for. The answer is checked against these anyway.
const UNKNOWN: [&str; 6] = ["maxLength", "minLength", "format", "default", "$schema", "uniqueItems"];

/// `schema` as strict mode takes it; `None` if it can't say the same: an object that is open, or whose properties
/// are not all required.
pub(crate) fn of(schema: &Value) -> Option<Value> {
    match schema {
        Value::Array(items) => items.iter().map(of).collect::<Option<Vec<_>>>().map(Value::Array),
        Value::Object(fields) => fields_of(fields).map(Value::Object),
        other => Some(other.clone()),
    }
}

fn fields_of(fields: &Map<String, Value>) -> Option<Map<String, Value>> {
    if let Some(properties) = fields.get("properties").and_then(Value::as_object) {
        let required = fields.get("required").and_then(Value::as_array)?;
        let complete = properties.keys().all(|name| required.iter().any(|known| known == name));
        if !complete || fields.get("additionalProperties") != Some(&Value::Bool(false)) {
            return None;
        }
    } else if fields.get("type").is_some_and(|kind| kind == "object") {
        return None;
    }
    let mut strict = Map::new();
    for (name, value) in fields {
        match name.as_str() {
            // Names of properties are nobody's keywords.
            "properties" | "$defs" => {
                let named = value.as_object()?.iter().map(|(name, schema)| Some((name.clone(), of(schema)?)));
                strict.insert(name.clone(), Value::Object(named.collect::<Option<_>>()?));
            }
            "oneOf" => {
                strict.insert("anyOf".to_owned(), of(value)?);
            }
            unknown if UNKNOWN.contains(&unknown) => {}
            _ => {
                strict.insert(name.clone(), of(value)?);
            }
        }
    }
    Some(strict)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_closed_becomes_strict_and_what_is_open_does_not() {
        let closed = json!({"type": "object", "required": ["format", "kind"], "additionalProperties": false,
            "properties": {"format": {"type": "string", "maxLength": 9},
                "kind": {"oneOf": [{"const": "a"}, {"const": "b"}]}}});
        assert_eq!(
            of(&closed),
            Some(json!({"type": "object", "required": ["format", "kind"], "additionalProperties": false,
                "properties": {"format": {"type": "string"}, "kind": {"anyOf": [{"const": "a"}, {"const": "b"}]}}}))
        );
        let mut open = closed.clone();
        open["required"] = json!(["kind"]);
        assert_eq!(of(&open), None);
        assert_eq!(of(&json!({"type": "array", "items": {"type": "object"}})), None);
    }
}
