//! Two readers of one question, each a witness: what both say is believed sooner, and where they differ the person is
//! shown both.

use super::composed::{Second, SecondReading};
use super::confidence::Confidence;
use super::weights::{POOL, PoolWeights, SURE_OF_TWO};
use crate::analyst::frame::{By, Filter, Frame, Measure, Order, Test};

/// So many readings are weighed, and so many of them offered.
const MOST_CANDIDATES: usize = 5;
const OFFERED: usize = 2;

/// What a question may mean, and how likely that is right.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Candidate {
    pub(super) frame: Frame,
    pub(super) value: f64,
    /// Something that was said is not in it.
    pub(super) misses: bool,
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

/// What speaks for a candidate and against it, besides a constant. The first reader's and the second's are weighed apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Signs {
    /// It is what the first reader says.
    is_first: bool,
    /// How likely the first reading is right by its own signs, as log odds.
    first: f64,
    /// The logarithm of how likely the second reader says that it is.
    likely: f64,
    /// The second reader misses something that is said.
    lost: bool,
    /// It would ask back or refuse.
    asks: bool,
    /// Words that the first reader did not understand.
    unread: f64,
    /// It is what both say first.
    both: bool,
    /// The logarithm of how likely the second reader's best is, where that is another one.
    other: f64,
}

/// What the second reader gives a reading at least, and what the first does.
const LEAST_LIKELY: f32 = 0.003;
const LEAST_FIRST: f64 = 0.02;

fn log(likely: f32) -> f64 {
    f64::from(likely.max(LEAST_LIKELY)).ln()
}

impl Signs {
    fn weighed(&self, weights: &PoolWeights) -> f64 {
        let yes = |is: bool| f64::from(u8::from(is));
        let signs = [self.first, self.likely, yes(self.lost), yes(self.asks), self.unread];
        let own = if self.is_first { &weights.first } else { &weights.second };
        let sum: f64 = signs.iter().zip(&own.signs).map(|(sign, weight)| sign * weight).sum();
        let all = own.constant + sum + yes(self.both) * weights.both + self.other * weights.other;
        1.0 / (1.0 + (-all).exp())
    }
}

/// Weighs what the two readers say.
pub(super) fn weigh(
    first: Option<(Frame, Confidence)>,
    unread: usize,
    second: &[SecondReading],
) -> Option<Weighed> {
    if second.is_empty() {
        return first.map(alone);
    }
    let value = first.as_ref().map_or(0.0, |(_, confidence)| confidence.value);
    let value = value.clamp(LEAST_FIRST, 1.0 - LEAST_FIRST);
    let top = second.first();
    let signs = Signs {
        is_first: false,
        first: (value / (1.0 - value)).ln(),
        likely: 0.0,
        lost: top.is_some_and(|top| top.what == Second::Unfit),
        asks: top.is_some_and(|top| matches!(top.what, Second::Ask | Second::Refuse)),
        unread: f64::from(u8::try_from(unread.min(3)).unwrap_or(3)),
        both: false,
        other: 0.0,
    };
    let best = log(top.map_or(0.0, |top| top.likely));
    let mut candidates: Vec<Candidate> = Vec::new();
    if let Some((frame, _)) = &first {
        let same = |one: &&SecondReading| matches!(&one.what, Second::Frame(other) if same(other, frame));
        let likely = second.iter().filter(same).map(|one| one.likely).sum();
        let both = top.as_ref().is_some_and(same);
        let other = if both { 0.0 } else { best };
        let signs = Signs { is_first: true, likely: log(likely), both, other, ..signs };
        candidates.push(Candidate { frame: frame.clone(), value: signs.weighed(&POOL), misses: false });
    }
    for (rank, one) in second.iter().enumerate() {
        let Second::Frame(frame) = &one.what else { continue };
        if candidates.len() < MOST_CANDIDATES && candidates.iter().all(|known| !same(&known.frame, frame)) {
            let other = if rank == 0 { 0.0 } else { best };
            let signs = Signs { likely: log(one.likely), other, ..signs };
            let value = signs.weighed(&POOL);
            candidates.push(Candidate { frame: (**frame).clone(), value, misses: one.misses });
        }
    }
    candidates.sort_by(|one, other| other.value.total_cmp(&one.value));
    candidates.truncate(OFFERED);
    // What was not understood is never passed over, however likely the rest is.
    let best = candidates.first()?;
    let is_sure = best.value >= SURE_OF_TWO && !best.misses && unread == 0;
    let confidence = first.map_or_else(Confidence::none, |(_, confidence)| confidence);
    Some(Weighed { candidates, is_sure, confidence })
}

/// Where the second reader says nothing, the first decides.
fn alone((frame, confidence): (Frame, Confidence)) -> Weighed {
    let is_sure = confidence.is_sure;
    Weighed {
        candidates: vec![Candidate { frame, value: confidence.value, misses: false }],
        is_sure,
        confidence,
    }
}

/// Whether two frames find the same: order and columns beside those asked for don't count where all rows are shown.
pub(super) fn same(one: &Frame, other: &Frame) -> bool {
    plain(one) == plain(other)
}

fn plain(frame: &Frame) -> Frame {
    let mut frame = frame.clone();
    let key = |filter: &Filter| format!("{filter:?}");
    for filter in &mut frame.filters {
        if let Test::OneOf(values) | Test::NoneOf(values) = &mut filter.test {
            values.sort();
            values.dedup();
        }
    }
    frame.filters.retain(|filter| filter.test != Test::Present);
    frame.filters.sort_by_key(key);
    frame.filters.dedup();
    if frame.measures.len() > 1 {
        let ordered = match frame.order {
            Some(Order { by: By::Measure(place), .. }) => frame.measures.get(place).cloned(),
            _ => None,
        };
        frame.measures.retain(|measure| *measure != Measure::Count || ordered.as_ref() == Some(measure));
        if let (Some(ordered), Some(order)) = (ordered, &mut frame.order)
            && let Some(place) = frame.measures.iter().position(|measure| *measure == ordered)
        {
            order.by = By::Measure(place);
        }
    }
    let rows = frame.is_rows();
    let newest = Some(Order { by: By::Time, descending: true });
    if rows && frame.order == newest || !rows && frame.limit.is_none() {
        frame.order = None;
    }
    frame.show.clear();
    if let Some(compare) = &mut frame.compare {
        compare.whole = None;
    }
    frame
}
