//! What does a question mean on its own?

use duru_llm::decision::{Decision, Limits, Prompt, Untrusted};
use duru_llm::prompt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct EnhanceContext;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct LeaningAsked {
    pub(crate) question: Untrusted,
    /// The last turns, the oldest first.
    pub(crate) history: Vec<Untrusted>,
    /// The question with the subject of the last one.
    pub(crate) draft: Untrusted,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Enhanced {
    #[serde(default)]
    #[schemars(length(max = 500))]
    pub(crate) reason: String,
    #[schemars(length(max = 1000))]
    pub(crate) question: String,
}

impl Decision for EnhanceContext {
    type Input = LeaningAsked;
    type Output = Enhanced;
    const PROMPT: Prompt = prompt!("researcher/context_enhancement", "context_enhancement.md");
    const LIMITS: Limits = Limits { temperature: 0.0, max_tokens: 300 };

    fn by_rule(asked: &LeaningAsked) -> Enhanced {
        Enhanced {
            question: asked.draft.as_str().to_owned(),
            reason: "it takes up what the last question was about".to_owned(),
        }
    }
}
