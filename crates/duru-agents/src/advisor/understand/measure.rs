//! Numbers that a search is limited to beside sums and sizes: 준공 10년 이내, 500세대 이상, 10층 이상.

use std::sync::LazyLock;

use regex::Regex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A number and what it counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Measure {
    pub value: u64,
    pub unit: Unit,
}

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Years since it was built.
    YearsOld,
    Households,
    Floor,
    Rooms,
    /// Minutes to walk.
    Minutes,
    /// How far around a place.
    Metres,
    /// How long a loan or a lease runs.
    Years,
}

#[allow(clippy::unwrap_used, reason = "a pattern that is written here; a test uses it")]
static MEASURES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"([0-9]{1,5})\s*(년\s?(?:이내|이하|미만|차|된|까지|안쪽)|세대|층|룸|분\s?(?:이내|거리|안)|households|floors?)")
        .unwrap()
});

#[allow(clippy::unwrap_used, reason = "see above")]
static YEARS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\b([0-9]{1,2})\s*(?:년|-?years?\b)").unwrap());

/// What follows years that are a limit of age, a year of the calendar, or a time from now.
const NO_LENGTH: &[&str] =
    &["이내", "이하", "미만", "차", "된", "까지", "안쪽", "뒤", "후", "전", "도", "대", "ago", "later"];

/// The measures of a text.
pub(super) fn find(text: &str) -> Vec<Measure> {
    let read = |found: regex::Captures<'_>| {
        let unit = match found.get(2)?.as_str() {
            unit if unit.starts_with('년') => Unit::YearsOld,
            unit if unit.starts_with("세대") || unit == "households" => Unit::Households,
            unit if unit.starts_with('층') || unit.starts_with("floor") => Unit::Floor,
            "룸" => Unit::Rooms,
            _ => Unit::Minutes,
        };
        Some(Measure { value: found.get(1)?.as_str().parse().ok()?, unit })
    };
    let mut found: Vec<Measure> = MEASURES.captures_iter(text).filter_map(read).collect();
    let years = |found: regex::Captures<'_>| {
        let rest = text[found.get(0)?.end()..].trim_start();
        let length = !NO_LENGTH.iter().any(|word| rest.starts_with(word));
        let value = found.get(1)?.as_str().parse().ok()?;
        length.then_some(Measure { value, unit: Unit::Years })
    };
    found.extend(YEARS.captures_iter(text).filter_map(years));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_and_lengths_of_time_are_not() {
        assert_eq!(find("준공 10년 이내"), [Measure { value: 10, unit: Unit::YearsOld }]);
        assert_eq!(find("500세대 이상"), [Measure { value: 500, unit: Unit::Households }]);
        assert_eq!(find("30년 만기로 5년 뒤에"), [Measure { value: 30, unit: Unit::Years }]);
    }
}
