//! The second reader: a small network that has learnt from many questions how words put the things of a table together.
//! The first reader says which things there are and finds the same ones; what is done with them, each says for itself.

mod choices;
mod clauses;
mod conditions;
mod foreign;
mod frames;
mod nearest;
mod overlooked;
mod slots;
mod thing;

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use duru_language::Op;
use duru_meaning::{Composed, Composer, Composition, Stretch, Term};

use super::reading::Reading;
use crate::analyst::frame::{Compare, Frame, Keep, columns};

/// So many questions' readings are kept.
const KEPT: usize = 32;

type Kept = VecDeque<(Vec<Stretch>, Arc<Composition>)>;

/// What the second reader makes of a question.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Second {
    Frame(Box<Frame>),
    /// It would ask back: about the time, about what is wanted, or about whom.
    Ask,
    Refuse,
    /// Something was said that was not found in the table.
    Lost,
    /// No frame can hold it.
    Unfit,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct SecondReading {
    pub(super) what: Second,
    /// How likely it is, of all that might be meant.
    pub(super) likely: f32,
    /// Words were read that it shows nothing of.
    pub(super) misses: bool,
    /// A part of it was guessed.
    pub(super) guessed: bool,
}

/// All that the second reader says of a question.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Opinion {
    /// What may be meant, the most likely first; nothing where there is no network.
    pub(super) readings: Vec<SecondReading>,
    /// Which words name something, found or not.
    names: Vec<Name>,
}

/// A word of the question, and how likely it names something of the table.
#[derive(Debug, Clone, PartialEq)]
struct Name {
    place: Range<usize>,
    likely: f32,
    /// It was found in the table.
    found: bool,
}

impl Opinion {
    /// How likely words of the question name something (certainly, where nobody says otherwise), and whether it was found.
    pub(super) fn naming(&self, question: &str, words: &str) -> (f32, bool) {
        let places = question.match_indices(words).map(|(at, _)| at..at + words.len());
        let at = |place: Range<usize>| {
            let touches = move |name: &&Name| name.place.start < place.end && place.start < name.place.end;
            self.names.iter().filter(touches).map(|name| (name.likely, name.found))
        };
        let likelier = |one: (f32, bool), other: (f32, bool)| if other.0 > one.0 { other } else { one };
        places.flat_map(at).reduce(likelier).unwrap_or((1.0, false))
    }
}

pub(super) fn read(reading: &Reading<'_>) -> Opinion {
    let Ok(composer) = Composer::bundled() else { return Opinion::default() };
    let mut slots = slots::Slots::of(reading);
    let mut all = composed(composer, slots.stretches.clone());
    if let Some(better) = overlooked::found(&slots, &all, reading) {
        slots = better;
        all = composed(composer, slots.stretches.clone());
    }
    let names = all.words.iter().filter_map(|word| {
        let place = slots.word(word.stretch, word.word)?;
        Some(Name { place, likely: word.likely, found: slots.stretches[word.stretch].thing.is_some() })
    });
    let names = names.collect();
    let read = all.ways.iter().map(|one| second(one, &slots, reading));
    let readings =
        read.filter(|one| !matches!(&one.what, Second::Frame(frame) if conditions::is_vain(frame, reading) || reading.lumps(frame)));
    Opinion { readings: readings.collect(), names }
}

/// Slower and faster are said, and how long things took is nowhere.
fn forgets_slow(reading: &Reading<'_>, frame: &Frame) -> bool {
    let Some(duration) = reading.duration() else { return false };
    let said = reading.items.iter().any(|item| item.any_op(&[Op::Slow, Op::Fast]).is_some());
    let mut shown = false;
    columns(frame, &mut |column| shown |= *column == duration);
    said && !shown
}

/// A question is read several times on its way; what was written last is kept.
fn composed(composer: &'static Composer, stretches: Vec<Stretch>) -> Arc<Composition> {
    static LAST: Mutex<Kept> = Mutex::new(VecDeque::new());
    let known = |kept: &Kept| kept.iter().find(|(read, _)| *read == stretches).map(|(_, all)| all.clone());
    let lock = || LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(all) = known(&lock()) {
        return all;
    }
    let all = Arc::new(composer.compose(&stretches).unwrap_or_default());
    let mut kept = lock();
    kept.push_front((stretches, all.clone()));
    kept.truncate(KEPT);
    all
}

/// Whether a word of the question stands for something that was not found.
fn loses(composed: &Composed) -> bool {
    composed.terms.contains(&Term::Word("<lost>"))
}

fn second(composed: &Composed, slots: &slots::Slots, reading: &Reading<'_>) -> SecondReading {
    let of = |what| SecondReading { what, likely: composed.likely, misses: false, guessed: false };
    match composed.terms.first() {
        Some(Term::Word("ask")) => return of(Second::Ask),
        Some(Term::Word("refuse")) => return of(Second::Refuse),
        _ => {}
    }
    let written = if reading.is_foreign() {
        choices::settle(&composed.terms, slots, reading)
            .and_then(|settled| frames::frame(&composed.terms, &settled.things, settled.table, reading))
    } else {
        let table = reading.draft.table.clone();
        table.and_then(|table| frames::frame(&composed.terms, &slots.things, table, reading))
    };
    let Some((mut frame, guessed)) = written else {
        return of(if loses(composed) { Second::Lost } else { Second::Unfit });
    };
    if reading.is_foreign() {
        reading.name_rows(&mut frame);
        let misses = slots.has_unused(&composed.terms) || slots.misses_table(&frame) || slots.is_guessed();
        let guessed = guessed || slots.is_guessed();
        return SecondReading { misses, guessed, ..of(Second::Frame(Box::new(frame))) };
    }
    // Both ends are wanted where two ends are spoken of.
    frame.both_ends &= reading.speaks_of_both_ends();
    // More than four times, or at least: the words say which.
    if let (Some(compare), Keep::Times(said, times)) = (&mut frame.compare, reading.draft.keep)
        && compare.keep == Keep::Times(Compare::AtLeast, times)
    {
        compare.keep = Keep::Times(said, times);
    }
    reading.levels(&mut frame);
    reading.finish(&mut frame);
    let mut missing = reading.unaccounted(&frame);
    missing.retain(|word| !slots.is_relinked(&reading.question, word));
    let misses = !missing.is_empty() || forgets_slow(reading, &frame);
    SecondReading { misses, guessed, ..of(Second::Frame(Box::new(frame))) }
}
