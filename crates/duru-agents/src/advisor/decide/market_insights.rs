//! What do the figures say?

use duru_llm::decision::{Decision, Limits, Prompt, Untrusted};
use duru_llm::prompt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct FindInsights;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct InsightsAsked {
    pub(crate) question: Untrusted,
    /// The figures, one line each.
    pub(crate) figures: Vec<Untrusted>,
    pub(crate) language: String,
    pub(crate) draft: Insights,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Insights {
    #[schemars(length(max = 8), inner(length(max = 600)))]
    pub(crate) findings: Vec<String>,
}

impl Decision for FindInsights {
    type Input = InsightsAsked;
    type Output = Insights;
    const PROMPT: Prompt = prompt!("advisor/market_insights", "market_insights.md");
    const LIMITS: Limits = Limits { temperature: 0.3, max_tokens: 1000 };

    fn by_rule(asked: &InsightsAsked) -> Insights {
        asked.draft.clone()
    }
}
