//! What kind of answer a question wants.

use super::normalise;
use super::stem::inflects;
use super::words::words;

/// What kind of answer a question wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Need {
    Definition,
    Penalty,
    Deadline,
    Procedure,
    Papers,
    Cost,
    Conditions,
    Scope,
    Prohibition,
    Reason,
}

impl Need {
    /// What a passage that has such an answer is often titled, or says.
    pub fn signs(self) -> &'static [&'static str] {
        match self {
            Self::Definition => &["정의"],
            Self::Penalty => &["벌칙", "과태료"],
            Self::Deadline => &["기간", "시기"],
            Self::Procedure => &["절차", "신청", "방법"],
            Self::Papers => &["서류", "첨부"],
            Self::Cost => &["수수료", "비용"],
            Self::Conditions => &["요건", "자격", "기준"],
            Self::Scope => &["범위"],
            Self::Prohibition => &["금지"],
            Self::Reason => &["사유"],
        }
    }
}

const NEEDS: &[(Need, &[&str])] = &[
    (
        Need::Definition,
        &[
            "정의",
            "뜻",
            "뜻이",
            "개념",
            "의미",
            "종류",
            "이란",
            "뭐예요",
            "뭔가요",
            "뭐야",
            "뭐지",
            "definition",
            "mean",
        ],
    ),
    (
        Need::Penalty,
        &[
            "벌칙",
            "처벌",
            "벌금",
            "과태료",
            "징역",
            "제재",
            "불이익",
            "처벌받다",
            "걸리다",
            "penalty",
            "fine",
            "punish",
        ],
    ),
    (
        Need::Deadline,
        &[
            "언제까지",
            "며칠",
            "기간",
            "기한",
            "시기",
            "언제",
            "몇일",
            "얼마동안",
            "deadline",
            "when",
            "period",
        ],
    ),
    (Need::Procedure, &["절차", "방법", "어떻게", "신청하다", "procedure", "how"]),
    (Need::Papers, &["서류", "첨부", "구비", "서식", "양식", "document", "form"]),
    (Need::Cost, &["비용", "수수료", "얼마", "요금", "cost", "fee"]),
    (Need::Conditions, &["조건", "요건", "자격", "대상", "대상자", "requirement", "condition"]),
    (Need::Scope, &["범위", "적용", "scope"]),
    (Need::Prohibition, &["금지", "금지되다", "금지행위", "prohibit"]),
    (Need::Reason, &["사유", "이유", "reason"]),
];

/// What a question wants, as far as its words say.
///
/// ```
/// use duru_search::text::{Need, needs};
///
/// assert_eq!(needs("신고하지 않으면 벌금이 얼마인가요?"), [Need::Penalty, Need::Cost]);
/// ```
pub fn needs(question: &str) -> Vec<Need> {
    let normal = normalise(question);
    let words: Vec<_> = words(&normal).collect();
    let says = |sign: &&str| {
        words.iter().any(|word| match sign.strip_suffix('다') {
            Some(verb) => inflects(verb, word.text),
            None => word.stem == *sign || word.text == *sign,
        })
    };
    let mut found: Vec<Need> =
        NEEDS.iter().filter(|(_, signs)| signs.iter().any(&says)).map(|(need, _)| *need).collect();
    // 표준지공시지가란 무엇인가요: the particle asks what it is.
    let asks =
        words.iter().any(|word| ["무엇", "뭐", "뭔가", "뭘"].iter().any(|what| word.text.starts_with(what)));
    let names = words.iter().any(|word| {
        word.text.len() > word.stem.len() && ["란", "이란"].contains(&&word.text[word.stem.len()..])
    });
    if asks && names && !found.contains(&Need::Definition) {
        found.insert(0, Need::Definition);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_named_thing_that_is_asked_for_wants_a_definition() {
        assert_eq!(needs("전속중개계약이란 무엇이고"), [Need::Definition]);
        assert!(needs("보증금 반환").is_empty());
    }
}
