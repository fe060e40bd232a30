//! Words by which a question goes on from what was said, takes it back or asks for it once more.

/// Words that point at a home, a sum or a condition that was spoken of, or that change one of its figures.
pub(super) const POINTS: &[&str] = &[
    "그 집",
    "이 집",
    "그 가격",
    "이 가격",
    "그 한도",
    "그 금액",
    "그 돈",
    "그 조건",
    "같은 조건",
    "그 대출",
    "바꾸면",
    "바꿔서",
    "늘리면",
    "줄이면",
    "올리면",
    "내리면",
    "낮추면",
    "높이면",
    "with that",
    "at that",
    "instead",
    "what if",
];

/// Words that ask for the same with something changed: 금리가 5%면, 대출을 받으면. Endings and openings of an "if"; they
/// count only where nothing else is spoken of.
pub(super) const SUPPOSES: &[&str] =
    &["면?", "면요?", "면 ", "what if", "and if", "if i ", "if we ", "instead", "what about", "how about"];
/// Words that take something back and say it otherwise.
pub(super) const CORRECTS: &[&str] = &[
    "아니 ",
    "아니,",
    "아니고",
    "아니라",
    "아냐",
    "아니야",
    "말고",
    "잘못",
    "실수",
    "redo",
    "again",
    "다시",
    "오타",
    "정정",
    "고쳐",
    "깜빡",
    "빼먹",
    "반영",
    "바뀌",
    "바꼈",
    "얹어",
    "더해서",
    "포함해",
    "돌아가면",
    "take that off",
    "add that",
    "include",
    "scratch that",
    "바꿔",
    "바꾸",
    "수정",
    "make it",
    "i meant",
    "i mean",
    "sorry",
    "actually",
    "not ",
    "correction",
    "wrong",
    "wait",
    "forgot",
    "also ha",
    "맞다",
    "oops",
    "now says",
    "turns out",
    "앗",
    "다시 보니",
];

/// Words that ask for the same once more.
pub(super) const AGAIN: &[&str] = &["다시", "둘다", "둘 다", "고쳐", "again", "redo", "both"];

/// Words that ask how much.
pub(super) const HOW_MUCH: &[&str] = &["얼마", "몇 ", "how much"];

/// Words that ask how much may be borrowed.
pub(super) const LIMIT: &[&str] = &[
    "한도",
    "얼마까지",
    "얼마나 빌",
    "얼마 빌",
    "살 수 있",
    "얼마나 나",
    "borrow",
    "afford",
    "the most",
    "highest",
];
