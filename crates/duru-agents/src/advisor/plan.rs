//! A plan: the steps to an answer, who takes them, and in which order.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::tools::Team;
use super::understand::DataKind;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    #[default]
    Pending,
    InProgress,
    Completed,
    Failed,
    Skipped,
    Cancelled,
}

impl Status {
    /// Is nothing more done about it?
    pub fn is_over(self) -> bool {
        !matches!(self, Self::Pending | Self::InProgress)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    #[default]
    Sequential,
    Parallel,
    /// As results come in.
    Adaptive,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    pub id: String,
    pub team: Team,
    /// What it is for, in the asker's language.
    pub task: String,
    pub description: String,
    #[serde(default)]
    pub depends_on: Vec<String>,
    #[serde(default)]
    pub status: Status,
    /// Only if the steps before it leave something open.
    #[serde(default)]
    pub optional: bool,
    /// The data that a search looks for.
    #[serde(default)]
    pub scope: Vec<DataKind>,
    /// How often it has been tried.
    #[serde(default)]
    pub tries: u32,
}

/// Steps that wait for nothing that is still open.
pub(super) fn ready(steps: &[Step]) -> Vec<&Step> {
    let over = |id: &String| steps.iter().all(|step| step.id != *id || step.status.is_over());
    let waits = |step: &&Step| step.status == Status::Pending && step.depends_on.iter().all(over);
    steps.iter().filter(waits).collect()
}

/// A step takes the place of the one with its id.
pub(super) fn update_steps(all: &mut Vec<Step>, written: Vec<Step>) {
    for step in written {
        match all.iter_mut().find(|known| known.id == step.id) {
            Some(known) => *known = step,
            None => all.push(step),
        }
    }
}
