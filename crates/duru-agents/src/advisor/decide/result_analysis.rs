//! What is a result worth, and what follows?

use duru_llm::decision::{Decision, Limits, Prompt, Untrusted};
use duru_llm::prompt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Orchestration;
use crate::advisor::plan::Strategy;
use crate::advisor::tools::Team;
use crate::advisor::understand::Intent;

pub(crate) struct AnalyseResult;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ResultAsked {
    pub(crate) question: Untrusted,
    pub(crate) intent: Intent,
    pub(crate) confidence: f32,
    pub(crate) team: Team,
    pub(crate) strategy: Strategy,
    /// One line per team that is done.
    pub(crate) results: Vec<Untrusted>,
    pub(crate) remaining: Vec<String>,
    pub(crate) draft: ResultRead,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ResultRead {
    #[schemars(range(min = 0.0, max = 1.0))]
    pub(crate) quality: f64,
    #[serde(default)]
    #[schemars(length(max = 8), inner(length(max = 300)))]
    pub(crate) gaps: Vec<String>,
    pub(crate) next: Next,
    /// Other words for another search.
    #[serde(default)]
    #[schemars(length(max = 8), inner(length(max = 100)))]
    pub(crate) keywords: Vec<String>,
    /// Tools that would help, too.
    #[serde(default)]
    #[schemars(length(max = 8), inner(length(max = 100)))]
    pub(crate) extra_tools: Vec<String>,
    pub(crate) orchestration: Orchestration,
    /// Changes of an adaptive plan's later steps.
    #[serde(default)]
    #[schemars(length(max = 3))]
    pub(crate) plan: Vec<PlanEdit>,
}

/// What is done to a step that has not begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Edit {
    Add,
    Skip,
    Replace,
}

/// One change of the plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct PlanEdit {
    #[schemars(length(max = 300))]
    pub(crate) reason: String,
    pub(crate) edit: Edit,
    pub(crate) team: Team,
    /// For replace: the team that takes its place.
    #[serde(default)]
    pub(crate) with: Option<Team>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Next {
    Continue,
    Adjust,
    EarlyExit,
}

impl Decision for AnalyseResult {
    type Input = ResultAsked;
    type Output = ResultRead;
    const PROMPT: Prompt = prompt!("advisor/result_analysis", "result_analysis.md");
    const LIMITS: Limits = Limits { temperature: 0.2, max_tokens: 1200 };

    fn by_rule(asked: &ResultAsked) -> ResultRead {
        asked.draft.clone()
    }
}
