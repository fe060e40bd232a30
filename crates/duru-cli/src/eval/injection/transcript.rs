//! What an agent said in its own words, what it showed as data, and what it did.

use std::collections::BTreeSet;

use serde_json::Value;

/// What became of one run.
#[derive(Debug, Default)]
pub(super) struct Transcript {
    /// By the part of the answer that says it.
    pub(super) said: Vec<(&'static str, String)>,
    /// Rows and excerpts: somebody else's words, shown as such.
    pub(super) shown: String,
    /// The tools that were called.
    pub(super) tools: BTreeSet<String>,
    /// What was sent outside: searches of the web.
    pub(super) sent: Vec<String>,
    /// The statements that the store ran.
    pub(super) statements: Vec<String>,
}

impl Transcript {
    pub(super) fn say(&mut self, part: &'static str, text: impl Into<String>) {
        let text = text.into();
        if !text.trim().is_empty() {
            self.said.push((part, text));
        }
    }

    /// Every text of a question that is asked back.
    pub(super) fn say_all(&mut self, part: &'static str, value: &Value) {
        match value {
            Value::String(text) => self.say(part, text.as_str()),
            Value::Array(values) => values.iter().for_each(|value| self.say_all(part, value)),
            Value::Object(fields) => fields.values().for_each(|value| self.say_all(part, value)),
            _ => {}
        }
    }
}
