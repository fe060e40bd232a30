//! Bare numbers that take the place of one that was said: "4.6으로 해준대요", "95는 무리고 85", "580, not 600". What such a
//! number counts, the ledger tells.

mod names;

use std::sync::LazyLock;

use regex::Regex;

use super::ledger::{Ledger, Value, What};
use super::tools::Parameters;
use super::understand::is_taken_back;
pub(super) use names::mentioned;
use names::named;

#[allow(clippy::unwrap_used, reason = "patterns that are written here; a test uses each")]
static NUMBER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[0-9]+(?:\.[0-9]+)?").unwrap());
/// 580, not 600; not 600 but 580; 25 instead of 30.
#[allow(clippy::unwrap_used, reason = "see above")]
static NOT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"([0-9]+(?:\.[0-9]+)?)\s*(?:%|m|k|million|years?|won|we need)*\s*,?\s*(?:not|instead of|rather than)\s+([0-9]+(?:\.[0-9]+)?)|not\s+([0-9]+(?:\.[0-9]+)?)\S*(?:\s+\S+)?\s*(?:,|but|it's|it is)\s*(?:it's |it is |they say |now |rather )?([0-9]+(?:\.[0-9]+)?)",
    )
    .unwrap()
});

/// Writes what bare numbers of a question change into `asked`, by what the ledger holds; tells whether any did.
pub(super) fn restate(text: &str, ledger: &Ledger, asked: &mut Parameters) -> bool {
    let text = text.to_lowercase();
    let mut pairs: Vec<(f64, f64)> = by_not(&text).into_iter().collect();
    let mut timed = Vec::new();
    if pairs.is_empty() {
        pairs = taken_back(&text, &mut timed);
    }
    if pairs.is_empty() && timed.is_empty() {
        pairs.extend(known_and_new(&text, ledger));
    }
    let mut found: Vec<(What, Value)> = Vec::new();
    for (old, new) in pairs {
        // Of two that the old number may be, the newest.
        let of = ledger
            .entries
            .iter()
            .filter_map(|entry| Some((entry.turn, scaled(entry.what, &entry.value, old, new)?)));
        found.extend(of.max_by_key(|(turn, _)| *turn).map(|(_, found)| found));
    }
    for (old, new) in timed.iter().copied() {
        let years = ledger.entries.iter().filter(|entry| matches!(entry.value, Value::Years(_)));
        let of = years.filter_map(|entry| scaled(entry.what, &entry.value, old, new));
        found.extend(of.take(1));
    }
    if found.is_empty() && timed.is_empty() {
        let one = named(&text, ledger)
            .or_else(|| lone(&text, ledger))
            .or_else(|| lone_share(&text, ledger))
            .or_else(|| instead(&text, ledger));
        found.extend(one);
    }
    for (what, value) in &found {
        what.set(asked, value);
    }
    !found.is_empty()
}

/// The pairs of numbers of which the second takes the place of the first, whatever they are of: 110 not 130.
pub(super) fn pairs(text: &str) -> Vec<(f64, f64)> {
    let text = text.to_lowercase();
    let mut pairs: Vec<(f64, f64)> = by_not(&text).into_iter().collect();
    if pairs.is_empty() {
        pairs = taken_back(&text, &mut Vec::new());
    }
    let numbers: Vec<f64> = NUMBER.find_iter(&text).filter_map(|found| found.as_str().parse().ok()).collect();
    // Fees are 140 now, not 110.
    if let ([new, old], true, true) = (&numbers[..], pairs.is_empty(), text.contains("not ")) {
        pairs.push((*old, *new));
    }
    pairs
}

/// What an entry becomes where the old number is said of it and the new one takes its place.
fn scaled(what: What, value: &Value, old: f64, new: f64) -> Option<(What, Value)> {
    let same = |a: f64, b: f64| (a - b).abs() <= b.abs() * 1e-6;
    match value {
        Value::Share(share) => same(share * 100.0, old).then_some((what, Value::Share(new / 100.0))),
        Value::Years(years) => {
            (same(f64::from(*years), old) && new >= 1.0).then_some((what, Value::Years(new as u32)))
        }
        Value::Won(won) => [1.0, 1e3, 1e4, 1e6, 1e7, 1e8, 1e9]
            .into_iter()
            .find(|unit| same(old * unit, *won as f64))
            .map(|unit| (what, Value::Won((new * unit).round() as u64))),
        _ => None,
    }
}

/// 580, not 600.
fn by_not(text: &str) -> Option<(f64, f64)> {
    let found = NOT.captures(text)?;
    let number = |at: usize| found.get(at).and_then(|number| number.as_str().parse::<f64>().ok());
    match (number(1), number(2), number(3), number(4)) {
        (Some(new), Some(old), ..) => Some((old, new)),
        (_, _, Some(old), Some(new)) => Some((old, new)),
        _ => None,
    }
}

/// 95는 무리고 85, 6천이 아니고 4천, 40 아니고 45만원, 6% 말고 5.4%: each number that is taken back, and the next.
fn taken_back(text: &str, timed: &mut Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let numbers: Vec<regex::Match<'_>> = NUMBER.find_iter(text).collect();
    let mut pairs = Vec::new();
    for two in numbers.windows(2) {
        let (old, new) = match two {
            [old, new] => (old, new),
            _ => continue,
        };
        let (of_old, of_new) = (unit(&text[old.end()..]), unit(&text[new.end()..]));
        // Sums with all their units are read as sums.
        let written =
            |rest: &str| rest.starts_with('억') || rest.starts_with("천만") || rest.starts_with("백만");
        // As is 2천4백: of more than one number.
        let compound = |rest: &str| {
            rest.strip_prefix('천').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        };
        if written(&text[old.end()..]) || written(&text[new.end()..]) || compound(&text[new.end()..]) {
            continue;
        }
        let rest = &text[old.end() + of_old.1..];
        // 250은 제가 잘못 들은 거고: within a few words.
        let between = text.get(old.end()..new.start()).unwrap_or_default();
        let wrong = ["잘못", "오타", "헷갈", "무리", "아니", "말고"];
        let near = between.chars().count() <= 18 && wrong.iter().any(|word| between.contains(word));
        // 금리 4.3에서 4.05로.
        let behind = text[new.end()..].trim_start_matches(['%', ' ']);
        let becomes = ["로", "으", "이 되", "이 된", "이 됐", "가 되", "가 된", "가 됐", "까지"];
        let moved = between.trim_start_matches(['%', ' ']) == "에서 "
            && becomes.iter().any(|word| behind.starts_with(word));
        if !is_taken_back(rest) && !near && !moved {
            continue;
        }
        let (Ok(before), Ok(after)) = (old.as_str().parse::<f64>(), new.as_str().parse::<f64>()) else {
            continue;
        };
        // 5년째가 아니라 11년째: of time, which no sum is.
        let counted =
            |end: usize| text[end..].trim_start().starts_with(['년', '개', '달', '세', '층', '평', '번']);
        if counted(old.end()) || counted(new.end()) {
            timed.push((before, after));
            continue;
        }
        // 5500이 아니라 5천: bare numbers of four digits count 10,000 won.
        if let (None, Some(unit)) = (of_old.0, of_new.0)
            && before >= 100.0
        {
            pairs.push((before * 1e4, after * unit));
            continue;
        }
        // 9천이 아니고 7200: and the other way round.
        if let (Some(unit), None) = (of_old.0, of_new.0)
            && unit >= 1e7
            && after >= 100.0
        {
            pairs.push((before * unit, after * 1e4));
            continue;
        }
        // A unit that is said once is meant of both.
        match (of_old.0, of_new.0) {
            (Some(one), Some(other)) if one != other => {}
            (Some(one), _) => pairs.push((before * one, after * one)),
            _ => pairs.push((before, after)),
        }
    }
    pairs
}

/// Words that say that a number does not hold.
const DENIES: &[&str] = &[
    "not ",
    "no,",
    "no ",
    "nobody",
    "wrong",
    "misread",
    "actually",
    "instead",
    "rather",
    "called",
    "correction",
    "못",
    "아니",
    "말고",
    "무리",
    "안 되",
    "안되",
    "힘들",
    "잘못",
];

/// Endings of what somebody has just found out or been told.
const TOLD: &[&str] =
    &["이네", "였네", "이래", "래요", "라네", "라고 하", "이라고", "더라", "더래", "였어", "이었"];

/// 600? no, it's 650; not 4.6, they say 5.2; 110 못 받는대요 100으로: of two numbers the one that the ledger holds is the old
/// one, whichever stands first.
fn known_and_new(text: &str, ledger: &Ledger) -> Option<(f64, f64)> {
    let denies = DENIES.iter().any(|word| text.contains(word));
    // 120은 옆집이고 이집은 110이네: what somebody found out or was told, without a question.
    let told = !text.contains('?') && !text.contains("얼마") && TOLD.iter().any(|word| text.contains(word));
    if !denies && !told {
        return None;
    }
    let written = |found: &regex::Match<'_>| {
        let rest = text[found.end()..].trim_start();
        rest.starts_with(['억', '천', '월', '일', '평', '㎡', '개', '채', '층', '번', '호'])
            || rest.starts_with("months")
            || rest.starts_with("sqm")
    };
    let numbers: Vec<f64> = NUMBER
        .find_iter(text)
        .filter(|found| !written(found))
        .filter_map(|found| found.as_str().parse().ok())
        .collect();
    let [one, other] = numbers[..] else { return None };
    let held = |number: f64, new: f64| {
        let near = new / number > 0.4 && new / number < 2.5;
        near && ledger.entries.iter().any(|entry| scaled(entry.what, &entry.value, number, new).is_some())
    };
    match (held(one, other), held(other, one)) {
        (true, false) => Some((one, other)),
        (false, true) => Some((other, one)),
        _ => None,
    }
}

/// Make it 160: a lone number without a unit takes the place of the sum that was said last and is about as high.
fn instead(text: &str, ledger: &Ledger) -> Option<(What, Value)> {
    const REPLACES: &[&str] = &[
        "make it",
        "make that",
        "let's say",
        "then",
        "instead",
        "으로 다시",
        "actually",
        "it was",
        "it's",
        "it is",
        "sorry",
        "wait",
        "correction",
        "oops",
        "i meant",
        "i mean",
    ];
    let numbers: Vec<regex::Match<'_>> = NUMBER.find_iter(text).collect();
    let [number] = numbers[..] else { return None };
    let rest = &text[number.end()..];
    let bare = rest.chars().next().is_none_or(|c| c.is_whitespace() || ",.?!로으".contains(c))
        && !["million", "billion", "thousand", "mil", "bn", "year", "yr", "month", "%", "sqm", "m ", "k "]
            .iter()
            .any(|unit| rest.trim_start().starts_with(unit));
    if !bare || !REPLACES.iter().any(|word| text.contains(word)) {
        return None;
    }
    let new: f64 = number.as_str().parse().ok().filter(|new| *new >= 20.0)?;
    let sums = ledger.entries.iter().rev().filter_map(|entry| match entry.value {
        Value::Won(won) => [1e4, 1e6, 1e3].into_iter().find_map(|unit| {
            let ratio = new * unit / won.max(1) as f64;
            (0.5..2.0).contains(&ratio).then_some((entry, (new * unit).round() as u64))
        }),
        _ => None,
    });
    let newest = sums.max_by_key(|(entry, _)| entry.turn)?;
    Some((newest.0.what, Value::Won(newest.1)))
}

/// Make that 4%: a lone share takes the place of the one that was said last, where nothing says what it is of.
fn lone_share(text: &str, ledger: &Ledger) -> Option<(What, Value)> {
    const NAMED: &[&str] = &[
        "ltv",
        "dsr",
        "dti",
        "전환",
        "공실",
        "vacancy",
        "인상",
        "올리",
        "올려",
        "raise",
        "increase",
        "convers",
        "계약금",
        "down payment",
        "취득세",
        "tax",
    ];
    let shares = duru_language::figure::shares(text);
    let [share] = shares[..] else { return None };
    if NAMED.iter().any(|word| text.contains(word)) {
        return None;
    }
    let known = |entry: &&super::ledger::Entry| {
        matches!(entry.what, What::Rate | What::ConversionRate) && matches!(entry.value, Value::Share(_))
    };
    let newest = ledger.entries.iter().filter(known).max_by_key(|entry| entry.turn)?;
    let Value::Share(before) = newest.value else { return None };
    let ratio = share.value / before.max(1e-6);
    (0.3..3.0).contains(&ratio).then_some((newest.what, Value::Share(share.value)))
}

/// The unit right behind a number, if it has one, and its length.
fn unit(rest: &str) -> (Option<f64>, usize) {
    let known = [("천", 1e7), ("만원", 1e4), ("만", 1e4)];
    if let Some((word, value)) = known.iter().find(|(word, _)| rest.starts_with(word)) {
        return (Some(*value), word.len());
    }
    let shares = ["%", "퍼센트", "프로", "퍼", "년", "개월"];
    (None, shares.iter().find(|word| rest.starts_with(**word)).map_or(0, |word| word.len()))
}

/// 4.6으로 해준대요: a lone number with a point after a rate was said is a rate.
fn lone(text: &str, ledger: &Ledger) -> Option<(What, Value)> {
    let numbers: Vec<regex::Match<'_>> = NUMBER.find_iter(text).collect();
    let [number] = numbers[..] else { return None };
    let rest = text[number.end()..].trim_start();
    let bare = !rest.starts_with([
        '억', '천', '만', '년', '개', '월', '일', '세', '층', '평', '㎡', '번', '배', '명', '시', '분', '조',
    ]);
    let value: f64 = number.as_str().parse().ok()?;
    // "same but 20": a term that takes the place of one.
    let termed = ledger.entries.iter().any(|entry| entry.what == What::Years);
    let same = text.contains("same but") || text.contains("똑같은데");
    if same && bare && termed && (5.0..=50.0).contains(&value) && number.as_str().parse::<u32>().is_ok() {
        return Some((What::Years, Value::Years(value as u32)));
    }
    let rated = ledger.entries.iter().any(|entry| entry.what == What::Rate);
    let point =
        number.as_str().contains('.') && !rest.starts_with(['m', 'k', 'b']) && !rest.starts_with(" m");
    (bare && rated && point && (0.5..20.0).contains(&value))
        .then_some((What::Rate, Value::Share(value / 100.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advisor::ledger::Source;

    #[test]
    fn a_bare_number_counts_what_it_takes_the_place_of() {
        let mut ledger = Ledger::default();
        let said = Parameters {
            deposit: Some(600_000_000),
            monthly_rent: Some(950_000),
            rate: Some(0.051),
            years: Some(30),
            ..Parameters::default()
        };
        ledger.enter(&said, Source::Said, 1, "");
        let restated = |text: &str| {
            let mut asked = Parameters::default();
            let any = restate(text, &ledger, &mut asked);
            (any, asked.deposit, asked.monthly_rent, asked.rate, asked.years)
        };
        assert_eq!(
            restated("I had an old copy, the deposit is 580, not 600."),
            (true, Some(580_000_000), None, None, None)
        );
        assert_eq!(restated("부동산에서 95는 무리고 85 보라네요"), (true, None, Some(850_000), None, None));
        assert_eq!(restated("은행에서 4.6으로 해준대요"), (true, None, None, Some(0.046), None));
        assert_eq!(restated("make that 25 years instead of 30"), (true, None, None, None, Some(25)));
        assert!(!restated("서울은 어때요?").0);
        // Of two numbers the one that is known is the old one.
        assert_eq!(restated("600? no, they wrote 620"), (true, Some(620_000_000), None, None, None));
        assert_eq!(restated("95는 못 받는대요 90으로"), (true, None, Some(900_000), None, None));
        assert_eq!(restated("make that 4.8%"), (true, None, None, Some(0.048), None));
        assert_eq!(restated("make it 550"), (true, Some(550_000_000), None, None, None));
        // How long something lasts is no sum.
        assert_eq!(restated("6년째가 아니라 9년째예요"), (false, None, None, None, None));
    }
}
