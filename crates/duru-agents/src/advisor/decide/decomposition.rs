//! Which parts has a question, and which waits for which?

use duru_llm::decision::{Decision, Limits, Prompt, Untrusted};
use duru_llm::prompt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::advisor::tools::Team;

pub(crate) struct Decompose;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct DecompositionAsked {
    pub(crate) question: Untrusted,
    pub(crate) teams: Vec<Team>,
    pub(crate) draft: Decomposition,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Decomposition {
    #[schemars(length(max = 6))]
    pub(crate) sub_tasks: Vec<SubTask>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct SubTask {
    #[schemars(length(max = 300))]
    pub(crate) description: String,
    pub(crate) team: Team,
    /// Places in the list, from 1, of those that must come before.
    #[serde(default)]
    #[schemars(length(max = 6))]
    pub(crate) depends_on: Vec<u32>,
}

impl Decision for Decompose {
    type Input = DecompositionAsked;
    type Output = Decomposition;
    const PROMPT: Prompt = prompt!("advisor/decomposition", "decomposition.md");
    const LIMITS: Limits = Limits { temperature: 0.1, max_tokens: 600 };

    fn by_rule(asked: &DecompositionAsked) -> Decomposition {
        asked.draft.clone()
    }
}
