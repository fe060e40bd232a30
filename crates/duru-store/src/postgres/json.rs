//! JSON on its way to PostgreSQL and back.

use duru::store::Error;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::failure::Reason;
use crate::shared::corrupt;

/// As text, in which every number and character is kept as it is.
pub(super) fn text(action: &str, value: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|e| Error::backend(action, e))
}

/// As text of an object that PostgreSQL can look into.
pub(super) fn searchable(action: &str, object: &Map<String, Value>) -> Result<String, Error> {
    if has_nul(object) {
        let reason = "PostgreSQL can't look into JSON with the character U+0000: leave it out";
        return Err(Error::backend(action, Reason::new(reason)));
    }
    text(action, object)
}

/// Whether there is a character in it that no PostgreSQL text can hold.
pub(super) fn has_nul(object: &Map<String, Value>) -> bool {
    fn within(value: &Value) -> bool {
        match value {
            Value::String(text) => text.contains('\0'),
            Value::Array(items) => items.iter().any(within),
            Value::Object(fields) => has_nul(fields),
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }
    object.iter().any(|(key, value)| key.contains('\0') || within(value))
}

/// What was stored as text.
pub(super) fn parsed<T: DeserializeOwned>(text: &str, what: impl Fn() -> String) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|e| corrupt(what(), e))
}
