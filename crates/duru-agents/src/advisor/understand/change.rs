//! Whether a question says, or only asks, that law, rates or prices have changed.

use std::sync::LazyLock;

use duru_language::hangul::Syllable;
use regex::Regex;

use super::words::{is_particle, rest_of_word};

/// What is said of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// It has happened: what was found before it is no answer.
    Happened,
    /// Has it?
    Asked,
}

/// What changes: law, what a lender grants, prices. Landlords and tenants change, too, and that is another matter.
const THINGS: &[&str] = &[
    "법",
    "규정",
    "조문",
    "제도",
    "기준",
    "요건",
    "상한",
    "세율",
    "요율",
    "규제",
    "정책",
    "금리",
    "한도",
    "시세",
    "이율",
    "이자",
    "가격",
    "값",
    "령",
    "law",
    "rule",
    "regulation",
    "rate",
    "policy",
    "limit",
    "act",
];

#[allow(clippy::unwrap_used, reason = "patterns that are written here; a test uses each")]
static CHANGED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"바뀌었|바뀐|바뀜|바꼈|바뀌어|바뀌고|개정되었|개정됐|개정된|개정되어|개정돼|개정했|개정안|개정법|개정판|변했|변한|변동됐|변동된|인하됐|인하된|인하했|달라졌|달라진|변경됐|변경되었|변경된|시행됐|시행되었|시행된|시행되면서|신설된|신설됐|폐지된|폐지됐|강화된|강화됐|완화된|완화됐|새로 생긴|새로운? ?(?:법|시행령|규정|제도|규제|기준)|새 (?:법|시행령|규정|제도|규제|기준)|\bchanged|\bamended|\brevised|took effect|came into force|\bnew (?:law|rule|regulation)",
    )
    .unwrap()
});
/// What somebody was told has happened, whatever it is: 통과됐다던데, 올렸다네요, 내렸대. The syllable before says whether it
/// is past.
#[allow(clippy::unwrap_used, reason = "see above")]
static HEARSAY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"([가-힣])(?:다(?:던|는데|는 |며|면서|네|더|길래|니까|고 ?(?:하|해|들))|대(?:요|서|\b))")
        .unwrap()
});

/// Who tells what others say speaks of something newer than what is there: 그걸로 is then that.
pub(super) fn is_heard(text: &str) -> bool {
    heard(text).is_some()
}

fn heard(text: &str) -> Option<regex::Match<'_>> {
    const SS: u32 = 20;
    let past = |found: &regex::Captures<'_>| {
        let Some(syllable) = found.get(1) else { return false };
        let tail = syllable.as_str().chars().next().and_then(Syllable::of).map(|syllable| syllable.tail);
        let verb = text[..syllable.end()].rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        tail == Some(SS) && !TELLS.contains(&verb)
    };
    HEARSAY.captures_iter(text).find(past)?.get(0).filter(|_| !is_done_by_people(text))
}

/// What is looked for, told and shown in a talk is no change of anything: 아까 찾았다니까, 말했다면서.
#[rustfmt::skip]
const TELLS: &[&str] = &[
    "찾았", "찾아봤", "찾아줬", "검색했", "검색됐", "검색해줬", "조회했", "조회됐", "조회해줬", "뽑았", "뽑아줬", "골랐", "알아봤", "확인했", "확인해줬", "봤", "보여줬", "알려줬",
    "가르쳐줬", "말했", "말씀하셨", "말해줬", "얘기했", "얘기해줬", "이야기했", "설명했", "설명해줬", "답했", "대답했", "물었", "물어봤", "들었", "정리했", "정리해줬", "계산했",
    "계산해줬", "적었", "줬", "주셨",
];

/// People do things, too, and what they did is no change of law.
const PEOPLE: &[&str] = &["주인", "임대인", "세입자", "임차인", "중개사", "친구", "남편", "아내"];

fn is_done_by_people(text: &str) -> bool {
    let subject = |at: usize| {
        let rest = rest_of_word(text, at);
        !rest.is_empty() && is_particle(rest)
    };
    PEOPLE.iter().any(|one| text.match_indices(one).any(|(at, one)| subject(at + one.len())))
}

/// What follows a change that is only asked about.
#[allow(clippy::unwrap_used, reason = "see above")]
static ASKS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"^\S{0,3}(?:는지|은지|나요|나\b|을까|던가|냐|니\?|[ ]?(?:거|것|건|게)\s?(?:아|없|있)|건가|건지|[ ]?(?:점|부분|내용)이?\s?(?:있|없))|^(?:어|어요|습니까|죠|지|대)?\?|맞아|맞나|사실이|정말이",
    )
    .unwrap()
});
const DOUBTS: &[&str] = &[
    "혹시",
    "안 변했",
    "안 바뀌었",
    "안 바뀐",
    "겠지",
    "애매",
    "지 않았",
    "지는 않",
    "has the",
    "have the",
    "did the",
    "has it",
    "have they",
];

/// Reads it from a text (lower case, single spaces).
pub(super) fn read(text: &str) -> Option<Change> {
    let found = CHANGED.find(text).or_else(|| heard(text))?;
    if !THINGS.iter().any(|thing| text.contains(thing)) {
        return None;
    }
    let rest = &text[found.end()..];
    let attributive = found.as_str().ends_with(['된', '진', '긴', '뀐']);
    let asks = if attributive {
        // 바뀐 게 있어?, but not 바뀐 법으로 하면 어때?
        [
            "거 아",
            "거 없",
            "거 있",
            "게 있",
            "게 없",
            "건 없",
            "건가",
            "건지",
            "점이 있",
            "부분 있",
            "내용 있",
        ]
        .iter()
        .any(|word| rest.trim_start().starts_with(word))
    } else {
        ASKS.is_match(rest)
    };
    let doubts = DOUBTS.iter().any(|word| text.contains(word));
    Some(if asks || doubts { Change::Asked } else { Change::Happened })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_that_is_said_is_told_from_one_that_is_asked_about() {
        for said in [
            "법이 바뀌었다던데 다시 알려줘",
            "개정된 법으로 설명해줘",
            "올해부터 달라진 기준으로 알려줘",
            "규제가 강화됐다고 하던데 한도 다시 봐줘",
            "the law was amended last month, explain again",
            // Whatever it is called, somebody has heard of it.
            "그 법 국회에서 처리됐다던데 다시 알려줘",
            "오늘 금리 손봤다네요 다시 계산",
        ] {
            assert_eq!(read(said), Some(Change::Happened), "{said}");
        }
        for asked in [
            "요즘 법이 바뀐 거 아닌가? 지금도 맞아?",
            "그 조항 혹시 최근에 개정되지 않았어? 법이 바뀌었어?",
            "법이 바뀌었는지 알려줘",
            "has the law changed since?",
        ] {
            assert_eq!(read(asked), Some(Change::Asked), "{asked}");
        }
        for told in [
            "금리는 좀 전에 조회했다니까 그걸로 계산해줘",
            "한도 얘기는 이미 들었다면서 왜 또 묻니",
            "시세 표로 보여줬다는데 어디 있어",
        ] {
            assert_eq!(read(told), None, "{told}");
        }
        assert_eq!(read("집주인이 바뀌었는데 보증금은 누구한테 받아요"), None);
    }
}
