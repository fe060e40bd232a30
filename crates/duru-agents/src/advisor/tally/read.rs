//! Amounts with the words that name them: "보증금 2천 + 첫달 60", "rent 700k, fees 110k".

use std::sync::LazyLock;

use duru_language::particle;
use regex::Regex;

use super::Line;
use crate::advisor::understand::written_sum;

#[allow(clippy::unwrap_used, reason = "a pattern that is written here; a test uses it")]
static NUMBER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[0-9][0-9,]*(?:\.[0-9]+)?").unwrap());

/// What a number counts that is no money.
const COUNTS: &[&str] = &[
    "년", "개월", "달", "일", "월", "평", "층", "명", "번", "호", "%", "프로", "퍼", "세", "살", "시", "분",
    "채", "개", "year", "yr", "month", "day", "sqm", "percent", "people", "pct", "am", "pm",
];
/// What parts one amount from the next.
const PARTS: &[char] = &[',', '+', '.', '?', '!', '&', ';', ':', '(', ')', '\n', '='];
/// Words that name nothing.
const EMPTY: &[&str] = &[
    "our",
    "my",
    "the",
    "a",
    "an",
    "new",
    "about",
    "and",
    "then",
    "with",
    "is",
    "are",
    "was",
    "of",
    "to",
    "her",
    "his",
    "their",
    "i",
    "we",
    "they",
    "on",
    "for",
    "plus",
    "that",
    "so",
    "now",
    "ok",
    "그럼",
    "그리고",
    "하고",
    "또",
    "약",
    "한",
    "내고",
    "내면",
    "빼고",
];

/// The amounts of a text in small letters that a word names, in order. A bare number counts 10,000 won in Korean and, in
/// English, what the amount before it does.
pub(super) fn lines(text: &str) -> Vec<Line> {
    let korean = text.chars().any(|c| ('가'..='힣').contains(&c));
    let mut found: Vec<Line> = Vec::new();
    let (mut end, mut unit) = (0, english_unit(text));
    for number in NUMBER.find_iter(text) {
        if number.start() < end || is_inside(text, number.start()) {
            continue;
        }
        let rest = &text[number.start()..];
        let (won, length) = match written_sum(rest, korean) {
            Some(sum) => sum,
            None if !korean => match bare(number.as_str(), &text[number.end()..], unit) {
                Some(won) => (won, number.as_str().len()),
                None => continue,
            },
            None => continue,
        };
        if let (false, Ok(value)) = (korean, number.as_str().replace(',', "").parse::<f64>())
            && value > 0.0
        {
            unit = Some(won as f64 / value);
        }
        let before = &text[end..number.start()];
        end = number.start() + length;
        // 6억에서 …을 뺀: what something is taken from needs no name.
        let from = korean && text[end..].starts_with("에서");
        let label =
            Some(label(before, korean)).filter(|name| !name.is_empty()).or(from.then(|| "금액".to_owned()));
        let after: String = text[end..].chars().take(10).collect();
        found.extend(label.map(|label| Line { label, won, adds: has(before, &after) }));
    }
    found
}

/// Part of a word or of a longer number.
fn is_inside(text: &str, start: usize) -> bool {
    text[..start].chars().next_back().is_some_and(|c| c.is_ascii_alphanumeric() || c == '.' || c == '/')
}

/// The unit of the first amount of an English text that has one.
fn english_unit(text: &str) -> Option<f64> {
    NUMBER.find_iter(text).find_map(|number| {
        let (won, length) = written_sum(&text[number.start()..], false)?;
        let value: f64 = number.as_str().replace(',', "").parse().ok()?;
        (length > number.as_str().len() && value > 0.0).then_some(won as f64 / value)
    })
}

fn bare(number: &str, rest: &str, unit: Option<f64>) -> Option<u64> {
    let behind = rest.trim_start();
    if COUNTS.iter().any(|word| behind.starts_with(word)) || rest.starts_with(|c: char| c.is_alphanumeric()) {
        return None;
    }
    let value: f64 = number.replace(',', "").parse().ok()?;
    // A number with a point is a rate as likely as a sum.
    (value >= 10.0).then_some((value * unit?).round() as u64)
}

/// The last words before an amount, without particles.
fn label(before: &str, korean: bool) -> String {
    let part = before.rsplit(PARTS).next().unwrap_or(before);
    let words: Vec<&str> = part.split_whitespace().filter(|word| !EMPTY.contains(word)).collect();
    let last = words.len().saturating_sub(if korean { 1 } else { 2 });
    let name = words[last..].join(" ");
    // With our 170: whose it is, is all that is said.
    if !korean && name.is_empty() {
        return part.split_whitespace().next_back().unwrap_or_default().to_owned();
    }
    particle::stem(&name).trim().to_owned()
}

/// Is it what somebody has or earns, rather than what they pay?
fn has(before: &str, after: &str) -> bool {
    const BEFORE: &[&str] = &[
        "통장",
        "쥐는",
        "월급",
        "세후",
        "실수령",
        "수입",
        "소득",
        "현금",
        "모은",
        "가진",
        "버는",
        "받는",
        "take home",
        "takes home",
        "make",
        "earn",
        "salary",
        "income",
        "savings",
        "have",
        "paycheck",
        "net pay",
        "bring in",
    ];
    const AFTER: &[&str] =
        &["있", "버는", "벌", "받는", "받아", "받으면", "돌려받", "모았", "a month after tax", "after tax"];
    let part = before.rsplit(PARTS).next().unwrap_or(before);
    // 310 버는데 생활비 140: what was said of the amount before is of that one.
    let own = part
        .split_whitespace()
        .rev()
        .take_while(|word| !word.ends_with(['데', '고', '면', '서', '며', '요']));
    let own: Vec<&str> = own.collect();
    let part = own.into_iter().rev().collect::<Vec<_>>().join(" ");
    BEFORE.iter().any(|word| part.contains(word))
        || AFTER.iter().any(|word| after.trim_start().starts_with(word))
}
