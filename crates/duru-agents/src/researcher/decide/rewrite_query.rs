//! What other words find what a query did not?

use duru_llm::decision::{Decision, Limits, Prompt, Untrusted};
use duru_llm::prompt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct RewriteQuery;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RewriteAsked {
    pub(crate) query: Untrusted,
    /// What was tried.
    pub(crate) tried: Vec<Untrusted>,
    /// Words of the query that no document speaks of.
    pub(crate) missing: Vec<Untrusted>,
    /// In the terms of law and contracts.
    pub(crate) draft: Rewritten,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Rewritten {
    #[serde(default)]
    #[schemars(length(max = 500))]
    pub(crate) reason: String,
    #[schemars(length(max = 1000))]
    pub(crate) query: String,
}

impl Decision for RewriteQuery {
    type Input = RewriteAsked;
    type Output = Rewritten;
    const PROMPT: Prompt = prompt!("researcher/rewrite_query", "rewrite_query.md");
    const LIMITS: Limits = Limits { temperature: 0.0, max_tokens: 300 };

    fn by_rule(asked: &RewriteAsked) -> Rewritten {
        asked.draft.clone()
    }
}
