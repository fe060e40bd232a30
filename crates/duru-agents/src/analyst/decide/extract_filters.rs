//! Which service and which time does the question name?

use duru_llm::decision::{Decision, Limits, Prompt, Untrusted};
use duru_llm::prompt;
use schemars::JsonSchema;
use serde::Serialize;

use crate::analyst::Filters;

pub(crate) struct ExtractFilters;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct FiltersAsked {
    pub(crate) question: String,
    pub(crate) now: String,
    pub(crate) timezone: String,
    /// Names out of the data.
    pub(crate) services: Vec<Untrusted>,
    /// What the parser read, if it covers the whole question.
    pub(crate) draft: Option<Filters>,
    /// What stands where no model answers.
    pub(crate) rule: Filters,
}

impl Decision for ExtractFilters {
    type Input = FiltersAsked;
    type Output = Filters;
    const PROMPT: Prompt = prompt!("analyst/extract_filters", "extract_filters.md");
    const LIMITS: Limits = Limits { temperature: 0.0, max_tokens: 300 };

    fn by_rule(asked: &FiltersAsked) -> Filters {
        asked.rule.clone()
    }

    fn is_certain(asked: &FiltersAsked) -> bool {
        asked.draft.is_some()
    }
}
