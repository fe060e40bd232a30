//! Whether what was found answers a query, where a model reads the first passages: how far it leans to a yes for each of them
//! tells more than which word it says, and together with how the words lie it tells how likely there is an answer.

use duru_llm::decision::{By, Outcome, Untrusted};

use super::decide::{Answers, PassageAsked, YesNo};
use super::document::{Document, Ending};

/// So many passages are read.
const READ: usize = 3;

/// From here on it is an answer and not only what may be meant.
const ENOUGH: f32 = 0.7;

/// What a yes leans where the provider does not tell how far. Chosen by hand, not measured.
const SAID: f32 = 2.0;

/// The weights of a logistic: of nothing, how likely an answer is by the words, how far the first passage and the best one
/// lean, and by how much the best one leads. Fitted on eight sets; what it is worth on one that is left out stands in
/// `eval/model/README.md`.
const WEIGHTS: [f32; 5] = [-0.9, 1.49, 1.36, 0.67, 1.56];

/// So much further another passage must lean to come before the one that was found first.
const FOUND_FIRST: f32 = 0.1;

/// What was found, as a model that read it says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Judged {
    pub(super) ending: Ending,
    pub(super) confidence: f32,
    /// The place of the passage that answers.
    pub(super) best: usize,
}

/// The passages that are read, one question each.
pub(super) fn asked(query: &str, documents: &[Document], ending: Ending) -> Vec<PassageAsked> {
    let passages = documents.iter().filter(|document| document.remarked.is_none());
    let one = |document: &Document| PassageAsked {
        query: Untrusted::new(query),
        passage: Untrusted::new(format!("{}\n{}", document.label(), document.text)),
        draft: Answers::from(ending == Ending::Answer),
        certain: ending == Ending::Answer,
    };
    passages.take(READ).map(one).collect()
}

/// How far a model leans to a yes; none where it did not decide.
pub(super) fn leaning(outcome: &Outcome<Answers>) -> Option<f32> {
    let said = match outcome.value.answers {
        YesNo::Yes => SAID,
        YesNo::No => -SAID,
    };
    (outcome.by != By::Rule).then(|| outcome.value.leaning.unwrap_or(said))
}

/// What becomes of passages that ended so by their words, with so much confidence, and lean so far each.
pub(super) fn judged((ending, confidence): (Ending, f32), leanings: &[f32]) -> Option<Judged> {
    let first = *leanings.first()?;
    let mut sorted = leanings.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let most = sorted[0];
    let best = if first + FOUND_FIRST >= most {
        0
    } else {
        leanings.iter().position(|leaning| *leaning == most).unwrap_or_default()
    };
    let lead = most - sorted.get(1).copied().unwrap_or(-SAID);
    let signs = [1.0, confidence, first, most, lead];
    let sum: f32 = signs.iter().zip(WEIGHTS).map(|(sign, weight)| sign * weight).sum();
    let confidence = 1.0 / (1.0 + (-sum).exp());
    let ending = if confidence >= ENOUGH { Ending::Answer } else { ending.min(Ending::Maybe) };
    Some(Judged { ending, confidence, best })
}

/// The passage at this place among the passages comes first, and what people say about it behind it.
pub(super) fn put_first(documents: &mut [Document], place: usize) {
    let places = documents.iter().enumerate().filter(|(_, document)| document.remarked.is_none());
    let Some((from, _)) = places.take(place + 1).last() else { return };
    let remarks = documents[from + 1..].iter().take_while(|document| document.remarked.is_some()).count();
    documents[..=from + remarks].rotate_right(remarks + 1);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::researcher::remarks::RemarkSource;

    #[test]
    fn a_model_that_leans_far_makes_an_answer_of_what_may_be_meant() {
        let of = |ending, leanings: &[f32]| {
            judged((ending, 0.5), leanings).map(|judged| (judged.ending, judged.best))
        };
        assert_eq!(of(Ending::Maybe, &[0.2, 1.6, -0.4]), Some((Ending::Answer, 1)));
        assert_eq!(of(Ending::Maybe, &[-0.4, -0.6, -0.1]), Some((Ending::Maybe, 2)));
        assert_eq!(of(Ending::None, &[-0.4, -0.6, -0.1]), Some((Ending::None, 2)), "it stays far away");
        assert_eq!(of(Ending::Maybe, &[]), None);
    }

    #[test]
    fn a_passage_comes_first_with_what_people_say_about_it() {
        let document = |id: &str, remark: bool| Document {
            id: id.to_owned(),
            remarked: remark.then(RemarkSource::default),
            ..Document::default()
        };
        let mut all = [
            document("a", false),
            document("a1", true),
            document("b", false),
            document("b1", true),
            document("c", false),
        ];
        put_first(&mut all, 1);
        assert_eq!(all.map(|document| document.id).join(" "), "b b1 a a1 c");
    }
}
