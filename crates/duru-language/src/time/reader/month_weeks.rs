//! Weeks of a month: 3월 첫째 주, the second week of February, 2월 3주차 목요일.
//!
//! The n-th week is the days 7(n-1)+1 to 7n of the month, the last week its last seven days, and the fifth what is left
//! after the fourth. So each week is within its month, the first four have seven days, and the third Thursday is the
//! Thursday of the third week; weeks from Monday would have none of this.

use jiff::civil::Date;

use super::{Piece, Reader};
use crate::sense::{Link, TimeWord, Unit};
use crate::time::calendar::{self, Days};

/// Which week of a month.
#[derive(Clone, Copy)]
enum MonthWeek {
    Nth(u8),
    Last,
}

impl MonthWeek {
    fn numbered(number: u8) -> Self {
        if number == 0 { Self::Last } else { Self::Nth(number) }
    }

    fn of(self, month: Days) -> Option<Days> {
        let (first, after) = match self {
            Self::Nth(number) => {
                let first = calendar::add(month.first, 7 * (i64::from(number) - 1));
                (first, calendar::add(first, 7).min(month.after))
            }
            Self::Last => (calendar::add(month.after, -7), month.after),
        };
        (first < month.after).then_some(Days { first, after, unit: None })
    }
}

impl Reader<'_> {
    /// Takes a week of a month, with the month before or behind it.
    pub(super) fn month_week(&mut self, at: usize) -> Option<usize> {
        let (week, end) = self.nth_week(at)?;
        let of = self.link(end, Link::Of) || self.link(end, Link::In);
        if let Some((month, end)) =
            self.date(end + 1).filter(|(days, _)| of && days.unit == Some(Unit::Month))
        {
            return self.piece(at..end, Piece::Days(week.of(month)?));
        }
        let before = match self.pieces.last() {
            Some((tokens, Piece::Days(days))) if tokens.end == at && days.unit == Some(Unit::Month) => {
                Some((tokens.start, *days))
            }
            _ => None,
        };
        // Last week of something else is one of the calendar.
        let days = match before.filter(|_| self.word(at) != Some(TimeWord::Week(-1))) {
            Some((_, month)) => week.of(month)?,
            None => self.week_of_this_month(at, week)?,
        };
        let start = before.map_or(at, |(start, _)| start);
        if before.is_some() {
            self.pieces.pop();
        }
        let (days, end) = self.weekday_within(days, end);
        self.piece(start..end, Piece::Days(days))
    }

    /// The number of a week that begins here, and where it ends.
    fn nth_week(&self, at: usize) -> Option<(MonthWeek, usize)> {
        match self.word(at) {
            Some(TimeWord::WeekOfMonth(number) | TimeWord::NthWeek(number)) => {
                return Some((MonthWeek::numbered(number), at + 1));
            }
            Some(TimeWord::Week(-1)) if self.link(at + 1, Link::Of) => {
                return Some((MonthWeek::Last, at + 1));
            }
            _ => {}
        }
        let value = self.number(at).filter(|value| [1.0, 2.0, 3.0, 4.0, 5.0].contains(value))?;
        let named = self.is(at + 1, TimeWord::WeekCount)
            || self.is_ordinal(at, value) && self.has_unit(at + 1, Unit::Week);
        named.then_some((MonthWeek::Nth(value as u8), at + 2))
    }

    /// 둘째 주, by itself: of this month, or of the last one if it has not begun.
    fn week_of_this_month(&self, at: usize, week: MonthWeek) -> Option<Days> {
        matches!(self.word(at), Some(TimeWord::WeekOfMonth(_))).then_some(())?;
        let month = |by: i32| calendar::named(TimeWord::Month(by), self.now).and_then(|month| week.of(month));
        month(0).filter(|days| days.first <= self.now.date()).or_else(|| month(-1))
    }

    /// 셋째 주 목요일.
    fn weekday_within(&self, week: Days, at: usize) -> (Days, usize) {
        let Some(TimeWord::Weekday(day)) = self.word(at) else { return (week, at) };
        let is_it = |date: &Date| u8::try_from(date.weekday().to_monday_one_offset()) == Ok(day);
        let mut dates = (0..7).map(|by| calendar::add(week.first, by)).take_while(|date| *date < week.after);
        dates.find(is_it).map_or((week, at), |date| (Days::one(date), at + 1))
    }
}
