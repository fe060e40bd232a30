//! Values as a model reads them.

use serde_json::Value;

use super::untrusted::{fence, text_of};

pub(super) const NOTHING: &str = "(none)";

/// A value as a model reads it. An object of several fields is data as a whole,
/// because any of them may be text that others wrote.
pub(super) fn show(value: &Value) -> String {
    if let Some(text) = text_of(value) {
        return fence(text);
    }
    match value {
        Value::Null => NOTHING.to_owned(),
        Value::String(text) => text.clone(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::Array(items) if items.is_empty() => NOTHING.to_owned(),
        Value::Array(items) => {
            items.iter().map(|item| format!("- {}", show(item))).collect::<Vec<_>>().join("\n")
        }
        Value::Object(_) => fence(&plain(value).to_string()),
    }
}

/// Without the marks of untrusted text, which the fence around it replaces.
fn plain(value: &Value) -> Value {
    if let Some(text) = text_of(value) {
        return text.into();
    }
    match value {
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(fields) => fields.iter().map(|(key, value)| (key.clone(), plain(value))).collect(),
        other => other.clone(),
    }
}
