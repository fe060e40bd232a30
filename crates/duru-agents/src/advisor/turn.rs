//! What a short question means beside its words: which homes come first, where, and which of what was told before.

use std::sync::LazyLock;

use regex::Regex;

use super::state::{Advice, Echo};
use super::tools::Sort;
use super::understand::Question;

/// So many questions later what was told can still be asked about.
const TURNS: usize = 2;
/// A question that points at one of several things is short.
const SHORT: usize = 32;

/// Of several homes, the cheapest: "cheap" with a word that compares, or with what it is said of.
const CHEAP: &[&str] = &[
    "더 싼",
    "더싼",
    "더 저렴",
    "제일 싼",
    "가장 싼",
    "제일 저렴",
    "가장 저렴",
    "싼 순",
    "저렴한 순",
    "싼 거",
    "싼 것",
    "싼 집",
    "싼 매물",
    "최저가",
    "cheaper",
    "cheapest",
    "lowest price",
    "least expensive",
];
/// The dearest of them. As for all that follow: only words that compare.
const DEAR: &[&str] =
    &["더 비싼", "제일 비싼", "가장 비싼", "비싼 순", "최고가", "most expensive", "priciest"];
const LARGE: &[&str] = &[
    "더 넓은",
    "더 큰",
    "제일 넓은",
    "가장 넓은",
    "제일 큰",
    "가장 큰",
    "넓은 순",
    "bigger",
    "larger",
    "biggest",
    "largest",
];
const SMALL: &[&str] = &["더 작은", "더 좁은", "제일 작은", "가장 작은", "smaller", "smallest"];

/// Words that ask where rather than which: a question for a place, or a place that is cheap or dear.
const WHERE: &[&str] = &[
    "어디",
    "어느 동네",
    "어느 구",
    "어느 지역",
    "어떤 동네",
    "어떤 지역",
    "싼 데",
    "싼 동네",
    "싼 지역",
    "싼 구",
    "저렴한 데",
    "저렴한 동네",
    "저렴한 지역",
    "비싼 동네",
    "비싼 지역",
    "where",
    "which district",
    "which area",
    "which neighbo",
    "what area",
    "what district",
];

/// Words that ask which of the places, or of the two things, that the question itself names.
const BETWEEN: &[&str] = &["어느 쪽", "어느쪽", "which is", "which one", "or "];
/// Of places, the dearest: a place that is asked for needs no word that compares.
const DEAR_PLACE: &[&str] = &["비싼", "expensive", "priciest"];

/// Which homes come first. Whether one place is cheaper than another is no such question.
pub(super) fn sort(text: &str) -> Option<Sort> {
    let text = text.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if says(WHERE) || says(BETWEEN) {
        return None;
    }
    [(CHEAP, Sort::Cheapest), (DEAR, Sort::Dearest), (LARGE, Sort::Largest), (SMALL, Sort::Smallest)]
        .into_iter()
        .find_map(|(words, sort)| says(words).then_some(sort))
}

/// Does it ask which of many districts? Of one district, or between two that it names, it does not.
pub(super) fn ranks(question: &Question) -> bool {
    let text = question.text.to_lowercase();
    let whole = question.regions().iter().all(|region| region.district.is_none());
    whole && question.regions().len() < 2 && WHERE.iter().any(|word| text.contains(word))
}

/// Of a question that [`ranks`]: does it ask for the dearest rather than the cheapest?
pub(super) fn ranks_dearest(text: &str) -> bool {
    let text = text.to_lowercase();
    DEAR_PLACE.iter().any(|word| text.contains(word))
}

#[allow(clippy::unwrap_used, reason = "patterns that are written here; a test uses each")]
static NTH: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"^(?:그럼 |그러면 |그 중에 |그중에 |위에서 |위 |방금 |아까 )?(?:([0-9]|첫|두|세|네|다섯|여섯) ?번째(?: ?(?:거|것|꺼|걸|건|집|매물|상품|대출|항목|조항|조문))?|([0-9]|마지막)(?:번)? ?(?:거|것|꺼|걸|건|매물|상품|대출|항목|조문))(?:은|는|을|를|만|이|가|로)?(?:에 대해서?)?(?: |\?|$)",
    )
    .unwrap()
});
#[allow(clippy::unwrap_used, reason = "see above")]
static NTH_EN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?:\bthe (first|second|third|fourth|fifth|last)(?: one| listing| loan| home| article)?\b|\b(?:number|no\.?|#) ?([1-9])\b)[^a-z]*$",
    )
    .unwrap()
});

/// What of the last answer is asked about, if that is all that is asked.
pub(super) fn echo(s: &Advice, question: &Question) -> Option<Echo> {
    let told = s.told.as_ref().filter(|told| s.turn() <= told.turn + TURNS)?;
    let bare = question.places.is_empty() && question.terms.amounts.is_empty() && !question.brings_contract;
    if !bare {
        return None;
    }
    if let Some(one) = nth(&question.text).filter(|_| question.terms.subjects.is_empty()) {
        return Some(one);
    }
    (asks_why(question) && !told.reasons.is_empty()).then_some(Echo::Why)
}

/// 2번째 거 자세히, the second one: which, from 0.
fn nth(text: &str) -> Option<Echo> {
    let text = text.trim().to_lowercase();
    if text.chars().count() > SHORT * if text.is_ascii() { 2 } else { 1 } {
        return None;
    }
    let found = NTH.captures(&text).or_else(|| NTH_EN.captures(&text))?;
    let word = found.get(1).or(found.get(2))?.as_str();
    let number = match word {
        "첫" | "first" => 1,
        "두" | "second" => 2,
        "세" | "third" => 3,
        "네" | "fourth" => 4,
        "다섯" | "fifth" => 5,
        "여섯" => 6,
        "마지막" | "last" => return Some(Echo::Last),
        digits => digits.parse().ok()?,
    };
    usize::checked_sub(number, 1).map(Echo::Item)
}

/// 왜?, 왜 그만큼이야?, why is that: about what was told, not about something it names itself.
fn asks_why(question: &Question) -> bool {
    let text = question.text.trim().to_lowercase();
    let text = ["근데 ", "그런데 ", "그럼 ", "아니 ", "but ", "and "]
        .iter()
        .find_map(|opener| text.strip_prefix(opener))
        .unwrap_or(&text);
    let asks = ["왜", "어째서", "이유가", "이유는", "이유를", "근거가", "근거는", "why", "how come"];
    let begins = asks.iter().any(|word| text.starts_with(word));
    begins && question.named.is_empty() && question.terms.subjects.is_empty() && text.chars().count() <= SHORT
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advisor::understand::{Context, understand};

    #[test]
    fn one_of_several_is_pointed_at_by_its_number() {
        for (text, at) in [
            ("2번째 거 자세히 알려줘", Some(Echo::Item(1))),
            ("두번째 집 더 알려줘", Some(Echo::Item(1))),
            ("첫 번째 매물은 어때?", Some(Echo::Item(0))),
            ("3번 상품 설명해줘", Some(Echo::Item(2))),
            ("마지막 거는?", Some(Echo::Last)),
            ("tell me more about the second one", Some(Echo::Item(1))),
            ("what about number 3?", Some(Echo::Item(2))),
            ("두 번째 집을 사면 취득세가 얼마나 나오나요? 지금 서초구에 한 채 있어요", None),
            ("계약을 2번 갱신할 수 있나요", None),
            ("2번 연체하면 쫓겨나요?", None),
            ("buying a second home", None),
        ] {
            assert_eq!(nth(text), at, "{text}");
        }
    }

    #[test]
    fn the_cheapest_home_and_the_cheapest_place_are_different_questions() {
        assert_eq!(sort("더 싼 건?"), Some(Sort::Cheapest));
        assert_eq!(sort("cheaper ones?"), Some(Sort::Cheapest));
        assert_eq!(sort("좀 더 넓은 건 없어?"), Some(Sort::Largest));
        assert_eq!(sort("마포구하고 용산구 중에 어디가 더 싸?"), None);
        assert_eq!(sort("which is cheaper, Mapo or Yongsan?"), None);
        let ranked = |text| ranks(&understand(text, &Context::default()));
        assert!(ranked("서울에서 제일 싼 동네가 어디야") && ranked("예산 4억이면 서울 어디 살 수 있어?"));
        assert!(!ranked("확정일자 받으려면 강서구 어디로 가") && !ranked("마포랑 용산 중에 어디가 싸?"));
    }

    #[test]
    fn why_is_asked_of_the_answer_unless_it_names_something_itself() {
        let why = |text| asks_why(&understand(text, &Context::default()));
        assert!(why("왜?") && why("근데 왜 그만큼이야?") && why("왜 위험해?") && why("why is that?"));
        assert!(!why("왜 전세보증보험에 들어야 해?") && !why("보증금을 왜 안 돌려줘요"));
    }
}
