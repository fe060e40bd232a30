//! Schema, shown form and examples of every decision say the same, in the same order: servers that bind a reply to
//! a schema make a model write what it was sent, and a prompt that shows another order leads it astray.

use std::fmt;

use duru_agents::decisions::registry;
use duru_llm::decision::Entry;
use duru_llm::fake::{Fake, Says};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use crate::support::decider;

/// JSON with the order of its keys, and nothing else of it.
#[derive(Debug)]
enum Keys {
    Leaf,
    List(Vec<Keys>),
    Object(Vec<(String, Keys)>),
}

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ReadKeys)
    }
}

struct ReadKeys;

impl<'de> Visitor<'de> for ReadKeys {
    type Value = Keys;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Keys, E> {
        Ok(Keys::Leaf)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Keys, E> {
        Ok(Keys::Leaf)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Keys, E> {
        Ok(Keys::Leaf)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Keys, E> {
        Ok(Keys::Leaf)
    }

    fn visit_str<E>(self, _: &str) -> Result<Keys, E> {
        Ok(Keys::Leaf)
    }

    fn visit_unit<E>(self) -> Result<Keys, E> {
        Ok(Keys::Leaf)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Keys, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Keys::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Keys, A::Error> {
        let mut object = Vec::new();
        while let Some(field) = fields.next_entry()? {
            object.push(field);
        }
        Ok(Keys::Object(object))
    }
}

/// The schemas that a place of a schema may be, without references.
fn branches<'a>(schema: &'a Value, root: &'a Value) -> Vec<&'a Value> {
    if let Some(name) = schema["$ref"].as_str().and_then(|place| place.strip_prefix("#/$defs/")) {
        return branches(&root["$defs"][name], root);
    }
    let several = ["anyOf", "oneOf", "allOf"].into_iter().filter_map(|key| schema[key].as_array()).flatten();
    std::iter::once(schema).chain(several.flat_map(|schema| branches(schema, root))).collect()
}

fn required(schema: &Value) -> Vec<&str> {
    schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Fails where an example has other keys than the schema, or in another order.
fn same_order(shown: &Keys, schema: &Value, root: &Value, place: &str) {
    match shown {
        Keys::Leaf => {}
        Keys::List(items) => {
            for item in items {
                let of = branches(schema, root).into_iter().find(|schema| schema["items"].is_object());
                same_order(item, &of.unwrap_or_else(|| panic!("{place} is no list"))["items"], root, place);
            }
        }
        Keys::Object(fields) => {
            let keys: Vec<&str> = fields.iter().map(|(key, _)| key.as_str()).collect();
            let orders: Vec<&Value> = branches(schema, root);
            let Some(fits) = orders.iter().find(|schema| required(schema) == keys) else {
                let orders: Vec<_> = orders.iter().map(|schema| required(schema)).collect();
                panic!("{place} shows {keys:?}, the schema has {orders:?}");
            };
            for (key, shown) in fields {
                same_order(shown, &fits["properties"][key], root, &format!("{place}.{key}"));
            }
        }
    }
}

#[test]
fn the_prompt_shows_the_properties_in_the_order_of_the_schema() {
    for entry in &registry() {
        let form = entry.shown_form().unwrap_or_else(|| panic!("{} shows no form", entry.name()));
        for shown in entry.shown_answers().into_iter().chain([form]) {
            let keys: Keys =
                serde_json::from_str(shown).unwrap_or_else(|e| panic!("{}: {shown}: {e}", entry.name()));
            same_order(&keys, &entry.schema, &entry.schema, entry.name());
            let value: Value = serde_json::from_str(shown).unwrap();
            let validator = jsonschema::validator_for(&entry.schema).unwrap();
            if let Some(error) = validator.iter_errors(&value).next() {
                panic!("{}: {shown}: {error}", entry.name());
            }
        }
    }
}

/// What a person reads may be long; the limit of tokens bounds it.
const LONG: [&str; 3] = ["answer", "sql", "insight"];

/// What tells why; it is written before what it leads to.
const REASONS: [&str; 4] = ["reason", "reasoning", "reasons", "explanation"];

/// What a reason is about may stand before it.
const SUBJECTS: [&str; 2] = ["document", "claim"];

fn is_bounded(schema: &Value, name: &str, place: &str) {
    let kind = |kind: &str| match &schema["type"] {
        Value::String(one) => one == kind,
        Value::Array(several) => several.iter().any(|one| one == kind),
        _ => false,
    };
    if kind("array") {
        assert!(schema["maxItems"].is_u64(), "{place}: a list without a limit");
        is_bounded(&schema["items"], name, place);
    }
    let is_open = kind("string") && schema["enum"].is_null() && schema["const"].is_null();
    if is_open && !LONG.contains(&name) {
        assert!(schema["maxLength"].is_u64(), "{place}: a text without a limit");
    }
    if let Some(properties) = schema["properties"].as_object() {
        let required = required(schema);
        assert_eq!(required.len(), properties.len(), "{place}: {required:?}");
        assert_eq!(schema["additionalProperties"], false, "{place} takes more than it says");
        let first = required.iter().find(|name| !SUBJECTS.contains(name));
        if let Some(reason) = required.iter().find(|name| REASONS.contains(name)) {
            assert_eq!(first, Some(reason), "{place}: the reason comes first: {required:?}");
        }
        for (name, schema) in properties {
            is_bounded(schema, name, &format!("{place}.{name}"));
        }
    } else {
        assert!(!kind("object"), "{place} is an open object");
    }
    for key in ["anyOf", "oneOf", "allOf"] {
        for schema in schema[key].as_array().into_iter().flatten() {
            is_bounded(schema, name, place);
        }
    }
}

#[test]
fn every_schema_is_closed_complete_and_bounded() {
    for entry in &registry() {
        is_bounded(&entry.schema, "", entry.name());
        for (name, schema) in entry.schema["$defs"].as_object().into_iter().flatten() {
            is_bounded(schema, name, &format!("{} {name}", entry.name()));
        }
    }
}

async fn sent(entry: &Entry, wire: &str) -> String {
    let fake = Fake::start().await.unwrap();
    fake.next(Says::text(entry.shown_answers()[0]));
    entry.decide(&decider(&fake, wire)).await;
    fake.seen()[0].text.clone()
}

/// The places of the properties of the outermost schema of a request, in the order in which they were sent.
fn sent_order(text: &str, expected: &[&str]) -> Vec<String> {
    let keys: Keys = serde_json::from_str(text).unwrap();
    let mut open = vec![&keys];
    while let Some(keys) = open.pop() {
        match keys {
            Keys::Leaf => {}
            Keys::List(items) => open.extend(items),
            Keys::Object(fields) => {
                for (name, value) in fields {
                    if let ("properties", Keys::Object(properties)) = (name.as_str(), value)
                        && properties.iter().all(|(name, _)| expected.contains(&name.as_str()))
                        && properties.len() == expected.len()
                    {
                        return properties.iter().map(|(name, _)| name.clone()).collect();
                    }
                    open.push(value);
                }
            }
        }
    }
    panic!("no schema was sent: {text}");
}

#[tokio::test]
async fn properties_go_out_in_the_order_of_the_prompt() {
    for entry in &registry() {
        assert!(entry.can_be_strict(), "{}", entry.name());
        let expected = required(&entry.schema);
        for wire in ["anthropic:m", "openai:m", "ollama:m"] {
            let text = sent(entry, wire).await;
            assert_eq!(sent_order(&text, &expected), expected, "{} {wire}", entry.name());
        }
    }
}

/// A table that does not fit would be left out as a whole.
#[test]
fn what_was_measured_is_of_decisions_that_there_are() {
    let registry = registry();
    assert!(registry.measured().len() >= 3, "the table was read");
    for line in registry.measured() {
        assert!(registry.find(&line.decision).is_some(), "{}", line.decision);
        assert!(!line.evidence.ko.is_empty() && !line.evidence.en.is_empty(), "{}", line.decision);
    }
}
