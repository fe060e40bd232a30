//! Bare numbers by what names them: right behind the name of an entry, or pointed at because an entry holds them.

use std::sync::LazyLock;

use duru_language::particle::is_particle;
use regex::Regex;

use super::{NUMBER, scaled};
use crate::advisor::ledger::{Ledger, Value, What};

/// Words that name an entry, for a number without a unit: "my accountant says rent is 3.4", "금리 4.1로". Where a word may
/// name one of several, the first that the ledger holds and that is about as high.
const NAMES: &[(&str, &[What])] = &[
    ("월세", &[What::MonthlyRent]),
    ("보증금", &[What::Deposit]),
    ("집값", &[What::Price]),
    ("매매가", &[What::Price]),
    ("연봉", &[What::Income]),
    ("금리", &[What::Rate]),
    ("rent", &[What::MonthlyRent]),
    ("deposit", &[What::Deposit]),
    ("jeonse", &[What::Deposit]),
    ("price", &[What::Price, What::Resale]),
    ("loan", &[What::Loan]),
    ("mortgage", &[What::PriorClaims, What::Loan]),
    ("salary", &[What::Income]),
    ("income", &[What::Income]),
    ("selling", &[What::Resale]),
    ("sell", &[What::Resale]),
    ("offer", &[What::Resale]),
    ("rate", &[What::Rate]),
    ("costs", &[What::Expenses, What::ExtraCosts]),
    ("contract", &[What::Deposit, What::Price]),
    ("conversion", &[What::ConversionRate]),
];

/// Words that may stand between a name and its number.
const LINKS: &[&str] = &[
    "is", "was", "are", "were", "to", "of", "at", "for", "now", "only", "just", "about", "actually",
    "really", "be",
];

/// A bare number right behind the name of an entry counts what that counts.
pub(super) fn named(text: &str, ledger: &Ledger) -> Option<(What, Value)> {
    NAMES.iter().find_map(|(name, whats)| {
        let behind = text.split_once(name)?.1;
        let number = NUMBER.find(behind)?;
        let links = behind[..number.start()]
            .split_whitespace()
            .all(|word| LINKS.contains(&word) || is_particle(word));
        // "rent 3" may be anything in English; somebody who corrects says what it is.
        let linked = !name.is_ascii() || !behind[..number.start()].trim().is_empty();
        let rest = behind[number.end()..].trim_start();
        let bare = !rest.starts_with([
            '억', '천', '만', '년', '%', '프', '퍼', '개', '월', '일', '평', 'm', 'k', 'b', 'y', ',', '/',
        ]) || rest.starts_with(", ");
        let new: f64 = number.as_str().parse().ok()?;
        if !links || !linked || !bare {
            return None;
        }
        let held = whats.iter().filter_map(|what| ledger.entries.iter().find(|entry| entry.what == *what));
        // A bare number of Korean counts 10,000 won, one of English what it may.
        let units: &[f64] = if name.is_ascii() { &[1.0, 1e3, 1e6, 1e9] } else { &[1e4, 1e7, 1e8] };
        held.into_iter().find_map(|entry| about(entry.what, &entry.value, new, units))
    })
}

/// What a number without a unit is of an entry that it is about as high as.
fn about(what: What, value: &Value, new: f64, units: &[f64]) -> Option<(What, Value)> {
    match value {
        Value::Share(_) => (0.5..20.0).contains(&new).then_some((what, Value::Share(new / 100.0))),
        Value::Won(won) => units.iter().find_map(|unit| {
            let ratio = new * unit / (*won).max(1) as f64;
            (0.4..2.5).contains(&ratio).then_some((what, Value::Won((new * unit).round() as u64)))
        }),
        _ => None,
    }
}

#[allow(clippy::unwrap_used, reason = "a pattern that is written here; a test uses it")]
static POINTED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:the|that|this|our|my|her|his|their|on|at|for|of)\s+([0-9]+(?:\.[0-9]+)?)(?:\s+(?:loan|deposit|jeonse|price|rent|flat|place|mortgage)|[,.?!;)]|\s+(?:and|i|we|now|then|or)\b|\s*$)").unwrap()
});

/// Max fee on the 420? The dsr on that 460 loan? A bare number that an entry holds speaks of that entry.
pub(in crate::advisor) fn mentioned(text: &str, ledger: &Ledger) -> Vec<(What, Value)> {
    let text = text.to_lowercase();
    let numbers = POINTED.captures_iter(&text).filter_map(|found| found.get(1)?.as_str().parse::<f64>().ok());
    numbers
        .filter(|number| *number >= 20.0)
        .filter_map(|number| {
            let of = ledger.entries.iter().filter(|entry| matches!(entry.value, Value::Won(_)));
            let of =
                of.filter_map(|entry| Some((entry.turn, scaled(entry.what, &entry.value, number, number)?)));
            of.max_by_key(|(turn, _)| *turn).map(|(_, found)| found)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advisor::ledger::Source;
    use crate::advisor::tools::Parameters;

    #[test]
    fn a_bare_number_is_of_the_entry_that_names_or_holds_it() {
        let mut ledger = Ledger::default();
        let said = Parameters {
            price: Some(730_000_000),
            loan: Some(310_000_000),
            monthly_rent: Some(900_000),
            ..Parameters::default()
        };
        ledger.enter(&said, Source::Said, 1, "");
        assert_eq!(
            named("they cut the price to 700!", &ledger),
            Some((What::Price, Value::Won(700_000_000)))
        );
        assert_eq!(named("월세 85로 해준대요", &ledger), Some((What::MonthlyRent, Value::Won(850_000))));
        assert_eq!(named("the price went up by a lot in 2019", &ledger), None);
        assert_eq!(
            mentioned("what's the dsr on that 310 loan?", &ledger),
            [(What::Loan, Value::Won(310_000_000))]
        );
        assert_eq!(mentioned("for 20 years, on the 12th", &ledger), []);
    }
}
