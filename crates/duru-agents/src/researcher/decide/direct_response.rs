//! What is said to somebody who asks for nothing?

use duru_llm::decision::{Decision, Limits, Prompt, Untrusted};
use duru_llm::prompt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct DirectResponse;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TalkAsked {
    pub(crate) question: Untrusted,
    pub(crate) history: Vec<Untrusted>,
    pub(crate) language: String,
    /// What is said where no model answers.
    pub(crate) draft: String,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Said {
    #[schemars(length(max = 1000))]
    pub(crate) answer: String,
}

impl Decision for DirectResponse {
    type Input = TalkAsked;
    type Output = Said;
    const PROMPT: Prompt = prompt!("researcher/direct_response", "direct_response.md");
    const LIMITS: Limits = Limits { temperature: 0.3, max_tokens: 200 };
    const SPEAKS: bool = true;

    fn by_rule(asked: &TalkAsked) -> Said {
        Said { answer: asked.draft.clone() }
    }
}
