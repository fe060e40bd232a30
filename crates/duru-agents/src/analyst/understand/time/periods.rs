//! Days and hours that belong together, as periods; and the period before one.

use jiff::civil::Date;
use jiff::{Span, Timestamp, ToSpan as _, Zoned};

use super::days::add;
use super::read::Said;
use crate::analyst::understand::clock::Hours;
use crate::analyst::understand::query::{Length, Period, Unit};
use crate::analyst::understand::scan::{Scan, re};

/// A piece of a time expression and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) what: What,
}

#[derive(Debug, Clone)]
pub(super) enum What {
    /// Whole days, half open.
    Days(Date, Date),
    Hours(Hours),
}

/// "오늘 오전과 어제 같은 시간대": the hours of one day are those of the other; those of a day that is
/// not over yet end now.
pub(super) fn repeat_hours(now: &Zoned, pieces: &mut Vec<Piece>) {
    let hours = pieces.iter().find_map(|piece| match piece.what {
        What::Hours(hours) => Some(hours),
        What::Days(..) => None,
    });
    let minutes = i64::from(now.hour()) * 60 + i64::from(now.minute());
    let hours = hours.unwrap_or(Hours { from: 0, until: minutes, exact: false });
    let mut place = 0;
    while place < pieces.len() {
        let bare = !matches!(pieces.get(place + 1), Some(Piece { what: What::Hours(_), .. }));
        if let What::Days(first, after) = pieces[place].what
            && bare
            && after == add(first, 1)
        {
            let end = pieces[place].end;
            pieces.insert(place + 1, Piece { start: end, end, what: What::Hours(hours) });
            place += 1;
        }
        place += 1;
    }
}

/// Puts days and hours that belong together into periods.
pub(super) fn combine(scan: &mut Scan, now: &Zoned, pieces: &[Piece], said: &mut Said) {
    let today = now.date();
    let zone = now.time_zone();
    let at = |date: Date, minutes: i64| -> Option<Timestamp> {
        let midnight = date.to_zoned(zone.clone()).ok()?;
        Some(midnight.checked_add(minutes.minutes()).ok()?.timestamp())
    };
    let comparing = scan.said(re!(r"비교|대비|\bcompar|\bversus\b|\bvs\b|\bthan\b|차이|\bchange\b"));
    let mut place = 0;
    let mut last_day: Option<(Date, Date)> = None;
    // Where the hours of the last day end, if any were said.
    let mut hours_end: Option<usize> = None;
    while let Some(piece) = pieces.get(place) {
        let start = piece.start;
        let mut end = piece.end;
        let (mut from, mut until);
        match piece.what {
            What::Days(first, after) => {
                last_day = Some((first, after));
                hours_end = None;
                (from, until) = (at(first, 0), at(after, 0));
                if let Some(Piece { end: stop, start: begin, what: What::Hours(hours) }) =
                    pieces.get(place + 1)
                    && near(scan, end, *begin)
                {
                    place += 1;
                    end = *stop;
                    if after > add(first, 1) {
                        said.hours = Some(hours.whole());
                    } else {
                        (from, until) = (at(first, hours.from), at(first, hours.until));
                        hours_end = Some(end);
                        // "Last night" and "밤 10시부터 2시" reach into the next day.
                    }
                }
                if let Some(Piece { end: stop, start: begin, what: What::Days(_, other) }) =
                    pieces.get(place + 1)
                    && joins(scan, end, *begin, comparing)
                {
                    place += 1;
                    end = *stop;
                    until = at(*other, 0);
                    last_day = Some((add(*other, -1), *other));
                    if let Some(Piece { end: stop, start: begin, what: What::Hours(hours) }) =
                        pieces.get(place + 1)
                        && near(scan, end, *begin)
                    {
                        place += 1;
                        end = *stop;
                        let minutes = if hours.exact { hours.from } else { hours.until };
                        until = at(add(*other, -1), minutes);
                    }
                }
            }
            What::Hours(hours) => {
                // Hours of every day of a longer period, or of the day that was said, or of today.
                let daily = said.periods.iter().any(|period| match period {
                    Period::Last(length) => {
                        !matches!(length.unit, Unit::Second | Unit::Minute | Unit::Hour) || length.amount > 48
                    }
                    _ => false,
                });
                let later_days = pieces.iter().skip(place + 1).find_map(|piece| match piece.what {
                    What::Days(first, after) => Some((first, after)),
                    What::Hours(_) => None,
                });
                let (first, after) = last_day.or(later_days).unwrap_or((today, add(today, 1)));
                if daily || after > add(first, 1) {
                    said.hours = Some(hours.whole());
                    scan.blank(start, end);
                    place += 1;
                    continue;
                }
                // "어제 오전과 오후": hours of one day beside each other.
                let beside = hours_end.and_then(|end| scan.whole.get(end..start)).is_some_and(|gap| {
                    matches!(
                        gap.trim(),
                        "과" | "와" | "랑" | "이랑" | "하고" | "," | "vs" | "vs." | "and" | "대"
                    )
                });
                if last_day.is_some() && !beside {
                    said.periods.pop();
                } else if later_days.is_some() {
                    // The day that follows is the one meant.
                    place += 1;
                    while let Some(piece) = pieces.get(place) {
                        end = piece.end;
                        place += 1;
                        if matches!(piece.what, What::Days(..)) {
                            break;
                        }
                    }
                    place -= 1;
                }
                (from, until) = (at(first, hours.from), at(first, hours.until));
            }
        }
        // "부터" without an end, "까지" without a beginning.
        let after = scan.whole.get(end..).unwrap_or_default();
        let before = scan.whole.get(..start).unwrap_or_default();
        let open =
            re!(r"^\s*(?:부터|이후|이래|onwards?)(?:로|에|의)?").find(after).map(|found| end + found.end());
        let closed = re!(r"^\s*(?:이전|전까지|까지)(?:에|의)?").find(after).map(|found| end + found.end());
        let single = re!(r"부터|~|between|from|에서|\bto\b|\buntil\b|\bthrough\b")
            .find(&scan.whole[start..end])
            .is_none();
        if let Some(stop) = open.filter(|_| single) {
            // "어제 6시 이후" is still yesterday; "어제 6시부터" goes on.
            let day = match piece.what {
                What::Days(first, after) if after == add(first, 1) && end > piece.end => Some(after),
                _ => None,
            };
            let same_day = scan.whole[end..stop].contains("이후");
            until = day.filter(|_| same_day).and_then(|after| at(after, 0));
            end = stop;
        } else if single
            && (re!(r"(?:\bsince|\bafter)\s*$").is_match(before)
                // "Errors from yesterday" are yesterday's; "from 10am" and "from March 3" go on.
                || re!(r"\bfrom\s*$").is_match(before)
                    && !re!(r"^(?:yesterday|today|the\s+day|last|this|오늘|어제|monday|tuesday|wednesday|thursday|friday|saturday|sunday)")
                        .is_match(scan.whole[start..end].trim_start()))
        {
            until = None;
        } else if let Some(stop) = closed {
            if single {
                // Whole days count to their end; what is before them, and clock times, to their beginning.
                let clock = matches!(piece.what, What::Hours(Hours { exact: true, .. })) || end > piece.end;
                if clock || scan.whole[end..stop].contains("이전") {
                    until = from;
                }
                // "오늘 10시까지" begins with the day.
                let day = match piece.what {
                    What::Days(first, _) => first,
                    What::Hours(_) => today,
                };
                from = if clock { at(day, 0) } else { None };
            }
            end = stop;
        } else if re!(r"(?:\bbefore|\buntil)\s*$").is_match(before) && single {
            until = from;
            from = None;
        }
        // Nothing was written after now.
        let until = until.filter(|until| *until <= now.timestamp());
        scan.blank(start, end);
        said.periods.push(Period::Between { from, until });
        place += 1;
    }
}

/// Whether nothing but a particle is between a day and its hours.
fn near(scan: &Scan, end: usize, start: usize) -> bool {
    let gap = scan.whole.get(end..start).unwrap_or("?");
    re!(r"^(?:\s|의|에|은|,|at|between|from|in\s+the|t)*$").is_match(gap)
}

/// Whether two days are the ends of one period.
fn joins(scan: &Scan, end: usize, start: usize, comparing: bool) -> bool {
    let gap = scan.whole.get(end..start).unwrap_or("?").trim();
    match gap {
        "부터" | "에서" | "~" | "-" | "–" | "to" | "until" | "till" | "through" | "thru" => true,
        "and" => !comparing && scan.said(re!(r"\bbetween\b")),
        "와" | "과" => !comparing && scan.said(re!(r"사이")),
        _ => false,
    }
}

/// The period of the same length right before, and one unit earlier.
pub(in crate::analyst::understand) fn earlier(
    period: &Period,
    unit: Option<Unit>,
    now: &Zoned,
) -> Option<Period> {
    match (period, unit) {
        (Period::Last(length), None) => Some(Period::BeforeLast(*length)),
        (Period::Last(length), Some(unit)) => {
            let whole = Length { amount: 1, unit };
            (*length == whole || unit == Unit::Day && *length == Length { amount: 24, unit: Unit::Hour })
                .then_some(Period::BeforeLast(*length))
        }
        (Period::Between { from: Some(from), until }, unit) => {
            let zone = now.time_zone().clone();
            let from = from.to_zoned(zone.clone());
            // A period that is not over yet is compared with the whole one before it.
            let end = until.map(|until| until.to_zoned(zone));
            let span: Span = match unit {
                Some(Unit::Day) => 1.day(),
                Some(Unit::Week) => 1.week(),
                Some(Unit::Month) => 1.month(),
                Some(Unit::Year) => 1.year(),
                _ => {
                    let end = end.clone().unwrap_or_else(|| now.clone());
                    let days = (&end - &from).total((jiff::Unit::Day, &from)).ok()?.ceil();
                    if end.time() == from.time() || until.is_none() {
                        (days as i64).max(1).days()
                    } else {
                        &end - &from
                    }
                }
            };
            let begin = from.checked_sub(span).ok()?;
            let finish = match end {
                Some(end) => end.checked_sub(span).ok()?,
                None => from,
            };
            Some(Period::Between { from: Some(begin.timestamp()), until: Some(finish.timestamp()) })
        }
        _ => None,
    }
}
