//! The form of an answer: the JSON schema that a model is given.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

/// Servers that turn a schema into a grammar refuse longer repetitions (llama.cpp from 2,000 on, for one text or several
/// together); the limit of tokens bounds such a text.
const LONGEST: u64 = 1000;

/// The schema of `T` as a model is given it: every property is required, in the order in which the type declares
/// them, and no other is allowed. What is accepted is more lenient: a field with a default may be missing.
pub(super) fn form<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    close(&mut schema);
    schema
}

fn close(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(close),
        Value::Object(fields) => {
            // Said for programs and not for models, and not known to every server.
            for noise in ["$schema", "title", "default", "format"] {
                if !fields.get(noise).is_some_and(Value::is_object) {
                    fields.remove(noise);
                }
            }
            if fields.get("maxLength").and_then(Value::as_u64).is_some_and(|most| most > LONGEST) {
                fields.remove("maxLength");
            }
            if fields.get("properties").is_some_and(Value::is_object) {
                fields.insert("additionalProperties".to_owned(), Value::Bool(false));
            }
            fields.values_mut().for_each(close);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    use super::*;

    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Verdict {
        reason: String,
        #[serde(default)]
        also: Vec<Part>,
        #[serde(default)]
        answer: Option<u32>,
        #[schemars(length(max = 9000))]
        text: String,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Part {
        title: String,
        alone: bool,
    }

    #[test]
    fn every_property_is_required_in_the_order_of_the_type_and_no_other_is_allowed() {
        let form = form::<Verdict>();
        assert_eq!(form["required"], serde_json::json!(["reason", "also", "answer", "text"]));
        assert_eq!(form["additionalProperties"], false);
        assert_eq!(form["$defs"]["Part"]["required"], serde_json::json!(["title", "alone"]));
        assert_eq!(form["$defs"]["Part"]["additionalProperties"], false);
        assert!(form["$defs"]["Part"]["properties"]["title"].is_object(), "a property may be called title");
        assert!(form["properties"]["text"].get("maxLength").is_none(), "{form}");
    }
}
