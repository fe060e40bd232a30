//! What does the result say?

use duru_llm::decision::{Decision, Limits, Prompt, Untrusted};
use duru_llm::prompt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct GenerateInsight;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct InsightAsked {
    pub(crate) question: String,
    pub(crate) columns: Vec<String>,
    pub(crate) count: u64,
    /// Said when the rows are not all.
    pub(crate) cut: String,
    /// The first rows of the data.
    pub(crate) rows: Untrusted,
    /// Aggregates of the whole result.
    pub(crate) summary: Untrusted,
    pub(crate) draft: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Insight {
    #[schemars(length(max = 2000))]
    pub(crate) insight: String,
}

impl Decision for GenerateInsight {
    type Input = InsightAsked;
    type Output = Insight;
    const PROMPT: Prompt = prompt!("analyst/generate_insight", "generate_insight.md");
    const LIMITS: Limits = Limits { temperature: 0.2, max_tokens: 500 };
    const SPEAKS: bool = true;

    fn by_rule(asked: &InsightAsked) -> Insight {
        Insight { insight: asked.draft.clone() }
    }
}
