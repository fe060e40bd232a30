//! Whether a sentence says that something may be, or that it may not.

/// Whether something may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Polarity {
    Allows,
    Denies,
}

/// Words that many sentences have, whatever they are about.
pub(super) const IDLE: [&str; 34] = [
    "수",
    "있습",
    "없습",
    "합니",
    "됩니",
    "입니",
    "이며",
    "그리",
    "또한",
    "다만",
    "하지",
    "가능",
    "불가",
    "허용",
    "때문",
    "the",
    "and",
    "but",
    "for",
    "with",
    "that",
    "this",
    "may",
    "can",
    "not",
    "must",
    "allowed",
    "permitted",
    "yes",
    "are",
    "should",
    "will",
    "cannot",
    "no",
];

/// A limit is no denial: what does not exceed it may be. And what is likely is not allowed by that.
const NEUTRAL: [&str; 16] = [
    "가능성",
    "possibly",
    "may not exceed",
    "must not exceed",
    "넘지 못",
    "넘지 않",
    "넘을 수 없",
    "초과하지",
    "초과할 수 없",
    "not exceed",
    "never exceed",
    "cannot exceed",
    "no more than",
    "not more than",
    "no less than",
    "not less than",
];

const DENIES: [&str; 26] = [
    "수 없",
    "수는 없",
    "못합",
    "못한",
    "못하",
    "안 됩",
    "안 된",
    "안됩",
    "안된",
    "되지 않",
    "불가",
    "금지",
    "위법",
    "불법",
    "cannot",
    "can't",
    "can not",
    "may not",
    "must not",
    "mustn't",
    "not allowed",
    "not permitted",
    "not possible",
    "prohibited",
    "forbidden",
    "illegal",
];

const ALLOWS: [&str; 11] = [
    "수 있",
    "수는 있",
    "가능",
    "허용됩",
    "허용된",
    "괜찮",
    "can ",
    "may ",
    "allowed",
    "permitted",
    "possible",
];

/// Whether a text, in lower case, says that something may be; nothing if it says neither, or both.
pub(super) fn polarity(text: &str) -> Option<Polarity> {
    let mut text = text.to_owned();
    for neutral in NEUTRAL {
        text = text.replace(neutral, " ");
    }
    let opening = text.trim_start();
    if ["no,", "no.", "아니요", "아니오"].iter().any(|word| opening.starts_with(word)) {
        return Some(Polarity::Denies);
    }
    let denies = DENIES.iter().any(|word| text.contains(word));
    // "불가능" has "가능" in it, and "not allowed" has "allowed".
    for word in DENIES {
        text = text.replace(word, " ");
    }
    let allows = ALLOWS.iter().any(|word| text.contains(word));
    match (allows, denies) {
        (true, false) => Some(Polarity::Allows),
        (false, true) => Some(Polarity::Denies),
        _ => None,
    }
}
