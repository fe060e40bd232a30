//! Two readers of one question, each a witness: what both say is believed sooner, and where they differ the person is
//! shown both.

use std::collections::BTreeSet;

use super::alike::{Rows, same};
use super::composed::{Second, SecondReading};
use super::confidence::Confidence;
use super::weights::{CHOICE, OVERLOOKED, SURE_OF_TWO};
use crate::analyst::frame::{Frame, columns};

/// So many readings are weighed, and so many of them offered.
const MOST_CANDIDATES: usize = 5;
const OFFERED: usize = 3;

/// What a question may mean, and how likely that is right.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Candidate {
    pub(super) frame: Frame,
    pub(super) value: f64,
    /// Something that was said is not in it.
    pub(super) misses: bool,
    /// The first reader says it, whoever else does.
    pub(super) is_first: bool,
    /// Both readers say it first.
    pub(super) is_agreed: bool,
}

/// What may be meant, the most likely first.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Weighed {
    pub(super) candidates: Vec<Candidate>,
    /// Enough for an answer.
    pub(super) is_sure: bool,
    /// What is told of the first reader's part.
    pub(super) confidence: Confidence,
}

/// What speaks for a candidate and against it, in the order of [`CHOICE`].
type Signs = [f64; CHOICE.len()];

/// The place of the sign that both readers say it first.
const BOTH_SAY_IT: usize = 3;

/// What the second reader gives a reading at least, and what the first does.
const LEAST_LIKELY: f32 = 0.003;
const LEAST_FIRST: f64 = 0.02;

fn log(likely: f32) -> f64 {
    f64::from(likely.max(LEAST_LIKELY)).ln()
}

/// How many of a question's words were not understood.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Unread {
    /// Those that may name something, each as likely as it does: what neither reader found, and what only the second found.
    pub(super) lost: f64,
    pub(super) found: f64,
    /// Those that likely name nothing.
    pub(super) fillers: usize,
}

/// A candidate before it is weighed.
struct Raw {
    frame: Frame,
    is_first: bool,
    signs: Signs,
    misses: bool,
}

/// Weighs what the two readers say.
pub(super) fn weigh(
    first: Option<(Frame, Confidence)>,
    unread: Unread,
    second: &[SecondReading],
    rows: &Rows,
) -> Option<Weighed> {
    if second.is_empty() {
        return first.map(alone);
    }
    let of_things = matches!(rows, Rows::Things(_));
    let raw = candidates(first.as_ref(), unread, second, rows);
    let scores: Vec<f64> = raw.iter().map(|one| weighed(one, of_things).exp()).collect();
    // None of them may be meant, too.
    let all = 1.0 + scores.iter().sum::<f64>();
    let overlooked = OVERLOOKED[usize::from(of_things)];
    let candidate = |(raw, score): (Raw, f64)| Candidate {
        frame: raw.frame,
        value: score / all,
        misses: raw.misses || unread.lost > overlooked || raw.is_first && unread.found > overlooked,
        is_first: raw.is_first,
        is_agreed: raw.signs[BOTH_SAY_IT] > 0.0,
    };
    let mut candidates: Vec<Candidate> = raw.into_iter().zip(scores).map(candidate).collect();
    candidates.sort_by(|one, other| other.value.total_cmp(&one.value));
    candidates.truncate(OFFERED);
    // What was not understood and surely names something is never passed over, however likely the rest is.
    let best = candidates.first()?;
    let agreed = of_things && best.is_agreed && first.as_ref().is_some_and(|(_, first)| first.is_sure);
    let is_sure = (agreed || best.value >= SURE_OF_TWO[usize::from(of_things)])
        && !best.misses
        && !limits_one(&best.frame);
    let confidence = first.map_or_else(Confidence::none, |(_, confidence)| confidence);
    Some(Weighed { candidates, is_sure, confidence })
}

fn weighed(raw: &Raw, of_things: bool) -> f64 {
    let (of, reader) = (usize::from(of_things), usize::from(!raw.is_first));
    raw.signs.iter().zip(&CHOICE).map(|(sign, (_, weights))| sign * weights[of][reader]).sum()
}

/// What may be meant: what the first reader says, then what the second says.
fn candidates(
    first: Option<&(Frame, Confidence)>,
    unread: Unread,
    second: &[SecondReading],
    rows: &Rows,
) -> Vec<Raw> {
    let value = first.map_or(0.0, |(_, confidence)| confidence.value);
    let value = value.clamp(LEAST_FIRST, 1.0 - LEAST_FIRST);
    let mass = |is: &dyn Fn(&Second) -> bool| -> f64 {
        second.iter().filter(|one| is(&one.what)).map(|one| f64::from(one.likely)).sum()
    };
    let unfit = mass(&|what| matches!(what, Second::Unfit));
    let lost = mass(&|what| matches!(what, Second::Lost));
    let asks = mass(&|what| matches!(what, Second::Ask | Second::Refuse));
    let best = log(second.first().map_or(0.0, |top| top.likely));
    let yes = |is: bool| f64::from(u8::from(is));
    let signs = |frame: &Frame, likely: f32, both: bool, other: f64, misses: bool, guessed: bool| -> Signs {
        let fillers = f64::from(u8::try_from(unread.fillers.min(3)).unwrap_or(3));
        let odds = (value / (1.0 - value)).ln();
        let (misses, guessed) = (yes(misses), yes(guessed));
        [
            1.0,
            odds,
            log(likely),
            yes(both),
            other,
            unfit,
            lost,
            asks,
            misses,
            guessed,
            unread.lost.min(3.0),
            unread.found.min(3.0),
            fillers,
            joins(frame),
        ]
    };
    let mut all: Vec<Raw> = Vec::new();
    if let Some((frame, _)) = first {
        let same =
            |one: &&SecondReading| matches!(&one.what, Second::Frame(other) if same(other, frame, rows));
        let likely = second.iter().filter(same).map(|one| one.likely).sum();
        let both = second.first().as_ref().is_some_and(same);
        let guessed = second.iter().find(same).is_some_and(|one| one.guessed);
        let other = if both { 0.0 } else { best };
        let signs = signs(frame, likely, both, other, false, guessed);
        all.push(Raw { frame: frame.clone(), is_first: true, signs, misses: false });
    }
    for (rank, one) in second.iter().enumerate() {
        let Second::Frame(frame) = &one.what else { continue };
        if all.len() < MOST_CANDIDATES && all.iter().all(|known| !same(&known.frame, frame, rows)) {
            let other = if rank == 0 { 0.0 } else { best };
            let signs = signs(frame, one.likely, false, other, one.misses, one.guessed);
            all.push(Raw { frame: (**frame).clone(), is_first: false, signs, misses: one.misses });
        }
    }
    all
}

/// Whether several are asked for of figures that make up one row: they were not what was asked for.
fn limits_one(frame: &Frame) -> bool {
    !frame.measures.is_empty() && frame.dimensions.is_empty() && frame.limit.is_some_and(|limit| limit > 1)
}

/// How many tables a frame needs beside its own.
fn joins(frame: &Frame) -> f64 {
    let mut tables = BTreeSet::new();
    columns(frame, &mut |column| {
        tables.insert(column.table.clone());
    });
    tables.remove(&frame.table);
    f64::from(u8::try_from(tables.len()).unwrap_or(u8::MAX))
}

/// Where the second reader says nothing, the first decides.
fn alone((frame, confidence): (Frame, Confidence)) -> Weighed {
    let is_sure = confidence.is_sure;
    Weighed {
        candidates: vec![Candidate {
            frame,
            value: confidence.value,
            misses: false,
            is_first: true,
            is_agreed: false,
        }],
        is_sure,
        confidence,
    }
}
