//! What is wrong with a message that somebody sent.

use std::fmt;

use serde_json::Value;

/// Which part of the input is not a message, and what would be.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseError {
    /// The part that is wrong, such as `messages[2].content`.
    pub path: String,
    /// What is accepted there.
    pub expected: String,
    /// What was there, in a few words.
    pub found: String,
}

impl ParseError {
    pub(crate) fn new(path: impl Into<String>, expected: impl Into<String>, found: Option<&Value>) -> Self {
        ParseError { path: path.into(), expected: expected.into(), found: describe(found) }
    }
}

/// Short, because the value may be a whole image.
fn describe(value: Option<&Value>) -> String {
    match value {
        None => "nothing".to_owned(),
        Some(Value::Null) => "null".to_owned(),
        Some(Value::Bool(b)) => b.to_string(),
        Some(Value::Number(n)) => format!("the number {n}"),
        Some(Value::String(s)) if s.len() <= 40 => format!("{s:?}"),
        Some(Value::String(_)) => "a long string".to_owned(),
        Some(Value::Array(items)) => format!("a list of {}", items.len()),
        Some(Value::Object(_)) => "an object".to_owned(),
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}, got {}", self.path, self.expected, self.found)
    }
}

impl std::error::Error for ParseError {}
