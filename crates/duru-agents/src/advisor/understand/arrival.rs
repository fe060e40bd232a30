//! Papers that come in while the talk goes on: one that has been sent, received or attached takes the place of the one
//! that was looked at.

use std::sync::LazyLock;

use duru_language::{Particle, Token, segment, words as language};
use regex::Regex;

use super::words::{begins_word, is_particle, rest_of_word};

/// What a paper is called that may come in.
const PAPERS: &[&str] = &[
    "계약서",
    "특약",
    "서류",
    "문서",
    "초안",
    "파일",
    "사진",
    "스캔",
    "사본",
    "원본",
    "수정본",
    "최종본",
    "contract",
    "lease",
    "agreement",
    "document",
    "draft",
    "copy",
    "scan",
    "addendum",
];

/// Verbs of coming, sending and receiving that say that it has happened: 보내왔어요, 다시 받았어, but not 언제 다시 받나요.
#[allow(clippy::unwrap_used, reason = "a pattern that is written here; a test uses it")]
static HAS_COME: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"보내 ?(?:왔|온|줬|주셨|주었)|도착(?:했|하였)|(?:첨부|전송)(?:했|하였|됐|되었|합니다|해 ?(?:드|놨|뒀|왔|줬|주셨))|(?:받아|가져|갖고) ?왔|(?:다시|새로|또|막|이제) (?:왔|온 |받았|받은|보냈|보낸|보내셨|보내 ?(?:준|주신|온)|올렸|올린)",
    )
    .unwrap()
});

/// A paper as what has come: 초안이 왔는데, 계약서 왔어요.
#[allow(clippy::unwrap_used, reason = "see above")]
static PAPER_CAME: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:계약서|특약|서류|문서|초안|파일|사진|스캔|사본|원본|수정본|최종본)[이가도은는]? ?(?:지금 |방금 |막 )?(?:왔|도착)").unwrap()
});

/// This one, too, is to be looked at: 이 계약서도 봐줘, 이것도 검토해줘.
#[allow(clippy::unwrap_used, reason = "see above")]
static THIS_TOO: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?:^|[ ,])(?:(?:이|요|저|다음|여기) ?(?:계약서|초안|파일|사진|서류|문서)|이것|이거|요것|요거)도 (?:좀 |한번 |한 번 |같이 |마저 )?(?:검토|읽어|살펴|봐(?:$|[ .?!~줘주요라]))",
    )
    .unwrap()
});

/// I just got the lease, they also sent this one, I have attached the draft.
#[allow(clippy::unwrap_used, reason = "see above")]
static CAME_IN_ENGLISH: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"\b(?:just|also|now) (?:got|received|sent|signed|emailed)(?: (?:me|us|over|back|through|in))*(?:$|[.,;!?]| (?:\w+ ){0,3}?(?:it|this|one|contract|lease|agreement|document|draft|copy|version|addendum|scan)\b)|\b(?:i|i've|i have|he|she|they) (?:\w+ )?attached\b|\battached (?:is|are)\b",
    )
    .unwrap()
});

/// When somebody looked at it is over: 아까 보내온 계약서 is the one that was looked at.
const EARLIER: &[&str] =
    &["아까", "지난번", "저번", "좀 전에", "조금 전에", "earlier", "before", "last time"];

/// Is a paper named, and not only what else begins like one: 계약서, but not 계약금?
pub(super) fn names_paper(text: &str) -> bool {
    PAPERS.iter().any(|paper| {
        text.match_indices(paper).any(|(at, _)| {
            let rest = rest_of_word(text, at + paper.len());
            let begins = !paper.is_ascii() || begins_word(text, at);
            begins && (is_particle(rest) || rest == "s")
        })
    })
}

/// Has something come in that may be a paper? What is said to be another thing, a deposit or an answer, is none.
pub(super) fn has_come(text: &str) -> bool {
    let earlier = |at: usize| EARLIER.iter().any(|word| clause(text, at).contains(word));
    let korean = HAS_COME.find_iter(text).chain(PAPER_CAME.find_iter(text));
    let come = korean.map(|found| found.start()).any(|at| !earlier(at) && !is_another_thing(text, at));
    let english = CAME_IN_ENGLISH.find(text).is_some_and(|found| !earlier(found.start()));
    come || english || THIS_TOO.is_match(text)
}

/// The part of the sentence before this byte.
fn clause(text: &str, at: usize) -> &str {
    let before = &text[..at];
    let begin = before.rfind([',', '.', '?', '!', ';', '\n']).map_or(0, |sign| sign + 1);
    &before[begin..]
}

/// Is what stands right before the verb at this byte, as what is sent, received or comes, something else than a paper?
fn is_another_thing(text: &str, at: usize) -> bool {
    const THINGS: &[&str] =
        &["금", "돈", "월세", "관리비", "수리비", "복비", "료", "답", "답장", "연락", "전화", "문자", "메일"];
    const WHEN: &[&str] =
        &["지금", "방금", "조금", "다시", "새로", "또", "막", "이제", "오늘", "어제", "전부", "모두", "다"];
    let before = clause(text, at);
    let tokens = segment(before, &[language::general()]);
    // From or to whom, where and how says nothing of what it is.
    let aside = |token: &Token| {
        [Particle::To, Particle::From, Particle::At, Particle::By].iter().any(|of| token.particle(*of))
    };
    let said = |token: &&Token| !aside(token) && !WHEN.contains(&token.text(before));
    let Some(last) = tokens.iter().rev().find(said) else { return false };
    let word = before[..last.end].rsplit(' ').next().unwrap_or_default();
    let paper =
        |word: &str| PAPERS.iter().chain(&["것", "거", "걸", "내용"]).any(|paper| word.ends_with(paper));
    last.particle(Particle::Object) && !paper(word)
        || THINGS.iter().any(|thing| word.trim_end_matches('이').ends_with(thing))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paper_that_has_come_is_told_from_what_may_come() {
        for come in [
            "중개사가 방금 파일을 보내왔습니다",
            "서명된 서류 도착했어요",
            "새로 받은 거예요",
            "집주인이 고쳐서 다시 보내준 겁니다",
            "임대인이 특약을 더 적어서 또 보냈네요",
            "초안이 왔는데 어떤가요",
            "도장을 찍어 다시 보낸 거예요",
            "사진으로 첨부했습니다",
            "이 문서도 살펴봐 주세요",
            "이것도 한번 검토해줘",
            "the agent just sent the signed copy",
            "i have attached the draft",
            "they also emailed this one",
        ] {
            assert!(has_come(come), "{come}");
        }
        for other in [
            "이 특약대로면 보증금은 언제 다시 받나요?",
            "이것도 불리한가요?",
            "카톡으로 전송하게 세 줄로 줄여줘",
            "이것도 봐야 하나요",
            "다시 온라인으로 신고해야 하나요",
            "영수증을 첨부해야 하나요",
            "전세금은 다시 받았는데 이 조항은 어떻게 되나요",
            "관리비를 또 보냈어요",
            "돈이 다시 왔어요",
            "보증금을 집주인한테 다시 받았어요",
            "연락이 다시 왔는데 이대로 도장 찍어도 될까요",
            "서류도 따로 필요한가요",
            "아까 보내온 계약서에서 위약금만",
            "새로 받을 세입자에게도 적용되나요",
            "can i get my deposit back under this clause",
            "i just got my deposit back",
            "is this one bad too",
            "shorten it so i can send it",
        ] {
            assert!(!has_come(other), "{other}");
        }
    }

    #[test]
    fn a_paper_is_told_from_what_begins_like_one() {
        assert!(names_paper("계약서가 왔어") && names_paper("the lease came"));
        assert!(!names_paper("계약금을 다시 받았어") && !names_paper("we released it"));
    }
}
