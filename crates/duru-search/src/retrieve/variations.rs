//! The ways a question is put to the index.

use super::concepts::Analysis;
use crate::index::{Query, Weighted};
use crate::text::{Lexicon, TermKind, bigrams, terms};

/// One way to ask.
#[derive(Debug, Clone)]
pub struct Variation {
    /// What it is, for the trace.
    pub name: &'static str,
    /// In words, for the trace.
    pub text: String,
    pub query: Query,
}

/// The way that asks in English for what the question says in Korean.
pub(super) const TRANSLATED: &str = "english";

/// How much the signs of what is wanted count beside the words.
const SIGNS: f32 = 0.25;

/// The question as it was put, in the terms of law where the thesaurus has any, and its words alone.
///
/// English names are asked for only if `known` says that the documents have their words.
pub(super) fn variations(
    analysis: &Analysis,
    lexicon: &Lexicon,
    known: impl Fn(&str) -> bool,
) -> Vec<Variation> {
    let mut all = Vec::new();
    let own: Vec<(String, f32)> = analysis
        .concepts
        .iter()
        .flat_map(|concept| concept.words.iter().map(|word| (word.clone(), concept.weight)))
        .collect();
    all.push(Variation {
        name: "words",
        text: analysis.question.clone(),
        query: query(&own, analysis, lexicon),
    });
    if !analysis.expansions.is_empty() {
        let mut weighed: Vec<(String, f32)> = Vec::new();
        for concept in &analysis.concepts {
            // A lay word says less than the terms it stands for.
            let lay = !concept.terms.is_empty() && !concept.translated;
            let own = if lay { concept.weight * 0.3 } else { concept.weight };
            weighed.extend(concept.words.iter().map(|word| (word.clone(), own)));
            for (place, term) in concept.terms.iter().enumerate() {
                // The first names are the ones that are meant most often.
                let weight = concept.weight / (1.0 + 0.25 * place as f32);
                weighed.extend(term.split_whitespace().map(|word| (word.to_owned(), weight)));
            }
        }
        let text: Vec<&str> = analysis.all_terms().collect();
        all.push(Variation {
            name: "terms",
            text: text.join(" "),
            query: query(&weighed, analysis, lexicon),
        });
    }
    let english: Vec<&str> = analysis.english_terms().filter(|term| known(term)).collect();
    if !english.is_empty() {
        let weighed: Vec<(String, f32)> = english.iter().map(|term| ((*term).to_owned(), 1.0)).collect();
        all.push(Variation {
            name: TRANSLATED,
            text: english.join(" "),
            query: query(&weighed, analysis, lexicon),
        });
    }
    all
}

fn query(weighed: &[(String, f32)], analysis: &Analysis, lexicon: &Lexicon) -> Query {
    let mut query = Query::default();
    for (text, weight) in weighed {
        for term in terms(text, lexicon) {
            add(&mut query.words, term.text, *weight);
        }
        for pair in bigrams(text) {
            add(&mut query.pairs, pair, *weight);
        }
    }
    for sign in analysis.needs.iter().flat_map(|need| need.signs()) {
        add(&mut query.words, (*sign).to_owned(), SIGNS);
    }
    for term in terms(&analysis.question, lexicon).into_iter().filter(|term| term.kind == TermKind::Number) {
        add(&mut query.words, term.text, 1.0);
    }
    query
}

/// A term that comes again counts by its greatest weight, so that synonyms do not add up.
fn add(list: &mut Vec<Weighted>, term: String, weight: f32) {
    match list.iter_mut().find(|item| item.term == term) {
        Some(item) => item.weight = item.weight.max(weight),
        None => list.push(Weighted { term, weight }),
    }
}
