//! The facts of a sentence: words, numbers, and whether it denies.

use std::collections::HashSet;

use duru_search::text::{Lexicon, TermKind, bigrams, normalise, terms};

use super::sentences::without_citations;
use super::subject::content_words;

/// What a sentence says, in parts that can be compared.
#[derive(Debug, Clone, Default)]
pub(super) struct Facts {
    /// Its words that say something, each in pairs of syllables; Latin words whole.
    words: Vec<Vec<String>>,
    pairs: HashSet<String>,
    /// Amounts, rates, periods, dates and articles in one form, and bare numbers.
    pub(super) numbers: HashSet<String>,
    /// All of its digits, which a number without a unit may stand for.
    pub(super) digits: HashSet<String>,
    pub(super) denies: bool,
}

impl Facts {
    pub(super) fn of(sentence: &str) -> Self {
        let sentence = without_citations(sentence);
        // Numbers are compared as numbers, not as words.
        let words = content_words(&sentence)
            .into_iter()
            .filter(|word| !word.chars().any(|c| c.is_ascii_digit()))
            .map(|word| bigrams(&word))
            .filter(|pairs| !pairs.is_empty())
            .collect();
        let pairs = bigrams(&sentence).into_iter().collect();
        Self {
            words,
            pairs,
            numbers: numbers(&sentence),
            digits: digits(&sentence),
            denies: denies(&sentence),
        }
    }

    /// How much of its words another text has, from nothing to one.
    pub(super) fn share_in(&self, pairs: &HashSet<String>) -> f32 {
        if self.words.is_empty() {
            return 1.0;
        }
        let share = |word: &Vec<String>| {
            word.iter().filter(|pair| pairs.contains(*pair)).count() as f32 / word.len() as f32
        };
        self.words.iter().map(share).sum::<f32>() / self.words.len() as f32
    }

    pub(super) fn pairs(&self) -> &HashSet<String> {
        &self.pairs
    }

    /// How alike two sentences are but for their numbers: the smaller share of words of one in the other.
    pub(super) fn alike(&self, other: &Self) -> f32 {
        self.share_in(&other.pairs).min(other.share_in(&self.pairs))
    }

    /// Whether they say different numbers of the same kind, and none in common.
    pub(super) fn other_numbers(&self, other: &Self) -> bool {
        let kinds = |facts: &Self| -> HashSet<String> {
            facts.numbers.iter().filter_map(|number| kind(number)).collect()
        };
        let (ours, theirs) = (kinds(self), kinds(other));
        ours.intersection(&theirs).any(|shared| {
            let of = |facts: &Self| -> HashSet<String> {
                facts.numbers.iter().filter(|number| kind(number).as_ref() == Some(shared)).cloned().collect()
            };
            of(self).is_disjoint(&of(other))
        })
    }
}

/// The unit of a number; an article's is none, for it only names a place.
fn kind(number: &str) -> Option<String> {
    if number.starts_with('제') {
        return None;
    }
    Some(number.chars().filter(|c| !c.is_ascii_digit() && !matches!(c, '#' | '.' | ',')).collect())
}

fn unit_numbers(text: &str) -> HashSet<String> {
    let lexicon = Lexicon::default();
    terms(text, &lexicon)
        .into_iter()
        .filter(|term| term.kind == TermKind::Number)
        .map(|term| term.text)
        .collect()
}

/// Numbers with a unit in one form, and those without one as they stand.
pub(super) fn numbers(text: &str) -> HashSet<String> {
    let normal = normalise(text);
    let units = unit_numbers(&normal);
    let bare = digit_runs(&normal).into_iter().filter(|(start, end)| {
        let without = format!("{} {}", &normal[..*start], &normal[*end..]);
        // What changes no number with a unit stands alone.
        units.is_subset(&unit_numbers(&without))
    });
    let bare: Vec<String> = bare.map(|(start, end)| normal[start..end].replace(',', "")).collect();
    units.into_iter().chain(bare).collect()
}

/// Every run of digits, whatever stands behind it; ② is the second paragraph.
fn digits(text: &str) -> HashSet<String> {
    let normal = normalise(text);
    let runs = digit_runs(&normal).into_iter().map(|(start, end)| normal[start..end].replace(',', ""));
    let paragraphs = text.chars().filter(|sign| ('①'..='⑳').contains(sign));
    runs.chain(paragraphs.map(|sign| (u32::from(sign) - u32::from('①') + 1).to_string())).collect()
}

fn digit_runs(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut runs = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len()
            && (bytes[at].is_ascii_digit()
                || (matches!(bytes[at], b',' | b'.') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)))
        {
            at += 1;
        }
        runs.push((start, at));
    }
    runs
}

/// To not exceed is to say a limit, as "up to" does.
const LIMITS: [&str; 6] = ["넘지", "초과하지", "초과할", "넘을", "exceed", "more than"];
const KOREAN: [&str; 11] =
    ["않", "못하", "못한", "못합", "없", "아니", "금지", "불가", "안 되", "안 된", "안 됩"];
const ENGLISH: [&str; 11] = [
    "not",
    "no",
    "never",
    "cannot",
    "without",
    "neither",
    "nor",
    "prohibited",
    "forbidden",
    "none",
    "refused",
];

/// Whether it says that something is not so, or may not be. Korean says so at the end of a sentence; what is denied
/// further in front belongs to a condition.
fn denies(sentence: &str) -> bool {
    let normal = normalise(sentence);
    let words: Vec<&str> = normal.split_whitespace().collect();
    if sentence.chars().any(|c| ('가'..='힣').contains(&c)) {
        let end = words[words.len().saturating_sub(3)..].join(" ");
        return !LIMITS.iter().any(|limit| end.contains(limit))
            && KOREAN.iter().any(|sign| end.contains(sign));
    }
    if LIMITS.iter().any(|limit| normal.contains(limit)) {
        return false;
    }
    words.iter().any(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        ENGLISH.contains(&word) || word.ends_with("n't")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_same_however_they_are_written() {
        assert_eq!(numbers("3억5천까지"), numbers("350,000,000원까지"));
        assert_eq!(numbers("5%를"), numbers("100분의 5를"));
        assert!(numbers("within 14 days").contains("14"));
        assert_ne!(numbers("14일"), numbers("30일"));
    }

    #[test]
    fn denial_is_told_from_limits_and_conditions() {
        for text in [
            "집주인은 거절할 수 없다.",
            "반려동물은 금지됩니다.",
            "신청하지 않는다.",
            "Pets are not allowed.",
            "You can't sublet.",
        ] {
            assert!(denies(text), "{text}");
        }
        for text in [
            "보증금을 받지 못한 임차인은 신청할 수 있다.",
            "100분의 5를 넘지 못한다.",
            "Rent may rise.",
            "It must not exceed 5%.",
        ] {
            assert!(!denies(text), "{text}");
        }
    }

    #[test]
    fn sentences_that_differ_in_a_number_are_alike_and_differ() {
        let (a, b) =
            (Facts::of("자전거 보관료는 매월 3천원입니다."), Facts::of("자전거 보관료는 매월 5천원이다."));
        assert!(a.alike(&b) > 0.6 && a.other_numbers(&b));
        let c = Facts::of("주차장은 밤 11시에 닫는다.");
        assert!(a.alike(&c) < 0.3);
    }
}
