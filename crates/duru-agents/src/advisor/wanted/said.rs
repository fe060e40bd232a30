//! Figures that a question says itself: shares, rates, years, an income, the homes of a buyer.

use std::sync::LazyLock;

use duru_language::figure::{Term, shares, terms};
use duru_language::particle;
use regex::Regex;

use crate::advisor::tools::Calculation;
use crate::advisor::understand::is_taken_back;

#[allow(clippy::unwrap_used, reason = "patterns that are written here; a test uses each")]
static BARE_RATE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:금리|이율|이자율|interest(?: rate)?|rate)(?:는|은|가|이|를|을| is| of| at)?\s*(?:연\s*)?([0-9]{1,2}(?:\.[0-9]{1,3})?)(?:\s|에|로|이|면|으|$|,|\?)|연\s*([0-9]{1,2}\.[0-9]{1,3})(?:\s|에|로|이|면|으|$|,|\?)|\bat\s+([0-9]{1,2}\.[0-9]{1,2}|[1-9])\s*(?:,|\?|$|interest|over|for|on|fixed|variable|level|then|and|a year)|이자(?:는|은|도)?\s*(?:똑같이|그대로|같이)\s*([0-9]{1,2}(?:\.[0-9]{1,3})?)").unwrap()
});

#[allow(clippy::unwrap_used, reason = "see above")]
static BARE_SHARE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:은|는|이|가|을|를| is| of| at)?\s*([0-9]{1,2}(?:\.[0-9]{1,3})?)(?:로|으로|면|이면|에|라|이라|, |\?|\s|$)")
        .unwrap()
});

/// The first share of a text: 0.1 for 10%.
pub(in crate::advisor) fn percent(text: &str) -> Option<f64> {
    shares(text).first().map(|share| share.value)
}

/// 공실이 10%면: how long a home stands empty.
pub(super) fn vacancy(text: &str) -> Option<f64> {
    let lower = text.to_lowercase();
    let at = ["공실", "vacancy", "vacant"].iter().find_map(|word| lower.find(word));
    at.and_then(|at| percent(&lower[at..])).or_else(|| empty_months(&lower))
}

/// 일년에 한 달은 비어 있다고 치면: as a share of the year.
fn empty_months(lower: &str) -> Option<f64> {
    let empty = ["비어", "공실", "vacant", "empty"].iter().any(|word| lower.contains(word));
    let term = terms(lower).into_iter().find(|term| empty && !term.years && term.months < 12)?;
    Some(f64::from(term.months) / 12.0)
}

/// 두 달치, 12번 내면: how many months. The last that is said and not taken back; "6개월 전" says when.
pub(super) fn months(text: &str) -> Option<u32> {
    let lower = text.to_lowercase();
    let counts = |term: &Term| {
        let rest = lower[term.end..].trim_start();
        !term.years && !is_taken_back(rest) && !rest.starts_with('전') && !rest.starts_with("before")
    };
    let found = terms(&lower).into_iter().rfind(counts).map(|term| term.months);
    found.or_else(|| {
        let at = lower.find("번 내")?;
        let digits: String = lower[..at].chars().rev().take_while(char::is_ascii_digit).collect();
        digits.chars().rev().collect::<String>().parse().ok()
    })
}

/// 계약금 10%: the share of the whole that is paid first.
pub(super) fn down_share(text: &str) -> Option<f64> {
    let lower = text.to_lowercase();
    let at = ["계약금", "down payment"].iter().find_map(|word| lower.find(word))?;
    let behind = shares(&lower)
        .into_iter()
        .filter(|share| share.start > at || lower[share.end..].trim_start().starts_with("down payment"));
    let kept = |share: &duru_language::figure::Share| !is_taken_back(&lower[share.end..]);
    behind.into_iter().find(|share| kept(share)).map(|share| share.value)
}

/// 취득세 4.6%로 잡으면, 4.6% acquisition tax: a rate that somebody reckons with.
pub(super) fn tax_share(text: &str) -> Option<f64> {
    let lower = text.to_lowercase();
    let before = shares(&lower)
        .into_iter()
        .find(|share| lower[share.end..].trim_start().starts_with("acquisition tax"));
    percent_of(&lower, &["취득세", "취득세율", "acquisition tax"]).or(before.map(|share| share.value))
}

/// 취득세는 다시 빼고, drop the tax.
pub(super) fn drops_tax(text: &str) -> bool {
    let lower = text.to_lowercase();
    let taken = lower.find("취득세").is_some_and(|at| {
        let rest = crate::advisor::understand::after_particle(&lower[at + "취득세".len()..]);
        rest.starts_with("빼") || rest.starts_with("다시 빼") || rest.starts_with("제외")
    });
    taken || ["drop the tax", "without the tax", "leave out the tax"].iter().any(|word| lower.contains(word))
}

/// 40프로까지 원리금으로: the share of an income, where nobody says DSR.
pub(super) fn said_dsr(text: &str) -> Option<f64> {
    let lower = text.to_lowercase();
    if !["원리금", "repay"].iter().any(|word| lower.contains(word)) {
        return None;
    }
    let whole = shares(&lower).into_iter().find(|share| (0.2..0.8).contains(&share.value))?;
    lower[whole.end..].trim_start().starts_with("까지").then_some(whole.value)
}

/// LTV 80%, 전환율은 5%: the share right behind its name.
pub(in crate::advisor) fn percent_of(text: &str, names: &[&str]) -> Option<f64> {
    let lower = text.to_lowercase();
    let behind = names.iter().find_map(|name| lower.split_once(name))?.1;
    let first = shares(behind).into_iter().next()?;
    (behind[..first.start].chars().count() <= 4).then_some(first.value)
}

/// The same, or 전환율 4.5로: a number right behind the name of a share, without what it counts.
pub(super) fn share_of(text: &str, names: &[&str]) -> Option<f64> {
    let lower = text.to_lowercase();
    percent_of(text, names)
        .or_else(|| names.iter().find_map(|name| lower.split_once(name)).and_then(|two| bare_share(two.1)))
}

fn bare_share(behind: &str) -> Option<f64> {
    let found = BARE_SHARE.captures(behind)?;
    let number: f64 = found.get(1)?.as_str().parse().ok()?;
    (number > 0.0).then_some(number / 100.0)
}

/// 전세의 80프로 대출, the bank lends 70% of it: what share of a price or a deposit is lent, where nobody says LTV. One
/// that is asked about ("70%까지") is none.
pub(in crate::advisor) fn lent_share(text: &str) -> Option<f64> {
    const LENDS: &[&str] = &["대출", "빌려", "빌리", "lend", "loan", "borrow", "bank", "financ"];
    const OTHER: &[&str] = &[
        "ltv",
        "dsr",
        "dti",
        "엘티비",
        "전세가율",
        "공실",
        "계약금",
        "원리금",
        "소득",
        "연봉",
        "낙찰",
        "경매",
        "감면",
        "할인",
        "income",
        "salary",
        "down payment",
        "auction",
        "vacan",
        "discount",
        "tax",
    ];
    let lower = text.to_lowercase();
    shares(&lower).into_iter().find_map(|share| {
        let before = &lower[..share.start];
        let from = [", ", ". ", "? ", "! "].iter().filter_map(|mark| before.rfind(mark)).max().unwrap_or(0);
        let rest = &lower[share.end..];
        let to = [", ", ". ", "? ", "! ", "?"].iter().filter_map(|mark| rest.find(mark)).min();
        let clause = &lower[from..share.end + to.unwrap_or(rest.len())];
        let says = |words: &[&str]| words.iter().any(|word| clause.contains(word));
        let asked = rest.trim_start().starts_with("까지") || before.trim_end().ends_with("up to");
        let lent = says(LENDS) && !says(OTHER) && !asked && !is_taken_back(rest);
        (lent && (0.3..=0.95).contains(&share.value)).then_some(share.value)
    })
}

/// 금리 4.2%, 4.2%로 빌리면: only where interest or a loan is spoken of or worked out, for a share may be of anything;
/// and never one that says itself what it is of.
pub(super) fn rate(text: &str, calculations: &[Calculation]) -> Option<f64> {
    let about = [
        "금리",
        "이자",
        "연 ",
        "빌리",
        "빌려",
        "대출",
        "갚",
        "상환",
        "원리금",
        "rate",
        "interest",
        "borrow",
        "loan",
    ];
    let lower = text.to_lowercase();
    if !about.iter().any(|word| lower.contains(word)) && !calculations.iter().any(|one| one.lends()) {
        return None;
    }
    let other = [
        "전환율",
        "전환이율",
        "ltv",
        "dsr",
        "dti",
        "공실",
        "공실률",
        "공실율",
        "인상",
        "상승",
        "전세가율",
        "vacancy",
    ];
    let of_other = |before: &str| {
        let before =
            before.trim_end_matches(|letter| matches!(letter, ' ' | ':' | '=') || particle::is_bare(letter));
        other.iter().any(|word| before.ends_with(word))
    };
    // 금리 4.2에 30년: nobody says of what it is a hundredth.
    if let Some(found) = BARE_RATE.captures(&lower)
        && let Some(number) =
            (1..=4).find_map(|at| found.get(at)).and_then(|number| number.as_str().parse::<f64>().ok())
        // A share that is too high for a rate is of something else: 70% of it at 3.9.
        && shares(&lower).iter().all(|share| share.value >= 0.2)
    {
        return Some(number / 100.0).filter(|rate| *rate > 0.0 && *rate < 0.3);
    }
    shares(&lower)
        .into_iter()
        .filter(|share| !is_taken_back(&lower[share.end..]) && !of_other(&lower[..share.start]))
        .map(|share| share.value)
        .find(|rate| *rate < 0.3)
}

/// 금리가 4%에서 5%로: the rate before a change and the one after it.
pub(super) fn rates(text: &str) -> Option<(f64, f64)> {
    let (before, after) = text.split_once("에서").or_else(|| text.split_once(" to "))?;
    let last = shares(before).into_iter().next_back()?;
    let next = shares(after).into_iter().next()?;
    // Nothing may stand between the two.
    let adjacent = before[last.end..].trim().is_empty() && after[..next.start].trim().is_empty();
    adjacent.then_some((last.value, next.value))
}

/// 30년, 30 years: how long, not when.
pub(in crate::advisor) fn years(text: &str) -> Option<u32> {
    let lower = text.to_lowercase();
    // "30년 말고 25년", "25 years instead of 30 years": what is taken back is not meant.
    // In digits: 일년에 says how often, not how long.
    let digits = |at: usize| lower[at..].starts_with(|c: char| c.is_ascii_digit());
    let said = terms(&lower).into_iter().filter(|term| term.years && digits(term.start));
    // 1년에, 1년 원리금: of a year, not for one.
    let of_year = |term: &Term| {
        let rest = lower[term.end..].trim_start();
        term.months == 12
            && (lower[term.end..].starts_with('에')
                || ["원리금", "이자", "치"].iter().any(|word| rest.starts_with(word)))
    };
    // "20 yrs instead": what follows is what it takes the place of, if anything does.
    let kept = |term: &Term| {
        let rest = &lower[term.end..];
        !is_taken_back(rest) || rest.trim_start().starts_with("instead")
    };
    let found = said.into_iter().find(|term| kept(term) && !of_year(term))?;
    let years = found.months / 12;
    (1..=50).contains(&years).then_some(years)
}

/// 조정대상지역, 비조정: whether the home lies in a regulated area, where that is said.
pub(in crate::advisor) fn regulated(text: &str) -> Option<bool> {
    let plain: String = text.to_lowercase().chars().filter(|c| !c.is_whitespace()).collect();
    let says = |words: &[&str]| words.iter().any(|word| plain.contains(word));
    if says(&["비조정", "비규제", "unregulated", "notregulated", "조정대상지역아니", "규제지역아니"])
    {
        return Some(false);
    }
    says(&["조정대상지역", "조정지역", "규제지역", "투기과열지구", "regulatedarea", "adjustedarea"])
        .then_some(true)
}

/// 원금균등으로: only that, and not level payments beside it.
pub(super) fn level_principal(text: &str) -> bool {
    let lower = text.to_lowercase();
    let said = lower
        .find("원금균등")
        .or_else(|| lower.find("level principal"))
        .or_else(|| lower.find("equal principal"));
    let other = ["원리금균등", "원리금", "level payment", "equal payment", "각각", "비교"]
        .iter()
        .any(|word| lower.contains(word));
    said.is_some_and(|at| !is_taken_back(&lower[at + "원금균등".len().min(lower.len() - at)..])) && !other
}

/// 30 and 40 years, 30년이랑 40년: the terms beside the first.
pub(super) fn other_years(text: &str) -> Vec<u32> {
    let lower = text.to_lowercase();
    let kept: Vec<Term> = terms(&lower)
        .into_iter()
        .filter(|term| term.years && !is_taken_back(&lower[term.end..]) && term.months % 12 == 0)
        .collect();
    let compares = ["비교", "각각", "side by side", "each", " vs", "랑 ", "이랑"]
        .iter()
        .any(|word| lower.contains(word));
    let mut found: Vec<u32> = kept.iter().skip(1).map(|term| term.months / 12).collect();
    // Of "30 and 40 years" only the second has its unit.
    if let [only] = &kept[..] {
        let before = lower[..only.start].trim_end();
        let joined = ["and", "or", "vs", ",", "/"].iter().find_map(|word| before.strip_suffix(word));
        let digits: String =
            joined.unwrap_or_default().trim_end().chars().rev().take_while(char::is_ascii_digit).collect();
        found.extend(digits.chars().rev().collect::<String>().parse::<u32>().ok());
    }
    found.retain(|years| (5..=50).contains(years));
    if compares { found } else { Vec::new() }
}

/// A monthly income is a twelfth of a year's.
pub(super) fn yearly(won: u64, text: &str) -> u64 {
    let monthly = ["월급", "월 소득", "월소득", "월수입", "월 수입", "per month", "a month"];
    // "70 million a year … what would I pay a month": the year is said of the income.
    let by_year = ["a year", "per year", "annual", "yearly"].iter().any(|word| text.contains(word));
    if !by_year && monthly.iter().any(|word| text.contains(word)) { won.saturating_mul(12) } else { won }
}
