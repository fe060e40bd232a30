//! What a question is about: its words, and what else each may be called.

use crate::text::{
    ArticleReference, Expansion, Lexicon, Need, Thesaurus, article_references, content_words, firmness,
    is_korean, is_verb, needs, spaced, squeezed,
};

/// How much an expansion counts beside the question's own words.
const EXPANDED: f32 = 0.9;

/// How much it counts if the question's word is a term itself.
const ALSO_CALLED: f32 = 0.45;

/// So many English names of one thing are enough.
const MOST_ENGLISH: usize = 4;

/// A question taken apart.
#[derive(Debug, Clone)]
pub struct Analysis {
    pub question: String,
    pub concepts: Vec<Concept>,
    /// Its words that say something, without endings and as they stand.
    pub whole_words: Vec<String>,
    pub needs: Vec<Need>,
    /// Articles that it names.
    pub articles: Vec<ArticleReference>,
    /// What the thesaurus added, for the trace.
    pub expansions: Vec<Expansion>,
}

/// One thing that a passage should speak of, under any of its names.
#[derive(Debug, Clone, PartialEq)]
pub struct Concept {
    /// The question's words for it.
    pub words: Vec<String>,
    /// Other names, each of one or more words.
    pub terms: Vec<String>,
    /// The other names are of another language: they stand beside its words, not for them.
    pub translated: bool,
    /// What Korean words are called in English, for documents in English.
    pub english: Vec<String>,
    /// How much it says about what is looked for.
    pub weight: f32,
    /// How sure it is that an answer must speak of it.
    pub firm: f32,
}

impl Analysis {
    pub fn of(question: &str, thesaurus: &Thesaurus) -> Self {
        // Words that are run together are taken apart; the question itself stays as it was put.
        let apart = spaced(question);
        let expansions = useful(thesaurus.expand(&apart));
        let lexicon = thesaurus.lexicon();
        let words = content_words(&apart);
        let mut concepts: Vec<Concept> = Vec::new();
        let mut used = vec![false; words.len()];
        for expansion in &expansions {
            let mut own = Vec::new();
            let mut weight = 0.0_f32;
            let mut lay = true;
            // A verb is said in other words, whatever it may stand for.
            let mut firm = 0.3_f32;
            for (at, word) in words.iter().enumerate() {
                if expansion.words.contains(&word.text) {
                    own.push(word.stem.clone());
                    weight = weight.max(word.weight);
                    let next = words.get(at + 1).map_or("", |next| next.text.as_str());
                    if !is_verb(&word.text, next) {
                        firm = firm.max(firmness(&word.text, &word.stem));
                    }
                    // What statutes call by the same word is looked for by that word, too.
                    let formal = thesaurus.is_term(&word.stem);
                    lay &= !formal;
                    used[at] |= !formal;
                }
            }
            let share = if lay { EXPANDED } else { ALSO_CALLED };
            // A thing within a phrase was said with the rest of it.
            let said = is_thing(expansion) && expansion.words.iter().all(|word| in_phrase(&expansions, word));
            concepts.push(Concept {
                words: own,
                terms: expansion.terms.clone(),
                translated: expansion.translated,
                english: Vec::new(),
                weight: weight.max(0.6) * share,
                // What only asks names nothing: 얼마까지.
                firm: if weight > 0.0 && !said { firm } else { 0.0 },
            });
        }
        for (at, (word, used)) in words.iter().zip(used).enumerate() {
            if !used && word.weight > 0.0 {
                let next = words.get(at + 1).map_or("", |next| next.text.as_str());
                // English words that nothing translates say little about Korean documents.
                let firm = match () {
                    () if is_verb(&word.text, next) => 0.0,
                    () if !is_korean(question) => 0.3,
                    // It was said already, with the rest of its phrase.
                    () if in_phrase(&expansions, &word.text) => 0.0,
                    () => firmness(&word.text, &word.stem),
                };
                let of = of_word(&word.stem, word.weight, lexicon);
                concepts.extend(of.into_iter().map(|concept| Concept { firm, ..concept }));
            }
        }
        for concept in &mut concepts {
            let names = concept.words.iter().chain(&concept.terms).filter(|name| !name.is_ascii());
            let mut english: Vec<String> =
                names.flat_map(|name| thesaurus.english(name)).take(MOST_ENGLISH).cloned().collect();
            english.dedup();
            concept.english = english;
        }
        Self {
            question: question.to_owned(),
            concepts,
            whole_words: words
                .iter()
                .filter(|word| word.weight > 0.0)
                .map(|word| squeezed(&word.stem))
                .collect(),
            needs: needs(question),
            articles: article_references(question),
            expansions,
        }
    }

    /// Forgets other names that no document has: what stands for nothing here must not weigh its words down.
    pub(super) fn keep_known(&mut self, known: impl Fn(&str) -> bool) {
        for concept in &mut self.concepts {
            concept.terms.retain(|term| known(term));
        }
        self.expansions.retain(|expansion| expansion.terms.iter().any(|term| known(term)));
    }

    /// The question's own words and all other names, squeezed.
    pub fn all_terms(&self) -> impl Iterator<Item = &str> {
        self.concepts
            .iter()
            .flat_map(|concept| concept.words.iter().chain(&concept.terms))
            .map(String::as_str)
    }
}

impl Analysis {
    /// What its Korean words are called in English, unless the question is English itself.
    pub fn english_terms(&self) -> impl Iterator<Item = &str> {
        let korean = is_korean(&self.question);
        let concepts = self.concepts.iter().filter(move |_| korean);
        concepts.flat_map(|concept| &concept.english).map(String::as_str)
    }
}

/// Is a word part of a phrase of several words?
fn in_phrase(expansions: &[Expansion], word: &str) -> bool {
    expansions
        .iter()
        .any(|expansion| expansion.words.len() > 1 && expansion.words.iter().any(|own| own == word))
}

/// Is it a noun by itself, not a verb and not a phrase?
fn is_thing(expansion: &Expansion) -> bool {
    !expansion.translated && !expansion.phrase.contains(' ') && !expansion.phrase.ends_with('다')
}

/// Of phrases that share words of the question, those of more words: 전세금 올리다 says more than 올리다. What a thing is
/// called by itself still holds: 전세금 is 보증금, also where it is raised.
fn useful(expansions: Vec<Expansion>) -> Vec<Expansion> {
    let mut kept: Vec<Expansion> = Vec::new();
    for expansion in expansions {
        let covered = !is_thing(&expansion)
            && kept.iter().any(|other| {
                other.words.len() > expansion.words.len()
                    && expansion.words.iter().all(|word| other.words.contains(word))
            });
        if !covered {
            kept.push(expansion);
        }
    }
    kept
}

/// A compound is its known parts, too: 부동산거래신고 is found where 거래신고 is.
fn of_word(stem: &str, weight: f32, lexicon: &Lexicon) -> Vec<Concept> {
    let whole = squeezed(stem);
    let parts: Vec<String> = lexicon.parts(&whole).into_iter().map(str::to_owned).collect();
    let covered: usize = parts.iter().map(String::len).sum();
    // Only if the parts are all of it, nothing is lost.
    if parts.len() > 1 && covered == whole.len() {
        let share = weight * 0.75;
        return parts
            .into_iter()
            .map(|part| Concept {
                words: vec![part],
                terms: Vec::new(),
                translated: false,
                english: Vec::new(),
                weight: share,
                firm: 1.0,
            })
            .collect();
    }
    vec![Concept {
        words: vec![whole],
        terms: Vec::new(),
        translated: false,
        english: Vec::new(),
        weight,
        firm: 1.0,
    }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thing_keeps_its_names_within_a_phrase_and_is_not_asked_for_twice() {
        let analysis = Analysis::of("전세금을 올려달래요", &Thesaurus::built_in());
        let of = |term: &str| {
            analysis.concepts.iter().find(|concept| concept.terms.iter().any(|own| own == term)).unwrap()
        };
        assert_eq!((of("증액청구").firm, of("보증금").firm), (1.0, 0.0));
    }
}
