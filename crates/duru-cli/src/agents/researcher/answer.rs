//! An answer with its sources and what the check of its claims said.

use duru::ThreadId;
use duru_agents::researcher::Research;
use serde_json::json;

use super::words;
use crate::output::Output;
use crate::problem::Problem;
use crate::text::clean;

pub(super) fn print(end: &Research, thread: &ThreadId, output: &Output) -> Result<(), Problem> {
    let answer = end.final_answer.as_deref().unwrap_or_default();
    if output.form.is_json() {
        return output.json(json!({
            "question": end.query, "thread": thread.as_str(), "understood_as": end.enhanced_query,
            "query_type": end.query_type, "answer": answer, "answered": !end.citations.is_empty(),
            "ending": end.ending, "status": end.workflow_status, "confidence": end.confidence_score, "citations": end.citations,
            "claims": end.claims, "conflicts": end.conflicts, "warnings": end.warnings,
            "subtasks": end.subtasks, "retries": end.retry_count,
        }));
    }
    // Piece by piece: whoever reads a long answer need not wait for its end.
    for line in answer.lines() {
        output.text(&format!("{}\n", clean(line)))?;
    }
    if !end.citations.is_empty() {
        output.text(&format!("\n{}\n", words::sources(output.lang)))?;
    }
    for citation in &end.citations {
        let page = citation.page.map(|page| format!(", p. {page}")).unwrap_or_default();
        let (label, source) = (clean(&citation.label), clean(&citation.source));
        output.text(&format!("  [{}] {label} ({source}{page})\n", citation.number))?;
    }
    if !end.claims.is_empty() {
        output.text(&format!("\n{}", words::verdict(&end.claims, output.lang)))?;
    }
    for warning in &end.warnings {
        output.progress(&format!("  ! {}", clean(warning)));
    }
    Ok(())
}
