//! `duru threads show ID --at CHECKPOINT`

use duru::{TaskState, ThreadState};
use serde_json::{Value, json};

use super::changes::planned;
use super::checkpoint::state_at;
use super::picture::{questions, short, source};
use super::table::table;
use super::{Found, find};
use crate::args::Args;
use crate::lang::Lang;
use crate::output::Output;
use crate::problem::Problem;
use crate::text::{clean, time};

/// What became of a task.
#[derive(Debug, Clone, Copy)]
pub(super) enum Outcome {
    Done,
    Failed,
    Asks,
    Planned,
}

pub(crate) async fn moment(id: &str, at: &str, args: &Args, output: &Output) -> Result<(), Problem> {
    let Found { log, .. } = find(id, args).await?;
    let state = state_at(&log, at).await?;
    output.text(&text(output.lang, &state))?;
    let tasks: Vec<Value> = state.tasks.iter().map(task_json).collect();
    output.json(json!({
        "thread": log.id(), "graph": log.graph().await?, "checkpoint": state.checkpoint, "parent": state.parent,
        "step": state.step, "source": state.source, "run": state.run, "at_ms": state.at_ms, "ended": state.ended,
        "state": state.values, "next": planned(&state), "tasks": tasks, "questions": questions(&state),
    }))
}

fn text(lang: Lang, state: &ThreadState) -> String {
    let checkpoint = state.checkpoint.map(|id| id.to_string()).unwrap_or_default();
    let step = state.step.map(|step| step.to_string()).unwrap_or_default();
    let at = lang.at(&checkpoint, &step, &source(state, lang), &state.at_ms.map(time).unwrap_or_default());
    let mut text = format!("{at}\n\n{}\n", lang.final_state());
    for (name, value) in &state.values {
        text.push_str(&format!("  {} = {}\n", clean(name), short(&clean(&value.to_string()))));
    }
    if !state.tasks.is_empty() {
        text.push_str(&format!("\n{}\n", lang.tasks()));
        let rows = state.tasks.iter().map(|task| {
            let (outcome, what) = outcome(task);
            [clean(&task.node), lang.task_outcome(outcome).to_owned(), short(&clean(&what))]
        });
        text.push_str(&table(lang.task_head(), rows));
    }
    text
}

fn outcome(task: &TaskState) -> (Outcome, String) {
    if let Some(result) = &task.result {
        (Outcome::Done, result.to_string())
    } else if let Some(error) = &task.error {
        (Outcome::Failed, error.clone())
    } else if let Some(question) = task.questions.first() {
        (Outcome::Asks, question.value.get().to_owned())
    } else {
        (Outcome::Planned, String::new())
    }
}

fn task_json(task: &TaskState) -> Value {
    let outcome = match outcome(task).0 {
        Outcome::Done => "done",
        Outcome::Failed => "failed",
        Outcome::Asks => "asks",
        Outcome::Planned => "planned",
    };
    json!({ "id": task.id, "node": task.node, "outcome": outcome, "result": task.result, "error": task.error })
}
