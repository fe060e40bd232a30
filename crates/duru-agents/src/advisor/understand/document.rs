//! Which contract a question speaks of: the one that was looked at, another, or one that has been changed since.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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

/// Reads it from a text (lower case, single spaces).
pub(super) fn version(text: &str) -> Version {
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if !says(NOUNS) {
        return Version::Unsaid;
    }
    if says(OTHER) {
        return Version::Other;
    }
    if says(REVISED) && !says(MAY) { Version::Revised } else { Version::Unsaid }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_paper_is_told_from_one_that_may_be_changed() {
        assert_eq!(version("집주인이 특약을 고쳐서 보냈어, 다시 봐줘"), Version::Revised);
        assert_eq!(version("다른 계약서도 검토해줘"), Version::Other);
        assert_eq!(version("the landlord sent an amended lease"), Version::Revised);
        assert_eq!(version("이 특약을 수정해도 되나요"), Version::Unsaid);
        assert_eq!(version("아까 올린 계약서에서 특약만"), Version::Unsaid);
    }
}
