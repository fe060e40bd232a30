//! Two readers of one question, each a witness: what both say is believed sooner, and where they differ the person is
//! shown both.

use super::composed::{Second, SecondReading};
use super::confidence::Confidence;
use super::weights::{CHOICE, SURE_OF_TWO};
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

/// What speaks for a candidate and against it, in the order of [`CHOICE`].
type Signs = [f64; CHOICE.len()];

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
) -> Option<Weighed> {
    if second.is_empty() {
        return first.map(alone);
    }
    let raw = candidates(first.as_ref(), unread, second);
    let scores: Vec<f64> = raw.iter().map(|one| weighed(one).exp()).collect();
    // None of them may be meant, too.
    let all = 1.0 + scores.iter().sum::<f64>();
    let candidate = |(raw, score): (Raw, f64)| Candidate {
        frame: raw.frame,
        value: score / all,
        misses: raw.misses || unread.lost > 0.0 || raw.is_first && unread.found > 0.0,
    };
    let mut candidates: Vec<Candidate> = raw.into_iter().zip(scores).map(candidate).collect();
    candidates.sort_by(|one, other| other.value.total_cmp(&one.value));
    candidates.truncate(OFFERED);
    // What was not understood is never passed over, however likely the rest is.
    let best = candidates.first()?;
    let is_sure = best.value >= SURE_OF_TWO && !best.misses;
    let confidence = first.map_or_else(Confidence::none, |(_, confidence)| confidence);
    Some(Weighed { candidates, is_sure, confidence })
}

fn weighed(raw: &Raw) -> f64 {
    let of = usize::from(!raw.is_first);
    raw.signs.iter().zip(&CHOICE).map(|(sign, (_, weights))| sign * weights[of]).sum()
}

/// What may be meant: what the first reader says, then what the second says.
fn candidates(first: Option<&(Frame, Confidence)>, unread: Unread, second: &[SecondReading]) -> Vec<Raw> {
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
    let signs = |likely: f32, both: bool, other: f64, misses: bool, guessed: bool| -> Signs {
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
        ]
    };
    let mut all: Vec<Raw> = Vec::new();
    if let Some((frame, _)) = first {
        let same = |one: &&SecondReading| matches!(&one.what, Second::Frame(other) if same(other, frame));
        let likely = second.iter().filter(same).map(|one| one.likely).sum();
        let both = second.first().as_ref().is_some_and(same);
        let guessed = second.iter().find(same).is_some_and(|one| one.guessed);
        let other = if both { 0.0 } else { best };
        let signs = signs(likely, both, other, false, guessed);
        all.push(Raw { frame: frame.clone(), is_first: true, signs, misses: false });
    }
    for (rank, one) in second.iter().enumerate() {
        let Second::Frame(frame) = &one.what else { continue };
        if all.len() < MOST_CANDIDATES && all.iter().all(|known| !same(&known.frame, frame)) {
            let other = if rank == 0 { 0.0 } else { best };
            let signs = signs(one.likely, false, other, one.misses, one.guessed);
            all.push(Raw { frame: (**frame).clone(), is_first: false, signs, misses: one.misses });
        }
    }
    all
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

/// Whether two frames find the same: order, also of groups, and columns beside those asked for don't count where all rows are shown.
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
    // By hour and service, by service and hour: the same groups.
    if frame.best_each.is_none() && frame.window.is_none() && frame.order.is_none() {
        frame.dimensions.sort_by_key(|dimension| format!("{dimension:?}"));
    }
    // The best and the worst are the worst and the best.
    if let (true, Some(order)) = (frame.both_ends, &mut frame.order) {
        order.descending = true;
    }
    if let Some(compare) = &mut frame.compare {
        compare.whole = None;
    }
    frame
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::frame::{Column, Dimension};
    use duru_language::Unit;
    use duru_language::time::Length;

    fn grouped(dimensions: &[Dimension]) -> Frame {
        Frame {
            table: "logs".into(),
            measures: vec![Measure::Count],
            dimensions: dimensions.to_vec(),
            ..Frame::default()
        }
    }

    #[test]
    fn the_same_groups_in_another_order_are_the_same_reading_but_not_the_best_of_each() {
        let hour = Dimension::Every(Length::new(1, Unit::Hour));
        let service = Dimension::Column(Column::new("logs", "service"));
        let (one, other) = (grouped(&[hour.clone(), service.clone()]), grouped(&[service.clone(), hour]));
        assert!(same(&one, &other));
        assert!(!same(&one, &grouped(&[service])));
        let best = |frame: &Frame| Frame { best_each: Some(1), ..frame.clone() };
        assert!(!same(&best(&one), &best(&other)));
    }

    #[test]
    fn the_best_and_the_worst_are_the_worst_and_the_best() {
        let ends = |descending| Frame {
            order: Some(Order { by: By::Measure(0), descending }),
            limit: Some(1),
            both_ends: true,
            ..grouped(&[Dimension::HourOfDay])
        };
        assert!(same(&ends(true), &ends(false)));
        assert!(!same(&ends(true), &Frame { both_ends: false, ..ends(false) }));
    }
}
