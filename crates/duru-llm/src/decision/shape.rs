//! From a reply's text to a value of the right type.

use jsonschema::Validator;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::repair::repair;

/// A value that fits, and whether its syntax had to be repaired.
pub(super) struct Fit<T> {
    pub(super) value: T,
    pub(super) repaired: bool,
}

/// Reads `text`, or says what is wrong with it in words that a model can use.
pub(super) fn fit<T: DeserializeOwned>(text: &str, validator: &Validator) -> Result<Fit<T>, String> {
    let (json, repaired) = match serde_json::from_str::<Value>(text) {
        Ok(json) => (json, false),
        Err(error) => (repair(text).ok_or_else(|| format!("it is not JSON: {error}"))?, true),
    };
    check(json, validator).map(|value| Fit { value, repaired })
}

/// `json` as the type that it should be.
pub(super) fn check<T: DeserializeOwned>(json: Value, validator: &Validator) -> Result<T, String> {
    // The type alone does not know bounds and patterns.
    if let Some(error) = validator.iter_errors(&json).next() {
        return Err(short(&format!("at {:?}: {error}", error.instance_path().to_string())));
    }
    serde_json::from_value(json).map_err(|error| short(&error.to_string()))
}

/// What is wrong is often shown with the whole value, which may be megabytes.
fn short(problem: &str) -> String {
    if problem.chars().nth(MOST).is_none() {
        return problem.to_owned();
    }
    let mut short: String = problem.chars().take(MOST).collect();
    short.push('…');
    short
}

/// The most characters of what is wrong with an answer.
const MOST: usize = 400;
