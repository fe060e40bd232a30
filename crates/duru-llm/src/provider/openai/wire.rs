//! What chat completions send. A piece of a stream and a whole reply differ
//! only in `delta` and `message`, and servers fill them with different care.

use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Deserialize)]
pub(super) struct Completion {
    pub(super) id: Option<String>,
    pub(super) model: Option<String>,
    #[serde(default)]
    pub(super) choices: Vec<Choice>,
    pub(super) usage: Option<Usage>,
    pub(super) error: Option<Value>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Choice {
    #[serde(alias = "message")]
    pub(super) delta: Option<Delta>,
    pub(super) finish_reason: Option<String>,
    pub(super) logprobs: Option<Likelihoods>,
}

/// How likely the words of a reply were, and others in their place.
#[derive(Debug, Deserialize)]
pub(super) struct Likelihoods {
    #[serde(default)]
    pub(super) content: Option<Vec<Place>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Place {
    pub(super) token: String,
    #[serde(default)]
    pub(super) top_logprobs: Vec<Likelihood>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Likelihood {
    pub(super) token: String,
    pub(super) logprob: f64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Delta {
    pub(super) content: Option<String>,
    pub(super) refusal: Option<String>,
    /// What a model thinks before it answers, as some servers send it.
    pub(super) reasoning_content: Option<Value>,
    pub(super) reasoning: Option<Value>,
    pub(super) tool_calls: Option<Vec<Call>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Call {
    pub(super) index: Option<u64>,
    pub(super) id: Option<String>,
    pub(super) function: Option<Function>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Function {
    pub(super) name: Option<String>,
    /// Text by the book; some servers send the object itself.
    pub(super) arguments: Option<Value>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Usage {
    pub(super) prompt_tokens: Option<u64>,
    pub(super) completion_tokens: Option<u64>,
    pub(super) total_tokens: Option<u64>,
    pub(super) prompt_tokens_details: Option<Value>,
    pub(super) completion_tokens_details: Option<Value>,
}
