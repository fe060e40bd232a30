//! What is the person told?

use duru_llm::decision::{Decision, Limits, Prompt, Untrusted};
use duru_llm::prompt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct Synthesise;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ResponseAsked {
    pub(crate) question: Untrusted,
    /// What was said before, numbered.
    pub(crate) history: Vec<Untrusted>,
    /// All that the answer may rest on.
    pub(crate) material: Untrusted,
    pub(crate) language: String,
    pub(crate) draft: Response,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Response {
    #[schemars(length(max = 6000))]
    pub(crate) answer: String,
}

impl Decision for Synthesise {
    type Input = ResponseAsked;
    type Output = Response;
    const PROMPT: Prompt = prompt!("advisor/response_synthesis", "response_synthesis.md");
    const LIMITS: Limits = Limits { temperature: 0.3, max_tokens: 1500 };
    const SPEAKS: bool = true;

    fn by_rule(asked: &ResponseAsked) -> Response {
        asked.draft.clone()
    }
}
