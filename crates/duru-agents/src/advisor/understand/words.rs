//! Small questions about written Korean: where a word begins, and whether what
//! follows a noun is a particle.

use std::sync::LazyLock;

use regex::Regex;

/// Words that join two things which are spoken of alike; signs and what joins sentences are not among them.
pub(crate) const AND: &[&str] = &["랑", "이랑", "하고", "와", "과", "및", "and"];

/// Particles and endings that follow a noun, longest first among equals.
const PARTICLES: &[&str] = &[
    "에서부터",
    "중에서는",
    "중에서",
    "중에는",
    "중에",
    "중엔",
    "에서는",
    "에서도",
    "으로는",
    "으로도",
    "이라는",
    "이라고",
    "에서",
    "에는",
    "에도",
    "에선",
    "에게",
    "으로",
    "이랑",
    "하고",
    "까지",
    "부터",
    "보다",
    "처럼",
    "만큼",
    "마다",
    "조차",
    "이나",
    "이고",
    "인데",
    "이며",
    "이요",
    "이야",
    "이에",
    "에요",
    "예요",
    "인가",
    "이면",
    "라면",
    "라는",
    "라고",
    "대로",
    "밖에",
    "로는",
    "로도",
    "은",
    "는",
    "이",
    "가",
    "을",
    "를",
    "의",
    "에",
    "로",
    "와",
    "과",
    "랑",
    "도",
    "만",
    "나",
    "요",
    "야",
    "면",
    "들",
];

/// Does a word begin at this byte?
pub(crate) fn begins_word(text: &str, at: usize) -> bool {
    text[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric())
}

/// The rest of the word from this byte on.
pub(crate) fn rest_of_word(text: &str, at: usize) -> &str {
    let rest = &text[at..];
    let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
    &rest[..end]
}

/// Is this nothing but particles?
pub(crate) fn is_particle(rest: &str) -> bool {
    rest.is_empty()
        || PARTICLES.iter().any(|particle| {
            rest.strip_prefix(particle).is_some_and(|after| after.is_empty() || PARTICLES.contains(&after))
        })
}

/// The text after the particles that `rest` begins with and the spaces after them.
pub(crate) fn after_particle(rest: &str) -> &str {
    let particle = PARTICLES.iter().find(|particle| {
        rest.strip_prefix(**particle)
            .is_some_and(|after| after.chars().next().is_none_or(|c| !c.is_alphanumeric()))
    });
    rest[particle.map_or(0, |particle| particle.len())..].trim_start()
}

/// 검색할 것 없이, 찾을 필요 없고: what there is no need of.
fn is_needless(rest: &str) -> bool {
    #[allow(clippy::unwrap_used, reason = "a pattern that is written here; a test uses it")]
    static NEEDLESS: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^\S{0,2} ?(?:것|거|필요|필욘)\S? ?(?:없[이어고는으]|없$|x)").unwrap());
    NEEDLESS.is_match(rest)
}

/// Is what came before taken back here: "강남 말고", "대출 없이"?
pub(crate) fn is_taken_back(rest: &str) -> bool {
    const WORDS: &[&str] = &[
        "말고",
        "빼고",
        "제외",
        "아니고",
        "아이고",
        "아니라",
        "아니고요",
        "잘못",
        "옛날",
        "대신",
        "없이",
        "없는",
        "접고",
        "접어두고",
        "관두고",
        "글렀고",
        "그만두고",
        "아닌",
        "무리고",
        "안 받",
        "안받",
        "됐고",
        "은 됐",
        "는 됐",
        "하지 말",
        "하지말",
        "지 말",
        "지 마",
        // 최신 아니어도 돼, 업데이트 안 해도 돼: what may be left undone is not asked for.
        "아니어도",
        "아니라도",
        "아녀도",
        "안 해도",
        "안해도",
        "지 않아도",
        "지 않고",
        "상관없",
        "상관 없",
    ];
    // "잠실동 데이터 말고": one word that only says what of it.
    const THINGS: &[&str] = &[
        "데이터",
        "시세",
        "결과",
        "자료",
        "정보",
        "쪽",
        "거",
        "것",
        "걸",
        "지역",
        "아파트",
        "집",
        "얘긴",
        "얘기는",
        "얘기",
        "이야기는",
    ];
    let rest = rest.trim_start();
    let bare = after_particle(rest);
    let beyond = THINGS.iter().find_map(|thing| bare.strip_prefix(thing)).map(after_particle);
    // 소득이 없는데: who tells that there is none takes nothing back.
    let tells = |text: &str| text.starts_with("없는데");
    let begins = |text: &str| WORDS.iter().any(|word| text.starts_with(word)) && !tells(text);
    is_needless(rest) || begins(rest) || begins(bare) || beyond.is_some_and(begins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn particles_are_told_from_the_rest_of_a_word() {
        assert!(is_particle("에서는") && is_particle("") && is_particle("만의"));
        assert!(!is_particle("난방") && !is_particle("식"));
        assert_eq!(after_particle("에서 집"), "집");
        assert_eq!(after_particle("구 집"), "구 집");
    }

    #[test]
    fn what_is_taken_back_is_seen_through_a_particle() {
        assert!(is_taken_back(" 말고 서초구") && is_taken_back("가 아니라 송파구") && is_taken_back(" 없이"));
        assert!(!is_taken_back("랑 서초구"));
    }
}
