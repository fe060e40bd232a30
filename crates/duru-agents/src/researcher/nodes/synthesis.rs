//! Writes the answer, with a source behind every sentence.

use std::sync::Arc;

use duru::{Command, Cx, Result};
use duru_llm::decision::{By, Untrusted};
use serde_json::json;

use super::shared;
use crate::decided;
use crate::links::without_links;
use crate::researcher::compose::{Material, extract};
use crate::researcher::conflicts::conflicts;
use crate::researcher::decide::{Synthesis, SynthesisAsked, Synthesise};
use crate::researcher::document::{Document, Ending};
use crate::researcher::ending;
use crate::researcher::planted::is_planted;
use crate::researcher::remarks::texts_first;
use crate::researcher::sentences::sentences;
use crate::researcher::shown;
use crate::researcher::state::{Research, ResearchUpdate, Streamed, WorkflowStatus};
use crate::researcher::subject::Subject;
use crate::researcher::toolbox::Toolbox;
use crate::researcher::words;
use crate::spoken::Spoken;

/// So many sources are shown when there is no answer.
const NEAREST: usize = 3;

pub(in crate::researcher) async fn synthesis(s: Arc<Research>, cx: Cx) -> Result<Command<Research>> {
    let tools = cx.get::<Toolbox>()?;
    let again = s.hallucination_feedback.is_some() || s.quality_feedback.is_some();
    let tries = s.retry_count + u32::from(again);
    let conflicts = conflicts(&s.documents, &Subject::of(s.asked(), &tools.thesaurus));
    let draft = extract(&Material {
        subtasks: &s.subtasks,
        documents: &s.documents,
        conflicts: &conflicts,
        refused: &s.unsupported,
        thesaurus: &tools.thesaurus,
    });
    let asked = SynthesisAsked {
        question: Untrusted::new(s.asked()),
        documents: shared::numbered(&s.documents),
        conflicts: shared::untrusted(
            conflicts.iter().map(|conflict| format!("{} ↔ {}", conflict.first_says, conflict.second_says)),
        ),
        feedback: shared::untrusted(s.hallucination_feedback.iter().chain(&s.quality_feedback)),
        language: s.lang().name().to_owned(),
        draft: Synthesis { answerable: !draft.is_empty(), answer: draft },
    };
    if s.documents.is_empty() {
        return not_found(&s, &tools, &cx);
    }
    let spoken = Spoken::new(&cx, "answer", shown::telling(&s)).only_if("answerable");
    // What was shown of an answer before is not shown again; a better one goes on with it, or replaces it in the end.
    let decider = decided::decider(&cx)?;
    let decider = if s.streamed.is_none() { spoken.listen(decider) } else { decider };
    let outcome = decider.decide::<Synthesise>(&asked).await?;
    let begun = spoken.begun().map(|id| Streamed { id, text: spoken.shown() }).or_else(|| s.streamed.clone());
    let s = Research { streamed: begun.clone(), ..Research::clone(&s) };
    let Synthesis { answer, answerable } = outcome.value;
    let answer = texts_first(&without_links(&answer, &given(&s)), &s.documents);
    if !answerable {
        return not_found(&s, &tools, &cx);
    }
    let statistics = json!({ "answers": 1, "by_rule": u64::from(outcome.by == By::Rule), "documents_given": s.documents.len() });
    let update = shared::report(cx.node(), answer.as_str(), statistics)
        .intermediate_answer(Some(answer))
        .streamed(begun)
        .conflicts(conflicts)
        .retry_count(tries)
        .hallucination_feedback(None)
        .quality_feedback(None);
    let planted = s.documents.iter().any(|document| sentences(&document.text).into_iter().any(is_planted));
    let warning = words::planted(s.lang());
    let warnings = if planted && !s.warnings.contains(&warning) { vec![warning] } else { Vec::new() };
    Ok(Command::update(update.warnings(warnings)))
}

/// All that the answer may lead to: what the person and the documents name, and where those are from.
fn given(s: &Research) -> String {
    let documents = s.documents.iter();
    let of =
        documents.map(|document| format!("{}\n{}\n{}", document.label(), document.source, document.text));
    format!("{}\n{}", s.query, of.collect::<Vec<_>>().join("\n"))
}

/// Says so, with the nearest that there is.
fn not_found(s: &Research, tools: &Toolbox, cx: &Cx) -> Result<Command<Research>> {
    let mut nearest: Vec<Document> = s.documents.iter().chain(&s.nearest).cloned().collect();
    nearest.sort_by(|a, b| b.score.total_cmp(&a.score));
    nearest.truncate(NEAREST);
    let mut text = words::not_found(&nearest, tools.web.is_some(), s.lang());
    text.extend(s.scope_notes.iter().map(|note| format!("\n\n※ {note}")));
    let told = ending::say(s, cx, text, WorkflowStatus::Completed)?;
    let update: ResearchUpdate = shared::report(cx.node(), "not found", json!({ "not_found": 1 }));
    Ok(Command::update(update).and(told.intermediate_answer(None).ending(Some(Ending::None))))
}
