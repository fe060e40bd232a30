//! Drops what does not help, and says why.

use std::collections::HashSet;

use duru::{Cx, Result};
use duru_llm::decision::{By, Untrusted};
use serde_json::json;

use super::super::decide::{DocumentsAsked, Grade, GradeDocuments, Grades};
use super::super::document::{Document, Ending, SubtaskStatus};
use super::super::ending::ENOUGH;
use super::super::state::ResearchUpdate;
use super::shared::{self, Found};
use crate::decided;

/// A document speaks of so much of the query.
pub(super) const FIT: f32 = 0.25;

/// And of so much of what the best one speaks of.
const BESIDE_BEST: f32 = 0.5;

/// So many are shown where it is not sure which is meant.
const MAYBE: usize = 3;

/// How likely passages answer that a model read and found relevant.
const READ: f32 = 0.8;

/// So many of those that were dropped are shown when there is no answer.
const NEAREST: usize = 3;

/// Where a sub-task goes from here.
pub(in super::super) enum Next {
    GoOn,
    Rewrite,
    Web,
}

pub(in super::super) async fn grade_documents(found: Found, cx: Cx) -> Result<(ResearchUpdate, Found, Next)> {
    let asked = DocumentsAsked {
        query: Untrusted::new(found.work.subtask.query.as_str()),
        documents: shared::numbered(&found.documents),
        draft: by_fit(&found),
    };
    let draft = asked.draft.clone();
    let (grades, by_model) = if found.documents.is_empty() {
        (draft.clone(), false)
    } else {
        let outcome = decided::decider(&cx)?.decide::<GradeDocuments>(&asked).await?;
        (outcome.value, outcome.by == By::Model)
    };
    let grades = with_best(grades, &draft);
    let (kept, mut dropped) = sorted(&found.documents, &grades, &draft);
    let mut found = found;
    let subtask = &mut found.work.subtask;
    // What people say about a passage is no passage more.
    for document in kept.iter().filter(|document| document.remarked.is_none()) {
        if !subtask.documents.contains(&document.id) {
            subtask.documents.push(document.id.clone());
        }
    }
    let (ending, confidence) = match (kept.is_empty(), by_model) {
        (true, _) => (Ending::None, 0.0),
        // Whoever read the passages knows better than how their words lie.
        (false, true) => (Ending::Answer, found.confidence.max(READ)),
        (false, false) => (found.ending, found.confidence),
    };
    if ending >= subtask.ending {
        (subtask.ending, subtask.confidence) = (ending, subtask.confidence.max(confidence));
    }
    subtask.missing = if kept.is_empty() { Vec::new() } else { found.missing.clone() };
    let next = match (subtask.documents.len() >= ENOUGH, &subtask.rewritten) {
        (true, _) => Next::GoOn,
        (false, None) => Next::Rewrite,
        (false, Some(_)) => Next::Web,
    };
    if matches!(next, Next::GoOn) {
        subtask.status = SubtaskStatus::Retrieved;
    }
    let statistics =
        json!({ "graded": found.documents.len(), "relevant": kept.len(), "dropped": dropped.len() });
    let said = dropped.iter().map(|document| format!("- {}: {}", document.label(), document.reason));
    let said = format!("{}: {}\n{}", subtask.query, kept.len(), said.collect::<Vec<_>>().join("\n"));
    dropped.truncate(NEAREST);
    let update = shared::report(cx.node(), said.trim_end(), statistics)
        .documents(kept)
        .nearest(dropped)
        .subtasks(vec![subtask.clone()]);
    Ok((update, found, next))
}

/// What a model drops as a whole, it has not read: where it keeps nothing and the rule keeps something, the rule grades.
fn with_best(grades: Grades, draft: &Grades) -> Grades {
    let keeps = |grades: &Grades| grades.grades.iter().any(|grade| grade.relevant);
    if keeps(&grades) || !keeps(draft) { grades } else { draft.clone() }
}

/// Those that help and those that do not. A passage and what people say about it stay together.
fn sorted(documents: &[Document], grades: &Grades, draft: &Grades) -> (Vec<Document>, Vec<Document>) {
    let of = |grades: &Grades, at: usize| {
        grades.grades.iter().find(|grade| grade.document as usize == at + 1).cloned()
    };
    // What a model forgot, the rule grades.
    let graded: Vec<(&Document, Grade)> = documents
        .iter()
        .enumerate()
        .filter_map(|(at, document)| Some((document, of(grades, at).or_else(|| of(draft, at))?)))
        .collect();
    let passage = |document: &Document| {
        document.remarked.as_ref().map_or_else(|| document.id.clone(), |remark| remark.passage.clone())
    };
    let relevant: HashSet<String> =
        graded.iter().filter(|(_, grade)| grade.relevant).map(|(document, _)| passage(document)).collect();
    graded
        .into_iter()
        .map(|(document, grade)| Document { reason: grade.reason, ..document.clone() })
        .partition(|document| relevant.contains(&passage(document)))
}

/// By how much of the query each speaks of, if they can answer it at all.
fn by_fit(found: &Found) -> Grades {
    let best = found.documents.iter().map(|document| document.fit).fold(0.0, f32::max);
    let grades = found.documents.iter().enumerate().map(|(at, document)| {
        let (relevant, reason) = if found.ending == Ending::None {
            (false, format!("the documents do not speak of: {}", found.missing.join(", ")))
        } else if found.ending == Ending::Maybe {
            (at < MAYBE, format!("it may be meant ({:.0}%)", found.confidence * 100.0))
        } else if at == 0 || document.fit >= FIT.max(best * BESIDE_BEST) {
            (true, format!("it speaks of {:.0}% of the query", document.fit * 100.0))
        } else {
            (false, format!("it speaks of only {:.0}% of the query", document.fit * 100.0))
        };
        Grade { document: u32::try_from(at + 1).unwrap_or(u32::MAX), relevant, reason }
    });
    Grades { grades: grades.collect() }
}
