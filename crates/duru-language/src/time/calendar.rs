//! Days, weeks and months as people name them.

use jiff::civil::{Date, Weekday, date};
use jiff::{Timestamp, ToSpan as _, Zoned};

use crate::sense::{TimeWord, Unit};

/// Whole days, half open, and the unit that they were named by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Days {
    pub(super) first: Date,
    pub(super) after: Date,
    pub(super) unit: Option<Unit>,
}

impl Days {
    pub(super) fn one(day: Date) -> Self {
        Self { first: day, after: add(day, 1), unit: Some(Unit::Day) }
    }

    pub(super) fn is_one(self) -> bool {
        add(self.first, 1) == self.after
    }
}

pub(super) fn add(day: Date, count: i64) -> Date {
    day.saturating_add(count.days())
}

/// A moment: minutes after the beginning of a day.
pub(super) fn at(day: Date, minutes: i64, now: &Zoned) -> Option<Timestamp> {
    let midnight = day.to_zoned(now.time_zone().clone()).ok()?;
    Some(midnight.checked_add(minutes.minutes()).ok()?.timestamp())
}

/// The days of a word such as yesterday or last month. Weeks begin on Monday.
pub(super) fn named(word: TimeWord, now: &Zoned) -> Option<Days> {
    let today = now.date();
    let month = |by: i32| today.first_of_month().checked_add(i64::from(by).months()).ok();
    Some(match word {
        TimeWord::Day(by) => Days::one(add(today, by.into())),
        TimeWord::Week(by) => {
            let monday = add(today, -i64::from(today.weekday().to_monday_zero_offset()));
            let first = add(monday, 7 * i64::from(by));
            Days { first, after: add(first, 7), unit: Some(Unit::Week) }
        }
        TimeWord::Month(by) => Days { first: month(by)?, after: month(by + 1)?, unit: Some(Unit::Month) },
        TimeWord::Quarter(by) => {
            let into = i32::from((today.month() - 1) % 3);
            Days { first: month(3 * by - into)?, after: month(3 * by - into + 3)?, unit: Some(Unit::Quarter) }
        }
        TimeWord::Year(by) => {
            let first = date(today.year().checked_add(i16::try_from(by).ok()?)?, 1, 1);
            Days { first, after: first.checked_add(1.year()).ok()?, unit: Some(Unit::Year) }
        }
        TimeWord::WeekendOf(by) => {
            let last = weekday(6, None, true, now)?.first;
            let first = add(last, 7 * (i64::from(by) + 1));
            Days { first, after: add(first, 2), unit: None }
        }
        _ => return None,
    })
}

pub(super) fn year(year: i16) -> Option<Days> {
    let first = Date::new(year, 1, 1).ok()?;
    Some(Days { first, after: first.checked_add(1.year()).ok()?, unit: Some(Unit::Year) })
}

/// A month; without a year, the last one of that name that has begun.
pub(super) fn month(year: Option<i16>, month: u8, now: &Zoned) -> Option<Days> {
    let month = i8::try_from(month).ok()?;
    let first = match year {
        Some(year) => Date::new(year, month, 1).ok()?,
        None => {
            let this = Date::new(now.year(), month, 1).ok()?;
            if this > now.date() { Date::new(now.year() - 1, month, 1).ok()? } else { this }
        }
    };
    Some(Days { first, after: first.checked_add(1.month()).ok()?, unit: Some(Unit::Month) })
}

/// Some months of a year; without a year, the last ones of that name that have begun.
pub(super) fn months(year: Option<i16>, first: u8, count: i64, now: &Zoned) -> Option<Days> {
    let begin = month(year, first, now)?.first;
    let unit = (count == 3).then_some(Unit::Quarter);
    Some(Days { first: begin, after: begin.checked_add(count.months()).ok()?, unit })
}

/// A day; without a year, the last one that has begun.
pub(super) fn day(year: Option<i16>, month: u8, day: u8, now: &Zoned) -> Option<Days> {
    let (month, day) = (i8::try_from(month).ok()?, i8::try_from(day).ok()?);
    let of = |year: i16| Date::new(year, month, day).ok();
    let date = match year {
        Some(year) => of(year)?,
        None => of(now.year()).filter(|day| *day <= now.date()).or_else(|| of(now.year() - 1))?,
    };
    Some(Days::one(date))
}

/// A weekday of a week, or the last one up to today.
pub(super) fn weekday(number: u8, week: Option<i32>, before_today: bool, now: &Zoned) -> Option<Days> {
    let weekday = Weekday::from_monday_one_offset(i8::try_from(number).ok()?).ok()?;
    if let Some(by) = week {
        let days = named(TimeWord::Week(by), now)?;
        return Some(Days::one(add(days.first, i64::from(weekday.to_monday_zero_offset()))));
    }
    let today = now.date();
    let back = i64::from(today.weekday().since(weekday));
    let back = if back == 0 && before_today { 7 } else { back };
    Some(Days::one(add(today, -back)))
}
