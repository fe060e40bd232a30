//! Which teams work on it?

use duru_llm::decision::{Decision, Limits, Prompt, Untrusted};
use duru_llm::prompt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::advisor::tools::Team;
use crate::advisor::understand::Intent;

pub(crate) struct SelectTeams;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SelectionAsked {
    pub(crate) question: Untrusted,
    pub(crate) intent: Intent,
    pub(crate) draft: Selection,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Selection {
    #[schemars(length(max = 500))]
    pub(crate) reasoning: String,
    #[schemars(length(max = 3))]
    pub(crate) teams: Vec<Team>,
}

impl Decision for SelectTeams {
    type Input = SelectionAsked;
    type Output = Selection;
    const PROMPT: Prompt = prompt!("advisor/team_selection", "team_selection.md");
    const LIMITS: Limits = Limits { temperature: 0.1, max_tokens: 400 };

    fn by_rule(asked: &SelectionAsked) -> Selection {
        asked.draft.clone()
    }
}
