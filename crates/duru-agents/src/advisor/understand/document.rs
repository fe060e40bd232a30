//! Which contract a question speaks of: the one that was looked at, another, or one that has been changed since.

use std::sync::LazyLock;

use regex::Regex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::arrival;
use super::lexicon::DataKind;

/// How the contract that is spoken of stands to the one before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Version {
    #[default]
    Unsaid,
    /// It was changed after it was looked at.
    Revised,
    /// It is another one.
    Other,
}

const NOUNS: &[&str] = &[
    "계약서",
    "특약",
    "조항",
    "문구",
    "서류",
    "계약",
    "contract",
    "lease",
    "agreement",
    "clause",
    "document",
];

/// What has been done to a paper: only what is done, not what might be.
#[rustfmt::skip]
const REVISED: &[&str] = &[
    "수정한", "수정된", "수정했", "수정됐", "수정되", "수정본", "수정해서", "수정해 와", "수정해왔", "고친", "고쳤", "고쳐서", "고쳐 왔", "바뀐", "바뀌었",
    "바뀌어", "바꿨", "바꾼", "바꿔서", "바꿔 왔", "변경된", "변경했", "변경한", "변경됐", "변경되", "변경본", "추가된", "추가했", "추가한", "추가됐", "넣었",
    "넣은", "뺐", "빠졌", "삭제된", "삭제했", "최종본", "개정본", "재작성", "다시 쓴", "다시 썼", "다시 작성한", "다시 작성해 왔", "새로 쓴", "새로 썼", "교체",
    "revised", "amended", "updated", "modified", "changed", "final version", "new version", "was added", "were added", "has added", "have added",
];
/// Whatever says that there is more than one paper.
#[rustfmt::skip]
const OTHER: &[&str] = &[
    "새 계약", "새계약", "새로운 계약", "새로 받은", "새로 온", "새로 보내", "새로 올린", "새 특약", "새로운 특약", "다른 계약", "다른 집 계약", "또 다른", "다른 서류",
    "이번 계약서", "이번에 받은", "이번에 온", "이번에 쓴", "방금 받은 계약", "오늘 받은", "두 번째 계약", "두번째 계약", "갱신 계약서", "갱신계약서", "재계약서",
    "하나 더 있는", "계약서가 하나 더", "계약서 하나 더", "new contract", "new lease", "another contract", "another lease", "other contract", "other lease",
    "different contract", "different lease", "second contract", "second lease", "contract i just got",
];
/// Sentences that only ask whether or how something may be changed.
const MAY: &[&str] = &[
    "바꿔도",
    "수정해도",
    "고쳐도",
    "바꿀 수",
    "수정할 수",
    "고칠 수",
    "넣을 수",
    "뺄 수",
    "can i",
    "can we",
];

/// Reads it from a text (lower case, single spaces). Where a contract was looked at last, what is handed in is one, too.
pub(super) fn version(text: &str, before: &[DataKind]) -> Version {
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let handed_in = is_handed_in(text, before);
    if !says(NOUNS) && !handed_in {
        return Version::Unsaid;
    }
    if says(OTHER) || handed_in {
        return Version::Other;
    }
    let revised = REVISED.iter().flat_map(|word| text.match_indices(word)).any(|(at, word)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        !before.trim_end().ends_with("안") && !is_denied(after)
    });
    if revised && !says(MAY) { Version::Revised } else { Version::Unsaid }
}

/// Is a contract spoken of that has just come in, by whatever name? Where none was looked at, a paper has to be named.
pub(super) fn is_handed_in(text: &str, before: &[DataKind]) -> bool {
    let paper = before.contains(&DataKind::Contract) || arrival::names_paper(text);
    EDITION.is_match(text) || paper && arrival::has_come(text)
}

/// What a contract is called: the word right before it, 옆집 계약서, and what is grown onto it, 전세계약서.
pub(super) fn names(text: &str) -> Vec<String> {
    let papers = ["계약서", "contract", "lease"];
    let words: Vec<&str> = text.split(' ').collect();
    let of = |at: usize| {
        let grown = papers.iter().find_map(|paper| words[at].find(paper))?;
        let before = at.checked_sub(1).map(|before| words[before]).unwrap_or_default();
        Some(format!("{before} {}", &words[at][..grown]))
    };
    (0..words.len()).filter_map(of).collect()
}

/// The names of editions: 2차본, 최종본.
#[allow(clippy::unwrap_used, reason = "see above")]
static EDITION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:[0-9]차|수정|최종|변경|이번|(?:^| )새)\s?[본판](?:$|[^가-힣]|[이을은도에])").unwrap()
});

/// 고친 건 없음, 바뀌지 않았어: so many letters behind it, and within the same word or the next.
fn is_denied(after: &str) -> bool {
    let near: String = after.chars().take(8).take_while(|c| !matches!(c, ',' | '.' | '?' | '!')).collect();
    near.split(' ')
        .take(3)
        .any(|word| word.starts_with("없") || word.starts_with("않") || word.starts_with("아니"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_paper_is_told_from_one_that_may_be_changed() {
        assert_eq!(version("집주인이 특약을 고쳐서 보냈어, 다시 봐줘", &[]), Version::Revised);
        assert_eq!(version("계약서 특약, 그 뒤로 고친 건 없음", &[]), Version::Unsaid);
        let contract = [DataKind::Contract];
        assert_eq!(version("집주인이 도장 찍어 다시 보낸 거예요", &contract), Version::Other);
        assert_eq!(version("집주인이 도장 찍어 다시 보낸 거예요", &[]), Version::Unsaid);
        assert_eq!(version("2차본이에요", &[]), Version::Other);
        assert_eq!(version("이 특약대로면 보증금은 언제 다시 받나요?", &contract), Version::Unsaid);
        assert_eq!(version("계약금을 다시 받았는데 이 조항대로인가요", &contract), Version::Unsaid);
        assert_eq!(version("계약 끝나고 다시 온 우편물은요", &[]), Version::Unsaid);
        assert_eq!(version("the landlord just sent the lease again", &[]), Version::Other);
        assert_eq!(version("다른 계약서도 검토해줘", &[]), Version::Other);
        assert_eq!(version("the landlord sent an amended lease", &[]), Version::Revised);
        assert_eq!(version("이 특약을 수정해도 되나요", &[]), Version::Unsaid);
        assert_eq!(version("아까 올린 계약서에서 특약만", &[]), Version::Unsaid);
    }
}
