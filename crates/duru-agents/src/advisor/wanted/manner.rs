//! In which manner a question asks: for a judgement, for homes, or only for what a word means.

use crate::advisor::turn;
use crate::advisor::understand::{DataKind, Question, Role};

/// Words that ask for a judgement rather than a look-up: what is good, dear or risky, and how it compares or will change.
const WEIGHING: &[&str] = &[
    "적정",
    "비싼",
    "비싸",
    "싼가",
    "괜찮",
    "전망",
    "추이",
    "추세",
    "분석",
    "비교",
    "위험",
    "안전",
    "살까",
    "사도",
    "투자",
    "깡통",
    "평가",
    "오를",
    "떨어질",
    "should i",
    "worth",
    "compare",
    "trend",
    "analy",
    "risk",
    "safe",
    "fair",
];

/// Words that ask for homes rather than prices: to be shown, found or recommended some.
const LISTING: &[&str] = &[
    "매물",
    "추천",
    "찾아줘",
    "찾아 줘",
    "골라",
    "살 만한",
    "있을까",
    "있나",
    "구할 수",
    "구해",
    "listing",
    "recommend",
    "find me",
    "looking for",
];

/// How a Korean question ends that asks what something is: "what", with whatever ending, or "meaning".
const ENDS_WITH_WHAT: &[&str] = &[
    "뭐야",
    "뭐예요",
    "뭐에요",
    "뭔가요",
    "뭐죠",
    "뭐지",
    "뭔지",
    "뭐임",
    "무엇인가요",
    "무엇인지",
    "뜻",
    "의미",
    "이란",
];
/// Words that ask for a meaning wherever they stand.
const MEANS: &[&str] = &["뜻이", "무슨 뜻", "무슨 말", "이 뭐", "가 뭐"];
/// How an English question begins that asks what something is.
const BEGINS_WITH_WHAT: &[&str] =
    &["what is ", "what's ", "what does ", "what are ", "meaning of ", "define "];

/// Does it ask for a judgement?
pub(in crate::advisor) fn weighs(question: &Question) -> bool {
    let text = question.text.to_lowercase();
    WEIGHING.iter().any(|word| text.contains(word)) || question.picks && question.regions().len() > 1
}

/// DSR이 뭐야?: does it only ask what a word means?
pub(in crate::advisor) fn defines(question: &Question) -> bool {
    let text = question.text.trim().trim_end_matches(['?', '.', '!', ' ']).to_lowercase();
    let ends = ENDS_WITH_WHAT.iter().any(|word| text.ends_with(word))
        || MEANS.iter().any(|word| text.contains(word));
    let begins = BEGINS_WITH_WHAT.iter().any(|word| text.starts_with(word)) && !text.contains("price");
    let plain =
        question.terms.amounts.is_empty() && question.places.is_empty() && !question.reference.is_any();
    (ends || begins) && plain && !question.named.is_empty() && text.chars().count() <= 40
}

/// Does it ask for homes?
pub(in crate::advisor) fn lists(question: &Question) -> bool {
    let text = question.text.to_lowercase();
    LISTING.iter().any(|word| text.contains(word))
        || turn::sort(&text).is_some()
        || question.terms.amounts.iter().any(|amount| amount.is_limit() && amount.role != Role::Income)
            && question.required == [DataKind::Market]
}
