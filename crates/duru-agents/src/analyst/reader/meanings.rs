//! Things that are named by other words than their own: "주문을 만든" and "orders created" are the rows that say "Order created".
//! A few words together are compared by meaning with the texts and values of a table.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use duru_language::{Off, Op, Sense};
use duru_meaning::{Encoder, nearness};

use super::items::{Item, ItemKind};
use super::link::Mention;
use super::reading::Reading;
use super::rest::says_nothing;
use crate::analyst::frame::{Column, Filter, Test};

/// A text or value that rows have, and what it means.
#[derive(Debug)]
pub(super) struct Meant {
    pub(super) column: Column,
    pub(super) test: Test,
    phrase: String,
    vector: OnceLock<Vec<f32>>,
}

/// From which nearness on words are taken for what they are near to, and how much nearer than to anything else.
pub(super) struct Nearest {
    pub(super) near: f32,
    pub(super) clearly: f32,
}

const NEAR: Nearest = Nearest { near: 0.68, clearly: 0.08 };

/// Words that all say something else, too, have to be nearer: orders and created are words of their own.
const VERY_NEAR: Nearest = Nearest { near: 0.8, clearly: 0.12 };

/// Two phrases for one thing.
const ALIKE: f32 = 0.8;

/// So many words are taken together, and so far apart they may stand.
const MOST_WORDS: usize = 4;
const SPAN: usize = 6;

impl Meant {
    /// Nothing for a phrase that says too little to be told from others.
    pub(super) fn new(column: &Column, test: Test, phrase: &str) -> Option<Self> {
        let letters = |word: &&str| word.len() > 2 && word.chars().all(char::is_alphabetic);
        let words = phrase.split_whitespace().filter(letters).count();
        (words > 1).then(|| Self {
            column: column.clone(),
            test,
            phrase: phrase.to_owned(),
            vector: OnceLock::new(),
        })
    }

    fn vector(&self, encoder: &Encoder) -> &[f32] {
        self.vector.get_or_init(|| encoder.encode(&self.phrase))
    }
}

/// So many phrases' meanings are kept: a question is read several times on its way.
const KEPT: usize = 4_096;

pub(super) fn meaning(encoder: &Encoder, phrase: &str) -> Arc<Vec<f32>> {
    static KNOWN: OnceLock<Mutex<HashMap<String, Arc<Vec<f32>>>>> = OnceLock::new();
    let known = || KNOWN.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(vector) = known().get(phrase) {
        return vector.clone();
    }
    let vector = Arc::new(encoder.encode(phrase));
    let mut known = known();
    if known.len() >= KEPT {
        known.clear();
    }
    known.insert(phrase.to_owned(), vector.clone());
    vector
}

/// Words that stand for something, and how near they are to it.
struct Found {
    places: Vec<usize>,
    meant: usize,
    near: f32,
}

impl Reading<'_> {
    /// Takes words that mean what many rows say.
    pub(super) fn meanings(&mut self) {
        // The names of things are said as they are.
        let Ok(encoder) = Encoder::bundled() else { return };
        if self.is_of_things() {
            return;
        }
        let mut found: Vec<Found> = Vec::new();
        for places in self.phrases() {
            let words: Vec<&str> = places.iter().map(|at| self.items[*at].text.trim()).collect();
            let vector = meaning(encoder, &words.join(" "));
            let free = places.iter().any(|at| self.is_free(*at));
            let told = places.iter().any(|at| self.is_background(*at));
            let bounds = if free && !told { &NEAR } else { &VERY_NEAR };
            found.extend(self.nearest(encoder, &vector, bounds).map(|(meant, near)| Found {
                places,
                meant,
                near,
            }));
        }
        found.sort_by(|one, other| other.near.total_cmp(&one.near));
        let mut taken: Vec<usize> = Vec::new();
        for one in found {
            if one.places.iter().any(|at| taken.contains(at)) {
                continue;
            }
            let Some(&last) = one.places.last() else { continue };
            let meant = &self.linked.meant[one.meant];
            // "Error type" names the column, and no value of it.
            if one.places.iter().any(|at| self.column_at(*at).as_ref() == Some(&meant.column)) {
                continue;
            }
            let test = if self.negated(last) { negated(&meant.test) } else { meant.test.clone() };
            let filter = Filter::new(meant.column.clone(), test);
            let either = !taken.is_empty();
            self.draft.filter_or(last, filter, either);
            one.places.iter().filter(|at| **at != last).for_each(|at| self.skip_item(*at));
            self.use_item(last);
            taken.extend(&one.places);
            self.draft.phrases.push(one.places);
        }
    }

    /// What a phrase is clearly nearest to.
    pub(super) fn nearest(
        &self,
        encoder: &Encoder,
        vector: &[f32],
        bounds: &Nearest,
    ) -> Option<(usize, f32)> {
        let meant = &self.linked.meant;
        let mut all: Vec<(usize, f32)> =
            meant.iter().enumerate().map(|(at, one)| (at, nearness(vector, one.vector(encoder)))).collect();
        all.sort_by(|one, other| other.1.total_cmp(&one.1));
        let (best, likely) = *all.first()?;
        let own = meant[best].vector(encoder);
        let rival = all[1..].iter().find(|(at, _)| nearness(own, meant[*at].vector(encoder)) < ALIKE);
        let clear = rival.is_none_or(|(_, other)| likely - other >= bounds.clearly);
        (likely >= bounds.near && clear).then_some((best, likely))
    }

    /// Words that may be a phrase: two to four of those that could tell of something, with nothing of importance between them.
    fn phrases(&self) -> Vec<Vec<usize>> {
        let could: Vec<usize> = (0..self.items.len()).filter(|at| self.could_tell(*at)).collect();
        let mut all = Vec::new();
        for (place, first) in could.iter().enumerate() {
            for count in 2..=MOST_WORDS {
                let Some(places) = could.get(place..place + count) else { break };
                let last = places[count - 1];
                let apart = places
                    .windows(2)
                    .any(|pair| !(pair[0] + 1..pair[1]).all(|at| self.may_stand_between(at)));
                if last - first >= SPAN || apart || self.items[last].clause != self.items[*first].clause {
                    break;
                }
                // Several values are a list.
                if places.iter().any(|at| !self.is_whole_value(*at)) {
                    all.push(places.to_vec());
                }
            }
        }
        all
    }

    fn is_whole_value(&self, at: usize) -> bool {
        self.items[at].mentions.iter().any(|mention| matches!(mention, Mention::Value(..)))
    }

    /// Times, amounts and words that say nothing: 주문을 다섯 번 이상 만든, orders that got created.
    fn may_stand_between(&self, at: usize) -> bool {
        let item = &self.items[at];
        let filler = !item.senses.is_empty() && item.senses.iter().all(|sense| says_nothing(*sense));
        self.is_amount(at) || filler && item.mentions.is_empty()
    }

    fn is_amount(&self, at: usize) -> bool {
        let item = &self.items[at];
        matches!(item.kind, ItemKind::Time(_) | ItemKind::Number(..))
            || item.any_op(&[Op::AtLeast, Op::AtMost, Op::More, Op::Less]).is_some()
    }

    fn could_tell(&self, at: usize) -> bool {
        let item = &self.items[at];
        let words = matches!(item.kind, ItemKind::Word | ItemKind::Unknown);
        let level = |mention: &Mention| match mention {
            Mention::Condition(_) | Mention::Rate(_) | Mention::Named(..) | Mention::Attribute(..) => true,
            Mention::Value(column, _) => {
                self.described(column).is_some_and(|known| matches!(known.kind, duru_sql::Kind::Ordered(_)))
            }
            _ => false,
        };
        words
            && !item.used
            && (item.senses.iter().all(is_deed) || item.mentions.iter().any(is_value))
            && !item.mentions.iter().any(level)
    }

    /// A word that means nothing by itself but what values or texts have, or what is done.
    fn is_free(&self, at: usize) -> bool {
        let item: &Item = &self.items[at];
        item.mentions.iter().all(|mention| matches!(mention, Mention::Part(..)))
    }
}

/// A value, or a word of some: 주문, orders.
fn is_value(mention: &Mention) -> bool {
    matches!(mention, Mention::Value(..) | Mention::Part(..))
}

fn is_deed(sense: &Sense) -> bool {
    matches!(sense, Sense::Op(Op::Happens | Op::Show) | Sense::Off(Off::Secret))
}

fn negated(test: &Test) -> Test {
    match test {
        Test::OneOf(values) => Test::NoneOf(values.clone()),
        Test::Contains(texts) => Test::Lacks(texts.concat()),
        other => other.clone(),
    }
}
