//! From a reply's text to a value of the right type.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::repair::repair;

/// A value that fits, and whether its syntax had to be repaired.
pub(super) struct Fit<T> {
    pub(super) value: T,
    pub(super) repaired: bool,
}

/// Reads `text`, or says what is wrong with it in words that a model can use.
pub(super) fn fit<T: DeserializeOwned>(text: &str, schema: &Value) -> Result<Fit<T>, String> {
    let (json, repaired) = match serde_json::from_str::<Value>(text) {
        Ok(json) => (json, false),
        Err(error) => (repair(text).ok_or_else(|| format!("it is not JSON: {error}"))?, true),
    };
    // The type alone does not know bounds and patterns.
    let validator =
        jsonschema::validator_for(schema).map_err(|error| format!("the schema is wrong: {error}"))?;
    if let Some(error) = validator.iter_errors(&json).next() {
        return Err(format!("at {:?}: {error}", error.instance_path().to_string()));
    }
    let value = serde_json::from_value(json).map_err(|error| error.to_string())?;
    Ok(Fit { value, repaired })
}
