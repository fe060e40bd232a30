//! The words of a question that no reader knows. Whoever acts on a question as if they were not there takes it for
//! another one: each of them may name a place, a home, a law or a lender that nobody has heard of.

use std::sync::LazyLock;

use duru_language::hangul::is_syllable;
use duru_language::{
    Ending, Off, Op, Particle, Sense as General, Token, TokenKind, segment, words as language,
};
use regex::Regex;

use super::lexicon::Mention;
use super::person;
use super::reference;
use super::region::PlaceMention;
use super::terms::Terms;

/// A word that no reader knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadWord {
    pub text: String,
    pub role: UnreadRole,
}

/// What the sentence does with a word that nobody knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnreadRole {
    /// 펜트하우스는: it takes the place of what was spoken of before.
    Topic,
    /// 군인이면, 처제가: who or what somebody is, or who does it.
    Subject,
    /// 타운하우스 시세: it stands before a word that is known, and makes a narrower thing of it.
    Narrows,
    /// What is done with the answer, why, or how: 영문으로, 곱하기, 잠이 안 와서.
    Other,
}

impl UnreadRole {
    /// By the word's particle, and by whether a word that some reader took comes next.
    fn of(text: &str, token: &Token, known_next: bool) -> Self {
        let before = text[..token.start].trim_end();
        match token.particles.first() {
            None if TOPIC.is_match(before) => Self::Topic,
            None if SUBJECT.is_match(before) => Self::Subject,
            Some(Particle::Topic) => Self::Topic,
            Some(Particle::Subject | Particle::Is) => Self::Subject,
            None | Some(Particle::Of) if known_next && !token.verb => Self::Narrows,
            _ => Self::Other,
        }
    }
}

/// What stands before the thing that an English sentence is about: what about, how much is a.
#[allow(clippy::unwrap_used, reason = "a pattern that is written here; a test uses it")]
static TOPIC: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?:\b(?:what|how) about|\bhow much (?:is|are|was|were|for|do|does|would)|\b(?:prices?|costs?|rents?) (?:of|for))(?: an?| the| one| some)?$",
    )
    .unwrap()
});

/// What stands before what somebody is, or who somebody is: I'm a, as a, if my.
#[allow(clippy::unwrap_used, reason = "see above")]
static SUBJECT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?:\b(?:i'm|i am|he's|he is|she's|she is|we're|we are|they're|they are|as|being) an?|\b(?:if|when|would|could|can|under) (?:my|her|his|our|their))$",
    )
    .unwrap()
});

/// A stretch of the text that some reader took, in bytes.
pub(super) type Taken = (usize, usize);

/// Stems that nobody took and that the general lexicon has no harmless meaning for, without particles and endings.
pub(super) fn find(text: &str, taken: &[Taken]) -> Vec<UnreadWord> {
    let mut unread: Vec<UnreadWord> = Vec::new();
    let tokens = segment(text, &[language::general()]);
    let is_taken = |token: &Token| taken.iter().any(|(begin, end)| *begin < token.end && token.start < *end);
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| is_content(token)) {
        // 분양권, 타운하우스전세: what is grown onto a known word narrows that.
        let known_next = is_taken(token) || tokens.get(at + 1).is_some_and(is_taken);
        for piece in left_over(text, token, taken) {
            if is_word(piece) && !unread.iter().any(|known| known.text == piece) {
                unread.push(UnreadWord {
                    text: piece.to_owned(),
                    role: UnreadRole::of(text, token, known_next),
                });
            }
        }
    }
    unread
}

/// Words that only say that something is asked, shown or counted are no content.
fn is_content(token: &Token) -> bool {
    let elsewhere = |sense: &General| matches!(sense, General::Off(Off::World | Off::Data | Off::Advice));
    match token.kind {
        TokenKind::Unknown => true,
        TokenKind::Word => !token.senses.is_empty() && token.senses.iter().all(elsewhere),
        _ => false,
    }
}

/// Is something pointed at that is to be shown, listed or worked out, whatever it is called?
pub(super) fn wants_it_shown(text: &str) -> bool {
    let tokens = segment(text, &[language::general()]);
    // 저 is also who speaks.
    let points = |token: &Token| token.has(General::Op(Op::Reference)) && token.text(text) != "저";
    let asks = |token: &Token| {
        token.verb && token.ending(Ending::Request)
            || token.text(text).ends_with('줘')
            || token.has(General::Op(Op::Show))
            || token.senses.iter().any(|sense| matches!(sense, General::Op(op) if FIGURES.contains(op)))
    };
    let points = tokens.iter().any(points) || reference::picks_among(text);
    points && tokens.iter().any(asks) || reference::names_data(text)
}

/// What is worked out from a list.
const FIGURES: &[Op] = &[
    Op::Average,
    Op::Median,
    Op::Minimum,
    Op::Maximum,
    Op::Sum,
    Op::Order,
    Op::Rank,
    Op::Percentile,
    Op::Quartile,
];

/// What of a token no reader took.
fn left_over<'a>(text: &'a str, token: &Token, taken: &[Taken]) -> Vec<&'a str> {
    let mut pieces = Vec::new();
    let mut start = token.start;
    for (at, letter) in text[token.start..token.end].char_indices() {
        let (from, to) = (token.start + at, token.start + at + letter.len_utf8());
        if taken.iter().any(|(begin, end)| *begin <= from && to <= *end) {
            pieces.push(&text[start..from]);
            start = to;
        }
    }
    pieces.push(&text[start..token.end]);
    if pieces.len() == 1 {
        return pieces;
    }
    // 금리표, 전세값: what is grown onto a word that is known may be known by itself; 분양권 is another word.
    let known = |piece: &str| segment(piece, &[language::general()]).iter().all(|token| !is_content(token));
    let last = text[token.start..token.end].chars().next_back();
    let strange = pieces.last().is_some_and(|piece| {
        piece.chars().count() == 1
            && !piece.ends_with(GROWN)
            && !known(piece)
            && last.is_some_and(is_syllable)
    });
    if strange {
        return vec![&text[token.start..token.end]];
    }
    pieces.retain(|piece| !piece.is_empty() && !known(piece));
    pieces
}

/// One syllable that makes no other thing of the noun before it.
const GROWN: &[char] = &[
    '값', '표', '액', '용', '대', '률', '율', '세', '쪽', '뷰', '집', '방', '건', '비', '형', '료', '분',
    '꼴', '치', '선',
];

/// One syllable, or two Latin letters, are as a rule a stray ending; 빡세게 and 천천히 say how, and not what.
fn is_word(piece: &str) -> bool {
    let letters = piece.chars().filter(|c| c.is_alphabetic()).count();
    let spoken = piece.chars().any(|c| ('가'..='힣').contains(&c));
    let how = spoken && letters > 2 && piece.ends_with(['히', '게']);
    // 넣어줘, 긁어주세요: what is to be done with it.
    let request =
        ["줘", "줘요", "주세요", "주세", "주라", "줄래", "주삼", "봐"].iter().any(|end| piece.ends_with(end));
    !how && !request && letters > if spoken { 1 } else { 2 }
}

/// What the readers took of a text.
pub(super) fn taken(text: &str, mentions: &[Mention], places: &[PlaceMention], terms: &Terms) -> Vec<Taken> {
    let mut taken: Vec<Taken> = mentions.iter().map(|mention| (mention.start, mention.end)).collect();
    taken.extend(places.iter().map(PlaceMention::span));
    taken.extend(terms.amounts.iter().map(|amount| amount.span));
    for name in &terms.complexes {
        taken.extend(text.match_indices(name.as_str()).map(|(at, name)| (at, at + name.len())));
    }
    taken.extend(person::spans(text));
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_reader_takes_is_left() {
        let unread = |text: &str| -> Vec<String> {
            let question = crate::advisor::understand::understand(text, &Default::default());
            question.unread.into_iter().map(|word| word.text).collect()
        };
        assert_eq!(unread("펜트하우스는 얼마나 해"), ["펜트하우스"]);
        assert_eq!(unread("이모 명의로 하면 얼마 나와요"), ["이모"]);
        for all_read in [
            "강남구 아파트 매매 시세 알려줘",
            "남편 명의로 하면 금리가 몇 프로예요?",
            "전세값 평균만 표로 정리해줘",
        ] {
            assert!(unread(all_read).is_empty(), "{all_read}: {:?}", unread(all_read));
        }
    }

    #[test]
    fn an_english_word_that_no_reader_takes_has_its_role() {
        let role = |text: &str| {
            let question = crate::advisor::understand::understand(text, &Default::default());
            question.unread.first().map(|word| (word.text.clone(), word.role))
        };
        let of = |word: &str, role| Some((word.to_owned(), role));
        assert_eq!(role("what about penthouses?"), of("penthouses", UnreadRole::Topic));
        assert_eq!(role("how much is a duplex?"), of("duplex", UnreadRole::Topic));
        assert_eq!(role("i'm a sailor, does that matter"), of("sailor", UnreadRole::Subject));
        assert_eq!(role("sort them for a scrapbook").map(|of| of.1), Some(UnreadRole::Other));
    }

    #[test]
    fn who_points_and_asks_to_be_shown_goes_on() {
        assert!(wants_it_shown("이것들 콤마로 나열해줘"));
        assert!(!wants_it_shown("저 김치찌개 끓이는 방법 알려줘") && !wants_it_shown("음 그거 있잖아"));
    }
}
