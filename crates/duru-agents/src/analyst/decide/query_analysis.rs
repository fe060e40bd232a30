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
    /// What the parser read, if it covers the whole question.
    pub(crate) draft: Option<QueryAnalysis>,
    /// What stands where no model answers.
    pub(crate) rule: QueryAnalysis,
}

impl Decision for AnalyseQuery {
    type Input = AnalysisAsked;
    type Output = QueryAnalysis;
    const PROMPT: Prompt = prompt!("analyst/query_analysis", "query_analysis.md");
    const LIMITS: Limits = Limits { temperature: 0.0, max_tokens: 300 };

    fn by_rule(asked: &AnalysisAsked) -> QueryAnalysis {
        asked.rule.clone()
    }

    fn is_certain(asked: &AnalysisAsked) -> bool {
        asked.draft.is_some()
    }

    /// The person is asked what either wants to know.
    fn asking(rule: &QueryAnalysis, model: &QueryAnalysis) -> Option<QueryAnalysis> {
        Some(QueryAnalysis {
            needs_service_clarification: rule.needs_service_clarification
                || model.needs_service_clarification,
            needs_time_clarification: rule.needs_time_clarification || model.needs_time_clarification,
            ..rule.clone()
        })
    }
}
