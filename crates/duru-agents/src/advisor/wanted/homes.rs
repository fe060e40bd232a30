//! How many homes somebody has, how long they had or lived in one, and how old they are.

use std::sync::LazyLock;

use duru_language::figure::{Term, terms};
use regex::Regex;

use crate::advisor::understand::is_taken_back;

/// 집이 한 채 있는데, 이미 집이 있고: what a buyer has already. Spaces are gone.
#[allow(clippy::unwrap_used, reason = "patterns that are written here; a test uses each")]
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

/// Words behind or before a length of time that say of what it is.
const HELD: &[&str] = &[
    "보유",
    "가지고",
    "갖고",
    "들고",
    "소유",
    "뒤",
    "후",
    "만에",
    "전에",
    "held",
    "owned",
    "after",
    "ago",
    "till",
    "wait",
    "case",
];
/// A question with hardly more than a length of time.
const BARE: usize = 24;
const LIVED: &[&str] = &["살", "거주", "lived", "living"];

/// 5년 보유, 1년도 안 돼서, 3년 뒤에 팔면: how long a home was had, in months.
pub(super) fn held(text: &str) -> Option<u32> {
    let lower = text.to_lowercase();
    // 1년도 안 돼서, 2년 미만: just short of it.
    let short = |term: &Term| {
        let after: String = lower[term.end..].chars().take(8).collect();
        ["안 돼", "안돼", "안 된", "안된", "안 되", "안되", "미만", "못 채", "못채", "이내", "안에"]
            .iter()
            .any(|word| after.contains(word))
            || lower[..term.start].trim_end().ends_with("under")
            || lower[..term.start].trim_end().ends_with("less than")
            || lower[..term.start].trim_end().ends_with("within")
    };
    let said: Vec<Term> =
        terms(&lower).into_iter().filter(|term| !is_taken_back(&lower[term.end..])).collect();
    if let Some(term) = said.iter().find(|term| short(term)) {
        return term.months.checked_sub(1);
    }
    let of = |words: &[&str]| said.iter().find(|term| near(&lower, term, words)).map(|term| term.months);
    // 1년 반이면?: nothing but how long.
    let only = || match said[..] {
        [term] if lower.chars().count() <= BARE => Some(term.months),
        _ => None,
    };
    of(HELD).or_else(|| of(LIVED)).or_else(only)
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
