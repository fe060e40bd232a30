//! Which claims do the documents support?

use duru_llm::decision::{Decision, Limits, Prompt, Untrusted};
use duru_llm::prompt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct CheckClaims;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ClaimsAsked {
    /// Each with its number.
    pub(crate) claims: Vec<Untrusted>,
    /// Each with its number.
    pub(crate) documents: Vec<Untrusted>,
    /// By facts, numbers, negation and terms.
    pub(crate) draft: Verdicts,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Verdicts {
    #[schemars(length(max = 60))]
    pub(crate) claims: Vec<Verdict>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Verdict {
    /// Its number.
    pub(crate) claim: u32,
    #[serde(default)]
    #[schemars(length(max = 300))]
    pub(crate) reason: String,
    pub(crate) supported: bool,
}

impl Decision for CheckClaims {
    type Input = ClaimsAsked;
    type Output = Verdicts;
    const PROMPT: Prompt = prompt!("researcher/hallucination_check", "hallucination_check.md");
    const LIMITS: Limits = Limits { temperature: 0.0, max_tokens: 1200 };

    fn by_rule(asked: &ClaimsAsked) -> Verdicts {
        asked.draft.clone()
    }
}
