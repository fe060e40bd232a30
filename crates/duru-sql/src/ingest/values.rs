//! Levels, kinds and durations as others write them.

use serde_json::Value;

use super::fields::Unit;
use crate::{Level, LogType};

/// The longest that the stores keep: `numeric(10, 3)` milliseconds.
const LONGEST_US: f64 = 9_999_999_999.0;

pub(super) fn level(word: &str) -> Option<Level> {
    let word = word.trim().to_lowercase();
    Some(match word.as_str() {
        "trace" | "trc" | "verbose" | "finest" | "finer" | "silly" | "t" | "추적" => Level::Trace,
        "debug" | "dbg" | "fine" | "config" | "d" | "디버그" => Level::Debug,
        "info" | "inf" | "information" | "informational" | "notice" | "log" | "default" | "i" | "정보" => {
            Level::Info
        }
        "warn" | "warning" | "wrn" | "w" | "경고" => Level::Warn,
        "error" | "err" | "severe" | "e" | "오류" | "에러" => Level::Error,
        "fatal" | "ftl" | "critical" | "crit" | "panic" | "dpanic" | "emerg" | "emergency" | "alert"
        | "f" | "치명" | "심각" => Level::Fatal,
        number => return by_number(number.parse().ok()?),
    })
}

/// Syslog's numbers below 8, those of bunyan and pino from 10 on.
fn by_number(number: u32) -> Option<Level> {
    Some(match number {
        0..=2 | 60.. => Level::Fatal,
        3 | 50..60 => Level::Error,
        4 | 40..50 => Level::Warn,
        5 | 6 | 30..40 => Level::Info,
        7 | 20..30 => Level::Debug,
        10..20 => Level::Trace,
        8..10 => return None,
    })
}

pub(super) fn log_type(word: &str) -> Option<LogType> {
    let word = word.trim().to_uppercase();
    LogType::ALL.into_iter().find(|kind| kind.word() == word)
}

pub(super) fn is_true(value: &Value) -> bool {
    match value {
        Value::Bool(it) => *it,
        Value::Number(number) => number.as_f64().is_some_and(|number| number != 0.0),
        Value::String(word) => {
            matches!(word.trim().to_lowercase().as_str(), "true" | "t" | "1" | "yes" | "y")
        }
        _ => false,
    }
}

/// In microseconds: a number in its field's unit, or with one of its own such as `1.5s`.
pub(super) fn duration(value: &Value, unit: Unit) -> Option<i64> {
    let (number, unit) = match value {
        Value::Number(number) => (number.as_f64()?, unit),
        Value::String(text) => {
            let text = text.trim();
            let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
            let unit = match text[end..].trim() {
                "" => unit,
                "s" | "sec" | "초" => Unit::Seconds,
                "ms" | "밀리초" => Unit::Milliseconds,
                "us" | "µs" | "μs" => Unit::Microseconds,
                "ns" => Unit::Nanoseconds,
                _ => return None,
            };
            (text[..end].parse().ok()?, unit)
        }
        _ => return None,
    };
    let us = number
        * match unit {
            Unit::Seconds => 1e6,
            Unit::Milliseconds => 1e3,
            Unit::Microseconds => 1.0,
            Unit::Nanoseconds => 1e-3,
        };
    (0.0..=LONGEST_US).contains(&us).then(|| us.round() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn levels_of_many_programs() {
        for (word, expected) in [
            ("WARNING", Level::Warn),
            ("notice", Level::Info),
            ("Critical", Level::Fatal),
            ("30", Level::Info),
            ("3", Level::Error),
            ("에러", Level::Error),
        ] {
            assert_eq!(level(word), Some(expected), "{word}");
        }
        assert_eq!(level("loud"), None);
    }

    #[test]
    fn durations_in_any_unit() {
        for (value, unit, expected) in [
            (json!(12.5), Unit::Milliseconds, 12_500),
            (json!("1.5s"), Unit::Milliseconds, 1_500_000),
            (json!("300 µs"), Unit::Seconds, 300),
            (json!(2), Unit::Seconds, 2_000_000),
            (json!("1500"), Unit::Nanoseconds, 2),
        ] {
            assert_eq!(duration(&value, unit), Some(expected), "{value}");
        }
        for value in [json!(-1), json!(1e10), json!("soon"), json!("")] {
            assert_eq!(duration(&value, Unit::Milliseconds), None, "{value}");
        }
    }
}
