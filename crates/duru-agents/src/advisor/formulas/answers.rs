//! What kind of answer a sentence asks for.

/// A kind of answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// A sum of money.
    Amount,
    /// A part of something, in hundredths.
    Share,
    /// A day, or how long.
    Date,
    /// Which of two.
    Choice,
}

/// The words that ask for each kind, in Korean and English.
#[rustfmt::skip]
const KINDS: &[(Answer, &[&str])] = &[
    (Answer::Amount, &["얼마", "얼만", "몇 만", "몇만", "how much", "how far", "the most", "cap ", "the cap", "most i"]),
    (Answer::Share, &["몇 프로", "몇프로", "몇 퍼", "몇퍼", "몇 %", "몇%", "퍼센트야", "비율", "몇프", "대비", "what share", "ratio", "percent of", "what percent", "how many percent", "what rate"]),
    (Answer::Date, &["언제", "며칠", "몇 일", "기한", "by when", "when do", "when am", "when will", "when would", "latest date", "when does", "when can", "when is", "when's", "when should", "from when", "deadline", "how long", "what day", "which day"]),
    (Answer::Choice, &["어느쪽", "어느 쪽", "뭐가 나", "뭐가 싸", "뭐가 유리", "어떤게 싸", "어디가 싸", "어디가 적", "which is", "cheaper", "costs less", "better"]),
];

/// Where a sentence ends.
const ENDS: &[&str] = &["? ", "! ", ". ", "; ", "\n"];

/// A sentence in small letters, and what it asks for.
pub(super) struct Sentence<'a> {
    text: &'a str,
    /// Where it begins in the whole text.
    at: usize,
    kinds: Vec<Answer>,
}

impl Sentence<'_> {
    pub(super) fn says(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.text.contains(word))
    }

    /// Where in the whole text the first of these words stands.
    pub(super) fn place(&self, words: &[&str]) -> Option<usize> {
        Some(self.at + words.iter().filter_map(|word| self.text.find(word)).min()?)
    }

    /// Does it ask for one of these? Who says no kind asks for any; how much may be meant of a share, too.
    pub(super) fn asks_for(&self, kinds: &[Answer]) -> bool {
        self.kinds.is_empty()
            || self
                .kinds
                .iter()
                .any(|kind| kinds.contains(kind) || *kind == Answer::Amount && kinds.contains(&Answer::Share))
    }
}

/// The sentences of a text in small letters. A remark that asks for nothing is held with what it is beside: the kinds
/// that the whole asks for are its own.
pub(super) fn sentences(text: &str) -> Vec<Sentence<'_>> {
    let mut pieces = Vec::new();
    let (mut rest, mut begin) = (text, 0);
    while let Some(end) = ENDS.iter().filter_map(|mark| rest.find(mark).map(|at| at + mark.len())).min() {
        pieces.push((begin, &rest[..end]));
        rest = &rest[end..];
        begin += end;
    }
    pieces.push((begin, rest));
    let whole = kinds(text);
    let mut found: Vec<Sentence<'_>> = pieces
        .into_iter()
        .filter(|(_, piece)| !piece.trim().is_empty())
        .map(|(at, piece)| Sentence { text: piece, at, kinds: kinds(piece) })
        .collect();
    for sentence in &mut found {
        if sentence.kinds.is_empty() && !sentence.text.contains('?') {
            sentence.kinds.clone_from(&whole);
        }
    }
    // What is asked may stand in one sentence and what about in another.
    if found.len() > 1 {
        found.push(Sentence { text, at: 0, kinds: whole });
    }
    found
}

fn kinds(text: &str) -> Vec<Answer> {
    let padded = format!("{text} ");
    KINDS
        .iter()
        .filter(|(_, words)| words.iter().any(|word| padded.contains(word)))
        .map(|(kind, _)| *kind)
        .collect()
}

/// Does a text ask for a day or a time, and for nothing else?
pub(in crate::advisor) fn asks_only_when(text: &str) -> bool {
    kinds(&text.to_lowercase()) == [Answer::Date]
}
