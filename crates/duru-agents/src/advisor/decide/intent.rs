//! What does a question want?

use duru_llm::decision::{Decision, Limits, Prompt, Untrusted};
use duru_llm::prompt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::advisor::tools::Team;
use crate::advisor::understand::Intent;

pub(crate) struct ReadIntent;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct IntentAsked {
    pub(crate) question: Untrusted,
    /// What was said before, numbered.
    pub(crate) history: Vec<Untrusted>,
    /// What the rules read.
    pub(crate) draft: IntentRead,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct IntentRead {
    pub(crate) intent: Intent,
    #[schemars(range(min = 0.0, max = 1.0))]
    pub(crate) confidence: f32,
    #[serde(default)]
    #[schemars(length(max = 12), inner(length(max = 100)))]
    pub(crate) keywords: Vec<String>,
    /// The places, as they are called.
    #[serde(default)]
    #[schemars(length(max = 8), inner(length(max = 100)))]
    pub(crate) regions: Vec<String>,
    #[serde(default)]
    #[schemars(length(max = 3))]
    pub(crate) suggested_teams: Vec<Team>,
    /// One question back, where the intent is unclear.
    #[serde(default)]
    #[schemars(length(max = 500))]
    pub(crate) clarify: Option<String>,
}

impl Decision for ReadIntent {
    type Input = IntentAsked;
    type Output = IntentRead;
    const PROMPT: Prompt = prompt!("advisor/intent", "intent.md");
    const LIMITS: Limits = Limits { temperature: 0.0, max_tokens: 500 };

    fn by_rule(asked: &IntentAsked) -> IntentRead {
        asked.draft.clone()
    }
}
