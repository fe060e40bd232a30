//! JSON whose schemas keep the order of their properties.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

/// A value in which the properties of every JSON schema stand in the order in which they are required.
///
/// Servers that bind a reply to a schema make the model write the properties as they come. In the order of the
/// alphabet, a model that was shown another order writes against what it was told, and the answer before its reasons.
pub(crate) struct InOrder<'a>(pub(crate) &'a Value);

impl Serialize for InOrder<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Array(items) => serializer.collect_seq(items.iter().map(InOrder)),
            Value::Object(fields) => {
                let required = fields.get("required").and_then(Value::as_array);
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for (name, value) in fields {
                    match (name.as_str(), value, required) {
                        ("properties", Value::Object(properties), Some(required)) => {
                            map.serialize_entry(name, &Properties { properties, required })?;
                        }
                        _ => map.serialize_entry(name, &InOrder(value))?,
                    }
                }
                map.end()
            }
            other => other.serialize(serializer),
        }
    }
}

struct Properties<'a> {
    properties: &'a Map<String, Value>,
    required: &'a [Value],
}

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let first = self.required.iter().filter_map(Value::as_str);
        let first: Vec<&str> = first.filter(|name| self.properties.contains_key(*name)).collect();
        let rest = self.properties.keys().map(String::as_str).filter(|name| !first.contains(name));
        let mut map = serializer.serialize_map(Some(self.properties.len()))?;
        for name in first.iter().copied().chain(rest) {
            map.serialize_entry(name, &InOrder(&self.properties[name]))?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn properties_stand_in_the_order_in_which_they_are_required() {
        let inner = json!({"properties": {"a": {}, "b": {}}, "required": ["b"]});
        let schema =
            json!({"properties": {"x": {}, "answer": inner, "reason": {}}, "required": ["reason", "answer"]});
        assert_eq!(
            serde_json::to_string(&InOrder(&json!([schema]))).unwrap(),
            r#"[{"properties":{"reason":{},"answer":{"properties":{"b":{},"a":{}},"required":["b"]},"x":{}},"required":["reason","answer"]}]"#
        );
    }

    #[test]
    fn what_is_no_schema_stays_as_it_is() {
        let value = json!({"required": true, "properties": [1], "text": "글", "n": 1.5, "none": null});
        assert_eq!(serde_json::to_string(&InOrder(&value)).unwrap(), value.to_string());
    }
}
