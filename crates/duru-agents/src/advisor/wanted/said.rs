//! Figures that a question says itself: shares, rates, years, an income, the homes of a buyer.

use std::sync::LazyLock;

use duru_language::figure::{Term, shares, terms};
use regex::Regex;

use crate::advisor::tools::Calculation;
use crate::advisor::understand::is_taken_back;

#[allow(clippy::unwrap_used, reason = "patterns that are written here; a test uses each")]
static BARE_RATE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:금리|이율|이자율|interest(?: rate)?|rate)(?:는|은|가|이|를|을| is| of| at)?\s*(?:연\s*)?([0-9]{1,2}(?:\.[0-9]{1,3})?)(?:\s|에|로|이|면|으|$|,|\?)|연\s*([0-9]{1,2}\.[0-9]{1,3})(?:\s|에|로|이|면|으|$|,|\?)").unwrap()
});

/// 집이 한 채 있는데, 이미 집이 있고: what a buyer has already. Spaces are gone.
#[allow(clippy::unwrap_used, reason = "see above")]
static OWNED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?:집|주택|아파트)(?:을|를|이|가)?(?:([0-9]|한|하나|두|둘|세|셋|네|넷)(?:채|개)?)?(?:를|을|가|이)?(?:이미)?(?:있는데|있고|있는상태|있어서|갖고있|가지고있|보유)|alreadyown(a|one|two|three)?|(?:i|we)own(a|one|two|three|2|3)(?:homes?|houses?|flats?|apartments?)"
    ).unwrap()
});
/// 2주택, 2주택자: what a buyer comes to have.
#[allow(clippy::unwrap_used, reason = "see above")]
static STANDS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"([1-9]|한|두|세|네)주택").unwrap());
/// 2주택자인데, 1가구 2주택이고: what a buyer is before the purchase. Of a home alone only before the word for buying.
#[allow(clippy::unwrap_used, reason = "see above")]
static HAS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"주택자(?:인데|이고|고|야|예요|이에요|입니다|라서|이라|인상태)|주택(?:인데|이고|인상태|이라).*(?:사면|살때|사려|살건|사는|매수|구입|사게)",
    )
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
        let before = before.trim_end_matches([' ', ':', '=', '은', '는', '이', '가', '을', '를']);
        other.iter().any(|word| before.ends_with(word))
    };
    // 금리 4.2에 30년: nobody says of what it is a hundredth.
    if let Some(found) = BARE_RATE.captures(&lower)
        && let Some(number) =
            found.get(1).or(found.get(2)).and_then(|number| number.as_str().parse::<f64>().ok())
        && shares(&lower).is_empty()
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
    let found = said.into_iter().find(|term| !is_taken_back(&lower[term.end..]) && !of_year(term))?;
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

/// Words behind or before a length of time that say of what it is.
const HELD: &[&str] =
    &["보유", "가지고", "갖고", "소유", "뒤", "후", "만에", "전에", "held", "owned", "after", "ago"];
const LIVED: &[&str] = &["살", "거주", "lived", "living"];

/// 5년 보유, 1년도 안 돼서, 3년 뒤에 팔면: how long a home was had, in months.
pub(super) fn held(text: &str) -> Option<u32> {
    let lower = text.to_lowercase();
    // 1년도 안 돼서, 2년 미만: just short of it.
    let short = |term: &Term| {
        let after: String = lower[term.end..].chars().take(8).collect();
        ["안 돼", "안돼", "안 되", "안되", "미만", "못 채", "못채", "이내", "안에"]
            .iter()
            .any(|word| after.contains(word))
            || lower[..term.start].trim_end().ends_with("under")
            || lower[..term.start].trim_end().ends_with("less than")
            || lower[..term.start].trim_end().ends_with("within")
    };
    let said = terms(&lower);
    if let Some(term) = said.iter().find(|term| short(term)) {
        return term.months.checked_sub(1);
    }
    let of = |words: &[&str]| said.iter().find(|term| near(&lower, term, words)).map(|term| term.months);
    of(HELD).or_else(|| of(LIVED))
}

/// 3년 살았고: how many years somebody lived in it.
pub(super) fn lived(text: &str) -> Option<u32> {
    let lower = text.to_lowercase();
    let never = [
        "살지 않",
        "거주하지 않",
        "거주 안",
        "안 살",
        "거주한 적",
        "실거주 없",
        "never lived",
        "did not live",
    ];
    if never.iter().any(|word| lower.contains(word)) {
        return Some(0);
    }
    let said = terms(&lower);
    let own = said.iter().find(|term| near(&lower, term, LIVED)).map(|term| term.months / 12);
    // 7년 보유하고 쭉 살았어요.
    let throughout =
        ["쭉 살", "계속 살", "쭉 거주", "계속 거주", "내내 살", "lived there the whole", "lived in it since"];
    own.or_else(|| {
        throughout.iter().any(|word| lower.contains(word)).then(|| held(text).map(|months| months / 12))?
    })
}

/// Does one of the words stand right behind a length of time, or right before it?
fn near(text: &str, term: &Term, words: &[&str]) -> bool {
    let after: String = text[term.end..].chars().take(9).collect();
    let before: String =
        text[..term.start].chars().rev().take(14).collect::<Vec<_>>().into_iter().rev().collect();
    let ends = |word: &&str| before.trim_end().ends_with(*word) || word.is_ascii() && before.contains(*word);
    words.iter().any(|word| after.contains(word)) || words.iter().any(ends)
}

/// 만 68세, 72 years old: how old the owner is.
pub(super) fn age(text: &str) -> Option<u32> {
    let lower = text.to_lowercase();
    let number = |before: &str| {
        let digits: String = before.trim_end().chars().rev().take_while(char::is_ascii_digit).collect();
        digits.chars().rev().collect::<String>().parse::<u32>().ok()
    };
    ["세", "살", " years old", "-year-old"].iter().find_map(|word| {
        lower
            .match_indices(word)
            .find_map(|(at, _)| number(&lower[..at]).filter(|age| (18..=110).contains(age)))
    })
}

/// 1주택, 집 두 채, two homes: how many homes somebody has now.
pub(super) fn homes_held(text: &str) -> Option<u32> {
    let plain: String = text.to_lowercase().chars().filter(|c| !c.is_whitespace()).collect();
    let says = |words: &[&str]| words.iter().any(|word| plain.contains(word));
    if let Some(stands) = STANDS.captures(&plain) {
        return counted(stands.get(1)?.as_str()).filter(|count| *count > 0);
    }
    if let Some(owned) = OWNED.captures(&plain) {
        let word = owned.get(1).or(owned.get(2)).or(owned.get(3));
        return Some(word.and_then(|word| counted(word.as_str())).unwrap_or(1).clamp(1, 9));
    }
    if says(&["집하나뿐", "하나뿐", "한채뿐", "집한채", "집하나", "한채만", "onlyhome", "onlyone", "onehome"])
    {
        return Some(1);
    }
    if says(&["두채", "집둘", "twohomes", "secondhome", "다주택"]) {
        return Some(2);
    }
    says(&["세채", "threehomes"]).then_some(3)
}

fn counted(word: &str) -> Option<u32> {
    match word {
        "한" | "하나" | "one" | "a" => Some(1),
        "두" | "둘" | "two" => Some(2),
        "세" | "셋" | "three" => Some(3),
        "네" | "넷" => Some(4),
        digits => digits.parse().ok(),
    }
}

/// A monthly income is a twelfth of a year's.
pub(super) fn yearly(won: u64, text: &str) -> u64 {
    let monthly = ["월급", "월 소득", "월소득", "월수입", "월 수입", "per month", "a month"];
    // "70 million a year … what would I pay a month": the year is said of the income.
    let by_year = ["a year", "per year", "annual", "yearly"].iter().any(|word| text.contains(word));
    if !by_year && monthly.iter().any(|word| text.contains(word)) { won.saturating_mul(12) } else { won }
}

/// How many homes a buyer has after the purchase, where that is said.
pub(in crate::advisor) fn homes_after(text: &str) -> Option<u32> {
    let plain: String = text.to_lowercase().chars().filter(|c| !c.is_whitespace()).collect();
    let says = |words: &[&str]| words.iter().any(|word| plain.contains(word));
    let more = says(&[
        "더사",
        "더살",
        "더구입",
        "더매수",
        "추가로",
        "추가매수",
        "추가구입",
        "한채더",
        "하나더",
        "또사",
        "또살",
    ]);
    if let Some(owned) = OWNED.captures(&plain) {
        let count = owned
            .get(1)
            .or(owned.get(2))
            .or(owned.get(3))
            .and_then(|word| counted(word.as_str()))
            .unwrap_or(1);
        return Some(count.min(9) + 1);
    }
    if let Some(stands) = STANDS.captures(&plain) {
        let count = counted(stands.get(1)?.as_str())?.min(9);
        let buys =
            says(&["사면", "살때", "사려", "살건", "사는", "매수", "구입", "사게", "취득할", "취득하"]);
        let further = more || buys && HAS.is_match(&plain);
        return (count > 0).then_some(count + u32::from(further));
    }
    if says(&["두번째집", "두번째주택", "2번째", "secondhome"]) {
        return Some(2);
    }
    if says(&["세번째집", "세번째주택", "3번째", "thirdhome"]) {
        return Some(3);
    }
    more.then_some(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_long_a_home_was_had_and_lived_in_is_read() {
        for (text, months, years) in [
            ("저희 1주택이고 7년 보유하고 쭉 살았어요. 팔면 양도세가 나오는지", Some(84), Some(7)),
            ("6년 살아온 집 하나뿐인데 10억5천에 팔면 양도세", Some(72), Some(6)),
            ("1년도 안돼서 팔아버리면 양도세율", Some(11), None),
            ("5억에 사서 3년 뒤 6억에 팔면 양도세", Some(36), None),
            ("I held it for 5 years and sold it: capital gains tax?", Some(60), None),
            ("8년 보유, 3년 거주", Some(96), Some(3)),
            ("양도세 얼마야", None, None),
        ] {
            assert_eq!((held(text), lived(text)), (months, years), "{text}");
        }
        assert_eq!((homes_held("저희 1주택이고"), homes_held("집이 두 채 있는데")), (Some(1), Some(2)));
        assert_eq!((age("올해 만 71세"), age("30년 된 집")), (Some(71), None));
    }

    #[test]
    fn the_homes_of_a_buyer_are_counted() {
        for (text, homes) in [
            ("서초구에 집이 한 채 있는데 분당에 12억 아파트를 하나 더 사면", Some(2)),
            ("집이 두 채 있는데 하나 더 사면 취득세", Some(3)),
            ("아파트를 이미 보유하고 있어요. 7억 빌라 취득세", Some(2)),
            ("2주택자 취득세", Some(2)),
            ("1주택자가 한 채 더 사면", Some(2)),
            ("1주택이고 전용 101㎡예요", Some(1)),
            ("1가구 2주택인데 송파에 15억짜리 사면 취득세", Some(3)),
            ("9억짜리 집 사면 취득세 얼마야? 2주택자야", Some(3)),
            ("이 집을 사면 2주택인데 취득세가 얼마야", Some(2)),
            ("7억 아파트 취득세", None),
            ("I already own one home. Acquisition tax?", Some(2)),
            ("I own two homes. acquisition tax on a 600 million won apartment?", Some(3)),
        ] {
            assert_eq!(homes_after(text), homes, "{text}");
        }
    }
}
