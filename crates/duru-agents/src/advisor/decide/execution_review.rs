//! Was the goal reached?

use duru_llm::decision::{Decision, Limits, Prompt, Untrusted};
use duru_llm::prompt;
use schemars::JsonSchema;
use serde::Serialize;

use crate::advisor::state::Review;
use crate::advisor::understand::Intent;

pub(crate) struct ReviewExecution;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ReviewAsked {
    pub(crate) question: Untrusted,
    pub(crate) intent: Intent,
    pub(crate) results: Vec<Untrusted>,
    pub(crate) failed: Vec<String>,
    pub(crate) draft: Review,
}

impl Decision for ReviewExecution {
    type Input = ReviewAsked;
    type Output = Review;
    const PROMPT: Prompt = prompt!("advisor/execution_review", "execution_review.md");
    const LIMITS: Limits = Limits { temperature: 0.2, max_tokens: 900 };

    fn by_rule(asked: &ReviewAsked) -> Review {
        asked.draft.clone()
    }
}
