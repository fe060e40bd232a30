//! Which parts of a question are looked up by themselves?

use duru_llm::decision::{Decision, Limits, Prompt, Untrusted};
use duru_llm::prompt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) struct PlanSubtasks;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PlanAsked {
    pub(crate) question: Untrusted,
    /// Its parts by its conjunctions.
    pub(crate) draft: Plan,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Plan {
    #[schemars(length(min = 1, max = 5))]
    pub(crate) subtasks: Vec<Planned>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Planned {
    #[schemars(length(max = 1000))]
    pub(crate) query: String,
    pub(crate) priority: u32,
    /// Places in the list, from 1, of those that must be looked up before.
    #[serde(default)]
    #[schemars(length(max = 5))]
    pub(crate) dependencies: Vec<u32>,
}

impl Decision for PlanSubtasks {
    type Input = PlanAsked;
    type Output = Plan;
    const PROMPT: Prompt = prompt!("researcher/planning", "planning.md");
    const LIMITS: Limits = Limits { temperature: 0.0, max_tokens: 700 };

    fn by_rule(asked: &PlanAsked) -> Plan {
        asked.draft.clone()
    }
}
