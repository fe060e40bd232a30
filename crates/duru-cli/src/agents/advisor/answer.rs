//! An answer as it is printed.

use std::path::PathBuf;

use duru::ThreadId;
use duru_agents::advisor::Advice;
use serde_json::json;

use crate::output::Output;
use crate::problem::Problem;
use crate::text::clean;

pub(super) fn print(
    end: &Advice,
    thread: &ThreadId,
    files: &[PathBuf],
    output: &Output,
) -> Result<(), Problem> {
    let Some(answer) = &end.final_response else { return Ok(()) };
    if output.form.is_json() {
        return output.json(json!({
            "question": end.query, "thread": thread.as_str(), "intent": end.planning.intent, "answer": answer,
            "status": end.status, "steps": end.steps, "decisions": end.orchestration_decisions,
            "reused": end.data_reused, "faults": end.faults, "statistics": end.execution_metadata,
            "files": files,
        }));
    }
    for line in answer.text.lines() {
        output.text(&format!("{}\n", clean(line)))?;
    }
    Ok(())
}
