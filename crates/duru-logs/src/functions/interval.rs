//! Intervals: as PostgreSQL prints and compares them.
//!
//! The difference of two times is a `Duration`; one with months and days is an
//! `Interval`. PostgreSQL has one type for both.

use datafusion::arrow::array::{Array, ArrayRef, AsArray};
use datafusion::arrow::datatypes::{
    DataType, DurationMicrosecondType, IntervalMonthDayNano, IntervalMonthDayNanoType, IntervalUnit, TimeUnit,
};
use datafusion::common::Result;

use super::scalar::unsupported;

pub(crate) const INTERVAL: DataType = DataType::Interval(IntervalUnit::MonthDayNano);
pub(crate) const DURATION: DataType = DataType::Duration(TimeUnit::Microsecond);

const DAY: i64 = 86_400_000_000;

/// Months, days and microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) months: i32,
    pub(crate) days: i32,
    pub(crate) us: i64,
}

impl Parts {
    /// As the difference of two times is: days of 24 hours, and the rest.
    pub(crate) fn of_duration(us: i64) -> Self {
        Self { months: 0, days: i32::try_from(us / DAY).unwrap_or(i32::MAX), us: us % DAY }
    }

    /// What PostgreSQL compares: months of 30 days.
    pub(crate) fn key(self) -> i64 {
        let days = i64::from(self.months) * 30 + i64::from(self.days);
        days.saturating_mul(DAY).saturating_add(self.us)
    }

    pub(crate) fn to_arrow(self) -> IntervalMonthDayNano {
        IntervalMonthDayNano::new(self.months, self.days, self.us.saturating_mul(1000))
    }
}

/// The parts of a column of either type.
pub(crate) fn parts(column: &ArrayRef) -> Result<Vec<Option<Parts>>> {
    match column.data_type() {
        DataType::Duration(TimeUnit::Microsecond) => {
            let column = column.as_primitive::<DurationMicrosecondType>();
            Ok(column.iter().map(|us| us.map(Parts::of_duration)).collect())
        }
        DataType::Interval(IntervalUnit::MonthDayNano) => {
            let column = column.as_primitive::<IntervalMonthDayNanoType>();
            let of =
                |v: IntervalMonthDayNano| Parts { months: v.months, days: v.days, us: v.nanoseconds / 1000 };
            Ok(column.iter().map(|value| value.map(of)).collect())
        }
        DataType::Null => Ok(vec![None; column.len()]),
        kind => Err(unsupported(format!("{kind} as an interval"))),
    }
}

/// In the style `postgres`.
pub(crate) fn print(parts: Parts) -> String {
    let mut words = Vec::new();
    let mut word = |n: i32, unit: &str, negative_before: bool| {
        if n != 0 {
            let sign = if negative_before && n > 0 { "+" } else { "" };
            words.push(format!("{sign}{n} {unit}{}", if n == 1 { "" } else { "s" }));
        }
    };
    let (years, months) = (parts.months / 12, parts.months % 12);
    word(years, "year", false);
    word(months, "mon", years < 0);
    word(parts.days, "day", parts.months < 0);
    if parts.us != 0 || words.is_empty() {
        let sign = match parts.us {
            ..0 => "-",
            _ if parts.days < 0 || (parts.days == 0 && parts.months < 0) => "+",
            _ => "",
        };
        let us = parts.us.unsigned_abs();
        let (hours, rest) = (us / 3_600_000_000, us % 3_600_000_000);
        let (minutes, rest) = (rest / 60_000_000, rest % 60_000_000);
        let fraction = format!(".{:06}", rest % 1_000_000);
        let fraction = fraction.trim_end_matches('0').trim_end_matches('.');
        words.push(format!("{sign}{hours:02}:{minutes:02}:{:02}{fraction}", rest / 1_000_000));
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_as_postgresql_prints_them() {
        let text = |months, days, us| print(Parts { months, days, us });
        assert_eq!(text(0, 0, 0), "00:00:00");
        assert_eq!(text(14, 3, 3_600_000_000), "1 year 2 mons 3 days 01:00:00");
        assert_eq!(text(0, 1, 1_500_000), "1 day 00:00:01.5");
        assert_eq!(text(0, -1, -60_000_000), "-1 days -00:01:00");
        assert_eq!(text(0, -1, 60_000_000), "-1 days +00:01:00");
    }
}
