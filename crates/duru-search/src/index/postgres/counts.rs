//! A passage's terms: where each stands and how often, packed; and the score that they give.

use std::collections::BTreeMap;

use crate::document::{Chunk, family};
use crate::index::terms::{body, word_terms};
use crate::text::{Lexicon, bigrams};

/// Heading, title and text, and in each words and pairs of syllables.
pub(super) const PLACES: usize = 6;

/// How much a term counts where it stands, as in the index in a folder.
const WEIGHTS: [f32; PLACES] = [1.2, 0.9, 0.5, 0.4, 0.7, 0.7];

/// The usual constants of BM25.
const K1: f32 = 1.2;
const B: f32 = 0.75;

/// Words and pairs never meet: their terms begin differently.
pub(super) fn word(term: &str) -> String {
    format!("w{term}")
}

pub(super) fn pair(term: &str) -> String {
    format!("p{term}")
}

/// How often each term stands in each place, and how long the places are.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) terms: BTreeMap<String, [u16; PLACES]>,
    pub(super) lengths: [u32; PLACES],
}

impl Counts {
    pub(super) fn of_chunk(chunk: &Chunk, lexicon: &Lexicon) -> Self {
        let title = format!("{} {}", chunk.title, chunk.headings.join(" "));
        let mut counts = Self::default();
        for (at, text) in [chunk.name.as_str(), &title, &body(chunk)].into_iter().enumerate() {
            counts.add(at * 2, text, lexicon);
        }
        counts
    }

    fn add(&mut self, place: usize, text: &str, lexicon: &Lexicon) {
        let words = word_terms(text, lexicon);
        let all = words.split_whitespace().map(|term| (place, word(term)));
        for (place, term) in all.chain(bigrams(text).iter().map(|term| (place + 1, pair(term)))) {
            let counts = self.terms.entry(term).or_default();
            counts[place] = counts[place].saturating_add(1);
            self.lengths[place] = self.lengths[place].saturating_add(1);
        }
    }

    /// Lengths, then every term by its number with its counts, the least number first.
    pub(super) fn pack(&self, number: impl Fn(&str) -> i32) -> (Vec<i32>, Vec<u8>) {
        let mut rows: Vec<(i32, [u16; PLACES])> =
            self.terms.iter().map(|(term, counts)| (number(term), *counts)).collect();
        rows.sort_unstable();
        let mut bytes: Vec<u8> = self.lengths.iter().flat_map(|length| length.to_le_bytes()).collect();
        for (id, counts) in &rows {
            bytes.extend(id.to_le_bytes());
            bytes.extend(counts.iter().map(|count| u8::try_from(*count).unwrap_or(u8::MAX)));
        }
        (rows.into_iter().map(|(id, _)| id).collect(), bytes)
    }
}

const LENGTHS: usize = PLACES * 4;
const ROW: usize = 4 + PLACES;

/// The lengths of packed counts.
pub(super) fn lengths(packed: &[u8]) -> [u32; PLACES] {
    let mut lengths = [0; PLACES];
    for (length, bytes) in lengths.iter_mut().zip(packed.chunks_exact(4)) {
        *length = bytes.try_into().map_or(0, u32::from_le_bytes);
    }
    lengths
}

/// A term of a question: its number, how much it counts, and how rare it is.
pub(super) struct Asked {
    pub(super) id: i32,
    pub(super) weight: f32,
    pub(super) rarity: f32,
}

/// As BM25 has it.
pub(super) fn rarity(total: u64, with: u64) -> f32 {
    let (total, with) = (total.max(with) as f32, with as f32);
    (1.0 + (total - with + 0.5) / (with + 0.5)).ln()
}

/// How well packed counts fit the terms; `usual` has the mean length of each place.
pub(super) fn score(packed: &[u8], asked: &[Asked], usual: &[f32; PLACES]) -> f32 {
    let lengths = lengths(packed);
    let rows = packed.get(LENGTHS..).unwrap_or_default();
    let count = rows.len() / ROW;
    let id = |at: usize| -> i32 {
        rows.get(at * ROW..at * ROW + 4).and_then(|bytes| bytes.try_into().ok()).map_or(0, i32::from_le_bytes)
    };
    let mut sum = 0.0;
    for term in asked {
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = (low + high) / 2;
            if id(middle) < term.id { low = middle + 1 } else { high = middle }
        }
        if low >= count || id(low) != term.id {
            continue;
        }
        for place in 0..PLACES {
            let often = f32::from(rows.get(low * ROW + 4 + place).copied().unwrap_or(0));
            if often > 0.0 {
                let long = lengths[place] as f32 / usual[place].max(1.0);
                let share = often * (K1 + 1.0) / (often + K1 * (1.0 - B + B * long));
                sum += WEIGHTS[place] * term.weight * term.rarity * share;
            }
        }
    }
    sum
}

/// The family a title belongs to, as the tables keep it.
pub(super) fn of_family(title: &str) -> String {
    family(title).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_come_back_and_rarer_terms_count_for_more() {
        let chunk =
            Chunk { name: "보증금".into(), text: "보증금은 돌려준다".into(), ..Chunk::default() };
        let counts = Counts::of_chunk(&chunk, &Lexicon::default());
        let names: Vec<String> = counts.terms.keys().cloned().collect();
        let number =
            |term: &str| i32::try_from(names.iter().position(|known| known == term).unwrap()).unwrap() + 1;
        let (ids, packed) = counts.pack(number);
        assert_eq!((ids.len(), lengths(&packed)), (names.len(), counts.lengths));
        let usual = counts.lengths.map(|length| length as f32);
        let asked = |term: &str, with| [Asked { id: number(term), weight: 1.0, rarity: rarity(100, with) }];
        let rare = score(&packed, &asked("w보증금", 1), &usual);
        assert!(rare > score(&packed, &asked("w보증금", 90), &usual) && rare > 0.0);
        let unknown = [Asked { id: 999, weight: 1.0, rarity: 1.0 }];
        assert_eq!(score(&packed, &unknown, &usual), 0.0);
        assert_eq!(score(&[], &unknown, &usual), 0.0);
    }
}
