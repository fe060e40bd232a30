//! Measuring what a model adds to a search.

use duru_llm::decision::{Decider, Untrusted};
use duru_search::retrieve::{self, Found};
use futures_util::future::join_all;

use super::decide::{PassageAnswers, VaryAsked, VaryQuery};
use super::document::{Document, Ending};
use super::grading;
use super::nodes::as_asked;

/// The other ways in which a query is looked up, by whoever `decider` has.
pub async fn variations(query: &str, decider: &Decider) -> Vec<String> {
    let asked = VaryAsked { query: Untrusted::new(query), found: Vec::new(), draft: as_asked(query) };
    let mut ways = decider.for_question(query).decide::<VaryQuery>(&asked).await.value.variations;
    ways.retain(|way| !way.trim().is_empty() && way != query);
    ways
}

/// What was found, as somebody is shown it after whoever `decider` has read it.
pub async fn read(query: &str, mut found: Found, decider: &Decider) -> Found {
    let decider = decider.for_question(query);
    let documents: Vec<Document> = found.hits.iter().cloned().map(Document::of).collect();
    let ending = Ending::from(found.answerability.ending);
    let asked = grading::asked(query, &documents, ending);
    let outcomes = join_all(asked.iter().map(|asked| decider.decide::<PassageAnswers>(asked))).await;
    let leanings: Option<Vec<f32>> = outcomes.iter().map(grading::leaning).collect();
    let by_rule = (ending, found.answerability.confidence);
    if let Some(judged) = leanings.and_then(|leanings| grading::judged(by_rule, &leanings)) {
        found.answerability.confidence = judged.confidence;
        found.answerability.answerable = judged.ending != Ending::None;
        found.answerability.ending = match judged.ending {
            Ending::None => retrieve::Ending::None,
            Ending::Maybe => retrieve::Ending::Maybe,
            Ending::Answer => retrieve::Ending::Answer,
        };
        found.hits[..=judged.best].rotate_right(1);
    }
    found
}
