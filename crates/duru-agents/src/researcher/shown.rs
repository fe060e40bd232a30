//! What is shown of an answer while a model writes it: its sentences, each when it was verified.

use super::claims::fault;
use super::document::Ending;
use super::remarks::only_remarks;
use super::sentences::{begins_with_citation, cited, replace_citations, sentences};
use super::state::Research;
use super::words;
use crate::spoken::{Telling, Verdict};

/// Tells the sentences that the documents support, with the numbers of their citations as the whole answer will have
/// them. From the first that they do not support on, nothing is shown before everything was checked.
pub(super) fn telling(s: &Research) -> Telling {
    let documents = s.documents.clone();
    let mut order: Vec<usize> = Vec::new();
    let telling = Telling::new(sentences, move |_, sentence| {
        if leads_away(sentence) || begins_with_citation(sentence) {
            return Verdict::Held;
        }
        // What people say comes behind what the texts say.
        if !only_remarks(sentence, &documents).is_empty() {
            return Verdict::Left;
        }
        if fault(sentence, &documents).is_some() {
            return Verdict::Held;
        }
        for number in cited(sentence) {
            if !order.contains(&number) {
                order.push(number);
            }
        }
        let place = |old: &usize| order.iter().position(|known| known == old).map(|at| at + 1);
        Verdict::Told(replace_citations(sentence, |numbers| {
            numbers.iter().filter_map(place).map(|number| format!("[{number}]")).collect()
        }))
    });
    match s.relevance().0 {
        Ending::Maybe => telling.below(format!("{}\n\n", words::maybe(s.lang()))),
        _ => telling,
    }
}

/// Links are taken out of a whole answer.
fn leads_away(sentence: &str) -> bool {
    ["](", "]:", "http", "www.", "<"].iter().any(|sign| sentence.contains(sign))
}
