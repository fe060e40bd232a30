//! Whether a question has the words of a phrase.

use super::stem::inflects;
use super::words::{Word, content_words};
use super::{Lexicon, vague};

/// How many words apart the words of a phrase may be.
const REACH: usize = 6;

/// A word of a question.
pub(super) struct QuestionWord<'a> {
    pub(super) text: &'a str,
    pub(super) stem: &'a str,
    /// The known nouns that it is made of.
    parts: Vec<&'a str>,
}

impl<'a> QuestionWord<'a> {
    /// A word comes apart once, not for every entry.
    pub(super) fn of(word: Word<'a>, lexicon: &Lexicon) -> Self {
        // A term of its own is not about its parts: 임차권등기명령 is no 등기.
        let whole = lexicon.knows(word.stem);
        let parts = if whole { Vec::new() } else { lexicon.parts(word.stem) };
        Self { text: word.text, stem: word.stem, parts }
    }
}

/// A word of a phrase.
#[derive(Debug, Clone)]
pub(super) enum Pattern {
    /// In any form: 올리다 is 올려, 올린.
    Verb(String),
    Noun(String),
}

/// The words of a phrase that a question must have. Of English ones those that say something, without their endings.
pub(super) fn patterns(phrase: &str) -> Vec<Pattern> {
    if !phrase.is_ascii() {
        return phrase.split_whitespace().map(Pattern::of).collect();
    }
    let words = content_words(phrase).into_iter().filter(|word| word.weight > 0.0);
    words.map(|word| Pattern::Noun(word.stem)).collect()
}

impl Pattern {
    fn of(word: &str) -> Self {
        match word.strip_suffix('다').filter(|stem| !stem.is_empty()) {
            Some(stem) => Self::Verb(stem.to_owned()),
            None => Self::Noun(word.to_owned()),
        }
    }
}

/// Where the question has a phrase's words.
pub(super) fn find(
    patterns: &[Pattern],
    words: &[QuestionWord<'_>],
    lexicon: &Lexicon,
) -> Option<Vec<usize>> {
    apart(patterns, words, lexicon).or_else(|| together(patterns, words, lexicon))
}

/// The last noun and its verb in one word: 부동산 문닫으려면.
fn together(patterns: &[Pattern], words: &[QuestionWord<'_>], lexicon: &Lexicon) -> Option<Vec<usize>> {
    let [others @ .., Pattern::Noun(noun), Pattern::Verb(verb)] = patterns else { return None };
    let joined = |word: &QuestionWord<'_>| {
        let rest = word.text.strip_prefix(noun.as_str());
        rest.is_some_and(|rest| rest.chars().nth(1).is_some() && inflects(verb, rest))
    };
    let at = words.iter().position(joined)?;
    if others.is_empty() {
        return Some(vec![at]);
    }
    let mut places = apart(others, words, lexicon)?;
    let near = places.iter().all(|place| place.abs_diff(at) <= REACH && *place != at);
    places.push(at);
    near.then_some(places)
}

fn apart(patterns: &[Pattern], words: &[QuestionWord<'_>], lexicon: &Lexicon) -> Option<Vec<usize>> {
    let (first, others) = patterns.split_first()?;
    (0..words.len()).filter(|at| fits(first, words, *at, lexicon)).find_map(|start| {
        let reach = start.saturating_sub(REACH)..words.len().min(start + REACH + 1);
        let mut places = vec![start];
        for pattern in others {
            let place =
                reach.clone().find(|at| !places.contains(at) && fits(pattern, words, *at, lexicon))?;
            places.push(place);
        }
        Some(places)
    })
}

fn fits(pattern: &Pattern, words: &[QuestionWord<'_>], at: usize, lexicon: &Lexicon) -> bool {
    let word = &words[at];
    match pattern {
        Pattern::Verb(stem) => inflects(stem, word.text),
        Pattern::Noun(noun) => {
            if word.stem == noun || word.text == noun {
                return true;
            }
            if noun.is_ascii() || noun.chars().nth(1).is_none() {
                return false;
            }
            // Written apart: 등기부 등본.
            let apart = noun.chars().count() >= 4
                && noun.starts_with(word.text)
                && words.get(at + 1).is_some_and(|next| noun[word.text.len()..] == *next.stem);
            apart || (word.parts.contains(&noun.as_str()) && heads(noun, word.stem, lexicon))
        }
    }
}

/// Is a compound about that part of it? 비밀번호 is a 번호, which nobody knows, and no 비밀.
fn heads(part: &str, compound: &str, lexicon: &Lexicon) -> bool {
    let Some((_, rest)) = compound.rsplit_once(part) else { return false };
    rest.chars().nth(1).is_none() || vague(rest) || lexicon.knows(rest) || !lexicon.parts(rest).is_empty()
}
