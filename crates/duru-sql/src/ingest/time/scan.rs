//! Finds a time at the beginning of a text: its parts, and where it ends. What the parts mean is for [`super`] to say.

use jiff::Timestamp;
use jiff::civil::Time;
use jiff::tz::Offset;

/// What stands at the beginning of a text.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::ingest) enum Scan {
    /// Nothing that looks like a time.
    Nothing,
    /// It looks like one, but there is no such time.
    Invalid,
    Time(ScannedTime),
}

#[derive(Debug, Clone, PartialEq)]
pub(in crate::ingest) struct ScannedTime {
    pub(super) parts: TimeParts,
    /// Bytes of the text that it takes.
    pub(in crate::ingest) end: usize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum TimeParts {
    Instant(Timestamp),
    Civil { date: DateParts, time: Time, offset: Option<Offset> },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DateParts {
    /// A year of two digits is below 100.
    Full { year: i16, month: i8, day: i8 },
    /// Without a year.
    MonthDay { month: i8, day: i8 },
    /// Three numbers whose order the text does not tell; the last one may have four digits.
    Triple([i16; 3]),
    /// Two numbers, of a month and a day in either order.
    Pair([i16; 2]),
}

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/// Abbreviations that mean one offset only, in hours.
const ZONES: [(&str, i8); 10] = [
    ("UTC", 0),
    ("GMT", 0),
    ("KST", 9),
    ("JST", 9),
    ("CET", 1),
    ("CEST", 2),
    ("EST", -5),
    ("EDT", -4),
    ("PST", -8),
    ("PDT", -7),
];

/// Reads the time that a text begins with.
pub(in crate::ingest) fn scan(text: &str) -> Scan {
    let mut cursor = Cursor { text, at: 0 };
    let weekday = cursor.name(&WEEKDAYS).is_some();
    if weekday {
        cursor.eat(b',');
        cursor.spaces();
    }
    let digits = cursor.digits();
    let parts = match digits.len() {
        0 => cursor.month_first(weekday),
        10 | 13 | 16 | 19 => cursor.epoch(digits),
        12 | 14 | 17 => cursor.all_digits(digits),
        6 | 8 => cursor.date_of_digits(digits),
        4 => cursor.year_first(digits),
        1 | 2 => cursor.day_first(digits),
        _ => None,
    };
    match parts {
        None => Scan::Nothing,
        Some(_) if cursor.peek().is_some_and(|byte| byte.is_ascii_alphanumeric()) => Scan::Nothing,
        Some(Err(NoSuchTime)) => Scan::Invalid,
        Some(Ok(parts)) => Scan::Time(ScannedTime { parts, end: cursor.at }),
    }
}

struct NoSuchTime;

type Parts = Option<Result<TimeParts, NoSuchTime>>;

struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let is = self.peek() == Some(byte);
        self.at += usize::from(is);
        is
    }

    fn eat_any(&mut self, bytes: &[u8]) -> Option<u8> {
        let byte = self.peek().filter(|byte| bytes.contains(byte))?;
        self.at += 1;
        Some(byte)
    }

    fn spaces(&mut self) {
        while self.eat(b' ') {}
    }

    fn run(&mut self, is: fn(&u8) -> bool) -> &'a str {
        let from = self.at;
        while self.peek().as_ref().is_some_and(is) {
            self.at += 1;
        }
        // Only ASCII was stepped over.
        self.text.get(from..self.at).unwrap_or_default()
    }

    fn digits(&mut self) -> &'a str {
        self.run(u8::is_ascii_digit)
    }

    /// One or two digits.
    fn short(&mut self) -> Option<i8> {
        let digits = self.digits();
        if digits.len() > 2 { None } else { digits.parse().ok() }
    }

    /// The place of a word in a list, by its first three letters.
    fn name(&mut self, names: &[&str]) -> Option<usize> {
        let from = self.at;
        let word = self.run(u8::is_ascii_alphabetic);
        let found =
            word.get(..3).and_then(|start| names.iter().position(|name| start.eq_ignore_ascii_case(name)));
        if found.is_none() || word.len() > 9 {
            self.at = from;
            return None;
        }
        found
    }

    fn month(&mut self) -> Option<i8> {
        self.name(&MONTHS).map(|month| month as i8 + 1)
    }

    fn epoch(&mut self, digits: &str) -> Parts {
        let number: i64 = digits.parse().ok()?;
        let mut nanos = 0;
        if digits.len() == 10 && self.peek() == Some(b'.') {
            self.at += 1;
            nanos = nanoseconds(self.digits())?;
        }
        let time =
            super::epoch(number).and_then(|time| time.checked_add(jiff::SignedDuration::new(0, nanos)).ok());
        Some(time.map(TimeParts::Instant).ok_or(NoSuchTime))
    }

    /// `yyyyMMddHHmmss`, perhaps with milliseconds; `yyMMddHHmmss`.
    fn all_digits(&mut self, digits: &str) -> Parts {
        let year = if digits.len() == 12 { 2 } else { 4 };
        let date = full(digits.get(..year)?, digits.get(year..year + 2)?, digits.get(year + 2..year + 4)?)?;
        let rest = digits.get(year + 4..)?;
        let fraction = match rest.get(6..).filter(|fraction| !fraction.is_empty()) {
            Some(fraction) => fraction,
            None if self.eat_any(b".,").is_some() => self.digits(),
            None => "",
        };
        let time = clock([rest.get(..2)?, rest.get(2..4)?, rest.get(4..6)?], fraction)?;
        Some(self.with_zone(Ok(date), time))
    }

    /// `yyyyMMdd` or `yyMMdd`, then a clock.
    fn date_of_digits(&mut self, digits: &str) -> Parts {
        let year = digits.len() - 4;
        let date = full(&digits[..year], &digits[year..year + 2], &digits[year + 2..])?;
        // A number of eight digits is a date only if its year is one.
        if year == 4 && !matches!(&digits[..2], "19" | "20") {
            return None;
        }
        self.eat_any(b"T -_:")?;
        let time = self.clock()?;
        Some(self.with_zone(Ok(date), time))
    }

    fn year_first(&mut self, year: &str) -> Parts {
        let separator = self.eat_any(b"-/.")?;
        let month = self.digits();
        if !(1..=2).contains(&month.len()) || !self.eat(separator) {
            return None;
        }
        let day = self.digits();
        let date = full(year, month, day).filter(|_| (1..=2).contains(&day.len()))?;
        self.date_then_clock(date)
    }

    /// `10/Oct/2000:13:55:36`, `18 Mar 2026 …`, or numbers whose order is not known yet.
    fn day_first(&mut self, first: &str) -> Parts {
        let separator = self.eat_any(b"-/. ")?;
        if let Some(month) = self.month() {
            if !self.eat(separator) {
                return None;
            }
            let year = self.digits();
            let date = DateParts::Full { year: year.parse().ok()?, month, day: first.parse().ok()? };
            return self.date_then_clock(date).filter(|_| matches!(year.len(), 2 | 4));
        }
        if separator == b' ' {
            return None;
        }
        let second = i16::from(self.short()?);
        let first = first.parse().ok()?;
        if !self.eat(separator) {
            let date = match separator {
                // As ISO writes it, and Android.
                b'-' => DateParts::MonthDay { month: first as i8, day: second as i8 },
                _ => DateParts::Pair([first, second]),
            };
            self.eat(b' ').then_some(())?;
            let time = self.clock()?;
            return Some(self.with_zone(Ok(date), time));
        }
        let third = self.digits();
        if !matches!(third.len(), 2 | 4) {
            return None;
        }
        self.date_then_clock(DateParts::Triple([first, second, third.parse().ok()?]))
    }

    /// `Dec 10 06:55:46`, `Dec 10, 2015 6:55:46 PM`, `Dec  4 04:47:44 2005`.
    fn month_first(&mut self, weekday: bool) -> Parts {
        let month = self.month()?;
        self.spaces();
        let day = self.short()?;
        self.eat(b',');
        self.spaces();
        let before = self.at;
        let year = self.digits();
        if year.len() == 4 && self.peek() != Some(b':') {
            return self.date_then_clock(DateParts::Full { year: year.parse().ok()?, month, day });
        }
        self.at = before;
        let time = self.clock()?;
        let offset = self.zone();
        let after = self.at;
        self.spaces();
        let year = self.digits();
        let is_year = year.len() == 4 && !self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric());
        let date = if is_year && (weekday || self.peek().is_none() || self.peek() == Some(b']')) {
            DateParts::Full { year: year.parse().ok()?, month, day }
        } else {
            self.at = after;
            DateParts::MonthDay { month, day }
        };
        let offset = offset.or_else(|| self.zone());
        Some(time.map(|time| TimeParts::Civil { date, time, offset }))
    }

    /// A clock after a date; without one, the text must end here.
    fn date_then_clock(&mut self, date: DateParts) -> Parts {
        if self.peek().is_none() {
            return Some(Ok(TimeParts::Civil { date, time: Time::midnight(), offset: None }));
        }
        self.eat_any(b"T t_-:,")?;
        self.spaces();
        let time = self.clock()?;
        Some(self.with_zone(Ok(date), time))
    }

    fn with_zone(
        &mut self,
        date: Result<DateParts, NoSuchTime>,
        time: Result<Time, NoSuchTime>,
    ) -> Result<TimeParts, NoSuchTime> {
        let offset = self.zone();
        Ok(TimeParts::Civil { date: date?, time: time?, offset })
    }

    /// `14:30`, `14:30:00.123`, `2:30:00 PM`, `14.30.00`, `143000`.
    fn clock(&mut self) -> Option<Result<Time, NoSuchTime>> {
        let hour = self.digits();
        if hour.len() == 6 {
            let fraction = if self.eat_any(b".,").is_some() { self.digits() } else { "" };
            return clock([&hour[..2], &hour[2..4], &hour[4..]], fraction);
        }
        let separator = self.eat_any(b":.").filter(|_| (1..=2).contains(&hour.len()))?;
        let minute = self.digits();
        if !(1..=2).contains(&minute.len()) {
            return None;
        }
        let (mut second, mut fraction) = (None, "");
        let after = self.at;
        if self.eat(separator) {
            second = Some(self.digits()).filter(|second| (1..=2).contains(&second.len()));
        }
        if second.is_none() {
            self.at = after;
        }
        let after = self.at;
        if second.is_some() && self.eat_any(b".,:").is_some() {
            fraction = self.digits();
            if !(1..=9).contains(&fraction.len()) {
                (fraction, self.at) = ("", after);
            }
        }
        let time = clock([hour, minute, second.unwrap_or("0")], fraction)?;
        let after = self.at;
        self.spaces();
        let half = self.run(u8::is_ascii_alphabetic);
        if !half.eq_ignore_ascii_case("am") && !half.eq_ignore_ascii_case("pm") {
            self.at = after;
            return Some(time);
        }
        let afternoon = half.eq_ignore_ascii_case("pm");
        Some(time.and_then(|time| {
            let hour = time.hour() % 12 + if afternoon { 12 } else { 0 };
            Time::new(hour, time.minute(), time.second(), time.subsec_nanosecond()).map_err(|_| NoSuchTime)
        }))
    }

    /// `Z`, `+09:00`, `-0700`, `+09`, `UTC`, perhaps after a space.
    fn zone(&mut self) -> Option<Offset> {
        let before = self.at;
        let spaced = self.eat(b' ');
        let found = match self.peek() {
            Some(sign @ (b'+' | b'-')) => {
                self.at += 1;
                self.offset(spaced).map(|seconds| if sign == b'-' { -seconds } else { seconds })
            }
            _ => {
                let word = self.run(u8::is_ascii_alphabetic);
                let hours = ZONES.iter().find(|(name, _)| *name == word).map(|(_, hours)| *hours);
                hours.or((word == "Z" || word == "z").then_some(0)).map(|hours| i32::from(hours) * 3600)
            }
        };
        let offset = found.and_then(|seconds| Offset::from_seconds(seconds).ok());
        if offset.is_none() || self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric()) {
            self.at = before;
            return None;
        }
        offset
    }

    fn offset(&mut self, spaced: bool) -> Option<i32> {
        let digits = self.digits();
        let (hours, minutes) = match digits.len() {
            4 => digits.split_at(2),
            2 if self.eat(b':') => (digits, self.digits()),
            2 if !spaced => (digits, "0"),
            _ => return None,
        };
        let (hours, minutes): (i32, i32) = (hours.parse().ok()?, minutes.parse().ok()?);
        (hours < 24 && minutes < 60).then_some(hours * 3600 + minutes * 60)
    }
}

fn full(year: &str, month: &str, day: &str) -> Option<DateParts> {
    // The year 17 is no year of two digits, and nobody's log is that old.
    if year.len() == 4 && year.starts_with('0') {
        return None;
    }
    Some(DateParts::Full { year: year.parse().ok()?, month: month.parse().ok()?, day: day.parse().ok()? })
}

fn nanoseconds(fraction: &str) -> Option<i32> {
    let digits = fraction.get(..fraction.len().min(9))?;
    Some(digits.parse::<i32>().unwrap_or(0) * 10_i32.pow(9 - digits.len() as u32))
}

fn clock([hour, minute, second]: [&str; 3], fraction: &str) -> Option<Result<Time, NoSuchTime>> {
    let (hour, minute, second) = (hour.parse().ok()?, minute.parse().ok()?, second.parse::<i8>().ok()?);
    // A leap second is kept as the one before.
    let second = if second == 60 { 59 } else { second };
    Some(Time::new(hour, minute, second, nanoseconds(fraction)?).map_err(|_| NoSuchTime))
}
