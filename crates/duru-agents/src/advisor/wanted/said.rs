//! Figures that a question says itself: shares, rates, years, an income, the homes of a buyer.

use std::sync::LazyLock;

use regex::Regex;

use crate::advisor::tools::Calculation;
use crate::advisor::understand::is_taken_back;

#[allow(clippy::unwrap_used, reason = "patterns that are written here; a test uses each")]
static PERCENT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"([0-9]{1,2}(?:\.[0-9]{1,3})?)\s*(?:%|퍼센트|프로|퍼|percent)").unwrap());
#[allow(clippy::unwrap_used, reason = "see above")]
static YEARS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?:^|[^0-9])([0-9]{1,2})\s*(?:년|years?)").unwrap());

#[allow(clippy::unwrap_used, reason = "see above")]
static BARE_RATE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:금리|이율|이자율|interest(?: rate)?|rate)(?:는|은|가|이|를|을| is| of| at)?\s*(?:연\s*)?([0-9]{1,2}(?:\.[0-9]{1,3})?)(?:\s|에|로|이|면|으|$|,|\?)").unwrap()
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
    let percent: f64 = PERCENT.captures(text)?.get(1)?.as_str().parse().ok()?;
    (percent > 0.0 && percent < 100.0).then_some(percent / 100.0)
}

/// 공실이 10%면: how long a home stands empty.
pub(super) fn vacancy(text: &str) -> Option<f64> {
    let lower = text.to_lowercase();
    let at = ["공실", "vacancy", "vacant"].iter().find_map(|word| lower.find(word))?;
    percent(&lower[at..])
}

/// LTV 80%, 전환율은 5%: the share right behind its name.
pub(in crate::advisor) fn percent_of(text: &str, names: &[&str]) -> Option<f64> {
    let lower = text.to_lowercase();
    let behind = names.iter().find_map(|name| lower.split_once(name))?.1;
    let start = PERCENT.find(behind)?.start();
    (behind[..start].chars().count() <= 4).then(|| percent(behind))?
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
        && let Some(number) = found.get(1).and_then(|number| number.as_str().parse::<f64>().ok())
        && !PERCENT.is_match(&lower)
    {
        return Some(number / 100.0).filter(|rate| *rate > 0.0 && *rate < 0.3);
    }
    let shares = PERCENT.captures_iter(&lower).filter_map(|found| {
        let whole = found.get(0)?;
        let number: f64 = found.get(1)?.as_str().parse().ok()?;
        let kept = !is_taken_back(&lower[whole.end()..]);
        (kept && !of_other(&lower[..whole.start()])).then_some(number / 100.0)
    });
    shares.into_iter().find(|rate| *rate > 0.0 && *rate < 0.3)
}

/// 금리가 4%에서 5%로: the rate before a change and the one after it.
pub(super) fn rates(text: &str) -> Option<(f64, f64)> {
    let (before, after) = text.split_once("에서").or_else(|| text.split_once(" to "))?;
    let last = PERCENT.find_iter(before).last()?;
    let next = PERCENT.find(after)?;
    // Nothing may stand between the two.
    let adjacent = before[last.end()..].trim().is_empty() && after[..next.start()].trim().is_empty();
    adjacent.then(|| Some((percent(last.as_str())?, percent(next.as_str())?)))?
}

/// 30년, 30 years: how long, not when.
pub(in crate::advisor) fn years(text: &str) -> Option<u32> {
    let lower = text.to_lowercase();
    // "30년 말고 25년", "25 years instead of 30 years": what is taken back is not meant.
    let found = YEARS
        .captures_iter(&lower)
        .find(|found| found.get(0).is_some_and(|whole| !is_taken_back(&lower[whole.end()..])))?;
    let years: u32 = found.get(1)?.as_str().parse().ok()?;
    (1..=50).contains(&years).then_some(years)
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
    let number = |word: &str| match word {
        "한" | "하나" | "one" => Some(1),
        "두" | "둘" | "two" => Some(2),
        "세" | "셋" | "three" => Some(3),
        "네" | "넷" => Some(4),
        digits => digits.parse::<u32>().ok(),
    };
    if let Some(owned) = OWNED.captures(&plain) {
        let count = owned
            .get(1)
            .or(owned.get(2))
            .or(owned.get(3))
            .and_then(|word| number(word.as_str()))
            .unwrap_or(1);
        return Some(count.min(9) + 1);
    }
    if let Some(stands) = STANDS.captures(&plain) {
        let count = number(stands.get(1)?.as_str())?.min(9);
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
