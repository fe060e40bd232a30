//! What follows, as a decision's answer says it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::advisor::state::{Action, Collaboration};
use crate::advisor::tools::Team;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Verb {
    #[default]
    Continue,
    AddAgent,
    SkipRemaining,
    Collaborate,
}

/// The part of two decisions that says what follows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Orchestration {
    #[schemars(length(max = 500))]
    pub(crate) reasoning: String,
    pub(crate) action: Verb,
    /// For add_agent.
    #[serde(default)]
    pub(crate) next_agent: Option<Team>,
    /// For collaborate.
    #[serde(default)]
    pub(crate) collaboration: Option<Collaboration>,
    #[schemars(range(min = 0.0, max = 1.0))]
    pub(crate) confidence: f32,
}

impl Orchestration {
    pub(crate) fn of(action: Action, reasoning: String, confidence: f32) -> Self {
        let (action, next_agent, collaboration) = match action {
            Action::Continue => (Verb::Continue, None, None),
            Action::AddAgent { next_agent } => (Verb::AddAgent, Some(next_agent), None),
            Action::SkipRemaining => (Verb::SkipRemaining, None, None),
            Action::Collaborate(with) => (Verb::Collaborate, None, Some(with)),
        };
        Self { action, next_agent, collaboration, reasoning, confidence }
    }

    /// None if it lacks what its action needs.
    pub(crate) fn action(&self) -> Option<Action> {
        Some(match self.action {
            Verb::Continue => Action::Continue,
            Verb::AddAgent => Action::AddAgent { next_agent: self.next_agent? },
            Verb::SkipRemaining => Action::SkipRemaining,
            Verb::Collaborate => Action::Collaborate(self.collaboration.clone()?),
        })
    }
}
