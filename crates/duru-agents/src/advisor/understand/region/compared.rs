//! Whether a place is set against another one, or against those that the talk is about.

use std::sync::LazyLock;

use regex::Regex;

use super::PlaceMention;
use crate::advisor::understand::words::{AND, rest_of_word};

/// Verbs and words of comparing, each from its beginning on: 연대보증 compares nothing.
#[allow(clippy::unwrap_used, reason = "a pattern that is written here; a test uses it")]
static COMPARES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?:^| )(?:비교|견주|견줘|견줄|비하면|비해서?|대 ?보(?:면|니|자|고|아|았)|대 ?봐|맞대|나란히|붙여 ?(?:보|봐|놓|놔|서)|놓고 ?(?:보|봐|따지)|차이|격차|어디가|어느 ?(?:쪽|곳|동네))|\b(?:compar\w+|versus|vs|difference|differ)\b|[a-z]er than\b",
    )
    .unwrap()
});

/// What stands right before a place that something is set against: cheaper than Bundang, compared with Mapo.
#[allow(clippy::unwrap_used, reason = "see above")]
static AGAINST: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"\b(?:than(?: in)?|versus|vs\.?|against|compar\w+ (?:\w+ ){0,3}(?:to|with|and|against))(?: the)?$",
    )
    .unwrap()
});

/// What stands right behind a place that is laid beside what is there: put Bundang next to it.
#[allow(clippy::unwrap_used, reason = "see above")]
static BESIDE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:next to|beside|alongside|against|to) (?:it|that|this|them|those|these)\b").unwrap()
});

/// What comes to those that are there: 강동구도 추가해줘, 강동구도 같이 넣어봐, add Bundang.
#[allow(clippy::unwrap_used, reason = "see above")]
static COMES_TOO: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:표에 |목록에 |거기에? |같이 |함께 )?(?:추가|넣|더해|보태|끼워|포함)").unwrap()
});

/// 서울 평균이랑 대보면, cheaper than Bundang: this place is set against another one.
pub(crate) fn is_compared(text: &str, place: &PlaceMention) -> bool {
    const WHOLE: &[&str] = &["평균", "전체", "시세", "집값", "가격"];
    const THAN: &[&str] = &["보다", "대비", "에비해", "에비하면"];
    let (start, end) = place.span();
    let own = rest_of_word(text, end);
    let next = text[end + own.len()..].trim_start();
    let before = text[..start].trim_end();
    if AGAINST.is_match(before) || BESIDE.is_match(next) {
        return true;
    }
    if own == "도" && COMES_TOO.is_match(next) || own.is_empty() && before.ends_with("add") {
        return true;
    }
    let of_whole =
        WHOLE.iter().find_map(|whole| next.strip_prefix(whole)).map(|after| rest_of_word(after, 0));
    let joined = |word: &str| AND.contains(&word) || THAN.contains(&word);
    let than = own == "에" && ["비해", "비하면", "견주"].iter().any(|word| next.starts_with(word));
    let partner = joined(own) || own.is_empty() && of_whole.is_some_and(joined);
    than || THAN.contains(&own) || partner && COMPARES.is_match(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advisor::understand::region::find;

    #[test]
    fn a_place_that_is_set_against_others_is_told_from_one_that_is_asked_about() {
        let compared = |text: &str| find(text, &[]).iter().any(|place| is_compared(text, place));
        for text in [
            "put bundang next to it and tell me the average",
            "is it cheaper than bundang",
            "compare that with mapo",
            "add songpa to the list",
            "일산이랑 견주면 어디가 나은 편이죠",
            "아까 표에 강동구도 추가해줘",
            "광진구도 같이 넣어봐",
            "성북구에 비하면 어때",
            "은평구하고 대보니 차이가 커?",
        ] {
            assert!(compared(text), "{text}");
        }
        for text in [
            "강동구 시세 알려줘",
            "강동구도 알려줘",
            "강동구도 보여주고 대출은 추가로 알려줘",
            "여기가 싼 거야? 용산구 시세는 비교 없이 알려줘",
            "마포구와 연대보증은 어떻게 되나요",
            "a flat next to mapo station",
            "somewhere cheaper in songpa with parking",
        ] {
            assert!(!compared(text), "{text}");
        }
    }
}
