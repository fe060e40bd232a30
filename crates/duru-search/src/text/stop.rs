//! What a question asks for, and which of its words only ask.

use super::hangul::{self, Syllable};
use super::normalise;
use super::stem::{inflects, looks_inflected};
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

/// How much a question's word says about what is looked for: nothing if it only asks.
pub(crate) fn weight(text: &str, stem: &str) -> f32 {
    if ASKING.contains(&stem)
        || ASKING.contains(&text)
        || ASKING_VERBS.iter().any(|verb| inflects(verb, text))
    {
        0.0
    } else if VAGUE.contains(&stem) {
        0.35
    } else if stem == text && looks_inflected(text) {
        // Verbs that no list knows are seldom what is looked for.
        0.3
    } else {
        1.0
    }
}

/// How sure it is that a word of a question names something that an answer must speak of. Verbs are said in other words,
/// a noun of one syllable is hard to tell from a part of another, and some words only colour a question.
pub(crate) fn firmness(text: &str, stem: &str) -> f32 {
    if COLOURING.contains(&stem) || COLOURING.contains(&text) {
        return 0.2;
    }
    if VERB_ENDINGS.iter().any(|ending| text.len() > ending.len() && text.ends_with(ending)) {
        return 0.0;
    }
    let syllables = stem.chars().count();
    let bare =
        text.strip_suffix(['을', '를', '은', '는', '이', '가', '에', '의', '로', '도', '만', '과', '와']);
    let short = bare.is_some_and(|bare| bare.chars().count() == 1)
        || ["까지", "에서", "에는", "부터", "으로"]
            .iter()
            .any(|particle| text.strip_suffix(particle).is_some_and(|bare| bare.chars().count() == 1));
    if short || syllables == 1 { 0.3 } else { 1.0 }
}

/// Is a word a verb by what follows it? 내릴 수, 끝날 때, 밝혀야 하나요.
pub(crate) fn is_verb(text: &str, next: &str) -> bool {
    let begins = |signs: &[&str]| signs.iter().any(|sign| next.starts_with(sign));
    let coda = text.chars().next_back().and_then(Syllable::of).map_or(hangul::NONE, |last| last.coda);
    (coda == hangul::L && begins(&["수", "때", "경우", "것", "만"]))
        || (text.ends_with('야') && begins(&["하", "되", "돼", "한", "할"]))
}

/// Does a word only say what kind of answer is wanted?
pub(crate) fn vague(stem: &str) -> bool {
    const KINDS: [&str; 12] =
        ["뜻", "의미", "개념", "정의", "사항", "항목", "경우", "역할", "업무", "일", "것", "말"];
    VAGUE.contains(&stem) || KINDS.contains(&stem)
}

/// How verbs end that stand in questions, none of which a noun ends in.
const VERB_ENDINGS: &[&str] = &[
    "나요", "까요", "가요", "어요", "아요", "여요", "래요", "대요", "네요", "세요", "해요", "돼요", "예요",
    "에요", "지요", "니까", "는지", "을지", "은지", "려면", "으면", "지면", "하면", "되면", "거나", "는데",
    "다가", "다고", "어야", "아야", "해야", "돼야", "가야", "내야", "했을", "봤을", "려고", "도록", "더니",
    "줘야", "으러", "보러",
];

/// Words that say how, how often or when, not what.
const COLOURING: &[&str] = &[
    "해마다",
    "매번",
    "매년",
    "매달",
    "같이",
    "함께",
    "계속",
    "미리",
    "다시",
    "먼저",
    "바로",
    "직접",
    "따로",
    "보통",
    "대개",
    "지금",
    "현재",
    "요즘",
    "최근",
    "근처",
    "주변",
    "옆",
    "동네",
    "마음",
    "진짜",
    "정말",
    "아예",
    "그대로",
    "대부분",
    "자기",
    "남의",
    "최소",
    "최대",
    "최고",
    "위해",
    "발표",
    "꼭",
    "반드시",
    "다른",
    "주는",
    "법적",
    "위법",
    "정도",
    "돈",
];

const ASKING: &[&str] = &[
    "무엇",
    "무엇인가요",
    "무슨",
    "뭐",
    "뭐가",
    "뭘",
    "뭔가",
    "뭔가요",
    "뭐예요",
    "뭐야",
    "어떻게",
    "어떤",
    "어떠",
    "어떤것",
    "어느",
    "어디",
    "어디서",
    "어디에",
    "어디까지",
    "누구",
    "누가",
    "언제",
    "언제까지",
    "언제예요",
    "얼마",
    "얼마나",
    "얼마까지",
    "며칠",
    "몇",
    "왜",
    "좀",
    "꼭",
    "혹시",
    "그냥",
    "제가",
    "저는",
    "저희",
    "우리",
    "나는",
    "내가",
    "제",
    "내",
    "저",
    "것",
    "것이",
    "거",
    "건",
    "걸",
    "게",
    "수",
    "때",
    "때의",
    "경우",
    "경우는",
    "경우가",
    "등",
    "및",
    "또는",
    "대해",
    "대한",
    "대하여",
    "관한",
    "관하여",
    "위한",
    "위해",
    "위하여",
    "따른",
    "따라",
    "시",
    "이래도",
    "그래도",
    "이거",
    "그거",
    "저거",
    "이것",
    "그것",
    "이런",
    "그런",
    "저런",
    "정도",
    "동안",
    "있나요",
    "있는지",
    "있을까요",
    "없나요",
    "되나요",
    "되는지",
    "하나요",
    "하는지",
    "인가요",
    "인지",
    "가요",
    "나요",
    "예요",
    "이에요",
    "해야",
    "하려면",
    "합니까",
    "됩니까",
    "입니까",
    "알려주세요",
    "알려줘",
    "궁금",
    "궁금해요",
    "가능",
    "가능한가요",
    "가능한지",
    "필요",
    "필요한",
    "주요",
    "관련",
    "사항",
    "사항들",
    "항목",
    "the",
    "a",
    "an",
    "of",
    "to",
    "in",
    "is",
    "are",
    "what",
    "how",
    "when",
    "who",
    "which",
    "do",
    "does",
    "can",
    "i",
    "my",
    "for",
    "and",
    "or",
    "on",
    "be",
    "it",
    "must",
    "should",
    "필수",
    "것들",
    "점",
    "안에",
    "안",
    "못",
    "다",
    "더",
    "각",
    "그",
    "이",
    "해",
    "돼",
    "되",
    "하",
    "할",
    "한",
    "하는",
    "되는",
    "있는",
    "없는",
    "있",
    "없",
    "받",
    "받을",
    "받는",
    "하여야",
    "그리고",
    "그런데",
    "근데",
    "하지만",
    "만약",
    "만일",
    "어떠한",
    "얼마인가요",
    "누구인가요",
    "언제인가요",
    "무엇이고",
    "어떻게되나요",
    "뭔지",
    "as",
    "at",
    "by",
    "with",
    "if",
    "not",
    "from",
    "that",
    "this",
    "these",
    "those",
    "there",
    "was",
    "were",
    "been",
    "being",
    "has",
    "have",
    "had",
    "did",
    "will",
    "would",
    "could",
    "may",
    "might",
    "shall",
    "me",
    "we",
    "our",
    "you",
    "your",
    "he",
    "his",
    "she",
    "her",
    "its",
    "they",
    "their",
    "them",
    "one",
    "whom",
    "whose",
    "where",
    "why",
    "many",
    "much",
    "long",
    "often",
    "any",
    "some",
    "all",
    "another",
    "other",
    "before",
    "after",
    "during",
    "within",
    "without",
    "between",
    "into",
    "about",
    "against",
    "under",
    "over",
    "up",
    "out",
    "when",
    "while",
    "than",
    "then",
    "so",
    "no",
    "get",
    "need",
    "happens",
    "please",
    "tell",
];

const ASKING_VERBS: &[&str] =
    &["되", "있", "없", "하", "알려주", "궁금하", "싶", "가능하", "필요하", "어떻", "모르"];

const VAGUE: &[&str] = &[
    "방법",
    "절차",
    "기준",
    "범위",
    "조건",
    "의무",
    "의무사항",
    "주의사항",
    "이유",
    "사유",
    "효력",
    "내용",
    "종류",
    "목적",
    "규정",
    "원칙",
    "예외",
    "권한",
    "조치",
    "제한",
    "요건",
    "대상",
    "기간",
    "기한",
    "시기",
    "정보",
    "사람",
    "기관",
    "법",
    "법률",
    "법령",
    "제도",
    "포함",
    "사용",
    "적용",
    "처리",
    "해결",
    "준수",
    "결정",
    "관리",
    "운영",
    "procedure",
    "method",
    "law",
    "rule",
    "다른",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_only_ask_say_nothing() {
        let weigh = |word: &str| weight(word, crate::text::stem::stem(word));
        for word in ["무엇인가요", "어떻게", "되나요", "있나요", "하는지", "돼요"] {
            assert_eq!(weigh(word), 0.0, "{word}");
        }
        assert_eq!(weigh("보증금을"), 1.0);
        assert!(weigh("절차는") < 1.0);
    }

    #[test]
    fn a_named_thing_that_is_asked_for_wants_a_definition() {
        assert_eq!(needs("전속중개계약이란 무엇이고"), [Need::Definition]);
        assert!(needs("보증금 반환").is_empty());
    }
}
