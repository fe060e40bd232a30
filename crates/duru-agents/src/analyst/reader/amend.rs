//! What a follow-up says instead: other hours, another day, another end, another amount.

use duru_language::time::{Period, Timed};
use duru_language::{Sense, TimeWord, Unit};

use super::items::ItemKind;
use super::reading::Reading;
use crate::analyst::frame::{Frame, Test};

impl Reading<'_> {
    /// No, today: the hours of another day stay the hours.
    pub(super) fn same_hours(&self, day: &Period, before: Option<&Period>) -> Option<Period> {
        let (
            Period::Range { from: Some(first), unit: Some(duru_language::Unit::Day), .. },
            Some(Period::Range { from: Some(from), until: Some(until), unit: None }),
        ) = (day, before)
        else {
            return None;
        };
        let midnight = from.to_zoned(self.now.time_zone().clone()).start_of_day().ok()?.timestamp();
        let shift = first.as_second() - midnight.as_second();
        let hours = until.as_second() - from.as_second();
        let moved = |at: &jiff::Timestamp| jiff::Timestamp::from_second(at.as_second() + shift).ok();
        (hours < 86_400).then(|| Period::Range { from: moved(from), until: moved(until), unit: None })
    }

    /// No, 3 seconds: another amount in the place of the one that was compared with.
    pub(super) fn other_amount(&mut self, frame: &mut Frame) {
        let mut numbers = frame.filters.iter_mut().filter(|filter| matches!(filter.test, Test::Number(..)));
        let (Some(filter), None) = (numbers.next(), numbers.next()) else { return };
        let unit = self.described(&filter.column).and_then(|known| known.unit.clone());
        let amount = |item: &super::items::Item| match &item.kind {
            ItemKind::Number(value, None | Some(Unit::Won | Unit::Percent)) if unit.is_none() => Some(*value),
            ItemKind::Time(Timed::Length(length)) if unit.is_some() => {
                Some(super::divide::in_unit(length.seconds(), unit.as_deref()))
            }
            _ => None,
        };
        let Some((at, value)) = self
            .items
            .iter()
            .enumerate()
            .rev()
            .filter(|(_, item)| !item.used)
            .find_map(|(at, item)| Some((at, amount(item)?)))
        else {
            return;
        };
        if let Test::Number(_, known) = &mut filter.test {
            *known = value;
        }
        let text = self.items[at].text.trim().to_owned();
        self.draft.unread.retain(|word| *word != text);
        self.use_item(at);
    }

    /// 10시에서 11시 사이만: hours whose day was said before.
    pub(super) fn same_day(&self, hours: &Period, before: Option<&Period>) -> Option<Period> {
        let (
            Period::Range { from: Some(from), until: Some(until), unit: None },
            Some(Period::Range { from: Some(day), unit: Some(duru_language::Unit::Day), .. }),
        ) = (hours, before)
        else {
            return None;
        };
        let placed = self.draft.periods.first()?;
        let named = self.items[placed.at].senses.iter().any(|sense| {
            matches!(
                sense,
                Sense::Time(TimeWord::Day(_) | TimeWord::Weekday(_) | TimeWord::MonthName(_))
                    | Sense::Number(_)
            )
        });
        let dated = self.items[placed.at].text.contains(['월', '일', '/', '-']) || named;
        let midnight = from.to_zoned(self.now.time_zone().clone()).start_of_day().ok()?.timestamp();
        let today = self.now.start_of_day().ok()?.timestamp();
        let shift = day.as_second() - midnight.as_second();
        let moved = |at: &jiff::Timestamp| jiff::Timestamp::from_second(at.as_second() + shift).ok();
        (midnight == today && !dated).then(|| Period::Range {
            from: moved(from),
            until: moved(until),
            unit: None,
        })
    }
}

/// 8일까지요: another end of what began before.
pub(super) fn same_beginning(time: &Period, before: Option<&Period>) -> Option<Period> {
    match (time, before) {
        (
            Period::Range { from: None, until: Some(until), .. },
            Some(Period::Range { from: Some(from), .. }),
        ) if from < until => Some(Period::Range { from: Some(*from), until: Some(*until), unit: None }),
        _ => None,
    }
}
