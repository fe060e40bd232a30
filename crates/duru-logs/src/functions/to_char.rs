//! `to_char` of times. A pattern that holds more than what is here is refused.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, StringArray};
use datafusion::arrow::datatypes::{DataType, Date32Type, TimeUnit, TimestampMicrosecondType};
use datafusion::common::Result;
use jiff::Zoned;
use jiff::tz::TimeZone;

use super::cast::to_date;
use super::clock;
use super::scalar::{Call, Function, unsupported};

pub(super) const ALL: &[Function] =
    &[Function { name: "pg_to_char", returns: |_, _| Ok(DataType::Utf8), run: to_char }];

const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

#[derive(Debug, Clone, PartialEq)]
enum Part {
    /// A field of the time; whether without padding.
    Field(&'static str, bool),
    Text(String),
}

/// Longer ones first.
const FIELDS: [&str; 37] = [
    "HH24", "HH12", "HH", "MI", "SSSS", "SS", "MS", "US", "YYYY", "YY", "IYYY", "IW", "IDDD", "ID", "MONTH",
    "Month", "month", "MON", "Mon", "mon", "MM", "DAY", "Day", "day", "DY", "Dy", "dy", "DDD", "DD", "D",
    "WW", "W", "Q", "AM", "PM", "am", "pm",
];

fn parsed(pattern: &str) -> Result<Vec<Part>> {
    let mut parts = Vec::new();
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix('"') {
            let (text, after) =
                after.split_once('"').ok_or_else(|| unsupported("this pattern of to_char"))?;
            parts.push(Part::Text(text.to_owned()));
            rest = after;
            continue;
        }
        let (plain, after) = match rest.strip_prefix("FM") {
            Some(after) => (true, after),
            None => (false, rest),
        };
        let offset = ["TZH", "TZM", "TZ", "OF"].into_iter().find(|field| after.starts_with(field));
        // Numbers may be written in small letters, too; words tell their case.
        let folded = |field: &&&str| {
            after.starts_with(**field)
                || (!is_word(field)
                    && after.get(..field.len()).is_some_and(|s| s.eq_ignore_ascii_case(field)))
        };
        if let Some(field) = offset.or_else(|| FIELDS.iter().find(folded).copied()) {
            parts.push(Part::Field(field, plain));
            rest = &after[field.len()..];
            if rest.starts_with("TH") || rest.starts_with("th") {
                return Err(unsupported("ordinals in to_char"));
            }
        } else if c.is_ascii_alphabetic() || plain {
            return Err(unsupported("this pattern of to_char"));
        } else {
            parts.push(Part::Text(c.to_string()));
            rest = &rest[c.len_utf8()..];
        }
    }
    Ok(parts)
}

fn is_word(field: &str) -> bool {
    matches!(
        field,
        "MONTH"
            | "Month"
            | "month"
            | "MON"
            | "Mon"
            | "mon"
            | "DAY"
            | "Day"
            | "day"
            | "DY"
            | "Dy"
            | "dy"
            | "AM"
            | "PM"
            | "am"
            | "pm"
    )
}

fn put(to: &mut String, field: &str, plain: bool, at: &Zoned) {
    let number = |n: i64, width: usize| if plain { n.to_string() } else { format!("{n:0width$}") };
    let word = |full: &str, length: usize, field: &str, padded: usize| {
        let short: String = full.chars().take(length).collect();
        let cased = match field.chars().nth(1) {
            Some(c) if c.is_ascii_uppercase() => short.to_uppercase(),
            _ if field.starts_with(|c: char| c.is_ascii_lowercase()) => short.to_lowercase(),
            _ => short,
        };
        if plain { cased } else { format!("{cased:padded$}") }
    };
    let us = i64::from(at.subsec_nanosecond() / 1000);
    let weekday = usize::try_from(at.weekday().to_sunday_zero_offset()).unwrap_or(0);
    let month = usize::try_from(at.month() - 1).unwrap_or(0);
    let iso = at.date().iso_week_date();
    let hour = i64::from(at.hour());
    let offset = at.offset().seconds();
    let (sign, offset) = (if offset < 0 { '-' } else { '+' }, offset.unsigned_abs());
    let text = match field {
        "HH24" => number(hour, 2),
        "HH12" | "HH" => number((hour + 11) % 12 + 1, 2),
        "MI" => number(at.minute().into(), 2),
        "SS" => number(at.second().into(), 2),
        "SSSS" => number(hour * 3600 + i64::from(at.minute()) * 60 + i64::from(at.second()), 0),
        "MS" => number(us / 1000, 3),
        "US" => number(us, 6),
        "YYYY" => number(at.year().into(), 4),
        "YY" => number(i64::from(at.year()).rem_euclid(100), 2),
        "IYYY" => number(iso.year().into(), 4),
        "IW" => number(iso.week().into(), 2),
        "ID" => number(at.weekday().to_monday_one_offset().into(), 0),
        "IDDD" => number((i64::from(iso.week()) - 1) * 7 + i64::from(at.weekday().to_monday_one_offset()), 3),
        "MONTH" | "Month" | "month" => word(MONTHS[month], 9, field, 9),
        "MON" | "Mon" | "mon" => word(MONTHS[month], 3, field, 3),
        "MM" => number(at.month().into(), 2),
        "DAY" | "Day" | "day" => word(DAYS[weekday], 9, field, 9),
        "DY" | "Dy" | "dy" => word(DAYS[weekday], 3, field, 3),
        "DDD" => number(at.date().day_of_year().into(), 3),
        "DD" => number(at.day().into(), 2),
        "D" => number(weekday as i64 + 1, 0),
        "WW" => number((i64::from(at.date().day_of_year()) - 1) / 7 + 1, 2),
        "W" => number((i64::from(at.day()) - 1) / 7 + 1, 0),
        "Q" => number((i64::from(at.month()) - 1) / 3 + 1, 0),
        "AM" | "PM" => if hour < 12 { "AM" } else { "PM" }.to_owned(),
        "am" | "pm" => if hour < 12 { "am" } else { "pm" }.to_owned(),
        "TZ" => at.strftime("%Z").to_string(),
        "TZH" => format!("{sign}{:02}", offset / 3600),
        "TZM" => format!("{:02}", offset % 3600 / 60),
        "OF" if offset % 3600 == 0 => format!("{sign}{:02}", offset / 3600),
        _ => format!("{sign}{:02}:{:02}", offset / 3600, offset % 3600 / 60),
    };
    to.push_str(&text);
}

fn to_char(call: &Call) -> Result<ArrayRef> {
    let pattern = call.text(1)?;
    let column = &call.args[0];
    let utc = TimeZone::UTC;
    let times: Vec<Option<Zoned>> = match column.data_type() {
        DataType::Timestamp(TimeUnit::Microsecond, zone) => {
            let zone = if zone.is_some() { &call.clock.zone } else { &utc };
            let each = column.as_primitive::<TimestampMicrosecondType>().iter();
            each.map(|v| v.map(|us| clock::zoned(us, zone)).transpose()).collect::<Result<_>>()?
        }
        DataType::Date32 => {
            let zone = &call.clock.zone;
            let at = |days| clock::zoned(clock::instant(to_date(days)?.at(0, 0, 0, 0), zone)?, zone);
            let each = column.as_primitive::<Date32Type>().iter();
            each.map(|v| v.map(at).transpose()).collect::<Result<_>>()?
        }
        DataType::Null => vec![None; call.rows],
        _ => return Err(unsupported("to_char of something that is no time")),
    };
    let local = matches!(column.data_type(), DataType::Timestamp(_, None));
    let mut known: Option<(String, Vec<Part>)> = None;
    let mut result = Vec::with_capacity(call.rows);
    for (i, time) in times.into_iter().enumerate() {
        let (Some(time), true) = (time, pattern.is_valid(i)) else {
            result.push(None);
            continue;
        };
        let text = pattern.value(i);
        if known.as_ref().is_none_or(|(of, _)| of != text) {
            known = Some((text.to_owned(), parsed(text)?));
        }
        let mut to = String::new();
        for part in known.iter().flat_map(|(_, parts)| parts) {
            match part {
                Part::Text(text) => to.push_str(text),
                Part::Field("TZ" | "TZH" | "TZM" | "OF", _) if local => {
                    return Err(unsupported("the zone of a time without one in to_char"));
                }
                Part::Field(field, plain) => put(&mut to, field, *plain, &time),
            }
        }
        result.push(Some(to));
    }
    Ok(Arc::new(StringArray::from(result)))
}
