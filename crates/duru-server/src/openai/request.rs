//! What is asked.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::problem::Problem;
use super::stop::{Ending, Stops};

/// What a client sends. What it says is done, or refused: a parameter that is
/// dropped in silence makes the answer one to another question.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct ChatRequest {
    pub(super) model: String,
    pub(super) messages: Vec<Value>,
    #[serde(default, deserialize_with = "nullable")]
    pub(super) stream: bool,
    #[serde(default)]
    stream_options: Option<StreamOptions>,
    #[serde(default)]
    stop: Option<Stops>,
    /// Who asks, in the client's words: kept with the run.
    #[serde(default)]
    user: Option<String>,
    #[serde(default)]
    safety_identifier: Option<String>,
    /// Notes of the client's: kept with the run.
    #[serde(default)]
    metadata: Option<Map<String, Value>>,
}

/// `null` where a client means nothing.
fn nullable<'de, D: serde::Deserializer<'de>>(d: D) -> Result<bool, D::Error> {
    Ok(Option::deserialize(d)?.unwrap_or_default())
}

#[derive(Debug, Deserialize, ToSchema)]
struct StreamOptions {
    #[serde(default)]
    include_usage: bool,
}

/// Parameters that are read.
const READ: [&str; 8] =
    ["model", "messages", "stream", "stream_options", "stop", "user", "safety_identifier", "metadata"];

/// Parameters that change nothing here whatever they say: where something is kept or how soon it is answered is
/// promised by nobody.
const OF_NO_MATTER: [&str; 2] = ["prompt_cache_key", "prompt_cache_retention"];

/// Parameters that can't be heeded, what they may say without being refused, and why.
const REFUSED: [(&str, &[&str], &str); 25] = [
    ("n", &["1"], "only one answer is given"),
    ("temperature", &["1"], OWN_WAY),
    ("top_p", &["1"], OWN_WAY),
    ("presence_penalty", &["0"], OWN_WAY),
    ("frequency_penalty", &["0"], OWN_WAY),
    ("logit_bias", &["{}"], OWN_WAY),
    ("seed", &[], OWN_WAY),
    ("reasoning_effort", &[], OWN_WAY),
    ("verbosity", &[], OWN_WAY),
    ("max_tokens", &[], OWN_LENGTH),
    ("max_completion_tokens", &[], OWN_LENGTH),
    ("logprobs", &["false"], "an agent knows no probabilities of its words"),
    ("top_logprobs", &["0"], "an agent knows no probabilities of its words"),
    ("tools", &["[]"], OWN_TOOLS),
    ("functions", &["[]"], OWN_TOOLS),
    ("tool_choice", &["\"none\"", "\"auto\""], OWN_TOOLS),
    ("function_call", &["\"none\"", "\"auto\""], OWN_TOOLS),
    ("parallel_tool_calls", &[], OWN_TOOLS),
    ("web_search_options", &[], OWN_TOOLS),
    ("response_format", &["{\"type\":\"text\"}"], "answers are text"),
    ("modalities", &["[\"text\"]"], "answers are text"),
    ("audio", &[], "answers are text"),
    ("prediction", &[], "an agent does not complete a text that is there already"),
    ("store", &["false"], "a completion is not kept; start a run on a thread if it is to be"),
    ("service_tier", &["\"auto\"", "\"default\""], "there is one tier"),
];

const OWN_WAY: &str = "an agent decides by itself how it puts its answer; leave it out";
const OWN_LENGTH: &str = "an agent's answer is as long as it must be; leave it out, or use `stop`";
const OWN_TOOLS: &str = "an agent has its own tools and calls no others";

impl ChatRequest {
    pub(super) fn read(value: Value) -> Result<Self, Problem> {
        for needed in ["model", "messages"] {
            if value.get(needed).is_none_or(Value::is_null) {
                return Err(Problem::invalid(needed, format!("you must provide `{needed}`")));
            }
        }
        if let Some(fields) = value.as_object() {
            check(fields)?;
        }
        let asked: Self =
            serde_json::from_value(value).map_err(|error| Problem::invalid("body", error.to_string()))?;
        if asked.messages.is_empty() {
            return Err(Problem::invalid("messages", "there is no message".to_owned()));
        }
        if asked.messages.iter().any(|message| !message["role"].is_string()) {
            return Err(Problem::invalid("messages", "every message has a role".to_owned()));
        }
        Ok(asked)
    }

    /// Where the answer is to end.
    pub(super) fn ending(&mut self) -> Result<Ending, Problem> {
        let stop = self.stop.take().unwrap_or_default();
        stop.read().map_err(|why| Problem::invalid("stop", why.to_owned()))
    }

    pub(super) fn wants_usage(&self) -> bool {
        self.stream_options.as_ref().is_some_and(|options| options.include_usage)
    }

    /// What the client says of its request beside the question.
    pub(super) fn notes(&self) -> Vec<(&'static str, Value)> {
        let user = self.user.as_ref().or(self.safety_identifier.as_ref());
        let user = user.map(|user| ("openai_user", user.as_str().into()));
        let notes = self.metadata.clone().map(|notes| ("openai_metadata", Value::Object(notes)));
        user.into_iter().chain(notes).collect()
    }
}

/// Refuses what would be dropped otherwise.
fn check(fields: &Map<String, Value>) -> Result<(), Problem> {
    for (name, value) in fields {
        if value.is_null() || READ.contains(&name.as_str()) || OF_NO_MATTER.contains(&name.as_str()) {
            continue;
        }
        let Some((param, allowed, why)) = REFUSED.iter().find(|(known, ..)| known == name) else {
            let text = format!("Unrecognized request argument supplied: {name}");
            return Err(Problem::invalid("body", text));
        };
        // A number may be written with a point or without.
        let said = value.as_f64().map_or_else(|| value.to_string(), |number| number.to_string());
        if !allowed.contains(&said.as_str()) {
            return Err(Problem::invalid(param, format!("`{param}`: {why}")));
        }
    }
    Ok(())
}

/// Seconds since 1970.
pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn asked(more: Value) -> Result<ChatRequest, Problem> {
        let mut body = json!({ "model": "a", "messages": [{ "role": "user", "content": "hi" }] });
        if let (Value::Object(body), Value::Object(more)) = (&mut body, more) {
            body.extend(more);
        }
        ChatRequest::read(body)
    }

    #[test]
    fn what_is_not_heeded_is_refused() {
        for (name, _, _) in REFUSED {
            let refused = asked(json!({ name: { "some": "thing" } })).expect_err(name).json();
            assert_eq!(refused["error"]["param"], *name);
            asked(json!({ name: null })).ok().expect("null says nothing");
        }
        for fine in [
            json!({ "temperature": 1.0, "top_p": 1, "n": 1, "presence_penalty": 0.0, "tools": [], "logprobs": false }),
            json!({ "tool_choice": "auto", "response_format": { "type": "text" }, "store": false, "stop": null }),
            json!({ "service_tier": "auto", "modalities": ["text"], "prompt_cache_key": "k", "stream": null }),
        ] {
            assert!(asked(fine.clone()).is_ok(), "{fine}");
        }
        let unknown = asked(json!({ "temprature": 1 })).expect_err("a slip").json();
        assert!(unknown["error"]["message"].as_str().is_some_and(|text| text.contains("temprature")));
    }

    #[test]
    fn notes_are_kept() {
        let notes =
            asked(json!({ "user": "kim", "metadata": { "a": "b" } })).ok().expect("it is fine").notes();
        assert_eq!(notes, [("openai_user", json!("kim")), ("openai_metadata", json!({ "a": "b" }))]);
    }
}
