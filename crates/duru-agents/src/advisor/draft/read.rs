//! What a text says of a lease, for the form.

use std::sync::LazyLock;

use jiff::civil::Date;
use jiff::{Span, ToSpan as _};
use regex::Regex;

use super::form::{LeaseForm, LeaseKind, Party};
use crate::advisor::understand::region;
use crate::advisor::understand::{Deal, Role, Terms};

#[allow(clippy::unwrap_used, reason = "patterns that are written here; a test uses each")]
static DATE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(\d{4})\s*(?:년|[-./])\s*(\d{1,2})\s*(?:월|[-./])\s*(\d{1,2})\s*일?").unwrap()
});
#[allow(clippy::unwrap_used, reason = "see above")]
static PERIOD: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(\d{1,2})\s*(년|개월|years?|months?)").unwrap());
#[allow(clippy::unwrap_used, reason = "see above")]
static RENT_DAY: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"매(?:월|달)\s*(\d{1,2})\s*일").unwrap());

impl LeaseForm {
    /// What the text says. It is a start for a form that a person then looks
    /// through: what is not plainly said is left open.
    pub fn read(text: &str) -> Self {
        let terms = Terms::read(text);
        let sum =
            |role: Role| terms.amounts.iter().find(|amount| amount.role == role).map(|amount| amount.won);
        let deposit = sum(Role::Deposit).or_else(|| english_sum(text, "deposit"));
        let monthly_rent = sum(Role::MonthlyRent);
        let kind = match (terms.deals.first(), monthly_rent) {
            (_, Some(rent)) if rent > 0 => Some(LeaseKind::MonthlyRent),
            (Some(Deal::Jeonse), _) => Some(LeaseKind::Jeonse),
            (Some(Deal::MonthlyRent), _) => Some(LeaseKind::MonthlyRent),
            _ => None,
        };
        let (start, end) = period(text);
        Self {
            kind,
            landlord: Party { name: name(text, "임대인"), ..Party::default() },
            tenant: Party { name: name(text, "임차인"), ..Party::default() },
            address: address(text),
            area: terms.areas.first().filter(|area| !area.in_pyeong).map(|area| area.square_metres),
            deposit,
            monthly_rent,
            rent_day: RENT_DAY.captures(text).and_then(|found| found[1].parse().ok()),
            start,
            end,
            ..Self::default()
        }
    }
}

/// "deposit of 200 million won".
fn english_sum(text: &str, word: &str) -> Option<u64> {
    let lower = text.to_lowercase();
    let after = &lower[lower.find(word)? + word.len()..];
    Terms::read(after).amounts.first().map(|amount| amount.won)
}

/// A name that is plainly one: right after who it is of, and before a word
/// that ends it. "임대인이 수리" names nobody.
fn name(text: &str, who: &str) -> Option<String> {
    const ENDS: &[&str] =
        &["이고", "이며", "고,", "씨", "님", ",", ".", "입니다", "이에요", "예요", ")", "\n", " 임"];
    let (_, after) = text.split_once(who)?;
    let after = after.trim_start_matches([' ', ':', '=', '(']);
    let after =
        ["이름은 ", "은 ", "는 ", "이름: "].iter().find_map(|word| after.strip_prefix(word)).unwrap_or(after);
    let letters: Vec<char> = after.chars().take_while(|c| ('가'..='힣').contains(c)).collect();
    // The longest name of up to four letters that something ends.
    (2..=letters.len().min(4)).rev().find_map(|length| {
        let name: String = letters[..length].iter().collect();
        let rest = &after[name.len()..];
        let ended = rest.is_empty() || ENDS.iter().any(|end| rest.starts_with(end));
        (ended && !NOT_NAMES.contains(&name.as_str())).then_some(name)
    })
}

const NOT_NAMES: &[&str] =
    &["임대인", "임차인", "정보", "이름", "주소", "부담", "동의", "수리", "모두", "전액", "미정"];

/// The place as it was written, from its name to the end of its number.
fn address(text: &str) -> Option<String> {
    let place = region::find(text, &[]).into_iter().find(|place| !place.taken_back)?;
    let name = place.region.to_string();
    // A street and a number that follow the name belong to it.
    let last = place.region.name();
    let after = text.find(&last).map(|at| &text[at + last.len()..]).unwrap_or_default();
    let words: Vec<&str> = after
        .split_whitespace()
        .take_while(|word| {
            let word = word.trim_end_matches([',', '.']);
            let numbered = word.chars().any(|c| c.is_ascii_digit());
            numbered
                && (word.chars().all(|c| c.is_ascii_digit() || c == '-')
                    || ["번지", "동", "호", "층", "길", "로"].iter().any(|end| word.ends_with(end)))
        })
        .collect();
    Some(if words.is_empty() {
        name
    } else {
        format!("{name} {}", words.join(" ").trim_end_matches([',', '.']))
    })
}

/// From when, and until when; a length alone with a start gives the end.
fn period(text: &str) -> (Option<Date>, Option<Date>) {
    let dates: Vec<(usize, Date)> = DATE
        .captures_iter(text)
        .filter_map(|found| {
            let end = found.get(0)?.end();
            let date =
                Date::new(found[1].parse().ok()?, found[2].parse().ok()?, found[3].parse().ok()?).ok()?;
            Some((end, date))
        })
        .collect();
    let begins = |end: usize| {
        ["부터", "에 시작", " from", "에서", " ~", "~"].iter().any(|word| text[end..].starts_with(word))
    };
    let Some((at, start)) = dates.iter().find(|(end, _)| begins(*end)).or(dates.first()).copied() else {
        return (None, None);
    };
    let end = dates.iter().find(|(end, date)| *end > at && *date > start).map(|(_, date)| *date);
    let end = end.or_else(|| {
        let found = PERIOD.captures(&text[at..])?;
        let count: i64 = found[1].parse().ok()?;
        let span: Span = match &found[2] {
            "년" | "year" | "years" => count.years(),
            _ => count.months(),
        };
        start.checked_add(span).ok()?.yesterday().ok()
    });
    (Some(start), end)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn a_form_is_started_from_what_is_said() {
        let form = LeaseForm::read(
            "임대인 김철수, 임차인은 이영희이고 마포구 연남동 123-4 보증금 1억에 월세 50만원, 매월 5일, \
             2026년 7월 1일부터 2년 월세 계약서 써 줘",
        );
        assert_eq!(form.landlord.name.as_deref(), Some("김철수"));
        assert_eq!(form.tenant.name.as_deref(), Some("이영희"));
        assert_eq!(form.address.as_deref(), Some("서울 마포구 연남동 123-4"));
        assert_eq!(
            (form.deposit, form.monthly_rent, form.rent_day),
            (Some(100_000_000), Some(500_000), Some(5))
        );
        assert_eq!((form.start, form.end), (Some(date(2026, 7, 1)), Some(date(2028, 6, 30))));
        assert_eq!(form.kind, Some(LeaseKind::MonthlyRent));
    }

    #[test]
    fn nothing_is_made_up() {
        let form = LeaseForm::read("임대인이 수리를 부담하는 전세 계약서 만들어 줘");
        let wanted = LeaseForm { kind: Some(LeaseKind::Jeonse), ..LeaseForm::default() };
        assert_eq!(form, wanted);
        assert_eq!(LeaseForm::read("2026년 13월 45일부터 99년"), LeaseForm::default());
        assert_eq!(LeaseForm::read(""), LeaseForm::default());
    }

    #[test]
    fn both_ends_of_a_period_may_be_said() {
        let form = LeaseForm::read("2026.08.01부터 2027.07.31까지");
        assert_eq!((form.start, form.end), (Some(date(2026, 8, 1)), Some(date(2027, 7, 31))));
    }
}
