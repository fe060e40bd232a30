//! Words that name something and were overlooked. Together with their neighbours they may say in other words what rows
//! of the table say: "refunds that were actually completed" are the rows that say "Refund completed".

use std::ops::Range;

use duru_meaning::{Composition, Encoder, KINDS, NamingWord, Stretch, nearness};
use duru_sql::domain::DomainColumn;

use super::nearest;
use super::slots::Slots;
use super::thing::Thing;
use crate::analyst::frame::{Column, Filter};
use crate::analyst::reader::meanings::{Nearest, meaning};
use crate::analyst::reader::reading::Reading;

/// A word is taken to name something from here on; and from there on, where the network says that something is missing.
const NAMES: f32 = 0.5;
const MAY_NAME: f32 = 0.15;

/// A word that names something less likely than this is a mere word between two others.
const FILLS: f32 = 0.3;

/// The network says that something is named, so less nearness is enough than where nobody does.
const NEAR: Nearest = Nearest { near: 0.6, clearly: 0.06 };

/// So many mere words may stand between the words of a phrase.
const BETWEEN: usize = 3;

/// Words of one stretch that were overlooked.
struct Run {
    stretch: usize,
    words: Range<usize>,
    /// What they name, of [`KINDS`].
    kind: &'static str,
}

fn is_column(kind: &str) -> bool {
    matches!(kind, "Cc" | "Ci" | "Cn")
}

impl Run {
    fn names_column(&self) -> bool {
        is_column(self.kind)
    }
}

/// The slots with what overlooked words stand for, if anything was found.
pub(super) fn found(slots: &Slots, read: &Composition, reading: &Reading<'_>) -> Option<Slots> {
    let encoder = Encoder::bundled().ok()?;
    let names = read.words.as_slice();
    let least = if read.ways.first().is_some_and(super::loses) { MAY_NAME } else { NAMES };
    let mut better: Option<Slots> = None;
    // From the end, so that the numbers of the stretches before stay.
    for run in runs(slots, names, least, reading.is_foreign()).into_iter().rev() {
        let own = words_of(&slots.stretches[run.stretch], run.words.clone());
        if reading.is_foreign() {
            if let Some((thing, nearness)) = nearest::nearest(encoder, &own, run.kind, reading) {
                let better = better.get_or_insert_with(|| slots.clone());
                better.name(run.stretch, run.words, None, thing);
                better.guess(nearness < NEAR.near);
            }
            continue;
        }
        if run.names_column() {
            if let Some(column) = nearest_column(encoder, &own, reading)
                && let Some(thing) = Thing::column(column, reading)
            {
                better.get_or_insert_with(|| slots.clone()).name(run.stretch, run.words, None, thing);
            }
            continue;
        }
        let near = neighbours(slots, names, &run, FILLS.min(least));
        let mut phrases: Vec<(String, Option<usize>)> = vec![(own.clone(), None)];
        phrases.extend(near.before.map(|at| (format!("{} {own}", slots.stretches[at].text), Some(at))));
        phrases.extend(near.after.map(|at| (format!("{own} {}", slots.stretches[at].text), Some(at))));
        let nearest = phrases.into_iter().filter_map(|(phrase, with)| {
            let (meant, nearness) = reading.nearest(encoder, &meaning(encoder, &phrase), &NEAR)?;
            Some((meant, nearness, with))
        });
        let Some((meant, _, with)) = nearest.max_by(|one, other| one.1.total_cmp(&other.1)) else { continue };
        let meant = &reading.linked.meant[meant];
        let thing = Thing::value(Filter::new(meant.column.clone(), meant.test.clone()));
        better.get_or_insert_with(|| slots.clone()).name(run.stretch, run.words, with, thing);
    }
    better
}

/// The column whose names are clearly nearest to words.
fn nearest_column(encoder: &Encoder, words: &str, reading: &Reading<'_>) -> Option<Column> {
    let table = reading.table_of()?;
    let own = meaning(encoder, words);
    let near = |column: &DomainColumn| {
        let names = column.nouns.iter().map(|noun| nearness(&own, &meaning(encoder, noun)));
        names.fold(0.0_f32, f32::max)
    };
    let mut all: Vec<(f32, &DomainColumn)> =
        table.columns.iter().map(|column| (near(column), column)).collect();
    all.sort_by(|one, other| other.0.total_cmp(&one.0));
    let (best, column) = all.first()?;
    let clear = all.get(1).is_none_or(|(other, _)| best - other >= NEAR.clearly);
    (*best >= NEAR.near && clear).then(|| Column::new(&table.name, &column.name))
}

/// The words that name a value, a text or a column, and stand in no slot; in foreign tables, also rows, flags and adjectives.
fn runs(slots: &Slots, names: &[NamingWord], least: f32, foreign: bool) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for word in names {
        let kind = match KINDS[word.kind] {
            "X" if foreign => continue,
            kind @ ("V" | "X" | "Cc" | "Ci" | "Cn") => kind,
            kind @ ("R" | "A" | "Ct" | "Cx" | "Cb") if foreign => kind,
            _ => continue,
        };
        if slots.stretches[word.stretch].thing.is_some() || word.likely < least {
            continue;
        }
        let goes_on = |run: &&mut Run| {
            let alike = |run: &Run| run.kind == kind || !foreign && run.names_column() == is_column(kind);
            run.stretch == word.stretch && run.words.end == word.word && alike(run)
        };
        match runs.last_mut().filter(goes_on) {
            Some(run) => run.words.end += 1,
            None => {
                let words = word.word..word.word + 1;
                runs.push(Run { stretch: word.stretch, words, kind });
            }
        }
    }
    runs
}

/// The values beside a run, with only a few mere words between.
struct Neighbours {
    before: Option<usize>,
    after: Option<usize>,
}

/// Mere words are those that name something less likely than `fills`: none of them belongs to another run.
fn neighbours(slots: &Slots, names: &[NamingWord], run: &Run, fills: f32) -> Neighbours {
    let of_stretch = |word: &&NamingWord| word.stretch == run.stretch;
    let mere = |words: Range<usize>| {
        words.len() <= BETWEEN
            && names
                .iter()
                .filter(of_stretch)
                .filter(|word| words.contains(&word.word))
                .all(|word| word.likely < fills)
    };
    let count = slots.stretches[run.stretch].text.split_whitespace().count();
    let before = run.stretch.checked_sub(1).filter(|at| slots.is_value(*at) && mere(0..run.words.start));
    let after = Some(run.stretch + 1).filter(|at| slots.is_value(*at) && mere(run.words.end..count));
    Neighbours { before, after }
}

fn words_of(stretch: &Stretch, words: Range<usize>) -> String {
    let all: Vec<&str> = stretch.text.split_whitespace().skip(words.start).take(words.len()).collect();
    all.join(" ")
}
