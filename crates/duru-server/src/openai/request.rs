//! What is asked.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::Deserialize;
use serde_json::Value;

use super::problem::Problem;
use super::stop::{Ending, Stops};

/// What a client sends. How warm or how long an answer is, is not the
/// client's to say here; other fields are let pass.
#[derive(Debug, Deserialize)]
pub(super) struct Asked {
    pub(super) model: String,
    pub(super) messages: Vec<Value>,
    #[serde(default)]
    pub(super) stream: bool,
    #[serde(default)]
    stream_options: Option<StreamOptions>,
    #[serde(default)]
    n: Option<u64>,
    #[serde(default)]
    tools: Option<Vec<Value>>,
    #[serde(default)]
    response_format: Option<Value>,
    #[serde(default)]
    stop: Stops,
}

#[derive(Debug, Deserialize)]
struct StreamOptions {
    #[serde(default)]
    include_usage: bool,
}

impl Asked {
    pub(super) fn read(value: Value) -> Result<Self, Problem> {
        for needed in ["model", "messages"] {
            if value.get(needed).is_none_or(Value::is_null) {
                return Err(Problem::invalid(needed, format!("you must provide `{needed}`")));
            }
        }
        let asked: Self =
            serde_json::from_value(value).map_err(|error| Problem::invalid("body", error.to_string()))?;
        if asked.messages.is_empty() {
            return Err(Problem::invalid("messages", "there is no message".to_owned()));
        }
        if asked.messages.iter().any(|message| !message["role"].is_string()) {
            return Err(Problem::invalid("messages", "every message has a role".to_owned()));
        }
        if asked.n.is_some_and(|n| n != 1) {
            return Err(Problem::invalid("n", "only one answer is given".to_owned()));
        }
        // To drop these in silence would be to answer another question.
        if asked.tools.as_ref().is_some_and(|tools| !tools.is_empty()) {
            return Err(Problem::invalid(
                "tools",
                "an agent has its own tools and calls no others".to_owned(),
            ));
        }
        if asked.response_format.as_ref().is_some_and(|format| format["type"] != "text") {
            return Err(Problem::invalid("response_format", "answers are text".to_owned()));
        }
        Ok(asked)
    }

    /// Where the answer is to end.
    pub(super) fn ending(&mut self) -> Result<Ending, Problem> {
        std::mem::take(&mut self.stop).read().map_err(|why| Problem::invalid("stop", why.to_owned()))
    }

    pub(super) fn wants_usage(&self) -> bool {
        self.stream_options.as_ref().is_some_and(|options| options.include_usage)
    }
}

/// Seconds since 1970.
pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}
