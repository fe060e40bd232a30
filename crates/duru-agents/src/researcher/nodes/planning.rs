//! Parts the question.

use std::sync::Arc;

use duru::{Cx, Result};
use duru_llm::decision::Untrusted;
use serde_json::json;

use super::shared;
use crate::decided;
use crate::researcher::decide::{Plan, PlanAsked, PlanSubtasks, Planned};
use crate::researcher::document::{Subtask, SubtaskStatus};
use crate::researcher::plan::{MOST, Part, parts};
use crate::researcher::scope::notes;
use crate::researcher::state::{Research, ResearchUpdate, WorkflowStatus};
use crate::researcher::toolbox::Toolbox;
use crate::researcher::words;

pub(in crate::researcher) async fn planning(s: Arc<Research>, cx: Cx) -> Result<ResearchUpdate> {
    let tools = cx.get::<Toolbox>()?;
    let read = tools.searcher(&cx).scope(s.asked(), &s.search_filter.filter()).await;
    // Whoever named a place to look in hears that everything was searched.
    let unread = read.is_err().then(|| words::names_unread(s.lang()));
    let scope = read.ok();
    let asked = scope.as_ref().map_or(s.asked(), |scope| scope.question.as_str());
    let (parts, told) = parts(asked);
    let draft = by_conjunctions(parts);
    let asked = PlanAsked { question: Untrusted::new(asked), draft: draft.clone() };
    let plan = decided::decider(&cx)?.decide::<PlanSubtasks>(&asked).await?.value;
    let mut subtasks = subtasks(plan);
    if subtasks.is_empty() {
        subtasks = self::subtasks(draft);
    }
    for subtask in &mut subtasks {
        subtask.told.clone_from(&told);
    }
    let said =
        subtasks.iter().map(|subtask| format!("{}. {}", subtask.id, subtask.query)).collect::<Vec<_>>();
    let mut update = shared::report(cx.node(), said.join("\n"), json!({ "subtasks": subtasks.len() }));
    if let Some(scope) = scope {
        update = update.search_filter(s.search_filter.narrowed(&scope)).scope_notes(notes(&scope, s.lang()));
    }
    if let Some(note) = unread {
        update = update.scope_notes(vec![note]);
    }
    Ok(update.workflow_status(WorkflowStatus::Running).overwrite_subtasks(subtasks))
}

fn by_conjunctions(parts: Vec<Part>) -> Plan {
    let planned = parts.into_iter().map(|part| {
        let dependencies: Vec<u32> = part.leans_on.map(|at| number(at + 1)).into_iter().collect();
        Planned { query: part.query, priority: 1 + number(dependencies.len()), dependencies }
    });
    Plan { subtasks: planned.collect() }
}

fn number(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// At most five. One that depends on itself, on a later one or on none would wait for ever; only what comes before it
/// can hold it up.
fn subtasks(plan: Plan) -> Vec<Subtask> {
    let planned = plan.subtasks.into_iter().filter(|planned| !planned.query.trim().is_empty()).take(MOST);
    let numbered = planned.enumerate().map(|(at, planned)| {
        let id = number(at + 1);
        let mut dependencies = planned.dependencies;
        dependencies.retain(|other| (1..id).contains(other));
        dependencies.sort_unstable();
        dependencies.dedup();
        Subtask {
            id,
            query: planned.query.trim().to_owned(),
            priority: planned.priority,
            dependencies,
            status: SubtaskStatus::Pending,
            ..Subtask::default()
        }
    });
    numbered.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_that_could_never_end_is_mended() {
        let planned = |query: &str, dependencies: &[u32]| Planned {
            query: query.into(),
            priority: 1,
            dependencies: dependencies.to_vec(),
        };
        let made = subtasks(Plan {
            subtasks: vec![
                planned("a", &[1, 2]),
                planned("b", &[1, 1, 9]),
                planned(" ", &[]),
                planned("c", &[2]),
            ],
        });
        let dependencies: Vec<&[u32]> = made.iter().map(|subtask| &subtask.dependencies[..]).collect();
        assert_eq!(dependencies, [&[][..], &[1], &[2]]);
    }
}
