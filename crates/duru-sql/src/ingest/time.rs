//! Times as others write them.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::fmt::strtime::BrokenDownTime;
use jiff::tz::TimeZone;
use serde_json::Value;

/// With an offset.
const WITH_OFFSET: &[&str] = &["%d/%b/%Y:%H:%M:%S %z", "%a, %d %b %Y %H:%M:%S %z", "%Y/%m/%d %H:%M:%S%.f %z"];

/// Without.
const LOCAL: &[&str] = &[
    "%Y/%m/%d %H:%M:%S%.f",
    "%d/%b/%Y:%H:%M:%S",
    "%d-%b-%Y %H:%M:%S%.f",
    "%Y%m%d%H%M%S",
    "%Y.%m.%d %H:%M:%S%.f",
];

/// A time; one without an offset is of this zone.
pub(super) fn parse(value: &Value, zone: &TimeZone) -> Option<Timestamp> {
    match value {
        Value::Number(number) => match number.as_i64() {
            Some(number) => epoch(number),
            None => seconds(number.as_f64()?),
        },
        Value::String(text) => text_time(text.trim(), zone),
        _ => None,
    }
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

fn seconds(number: f64) -> Option<Timestamp> {
    if number.abs() < 1e11 {
        // Rounded to what the stores keep; a float has no more anyway.
        return Timestamp::from_microsecond((number * 1e6).round() as i64).ok();
    }
    epoch(number.round() as i64)
}

fn text_time(text: &str, zone: &TimeZone) -> Option<Timestamp> {
    if let Ok(number) = text.parse::<i64>() {
        // 14 digits may be a date, too, and as microseconds they would be of 1973 at most.
        let date = (text.len() == 14).then(|| local(text, zone)).flatten();
        return date.or_else(|| epoch(number));
    }
    if let Ok(number) = text.parse::<f64>() {
        return seconds(number);
    }
    // Python and Java write a comma before the fraction.
    let point;
    let text = match text.rfind(',').filter(|at| text[at + 1..].starts_with(|c: char| c.is_ascii_digit())) {
        Some(at) => {
            point = format!("{}.{}", &text[..at], &text[at + 1..]);
            point.as_str()
        }
        None => text,
    };
    if let Ok(time) = text.parse::<Timestamp>() {
        return Some(time);
    }
    if let Ok(time) = text.strip_suffix(" UTC").unwrap_or("").parse::<DateTime>() {
        return TimeZone::UTC.to_timestamp(time).ok();
    }
    if let Ok(time) = text.parse::<DateTime>() {
        return zone.to_timestamp(time).ok();
    }
    // A space before the offset.
    if let Some((start, offset)) = text.rsplit_once(' ')
        && offset.starts_with(['+', '-'])
        && let Ok(time) = format!("{start}{offset}").parse::<Timestamp>()
    {
        return Some(time);
    }
    let with_offset = WITH_OFFSET.iter().find_map(|format| {
        BrokenDownTime::parse(format, text).ok().and_then(|time| time.to_timestamp().ok())
    });
    with_offset.or_else(|| local(text, zone))
}

fn local(text: &str, zone: &TimeZone) -> Option<Timestamp> {
    LOCAL.iter().find_map(|format| {
        let time = BrokenDownTime::parse(format, text).ok()?.to_datetime().ok()?;
        zone.to_timestamp(time).ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn times_of_many_programs() {
        let seoul = TimeZone::get("Asia/Seoul").unwrap();
        let expected: Timestamp = "2026-03-18T05:30:00Z".parse().unwrap();
        for value in [
            json!("2026-03-18T05:30:00Z"),
            json!("2026-03-18T14:30:00+09:00"),
            json!("2026-03-18 14:30:00+09"),
            json!("2026-03-18 14:30:00 +0900"),
            json!("2026-03-18T14:30:00"),
            json!("2026-03-18 14:30:00,000"),
            json!("2026/03/18 14:30:00"),
            json!("2026-03-18 05:30:00 UTC"),
            json!("18/Mar/2026:14:30:00 +0900"),
            json!("Wed, 18 Mar 2026 05:30:00 +0000"),
            json!("20260318143000"),
            json!(1_773_811_800),
            json!("1773811800"),
            json!(1_773_811_800.0),
            json!(1_773_811_800_000_i64),
            json!(1_773_811_800_000_000_i64),
            json!("1773811800000000000"),
        ] {
            assert_eq!(parse(&value, &seoul), Some(expected), "{value}");
        }
        for value in [json!("yesterday"), json!(null), json!(""), json!("2026-13-01"), json!([1])] {
            assert_eq!(parse(&value, &seoul), None, "{value}");
        }
    }

    #[test]
    fn fractions_are_kept() {
        let time = parse(&json!("2026-03-18 14:30:00,123456"), &TimeZone::UTC).unwrap();
        assert_eq!(time.to_string(), "2026-03-18T14:30:00.123456Z");
        assert_eq!(parse(&json!(0.25), &TimeZone::UTC).unwrap().to_string(), "1970-01-01T00:00:00.25Z");
    }
}
