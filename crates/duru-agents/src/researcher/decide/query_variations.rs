//! How else can a query be put, and where is it looked up?

use duru_llm::decision::{Decision, Limits, Prompt, Untrusted};
use duru_llm::prompt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct VaryQuery;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct VaryAsked {
    pub(crate) query: Untrusted,
    /// What the sub-tasks before it found.
    pub(crate) found: Vec<Untrusted>,
    /// As it was asked.
    pub(crate) draft: Variations,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Variations {
    #[schemars(length(max = 5), inner(length(max = 300)))]
    pub(crate) variations: Vec<String>,
    #[serde(default)]
    pub(crate) first_page: Option<u32>,
    #[serde(default)]
    pub(crate) last_page: Option<u32>,
}

impl Decision for VaryQuery {
    type Input = VaryAsked;
    type Output = Variations;
    const PROMPT: Prompt = prompt!("researcher/query_variations", "query_variations.md");
    const LIMITS: Limits = Limits { temperature: 0.0, max_tokens: 400 };

    fn by_rule(asked: &VaryAsked) -> Variations {
        asked.draft.clone()
    }
}
