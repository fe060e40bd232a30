//! The service and the time range of a question, as structure.

use std::fmt;

use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a question is limited to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Filters {
    /// One of the services that exist.
    #[serde(default)]
    #[schemars(length(max = 200))]
    pub service: Option<String>,
    #[serde(default)]
    pub time_range: Option<TimeRange>,
    /// A time was named that fixes no range, such as "a while ago".
    #[serde(default)]
    pub ambiguous_time: bool,
    /// How sure this is, 0 to 1.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub confidence: f64,
}

/// A range of time, as pickers and models write it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum TimeRange {
    /// Back from now.
    Relative { relative: Relative },
    /// From the start to before the end.
    Absolute { absolute: Absolute },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Relative {
    pub value: u32,
    pub unit: Unit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Unit {
    #[serde(rename = "h")]
    Hour,
    #[serde(rename = "d")]
    Day,
    #[serde(rename = "w")]
    Week,
    #[serde(rename = "m")]
    Month,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Absolute {
    /// ISO 8601 with offset.
    #[schemars(length(max = 40))]
    pub start: String,
    #[schemars(length(max = 40))]
    pub end: String,
}

/// Why a range can't be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RangeError {
    #[error("{value} is not between 1 and {most}")]
    OutOfRange { value: u32, most: u32 },
    #[error("{text:?} is no time with offset such as 2026-03-18T14:30:00+09:00")]
    NoTime { text: String },
    #[error("the range ends before it starts")]
    Backwards,
    #[error("the range ends in the future")]
    InTheFuture,
    #[error("the range is longer than a year")]
    TooLong,
}

impl Unit {
    /// The most of it that may be asked for.
    pub fn most(self) -> u32 {
        match self {
            Self::Hour => 720,
            Self::Day => 365,
            Self::Week => 52,
            Self::Month => 12,
        }
    }

    /// Its name in an interval.
    pub fn word(self) -> &'static str {
        match self {
            Self::Hour => "hours",
            Self::Day => "days",
            Self::Week => "weeks",
            Self::Month => "months",
        }
    }
}

impl TimeRange {
    pub fn last_hour() -> Self {
        Self::Relative { relative: Relative { value: 1, unit: Unit::Hour } }
    }

    /// From when until when it is, asked at `now`; none if it is no range.
    pub(super) fn bounds(&self, now: Timestamp, zone: &TimeZone) -> Option<(Timestamp, Timestamp)> {
        match self {
            Self::Relative { relative: Relative { value, unit } } => {
                let value = i64::from(*value);
                let length = match unit {
                    Unit::Hour => value.hours(),
                    Unit::Day => value.days(),
                    Unit::Week => value.weeks(),
                    Unit::Month => value.months(),
                };
                Some((now.to_zoned(zone.clone()).checked_sub(length).ok()?.timestamp(), now))
            }
            Self::Absolute { absolute } => Some((time(&absolute.start).ok()?, time(&absolute.end).ok()?)),
        }
    }

    /// Whether the range can be asked for at `now`.
    ///
    /// # Errors
    /// Which limit it breaks.
    pub fn check(&self, now: Timestamp) -> Result<(), RangeError> {
        match self {
            Self::Relative { relative: Relative { value, unit } } => {
                if *value == 0 || *value > unit.most() {
                    return Err(RangeError::OutOfRange { value: *value, most: unit.most() });
                }
                Ok(())
            }
            Self::Absolute { absolute } => {
                let (start, end) = (time(&absolute.start)?, time(&absolute.end)?);
                if start >= end {
                    Err(RangeError::Backwards)
                } else if end > now {
                    Err(RangeError::InTheFuture)
                } else if end.as_second() - start.as_second() > 366 * 24 * 3600 {
                    Err(RangeError::TooLong)
                } else {
                    Ok(())
                }
            }
        }
    }
}

fn time(text: &str) -> Result<Timestamp, RangeError> {
    text.parse().map_err(|_| RangeError::NoTime { text: text.to_owned() })
}

impl fmt::Display for TimeRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Relative { relative: Relative { value, unit } } => {
                write!(f, "last {value} {}", unit.word())
            }
            Self::Absolute { absolute: Absolute { start, end } } => write!(f, "{start} to {end}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picked_range_is_checked() {
        let now: Timestamp = "2026-03-18T14:30:00+09:00".parse().unwrap();
        let check = |json: &str| serde_json::from_str::<TimeRange>(json).unwrap().check(now);
        let hours = |value: u32| {
            check(&format!(r#"{{"type":"relative","relative":{{"value":{value},"unit":"h"}}}}"#))
        };
        let absolute = |start: &str, end: &str| {
            check(&format!(r#"{{"type":"absolute","absolute":{{"start":"{start}","end":"{end}"}}}}"#))
        };
        assert_eq!(hours(720), Ok(()));
        assert_eq!(hours(721), Err(RangeError::OutOfRange { value: 721, most: 720 }));
        assert_eq!(hours(0), Err(RangeError::OutOfRange { value: 0, most: 720 }));
        assert_eq!(absolute("2026-03-17T00:00:00+09:00", "2026-03-18T00:00:00+09:00"), Ok(()));
        assert_eq!(
            absolute("2026-03-18T00:00:00+09:00", "2026-03-17T00:00:00+09:00"),
            Err(RangeError::Backwards)
        );
        assert_eq!(
            absolute("2026-03-18T00:00:00+09:00", "2026-03-19T00:00:00+09:00"),
            Err(RangeError::InTheFuture)
        );
        assert_eq!(
            absolute("2024-03-18T00:00:00+09:00", "2026-03-17T00:00:00+09:00"),
            Err(RangeError::TooLong)
        );
        assert!(matches!(absolute("yesterday", "2026-03-17T00:00:00+09:00"), Err(RangeError::NoTime { .. })));
    }
}
