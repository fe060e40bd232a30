//! The days and lengths of time that a lease speaks of.

use std::sync::LazyLock;

use jiff::civil::Date;
use jiff::{Span, ToSpan as _};
use regex::Regex;

#[allow(clippy::unwrap_used, reason = "patterns that are written here; a test uses each")]
pub(super) static DATE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(\d{4})\s*(?:년|[-./])\s*(\d{1,2})\s*(?:월|[-./])\s*(\d{1,2})\s*일?").unwrap()
});

#[allow(clippy::unwrap_used, reason = "see above")]
static PERIOD: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)(\d{1,2}|one|two|three|four|five)\s*(년|개월|years?|months?)").unwrap()
});

pub(super) const DAYS_OF_SIGNING: &[&str] = &["계약일", "작성일", "서명"];

/// So many characters before a date may say what it is the date of.
const BEFORE: usize = 12;

/// The date behind one of these words.
pub(super) fn dated(text: &str, labels: &[&str]) -> Option<Date> {
    dates(text).into_iter().find(|(start, ..)| is_labelled(text, *start, labels)).map(|(.., date)| date)
}

fn is_labelled(text: &str, start: usize, labels: &[&str]) -> bool {
    let before: Vec<char> = text[..start].chars().rev().take(BEFORE).collect();
    let before: String = before.into_iter().rev().collect();
    // What was said of another date does not count.
    let own = before.rsplit([',', '.', '일']).next().unwrap_or_default();
    let whole = before.rsplit([',', '.']).next().unwrap_or_default();
    labels
        .iter()
        .any(|label| own.contains(label) || whole.trim_end().ends_with(label) || ends_in(whole, label))
}

/// "잔금일은 ", "계약일 ".
fn ends_in(text: &str, label: &str) -> bool {
    let bare = text.trim_end().trim_end_matches(['은', '는', '을', '이', ':']);
    [
        label.to_owned(),
        format!("{label}일"),
        format!("{label} 지급일"),
        format!("{label}지급일"),
        format!("{label}날"),
    ]
    .iter()
    .any(|word| bare.ends_with(word.as_str()))
}

/// Where each date begins and ends.
fn dates(text: &str) -> Vec<(usize, usize, Date)> {
    DATE.captures_iter(text)
        .filter_map(|found| {
            let whole = found.get(0)?;
            let date =
                Date::new(found[1].parse().ok()?, found[2].parse().ok()?, found[3].parse().ok()?).ok()?;
            Some((whole.start(), whole.end(), date))
        })
        .collect()
}

/// The first date of a text.
pub(super) fn date_in(text: &str) -> Option<Date> {
    dates(text).first().map(|(.., date)| *date)
}

/// How long, not from when.
pub(super) fn length(text: &str) -> Option<Span> {
    let found = PERIOD.captures(text)?;
    let spoken = ["one", "two", "three", "four", "five"];
    let count = match spoken.iter().position(|word| found[1].eq_ignore_ascii_case(word)) {
        Some(at) => i64::try_from(at + 1).ok()?,
        None => found[1].parse().ok()?,
    };
    Some(match &*found[2].to_lowercase() {
        "년" | "year" | "years" => count.years(),
        _ => count.months(),
    })
}

/// From when, and until when; a length alone with a start gives the end.
pub(super) fn period(text: &str) -> (Option<Date>, Option<Date>) {
    let others: Vec<&str> = [&["잔금", "중도금"][..], DAYS_OF_SIGNING].concat();
    let dates: Vec<(usize, Date)> = dates(text)
        .into_iter()
        .filter(|(start, ..)| !is_labelled(text, *start, &others))
        .map(|(_, end, date)| (end, date))
        .collect();
    let begins = |end: usize| {
        ["부터", "에 시작", " from", "에서", " ~", "~"].iter().any(|word| text[end..].starts_with(word))
    };
    let Some((at, start)) = dates.iter().find(|(end, _)| begins(*end)).or(dates.first()).copied() else {
        return (None, None);
    };
    let end = dates.iter().find(|(end, date)| *end > at && *date > start).map(|(_, date)| *date);
    let end = end.or_else(|| {
        let span = length(&text[at..])?;
        start.checked_add(span).ok()?.yesterday().ok()
    });
    (Some(start), end)
}
