//! Texts that many rows have, named by their words: "결제 승인" and "approved payments" are the rows that say
//! "Payment approved". And, for words that nothing else takes, one word of such a text.

use std::collections::BTreeSet;

use duru_language::{english, words};

use super::items::ItemKind;
use super::link::Mention;
use super::reading::Reading;
use crate::analyst::frame::{Column, Filter, Test};

/// A text of many rows, by the words that tell it from others.
#[derive(Debug)]
pub(super) struct KnownText {
    pub(super) column: Column,
    pub(super) text: String,
    words: Vec<TextWord>,
}

#[derive(Debug)]
struct TextWord {
    word: String,
    lemmas: Vec<String>,
    korean: Vec<&'static str>,
}

/// A word of a question, in small letters, with what it may be a form of.
struct AskedWord {
    word: String,
    lemmas: Vec<String>,
}

impl AskedWord {
    fn new(word: &str) -> Self {
        let word = word.to_lowercase();
        let lemmas = if word.is_ascii() { english::lemmas(&word) } else { Vec::new() };
        Self { word, lemmas }
    }
}

/// The words of a text may stand so far apart in a question.
const SPAN: usize = 5;
const MOST_WORDS: usize = 4;

impl KnownText {
    /// Nothing, if the text has too few or too many words to be named by them.
    pub(super) fn new(column: &Column, text: &str) -> Option<Self> {
        let plain = text.split([':', '(']).next().unwrap_or_default().trim();
        let all: Vec<&str> = plain.split_whitespace().collect();
        let telling = all.len() == plain.split(' ').count()
            && (2..=MOST_WORDS).contains(&all.len())
            && all.iter().all(|word| word.chars().all(char::is_alphabetic) && word.len() > 2);
        telling.then(|| Self {
            column: column.clone(),
            text: plain.to_owned(),
            words: all.into_iter().map(TextWord::new).collect(),
        })
    }
}

impl TextWord {
    fn new(word: &str) -> Self {
        let AskedWord { word, lemmas } = AskedWord::new(word);
        let korean = words::glossary().korean(&word).to_vec();
        Self { word, lemmas, korean }
    }

    /// Whether a word of a question is this one, another form of it, what it comes from, or what Koreans call it:
    /// registered and registrations, approved and 승인.
    fn is(&self, asked: &AskedWord) -> bool {
        if asked.lemmas.is_empty() {
            return self.word == asked.word || self.korean.iter().any(|korean| asked.word == *korean);
        }
        if self.lemmas.iter().any(|lemma| asked.lemmas.contains(lemma)) {
            return true;
        }
        let (a, b) = (self.word.as_bytes(), asked.word.as_bytes());
        let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
        let rest = a.len().max(b.len()) - same;
        same >= 6 && rest <= 7 || same == 5 && rest <= 3
    }
}

impl Reading<'_> {
    /// Takes the words that name a whole text.
    pub(super) fn known_texts(&mut self) {
        let asked: Vec<AskedWord> = (0..self.items.len()).map(|at| AskedWord::new(self.bare(at))).collect();
        let mut found: Vec<(&KnownText, BTreeSet<usize>)> = Vec::new();
        for text in &self.linked.known_texts {
            if let Some(places) = self.places_of(text, &asked) {
                found.push((text, places));
            }
        }
        found.sort_by_key(|(_, places)| std::cmp::Reverse(places.len()));
        let mut taken: Vec<BTreeSet<usize>> = Vec::new();
        for (text, places) in &found {
            let rival = found.iter().any(|(other, at)| other.text != text.text && at == places);
            if rival || taken.iter().any(|known| !known.is_disjoint(places)) {
                continue;
            }
            let Some(&last) = places.last() else { continue };
            let test = if self.negated(last) {
                Test::Lacks(text.text.clone())
            } else {
                Test::Contains(vec![text.text.clone()])
            };
            self.draft.filter_or(last, Filter::new(text.column.clone(), test), !taken.is_empty());
            places.iter().for_each(|place| self.use_item(*place));
            taken.push(places.clone());
        }
    }

    fn places_of(&self, text: &KnownText, asked: &[AskedWord]) -> Option<BTreeSet<usize>> {
        let mut places = BTreeSet::new();
        for word in &text.words {
            let place = (0..self.items.len()).find(|at| {
                let item = &self.items[*at];
                !item.used
                    && !self.is_background(*at)
                    && matches!(item.kind, ItemKind::Word | ItemKind::Unknown)
                    && !places.contains(at)
                    && word.is(&asked[*at])
            })?;
            places.insert(place);
        }
        let (first, last) = (places.first()?, places.last()?);
        // 결제 요청 are the rows of payments, whatever they say: a word of it must mean nothing else.
        let rows = places.iter().filter(|at| self.is_table(**at)).count();
        let telling = places.iter().any(|at| self.says_nothing_else(*at));
        (last - first < SPAN && telling && places.len() - rows > 1).then_some(places)
    }

    /// Words that nothing else took, and that values or texts have.
    pub(super) fn words_of_texts(&mut self) {
        for at in 0..self.items.len() {
            let item = &self.items[at];
            let free = !item.used && !self.is_background(at) && self.says_nothing_else(at);
            if !free || !matches!(item.kind, ItemKind::Word | ItemKind::Unknown) {
                continue;
            }
            if let Some((column, values)) = self.only_part(at) {
                self.equals(at, column, values);
                continue;
            }
            let asked = AskedWord::new(self.bare(at));
            let mut known = self
                .linked
                .known_texts
                .iter()
                .filter(|text| text.words.iter().any(|word| word.is(&asked)))
                .map(|text| (text.column.clone(), text.text.clone()));
            // A word of several texts may mean any of them.
            if let (Some((column, text)), None) = (known.next(), known.next()) {
                let test = if self.negated(at) { Test::Lacks(text) } else { Test::Contains(vec![text]) };
                self.use_item(at);
                let either = self.is_alternative(at);
                self.draft.filter_or(at, Filter::new(column, test), either);
            }
        }
    }

    /// Whether a word means nothing but that values or texts have it.
    fn says_nothing_else(&self, at: usize) -> bool {
        let item = &self.items[at];
        item.senses.is_empty() && item.mentions.iter().all(|mention| matches!(mention, Mention::Part(..)))
    }

    /// The values of one column that have a word, if it means nothing else.
    fn only_part(&self, at: usize) -> Option<(Column, Vec<String>)> {
        let text = self.text_column();
        let mut parts = self.items[at].mentions.iter().filter_map(|mention| match mention {
            Mention::Part(column, _, values) if Some(column) != text.as_ref() => {
                Some((column.clone(), values.clone()))
            }
            _ => None,
        });
        let other = self.items[at].mentions.iter().any(|mention| !matches!(mention, Mention::Part(..)));
        let first = parts.next()?;
        (!other && parts.next().is_none() && first.1.len() == 1).then_some(first)
    }
}
