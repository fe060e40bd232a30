//! Dates that are only numbers: which is the day, the month and the year.

use jiff::civil::Date;

use super::scan::{DateParts, Scan, TimeParts, scan};
use super::{DateOrder, TimeContext, TimeFault};

pub(super) enum DateRead {
    Date(Date),
    MonthDay(i8, i8),
}

const ORDERS: [DateOrder; 3] = [DateOrder::Ymd, DateOrder::Dmy, DateOrder::Mdy];

/// A date in the order that is known, or in the only one in which it is a date.
pub(super) fn read_date(parts: DateParts, context: &TimeContext) -> Result<DateRead, TimeFault> {
    match parts {
        DateParts::Full { year, month, day } => Date::new(century(year, context), month, day)
            .map(DateRead::Date)
            .map_err(|_| TimeFault::Unreadable),
        DateParts::MonthDay { month, day } => Ok(DateRead::MonthDay(month, day)),
        DateParts::Triple(_) | DateParts::Pair(_) => {
            let known = match &context.format {
                Some(super::TimeFormat::Order(order)) => Some(*order),
                _ => context.order,
            };
            if let Some(order) = known {
                return in_order(parts, order, context).ok_or(TimeFault::Unreadable);
            }
            let mut read = ORDERS.into_iter().filter_map(|order| in_order(parts, order, context));
            match (read.next(), read.next()) {
                (Some(only), None) => Ok(only),
                (None, _) => Err(TimeFault::Unreadable),
                (Some(_), Some(_)) => Err(TimeFault::Ambiguous),
            }
        }
    }
}

fn in_order(parts: DateParts, order: DateOrder, context: &TimeContext) -> Option<DateRead> {
    let (year, month, day) = match (parts, order) {
        // Without a year the first order is the third.
        (DateParts::Pair([month, day]), DateOrder::Mdy) => (None, month, day),
        (DateParts::Pair([day, month]), DateOrder::Dmy) => (None, month, day),
        (DateParts::Triple([year, month, day]), DateOrder::Ymd) if day < 100 => (Some(year), month, day),
        (DateParts::Triple([day, month, year]), DateOrder::Dmy) => (Some(year), month, day),
        (DateParts::Triple([month, day, year]), DateOrder::Mdy) => (Some(year), month, day),
        _ => return None,
    };
    let (month, day) = (i8::try_from(month).ok()?, i8::try_from(day).ok()?);
    match year {
        Some(year) => {
            let date = Date::new(century(year, context), month, day).ok()?;
            let last = context.now.to_zoned(context.zone.clone()).date().tomorrow().ok()?;
            (date.year() >= 1990 && date <= last).then_some(DateRead::Date(date))
        }
        // 2000 had every day that a year can have.
        None => Date::new(2000, month, day).ok().map(|_| DateRead::MonthDay(month, day)),
    }
}

/// A year of two digits is the last one that is not in the future.
fn century(year: i16, context: &TimeContext) -> i16 {
    let this = context.now.to_zoned(context.zone.clone()).year();
    match year {
        0..100 if year <= this % 100 + 1 => this - this % 100 + year,
        0..100 => this - this % 100 - 100 + year,
        year => year,
    }
}

/// What a sample says of the order of its dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::ingest) enum OrderChoice {
    /// They need none.
    Unneeded,
    Known(DateOrder),
    /// `yy/MM/dd`, as log4j writes it; another order would do as well.
    Usual(DateOrder),
    Unknown,
}

/// The order in which all dates of a sample are dates, run forwards the most and lie next to each other.
pub(in crate::ingest) fn choose_order<'a>(
    times: impl Iterator<Item = &'a str>,
    context: &TimeContext,
) -> OrderChoice {
    let dates: Vec<DateParts> = times
        .filter_map(|text| match scan(text.trim()) {
            Scan::Time(found) => Some(found.parts),
            _ => None,
        })
        .filter_map(|parts| match parts {
            TimeParts::Civil { date: date @ (DateParts::Triple(_) | DateParts::Pair(_)), .. } => Some(date),
            _ => None,
        })
        .collect();
    if dates.is_empty() {
        return OrderChoice::Unneeded;
    }
    let mut readings: Vec<(usize, usize, i32, DateOrder)> =
        ORDERS.into_iter().map(|order| rate(&dates, order, context)).collect();
    readings.sort_by_key(|(failed, back, days, _)| (*failed, *back, *days));
    let best = readings[0];
    // Broken lines are reported one by one, but an order that most lines break is none.
    if best.0 * 3 > dates.len() {
        return OrderChoice::Unknown;
    }
    let as_good =
        readings.iter().filter(|other| (other.0, other.1, other.2) == (best.0, best.1, best.2)).count();
    let short = dates.iter().all(|date| matches!(date, DateParts::Triple([_, _, last]) if *last < 100));
    let usual =
        readings.iter().any(|other| other.3 == DateOrder::Ymd && other.0 == best.0 && other.1 == best.1);
    match as_good {
        1 => OrderChoice::Known(best.3),
        _ if short && usual => OrderChoice::Usual(DateOrder::Ymd),
        _ => OrderChoice::Unknown,
    }
}

/// How many dates are none in this order, how often the next one is earlier, and how many days lie between the ends.
fn rate(dates: &[DateParts], order: DateOrder, context: &TimeContext) -> (usize, usize, i32, DateOrder) {
    let (mut failed, mut back) = (0, 0);
    let mut span: Option<(i32, i32)> = None;
    let mut last = i32::MIN;
    for date in dates {
        let day = match in_order(*date, order, context) {
            None => {
                failed += 1;
                continue;
            }
            Some(DateRead::Date(date)) => i32::from(date.year()) * 372 + days(date.month(), date.day()),
            Some(DateRead::MonthDay(month, day)) => days(month, day),
        };
        back += usize::from(day < last);
        last = day;
        span = Some(span.map_or((day, day), |(low, high)| (low.min(day), high.max(day))));
    }
    (failed, back, span.map_or(0, |(low, high)| high - low), order)
}

fn days(month: i8, day: i8) -> i32 {
    i32::from(month) * 31 + i32::from(day)
}

/// Whether a time has no year.
pub(in crate::ingest) fn lacks_year(text: &str) -> bool {
    let date = match scan(text.trim()) {
        Scan::Time(found) => found.parts,
        _ => return false,
    };
    matches!(date, TimeParts::Civil { date: DateParts::MonthDay { .. } | DateParts::Pair(_), .. })
}
