//! Bare numbers that take the place of one that was said: "4.6으로 해준대요", "95는 무리고 85", "580, not 600". What such a
//! number counts, the ledger tells.

use std::sync::LazyLock;

use regex::Regex;

use super::ledger::{Ledger, Value, What};
use super::tools::Parameters;
use super::understand::is_taken_back;

#[allow(clippy::unwrap_used, reason = "patterns that are written here; a test uses each")]
static NUMBER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[0-9]+(?:\.[0-9]+)?").unwrap());
/// 580, not 600; not 600 but 580; 25 instead of 30.
#[allow(clippy::unwrap_used, reason = "see above")]
static NOT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"([0-9]+(?:\.[0-9]+)?)\s*(?:%|m|k|million|years?|won|we need)*\s*,?\s*(?:not|instead of|rather than)\s+([0-9]+(?:\.[0-9]+)?)|not\s+([0-9]+(?:\.[0-9]+)?)\S*(?:\s+\S+)?\s*(?:,|but|it's|it is)\s*(?:it's |it is )?([0-9]+(?:\.[0-9]+)?)",
    )
    .unwrap()
});

/// Writes what bare numbers of a question change into `asked`, by what the ledger holds; tells whether any did.
pub(super) fn restate(text: &str, ledger: &Ledger, asked: &mut Parameters) -> bool {
    let text = text.to_lowercase();
    let pair = by_not(&text).or_else(|| taken_back(&text));
    let found = match pair {
        Some((old, new)) => {
            ledger.entries.iter().find_map(|entry| scaled(entry.what, &entry.value, old, new))
        }
        None => lone(&text, ledger),
    };
    let Some((what, value)) = found else { return false };
    match (what, value) {
        (What::Rate, Value::Share(share)) => asked.rate = Some(share),
        (What::Years, Value::Years(years)) => asked.years = Some(years),
        (What::Price, Value::Won(won)) => asked.price = Some(won),
        (What::Deposit, Value::Won(won)) => asked.deposit = Some(won),
        (What::MonthlyRent, Value::Won(won)) => asked.monthly_rent = Some(won),
        (What::Loan, Value::Won(won)) => asked.loan = Some(won),
        (What::Income, Value::Won(won)) => asked.income = Some(won),
        (What::Debt, Value::Won(won)) => asked.debt = Some(won),
        (What::OwnMoney, Value::Won(won)) => asked.own_money = Some(won),
        (What::PriorClaims, Value::Won(won)) => asked.prior_claims = Some(won),
        (What::Resale, Value::Won(won)) => asked.resale = Some(won),
        (What::OfficialPrice, Value::Won(won)) => asked.official_price = Some(won),
        (What::OtherRepayments, Value::Won(won)) => asked.other_repayments = Some(won),
        _ => return false,
    }
    true
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

/// 95는 무리고 85.
fn taken_back(text: &str) -> Option<(f64, f64)> {
    let numbers: Vec<regex::Match<'_>> = NUMBER.find_iter(text).collect();
    let (old, new) = match numbers[..] {
        [old, new] => (old, new),
        _ => return None,
    };
    let unit = |end: usize| text[end..].starts_with(['억', '천', '만']);
    if unit(old.end()) || unit(new.end()) || !is_taken_back(&text[old.end()..]) {
        return None;
    }
    Some((old.as_str().parse().ok()?, new.as_str().parse().ok()?))
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
    let rated = ledger.entries.iter().any(|entry| entry.what == What::Rate);
    let point =
        number.as_str().contains('.') && !rest.starts_with(['m', 'k', 'b']) && !rest.starts_with(" m");
    (bare && rated && point && (0.5..20.0).contains(&value))
        .then_some((What::Rate, Value::Share(value / 100.0)))
}

#[cfg(test)]
mod tests {
    use super::super::ledger::Source;
    use super::*;

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
    }
}
