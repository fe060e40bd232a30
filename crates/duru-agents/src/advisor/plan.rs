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

/// Has a team's step wait for another's, as `(who waits, for whom)`. What waits already, by however many others, is not
/// waited for: no two wait for each other, and the order that is there stays.
pub(super) fn depend(steps: &mut [Step], waits: &[(Team, Team)]) {
    for (team, other) in waits.iter().filter(|(team, other)| team != other) {
        let id = |team: &Team, steps: &[Step]| {
            steps.iter().find(|step| step.team == *team).map(|step| step.id.clone())
        };
        let (Some(own), Some(before)) = (id(team, steps), id(other, steps)) else { continue };
        if reaches(steps, &before, &own) {
            continue;
        }
        for step in steps.iter_mut().filter(|step| step.id == own && !step.depends_on.contains(&before)) {
            step.depends_on.push(before.clone());
        }
    }
}

/// Does a step wait for another, itself or through others?
fn reaches(steps: &[Step], from: &str, to: &str) -> bool {
    let mut open = vec![from.to_owned()];
    let mut seen: Vec<String> = Vec::new();
    while let Some(id) = open.pop() {
        if id == to {
            return true;
        }
        if !seen.contains(&id) {
            open.extend(steps.iter().filter(|step| step.id == id).flat_map(|step| step.depends_on.clone()));
            seen.push(id);
        }
    }
    false
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

#[cfg(test)]
mod tests {
    use super::*;

    fn step(team: Team, id: &str, depends_on: &[&str]) -> Step {
        Step {
            id: id.to_owned(),
            team,
            task: String::new(),
            description: String::new(),
            depends_on: depends_on.iter().map(|id| (*id).to_owned()).collect(),
            status: Status::Pending,
            optional: false,
            scope: Vec::new(),
            tries: 0,
        }
    }

    #[test]
    fn steps_wait_for_what_they_depend_on_and_never_for_each_other() {
        let mut steps = vec![
            step(Team::Search, "s", &[]),
            step(Team::Analysis, "a", &["s"]),
            step(Team::Document, "d", &[]),
        ];
        assert_eq!(ready(&steps).len(), 2);
        depend(&mut steps, &[(Team::Document, Team::Analysis), (Team::Search, Team::Document)]);
        assert_eq!(steps[2].depends_on, ["a"]);
        // The search would wait for the draft, which waits for the analysis, which waits for the search.
        assert!(steps[0].depends_on.is_empty());
        for id in ["s", "a", "d"] {
            let now: Vec<String> = ready(&steps).iter().map(|step| step.id.clone()).collect();
            assert_eq!(now, [id]);
            steps.iter_mut().filter(|step| step.id == id).for_each(|step| step.status = Status::Completed);
        }
    }
}
