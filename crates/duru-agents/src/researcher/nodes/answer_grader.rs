//! Whether the answer is good enough to be given.

use std::sync::Arc;

use duru::{Command, Cx, Result};
use duru_llm::decision::Untrusted;
use serde_json::json;

use super::shared::{self, RETRIES};
use crate::decided;
use crate::researcher::decide::{AnswerAsked, GradeAnswer, Marks};
use crate::researcher::document::Document;
use crate::researcher::ending;
use crate::researcher::sentences::{cited, sentences};
use crate::researcher::state::{Attempt, Check, Research, WorkflowStatus};
use crate::researcher::subject::Subject;
use crate::researcher::toolbox::Toolbox;

/// Accepted from here on, in each.
const ACCEPTED: f32 = 0.6;

/// A sentence longer than this is hard to read.
const READABLE: usize = 450;

pub(in crate::researcher) async fn answer_grader(s: Arc<Research>, cx: Cx) -> Result<Command<Research>> {
    let tools = cx.get::<Toolbox>()?;
    let answer = s.intermediate_answer.clone().unwrap_or_default();
    let asked = AnswerAsked {
        question: Untrusted::new(s.asked()),
        answer: Untrusted::new(answer.as_str()),
        draft: by_coverage(&s, &answer, &tools),
    };
    let marks = decided::decider(&cx)?.decide::<GradeAnswer>(&asked).await?.value;
    let all = [
        ("completeness", marks.completeness),
        ("relevance", marks.relevance),
        ("clarity", marks.clarity),
        ("accuracy", marks.accuracy),
    ];
    let weak: Vec<&str> = all.iter().filter(|(_, mark)| *mark < ACCEPTED).map(|(name, _)| *name).collect();
    let is_valid = weak.is_empty();
    let last = s.retry_count >= RETRIES;
    let check = Check {
        is_valid,
        score: all.iter().map(|(_, mark)| *mark).fold(1.0, f32::min),
        reason: if marks.reason.is_empty() { weak.join(", ") } else { marks.reason.clone() },
        suggestions: marks.suggestions.clone(),
        needs_retry: !is_valid && !last,
    };
    let feedback = format!("{}: {} {}", weak.join(", "), marks.reason, marks.suggestions.join(" "));
    let statistics = json!({ "graded": 1, "marks": marks });
    let update = shared::report(cx.node(), check.reason.as_str(), statistics)
        .answer_grade(Some(check))
        .quality_feedback((!is_valid).then_some(feedback));
    let update = Command::update(update);
    Ok(match (is_valid, last) {
        (true, _) => {
            let support = s.hallucination_check.as_ref().map_or(0.0, |check| check.score);
            update.and(ending::finish(
                &s,
                &cx,
                (&answer, support),
                &s.unsupported,
                WorkflowStatus::Completed,
            )?)
        }
        (false, true) => {
            let best = s.best_answer.clone().unwrap_or(Attempt {
                answer,
                score: 0.0,
                unsupported: s.unsupported.clone(),
            });
            update.and(ending::finish(
                &s,
                &cx,
                (&best.answer, best.score),
                &best.unsupported,
                WorkflowStatus::Failed,
            )?)
        }
        (false, false) => update,
    })
}

/// By what the answer speaks of, beside what the documents speak of.
fn by_coverage(s: &Research, answer: &str, tools: &Toolbox) -> Marks {
    let subject = Subject::of(s.asked(), &tools.thesaurus);
    let known: String = s
        .documents
        .iter()
        .map(|document: &Document| format!("{} {}\n", document.label(), document.text))
        .collect();
    // A sentence is about what its source is called, too.
    let labelled = |sentence: &str| {
        let sources =
            cited(sentence).into_iter().filter_map(|number| s.documents.get(number.checked_sub(1)?));
        sources.map(Document::label).chain([sentence.to_owned()]).collect::<Vec<_>>().join(" ")
    };
    let all: Vec<String> = sentences(answer).into_iter().map(labelled).collect();
    let (said, could) = (subject.coverage(&all.join("\n")), subject.coverage(&known));
    let share = |good: usize| if all.is_empty() { 0.0 } else { good as f32 / all.len() as f32 };
    Marks {
        completeness: if could > 0.0 { (said / could).min(1.0) } else { 1.0 },
        relevance: share(all.iter().filter(|sentence| subject.coverage(sentence) > 0.0).count()),
        clarity: share(
            sentences(answer).iter().filter(|sentence| sentence.chars().count() <= READABLE).count(),
        ),
        accuracy: s.hallucination_check.as_ref().map_or(0.0, |check| check.score),
        reason: String::new(),
        suggestions: Vec::new(),
    }
}
