//! What a question asks for, so far as an answer can be told by it: a quantity of some kind, or a thing.

use crate::text::{content_words, normalise, vague};

/// The kind of quantity that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    Money,
    Rate,
    Years,
    /// Any length of time.
    Time,
    /// A length of time, a day, or what it depends on.
    When,
    Count,
    Any,
}

/// A question in one word, without spaces.
fn packed(text: &str) -> String {
    normalise(text).chars().filter(|c| !c.is_whitespace()).collect()
}

fn has(text: &str, signs: &[&str]) -> bool {
    signs.iter().any(|sign| text.contains(sign))
}

const RATES: [&str; 3] = ["퍼센트", "%", "percent"];
const TIMES: [&str; 11] = ["일", "주일", "개월", "월", "년", "시간", "day", "week", "month", "year", "hour"];

impl Quantity {
    /// What a question asks for, if it asks how much, how long or how many.
    pub fn of(question: &str) -> Option<Self> {
        let lower = normalise(question);
        let text = packed(question);
        // Who or where is asked, and the quantity only says of what.
        if has(&text, &["누가", "누구", "어디", "왜"]) {
            return None;
        }
        if has(&text, &["몇퍼센트", "몇%", "몇프로", "세율", "요율", "금리", "이자율", "비율은", "율은얼마"])
            || has(&lower, &["what percent", "what rate", "interest rate", "tax rate"])
        {
            Some(Self::Rate)
        } else if has(&text, &["며칠", "몇일", "몇시간", "몇개월", "몇달", "몇주", "몇분", "몇시"])
            || lower.contains("how long")
        {
            Some(Self::Time)
        } else if text.contains("몇년") || lower.contains("how many years") {
            Some(Self::Years)
        } else if has(
            &text,
            &["몇명", "몇번", "몇회", "몇개", "몇차례", "몇대", "몇세대", "몇호", "얼마나자주"],
        ) || has(&lower, &["how many", "how often"])
        {
            Some(Self::Count)
        } else if text.contains('몇') {
            Some(Self::Any)
        } else if let Some((before, _)) = text.split_once("얼마") {
            Some(Self::how_much(&text, before))
        } else if lower.contains("how much") {
            Some(Self::Any)
        } else if has(&text, &["언제까지", "언제부터", "언제인가", "시기는", "기한은", "기간은"])
            || lower.starts_with("when")
        {
            Some(Self::When)
        } else {
            None
        }
    }

    fn how_much(text: &str, before: &str) -> Self {
        if has(text, &["기간", "시간", "동안", "안에", "주기", "기한"]) {
            return Self::Time;
        }
        const SUMS: [&str; 15] = [
            "수수료",
            "비용",
            "금액",
            "액",
            "료",
            "금",
            "세",
            "값",
            "가격",
            "돈",
            "보수",
            "비",
            "예산",
            "월급",
            "임금",
        ];
        let mut before = before;
        for word in ["보통", "평균", "최고", "최대"] {
            before = before.strip_suffix(word).unwrap_or(before);
        }
        let bare = before.strip_suffix(['은', '는', '이', '가', '을', '를']).unwrap_or(before);
        if SUMS.iter().any(|sum| bare.ends_with(sum)) { Self::Money } else { Self::Any }
    }

    /// Does a line name such a quantity? Numbers of articles and dates of amendments count nothing.
    pub fn is_in(self, line: &str) -> bool {
        let text = packed(line);
        let share = text.split("분의").skip(1).any(|after| after.starts_with(|c: char| c.is_ascii_digit()));
        let unit = |units: &[&str]| has_unit(&text, units);
        match self {
            Self::Money => share || text.contains("실비") || unit(&["원", "won", "dollar"]) || unit(&RATES),
            Self::Rate => share || unit(&RATES),
            Self::Years => unit(&["년", "year"]),
            Self::Time => unit(&TIMES),
            Self::When => {
                has(
                    &text,
                    &["때", "날", "지체없이", "즉시", "이내", "까지", "기간", "within", "before", "until"],
                ) || unit(&TIMES)
            }
            Self::Count => {
                share
                    || text.contains("한차례")
                    || unit(&[
                        "명", "인", "회", "번", "개", "세대", "실", "대", "차례", "time", "people", "person",
                    ])
            }
            Self::Any => {
                let others =
                    ["원", "won", "dollar", "분", "minute", "명", "인", "회", "번", "배", "할", "제곱미터"];
                share
                    || unit(&RATES)
                    || unit(&TIMES)
                    || unit(&others)
                    || unit(&["미터", "세대", "세", "time"])
            }
        }
    }
}

/// A number and one of these after it: 30일, 5천만원.
fn has_unit(text: &str, units: &[&str]) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let after = rest[at..].trim_start_matches(|c: char| c.is_ascii_digit() || c == ',' || c == '.');
        let unit = after.trim_start_matches(['백', '천', '만', '억']);
        if units.iter().any(|known| unit.starts_with(known)) {
            return true;
        }
        rest = after;
    }
    false
}

/// The word that a question is about most: the last before its question word that names a thing.
pub(super) fn head_words(question: &str) -> Vec<String> {
    const ASKING: [&str; 15] = [
        "얼마",
        "몇",
        "며칠",
        "무엇",
        "뭐",
        "뭔",
        "어떤",
        "어떻게",
        "언제",
        "누구",
        "누가",
        "어디",
        "왜",
        "무슨",
        "어느",
    ];
    let words = content_words(question);
    let end = words
        .iter()
        .position(|word| ASKING.iter().any(|sign| word.text.starts_with(sign)))
        .unwrap_or(words.len());
    let before = words.into_iter().take(end).rev().take(5);
    before.filter(|word| !vague(&word.stem)).map(|word| word.text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_of_quantity_is_told_by_the_question() {
        for (question, kind) in [
            ("응시 수수료는 얼마인가요?", Some(Quantity::Money)),
            ("조정 기간은 얼마나 되나요?", Some(Quantity::Time)),
            ("답변서는 며칠 안에 내나요?", Some(Quantity::Time)),
            ("연체이자율은 몇 퍼센트인가요?", Some(Quantity::Rate)),
            ("임기는 몇 년인가요?", Some(Quantity::Years)),
            ("몇 명까지 고용할 수 있나요?", Some(Quantity::Count)),
            ("신고는 언제까지 해야 하나요?", Some(Quantity::When)),
            ("수수료는 누가 내나요?", None),
            ("등록 절차는 어떻게 되나요?", None),
        ] {
            assert_eq!(Quantity::of(question), kind, "{question}");
        }
    }

    #[test]
    fn quantities_are_told_from_numbers_of_articles_and_dates() {
        for text in ["30일 이내", "5천만 원", "1억 6,500만원", "100분의 5", "연 2퍼센트", "3 명"]
        {
            assert!(Quantity::Any.is_in(text), "{text}");
        }
        for text in ["제3조제2항", "<개정 2014. 7. 29.>", "1. 매매", "별표 1", "아무것도"] {
            assert!(!Quantity::Any.is_in(text), "{text}");
        }
        assert!(Quantity::Money.is_in("500만원 이하") && !Quantity::Money.is_in("30일 이내"));
        assert!(Quantity::Rate.is_in("100분의 5") && !Quantity::Rate.is_in("할 수 있다"));
        assert!(!Quantity::Count.is_in("위원회"));
    }

    #[test]
    fn the_head_is_the_last_thing_before_the_question_word() {
        assert_eq!(head_words("층간소음의 측정 방법은 어떻게 되나요?"), ["측정", "층간소음의"]);
        assert_eq!(head_words("견본주택의 관람료는 얼마인가요?")[0], "관람료는");
    }
}
