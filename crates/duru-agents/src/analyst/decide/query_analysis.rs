//! Can the question be answered as it is, or must the person be asked?

use duru_llm::decision::{Decision, Limits, Prompt};
use duru_llm::prompt;
use schemars::JsonSchema;
use serde::Serialize;

use crate::analyst::Filters;
use crate::analyst::reader::QueryAnalysis;

pub(crate) struct AnalyseQuery;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct AnalysisAsked {
    pub(crate) question: String,
    pub(crate) filters: Filters,
    pub(crate) draft: QueryAnalysis,
}

impl Decision for AnalyseQuery {
    type Input = AnalysisAsked;
    type Output = QueryAnalysis;
    const PROMPT: Prompt = prompt!("analyst/query_analysis", "query_analysis.md");
    const LIMITS: Limits = Limits { temperature: 0.0, max_tokens: 300 };

    fn by_rule(asked: &AnalysisAsked) -> QueryAnalysis {
        asked.draft.clone()
    }
}
