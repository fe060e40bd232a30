//! In which order, and what first?

use duru_llm::decision::{Decision, Limits, Prompt, Untrusted};
use duru_llm::prompt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Orchestration;
use crate::advisor::plan::Strategy;
use crate::advisor::understand::Intent;

pub(crate) struct OpenExecution;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct OpeningAsked {
    pub(crate) question: Untrusted,
    pub(crate) intent: Intent,
    pub(crate) confidence: f32,
    /// The steps, one line each.
    pub(crate) steps: Vec<String>,
    pub(crate) draft: Opening,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Opening {
    #[schemars(length(max = 500))]
    pub(crate) reasons: String,
    pub(crate) strategy: Strategy,
    pub(crate) orchestration: Orchestration,
}

impl Decision for OpenExecution {
    type Input = OpeningAsked;
    type Output = Opening;
    const PROMPT: Prompt = prompt!("advisor/strategy", "strategy.md");
    const LIMITS: Limits = Limits { temperature: 0.1, max_tokens: 1100 };

    fn by_rule(asked: &OpeningAsked) -> Opening {
        asked.draft.clone()
    }
}
