//! Sends out every sub-task that waits for nothing, and sees when all are back.

use std::sync::Arc;

use duru::{Command, Cx, Result};
use serde_json::json;

use super::shared::{self, Work};
use crate::researcher::document::{Subtask, SubtaskStatus};
use crate::researcher::ending;
use crate::researcher::lang::Lang;
use crate::researcher::own_words::own_words;
use crate::researcher::state::{Research, WorkflowStatus};
use crate::researcher::words;

pub(in crate::researcher) async fn subtask_executor(s: Arc<Research>, cx: Cx) -> Result<Command<Research>> {
    let finished = |id: u32| {
        s.subtasks.iter().any(|subtask| subtask.id == id && subtask.status == SubtaskStatus::Retrieved)
    };
    let mut sent: Vec<Subtask> = s
        .subtasks
        .iter()
        .filter(|subtask| subtask.status == SubtaskStatus::Pending)
        .filter(|subtask| subtask.dependencies.iter().all(|other| finished(*other)))
        .cloned()
        .collect();
    sent.sort_by_key(|subtask| (subtask.priority, subtask.id));
    for subtask in &mut sent {
        subtask.status = SubtaskStatus::Processing;
    }
    let ids: Vec<u32> = sent.iter().map(|subtask| subtask.id).collect();
    let first_open = s.subtasks.iter().position(|subtask| subtask.status != SubtaskStatus::Retrieved);
    let index = u32::try_from(first_open.unwrap_or(s.subtasks.len())).unwrap_or(u32::MAX);
    let waves = u64::from(!ids.is_empty());
    let update = shared::report(cx.node(), format!("{ids:?}"), json!({ "waves": waves, "sent": ids.len() }))
        .current_subtask_idx(index)
        .subtasks(sent)
        .ready(ids);
    if first_open.is_none() && s.documents.is_empty() && s.error.is_some() {
        let told = ending::say(&s, &cx, words::search_failed(s.lang()), WorkflowStatus::Failed)?;
        return Ok(Command::update(update).and(told));
    }
    Ok(Command::update(update))
}

/// What the executor just sent out, as the workers get it.
pub(in crate::researcher) fn ready(s: &Research) -> Vec<Work> {
    let wanted = s.ready.iter().filter_map(|id| s.subtasks.iter().find(|subtask| subtask.id == *id));
    wanted
        .map(|subtask| {
            let before = s.subtasks.iter().filter(|other| subtask.dependencies.contains(&other.id));
            let ids: Vec<&String> = before.flat_map(|other| &other.documents).collect();
            let found = s.documents.iter().filter(|document| ids.contains(&&document.id));
            Work {
                subtask: subtask.clone(),
                filter: s.search_filter.clone(),
                found: found.map(|document| document.label()).collect(),
                korean: s.lang() == Lang::Ko,
                own: own_words(s),
            }
        })
        .collect()
}
