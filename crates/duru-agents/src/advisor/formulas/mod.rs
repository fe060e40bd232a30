//! The registry of what can be worked out: what each calculation is about, what it needs, and what kind of answer it
//! gives. A question is held against it by what it says and what is known beside it, not by the words that it asks with:
//! of the calculations that the parameters allow, those are wanted whose kind of answer is asked for and whose subject
//! the question or the conversation touches.

mod answers;
mod calculations;
mod plain;

use super::ledger::{What, values};
use super::sums::Sum;
use super::tools::{Calculation, Parameters};
use super::understand::days;
pub(super) use answers::asks_only_when;
use answers::{Answer, Sentence, sentences};
use calculations::CALCULATIONS;
use plain::{NARROWER, PLAIN};

/// One calculation as the registry has it.
struct Formula<T: 'static> {
    yields: T,
    /// Its subject: of each group a word must be said in the sentence that asks.
    subject: &'static [&'static [&'static str]],
    /// Sums that were reckoned last and stand in for the first group: the conversation is about it already.
    topic: &'static [Sum],
    /// Of each group one must be known.
    needs: &'static [&'static [What]],
    /// What the question itself must say; without a subject, that alone asks for it.
    shape: &'static [&'static [What]],
    answers: &'static [Answer],
}

impl<T> Formula<T> {
    /// Is a sentence about it, and does it ask for what it gives?
    fn is_asked(&self, sentence: &Sentence<'_>, topic: &[Sum]) -> bool {
        if self.subject.is_empty() {
            return false;
        }
        let known = self.topic.iter().any(|sum| topic.contains(sum));
        let said =
            self.subject.iter().enumerate().all(|(at, words)| at == 0 && known || sentence.says(words));
        said && sentence.asks_for(self.answers)
    }

    /// Where it is asked for first.
    fn place(&self, sentences: &[Sentence<'_>]) -> Option<usize> {
        let asking = sentences.iter().filter(|sentence| self.is_asked(sentence, &[]));
        asking.flat_map(|sentence| self.subject.iter().filter_map(|words| sentence.place(words))).min()
    }

    fn is_known(&self, known: &[What]) -> bool {
        has(self.needs, known)
    }
}

/// Is one of each group there?
fn has(groups: &[&[What]], known: &[What]) -> bool {
    groups.iter().all(|group| group.iter().any(|what| known.contains(what)))
}

/// What a question says, what is known with it, and what was reckoned last.
pub(super) struct Turn<'a> {
    pub(super) text: &'a str,
    pub(super) said: &'a Parameters,
    pub(super) all: &'a Parameters,
    pub(super) last: &'a [Sum],
}

fn known(parameters: &Parameters) -> Vec<What> {
    values(parameters).into_iter().map(|(what, _)| what).collect()
}

/// The calculations whose subject a question touches and of which it asks what they give; what they lack, tools say.
pub(super) fn named(text: &str) -> Vec<Calculation> {
    let text = text.to_lowercase();
    let sentences = sentences(&text);
    let asked = |formula: &&Formula<Calculation>| {
        formula.needs.is_empty() && sentences.iter().any(|sentence| formula.is_asked(sentence, &[]))
    };
    let mut found: Vec<Calculation> =
        CALCULATIONS.iter().filter(asked).map(|formula| formula.yields).collect();
    found.dedup();
    found
}

/// Where a text in small letters asks for a calculation first, if it does so by name.
pub(super) fn place(text: &str, calculation: Calculation) -> Option<usize> {
    first(CALCULATIONS, calculation, text)
}

/// The same of a plain sum.
pub(super) fn place_of_sum(text: &str, sum: Sum) -> Option<usize> {
    first(PLAIN, sum, text)
}

fn first<T: PartialEq>(formulas: &[Formula<T>], yields: T, text: &str) -> Option<usize> {
    let sentences = sentences(text);
    let own = formulas.iter().filter(|formula| formula.yields == yields);
    own.filter_map(|formula| formula.place(&sentences)).min()
}

/// The calculations that what is known allows and a question asks for: by what it says alone (a loan with its rate), or
/// of what was said before.
pub(super) fn allowed(turn: &Turn<'_>) -> Vec<Calculation> {
    let text = turn.text.to_lowercase();
    let sentences = sentences(&text);
    let (said, all) = (known(turn.said), known(turn.all));
    let asked = |formula: &&Formula<Calculation>| {
        let asked = sentences.iter().any(|sentence| {
            formula.is_asked(sentence, turn.last)
                || formula.subject.is_empty() && sentence.asks_for(formula.answers)
        });
        asked && !formula.needs.is_empty() && formula.is_known(&all) && has(formula.shape, &said)
    };
    CALCULATIONS.iter().filter(asked).map(|formula| formula.yields).collect()
}

/// The plain sums that a question asks for. Of those that say the same with more or less, the narrower; one that lacks a
/// figure only where nothing else fits, so that it is reckoned once the figure is said.
pub(super) fn sums(turn: &Turn<'_>) -> Vec<Sum> {
    let text = turn.text.to_lowercase();
    let sentences = sentences(&text);
    let (said, all) = (known(turn.said), known(turn.all));
    let (mut found, mut lacking): (Vec<Sum>, Vec<Sum>) = (Vec::new(), Vec::new());
    for formula in PLAIN {
        // What the question must say itself, it must say in whatever words it asks.
        let by_word = has(formula.shape, &said)
            && sentences.iter().any(|sentence| formula.is_asked(sentence, turn.last));
        let by_shape = formula.subject.is_empty() && has(formula.shape, &said);
        match (by_word || by_shape, formula.is_known(&all)) {
            (true, true) => found.push(formula.yields),
            (true, false) if by_word => lacking.push(formula.yields),
            _ => {}
        }
    }
    if found.is_empty() {
        found = lacking;
    }
    // Without a day there is none to reckon from.
    if days(&text).is_empty() {
        found.retain(|sum| !sum.is_dated());
    }
    // What somebody means to borrow is not what they may.
    if turn.said.loan.is_some() {
        found.retain(|sum| *sum != Sum::DsrLimit || turn.text.to_lowercase().contains("dsr"));
    }
    for (narrow, wide) in NARROWER {
        if found.contains(narrow) {
            found.retain(|sum| sum != wide);
        }
    }
    found.dedup();
    found
}

#[cfg(test)]
mod tests;
