//! Times as others write them: one reader for all formats of logs.

mod order;
mod scan;

use jiff::civil::{Date, DateTime};
use jiff::fmt::strtime::BrokenDownTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(super) use order::{OrderChoice, choose_order, lacks_year};
use scan::{DateParts, TimeParts};
pub(super) use scan::{Scan, scan};

/// The order of day, month and year where all are numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DateOrder {
    Ymd,
    Dmy,
    Mdy,
}

/// How a mapping says that times are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TimeFormat {
    /// Numbers since 1970, so many to a second.
    Epoch(i64),
    Order(DateOrder),
    /// With `%` as `strptime` has it.
    Pattern(String),
}

impl TimeFormat {
    /// By its name, or a pattern.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "epoch_s" => Self::Epoch(1),
            "epoch_ms" => Self::Epoch(1_000),
            "epoch_us" => Self::Epoch(1_000_000),
            "epoch_ns" => Self::Epoch(1_000_000_000),
            "ymd" => Self::Order(DateOrder::Ymd),
            "dmy" => Self::Order(DateOrder::Dmy),
            "mdy" => Self::Order(DateOrder::Mdy),
            "iso" => Self::Pattern("%Y-%m-%dT%H:%M:%S%.f%:z".into()),
            "asctime" => Self::Pattern("%a %b %e %H:%M:%S%.f %Y".into()),
            "apache" => Self::Pattern("%d/%b/%Y:%H:%M:%S %z".into()),
            "rfc2822" => Self::Pattern("%a, %d %b %Y %H:%M:%S %z".into()),
            pattern if pattern.contains('%') => Self::Pattern(pattern.to_owned()),
            _ => return None,
        })
    }
}

/// What times mean that do not say it themselves.
#[derive(Debug, Clone)]
pub(super) struct TimeContext {
    /// Of times without an offset.
    pub(super) zone: TimeZone,
    pub(super) now: Timestamp,
    /// Times without a year are not later than this: when their file was written, or now.
    pub(super) latest: Timestamp,
    /// Of times without one.
    pub(super) year: Option<i16>,
    pub(super) order: Option<DateOrder>,
    pub(super) format: Option<TimeFormat>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeFault {
    Unreadable,
    /// Day and month, or day and year, could be either.
    Ambiguous,
    /// Before 1990, or more than a day from now.
    Implausible,
}

impl TimeContext {
    pub(super) fn read(&self, value: &Value) -> Result<Timestamp, TimeFault> {
        let time = match value {
            Value::Number(number) => match (&self.format, number.as_i64()) {
                (Some(TimeFormat::Epoch(unit)), _) => epoch_in(number.as_f64(), number.as_i64(), *unit),
                (_, Some(number)) => epoch(number),
                (_, None) => number.as_f64().and_then(seconds),
            },
            Value::String(text) => return self.text(text.trim()),
            _ => None,
        };
        self.plausible(time.ok_or(TimeFault::Unreadable)?)
    }

    fn text(&self, text: &str) -> Result<Timestamp, TimeFault> {
        let time = match &self.format {
            Some(TimeFormat::Epoch(unit)) => {
                epoch_in(text.parse().ok(), text.parse().ok(), *unit).ok_or(TimeFault::Unreadable)?
            }
            Some(TimeFormat::Pattern(pattern)) => self.by_pattern(pattern, text)?,
            _ => match quick(text) {
                Some(time) => time,
                None => self.scanned(text)?,
            },
        };
        self.plausible(time)
    }

    fn by_pattern(&self, pattern: &str, text: &str) -> Result<Timestamp, TimeFault> {
        let mut parts = BrokenDownTime::parse(pattern, text).map_err(|_| TimeFault::Unreadable)?;
        if let Ok(time) = parts.to_timestamp() {
            return Ok(time);
        }
        if parts.year().is_none()
            && let (Some(month), Some(day), Ok(time)) = (parts.month(), parts.day(), parts.to_time())
        {
            let date = DateParts::MonthDay { month, day };
            return self.resolve(TimeParts::Civil { date, time, offset: None });
        }
        if parts.hour().is_none() {
            parts.set_hour(Some(0)).map_err(|_| TimeFault::Unreadable)?;
        }
        parts.to_datetime().ok().and_then(|time| self.local(time)).ok_or(TimeFault::Unreadable)
    }

    fn scanned(&self, text: &str) -> Result<Timestamp, TimeFault> {
        match scan(text) {
            Scan::Time(found) if found.end == text.len() => self.resolve(found.parts),
            // Small and fractional numbers of seconds.
            _ => text.parse().ok().and_then(seconds).ok_or(TimeFault::Unreadable),
        }
    }

    fn resolve(&self, parts: TimeParts) -> Result<Timestamp, TimeFault> {
        let (date, time, offset) = match parts {
            TimeParts::Instant(time) => return Ok(time),
            TimeParts::Civil { date, time, offset } => (date, time, offset),
        };
        let at = |date: Date| {
            let civil = date.to_datetime(time);
            match offset {
                Some(offset) => offset.to_timestamp(civil).ok(),
                None => self.local(civil),
            }
        };
        let (month, day) = match order::read_date(date, self)? {
            order::DateRead::Date(date) => return at(date).ok_or(TimeFault::Unreadable),
            order::DateRead::MonthDay(month, day) => (month, day),
        };
        if let Some(year) = self.year {
            return Date::new(year, month, day).ok().and_then(at).ok_or(TimeFault::Unreadable);
        }
        // Of the last years in which there was such a day, the one that is not in the future.
        let end = self.latest.checked_add(SignedDuration::from_hours(24)).unwrap_or(self.latest);
        let this = self.latest.to_zoned(self.zone.clone()).year();
        let years = (0..=8).map(|back| this + 1 - back);
        let mut times = years.filter_map(|year| Date::new(year, month, day).ok().and_then(at));
        times.find(|time| *time <= end).ok_or(TimeFault::Unreadable)
    }

    fn local(&self, time: DateTime) -> Option<Timestamp> {
        self.zone.to_timestamp(time).ok()
    }

    fn plausible(&self, time: Timestamp) -> Result<Timestamp, TimeFault> {
        let end = self.now.checked_add(SignedDuration::from_hours(24)).unwrap_or(self.now);
        if (earliest()..=end).contains(&time) { Ok(time) } else { Err(TimeFault::Implausible) }
    }
}

/// 1990.
fn earliest() -> Timestamp {
    Timestamp::constant(631_152_000, 0)
}

/// What most programs write, without a look at all the other ways.
fn quick(text: &str) -> Option<Timestamp> {
    let bytes = text.as_bytes();
    let is = bytes.len() >= 20 && bytes[4] == b'-' && matches!(bytes[10], b'T' | b' ') && bytes[13] == b':';
    is.then(|| text.parse().ok()).flatten()
}

/// Seconds, milli-, micro- or nanoseconds since 1970: which of them, its size
/// tells. Seconds up to the year 5138, and nothing before 1973 in the others.
fn epoch(number: i64) -> Option<Timestamp> {
    let time = match number.unsigned_abs() {
        0..100_000_000_000 => Timestamp::from_second(number),
        100_000_000_000..100_000_000_000_000 => Timestamp::from_millisecond(number),
        100_000_000_000_000..100_000_000_000_000_000 => Timestamp::from_microsecond(number),
        _ => Timestamp::from_nanosecond(i128::from(number)),
    };
    time.ok()
}

fn epoch_in(number: Option<f64>, whole: Option<i64>, unit: i64) -> Option<Timestamp> {
    match whole {
        Some(whole) => Timestamp::from_nanosecond(i128::from(whole) * i128::from(1_000_000_000 / unit)).ok(),
        None => seconds(number? / unit as f64),
    }
}

fn seconds(number: f64) -> Option<Timestamp> {
    if number.abs() < 1e11 {
        // Rounded to what the stores keep; a float has no more anyway.
        return Timestamp::from_microsecond((number * 1e6).round() as i64).ok();
    }
    number.is_finite().then(|| epoch(number.round() as i64)).flatten()
}

#[cfg(test)]
mod tests;
