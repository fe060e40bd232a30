//! Drops what does not help, and says why.

use std::collections::HashSet;

use duru::{Cx, Result};
use futures_util::future::try_join_all;
use serde_json::json;

use super::shared::{self, Found};
use crate::decided;
use crate::researcher::decide::PassageAnswers;
use crate::researcher::document::{Document, Ending, SubtaskStatus};
use crate::researcher::ending::ENOUGH;
use crate::researcher::grading;
use crate::researcher::state::ResearchUpdate;

/// A document speaks of so much of the query.
pub(super) const FIT: f32 = 0.25;

/// And of so much of what the best one speaks of.
const BESIDE_BEST: f32 = 0.5;

/// So many are shown where it is not sure which is meant.
const MAYBE: usize = 3;

/// So many of those that were dropped are shown when there is no answer.
const NEAREST: usize = 3;

/// Where a sub-task goes from here.
pub(in crate::researcher) enum Next {
    GoOn,
    Rewrite,
    Web,
}

pub(in crate::researcher) async fn grade_documents(
    mut found: Found,
    cx: Cx,
) -> Result<(ResearchUpdate, Found, Next)> {
    read(&mut found, &cx).await?;
    let (kept, mut dropped) = sorted(&found);
    let subtask = &mut found.work.subtask;
    // What people say about a passage is no passage more.
    for document in kept.iter().filter(|document| document.remarked.is_none()) {
        if !subtask.documents.contains(&document.id) {
            subtask.documents.push(document.id.clone());
        }
    }
    let (ending, confidence) =
        if kept.is_empty() { (Ending::None, 0.0) } else { (found.ending, found.confidence) };
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

/// Where a model decides, it reads the first passages: the one that answers comes first, and how likely it does is told.
async fn read(found: &mut Found, cx: &Cx) -> Result<()> {
    let decider = decided::decider(cx)?;
    let asked = grading::asked(&found.work.subtask.query, &found.documents, found.ending);
    // All at once: nobody waits for three answers one after the other.
    let outcomes = try_join_all(asked.iter().map(|asked| decider.decide::<PassageAnswers>(asked))).await?;
    // Half of what a model says is nothing to go by: the rule stands.
    let leanings: Option<Vec<f32>> = outcomes.iter().map(grading::leaning).collect();
    let by_rule = (found.ending, found.confidence);
    if let Some(judged) = leanings.and_then(|leanings| grading::judged(by_rule, &leanings)) {
        (found.ending, found.confidence) = (judged.ending, judged.confidence);
        grading::put_first(&mut found.documents, judged.best);
        if let Some(first) = found.documents.first_mut() {
            first.answers = judged.ending == Ending::Answer;
        }
    }
    Ok(())
}

/// Those that help and those that do not, each with the reason. A passage and what people say about it stay together.
fn sorted(found: &Found) -> (Vec<Document>, Vec<Document>) {
    let best = found.documents.iter().map(|document| document.fit).fold(0.0, f32::max);
    let grade = |(at, document): (usize, &Document)| {
        let (relevant, reason) = if found.ending == Ending::None {
            (false, format!("the documents do not speak of: {}", found.missing.join(", ")))
        } else if found.ending == Ending::Maybe {
            (at < MAYBE, format!("it may be meant ({:.0}%)", found.confidence * 100.0))
        } else if at == 0 || document.fit >= FIT.max(best * BESIDE_BEST) {
            (true, format!("it speaks of {:.0}% of the query", document.fit * 100.0))
        } else {
            (false, format!("it speaks of only {:.0}% of the query", document.fit * 100.0))
        };
        (relevant, Document { reason, ..document.clone() })
    };
    let graded: Vec<(bool, Document)> = found.documents.iter().enumerate().map(grade).collect();
    let passage = |document: &Document| {
        document.remarked.as_ref().map_or_else(|| document.id.clone(), |remark| remark.passage.clone())
    };
    let relevant = graded.iter().filter(|(relevant, _)| *relevant).map(|(_, document)| passage(document));
    let relevant: HashSet<String> = relevant.collect();
    let all = graded.into_iter().map(|(_, document)| document);
    all.partition(|document| relevant.contains(&passage(document)))
}
