//! English words that are misspelt by one letter: taht, andriod.

use crate::lexicon::{Class, Lexicon, Place};
use crate::segment::{TokenKind, segment};
use crate::sense::{Sense, TimeWord, Unit};
use crate::words;

/// A sentence with its misspelt words mended, and which ones: as written, as read. Only words that no lexicon has are
/// looked at, and only where a single other word is one letter away.
pub fn corrected(sentence: &str, lexicons: &[&Lexicon]) -> (String, Vec<(String, String)>) {
    let mut text = sentence.to_owned();
    let mut mended = Vec::new();
    let tokens = segment(sentence, lexicons);
    for (at, token) in tokens.iter().enumerate().rev() {
        let word = token.text(sentence);
        let plain = word.len() >= 3 && word.bytes().all(|byte| byte.is_ascii_lowercase());
        if token.kind != TokenKind::Unknown || !plain || words::labels().before(word) {
            continue;
        }
        // Last wek: a short word is mended too, where it can only be a week, a month or a year.
        let named = at > 0
            && tokens[at - 1].senses.iter().any(|sense| {
                matches!(sense, Sense::Time(TimeWord::Recent | TimeWord::This | TimeWord::Previous))
            });
        if let Some(right) = named.then(|| calendar_unit(word, lexicons)).flatten() {
            text.replace_range(token.start..token.end, &right);
            mended.push((word.to_owned(), right));
            continue;
        }
        if word.len() < 4 {
            continue;
        }
        let counted = at > 0 && matches!(tokens[at - 1].kind, TokenKind::Number(_));
        if let Some(right) = near(word, lexicons, counted) {
            text.replace_range(token.start..token.end, &right);
            mended.push((word.to_owned(), right));
        }
    }
    mended.reverse();
    (text, mended)
}

/// The one word that is a letter away; swapped letters are the likeliest slip, and a unit is meant after a number.
fn near(word: &str, lexicons: &[&Lexicon], counted: bool) -> Option<String> {
    let known = |word: &String| lexicons.iter().any(|lexicon| lexicon.has(word));
    let letters: Vec<char> = word.chars().collect();
    let swapped = (0..letters.len() - 1).map(|at| {
        let mut other = letters.clone();
        other.swap(at, at + 1);
        other.into_iter().collect::<String>()
    });
    let swapped: Vec<String> = swapped.filter(known).collect();
    if let [one] = swapped.as_slice() {
        return Some(one.clone());
    }
    if !swapped.is_empty() || letters.len() < 6 {
        return None;
    }
    let mut others = one_letter_away(word);
    others.retain(known);
    let meaning = |word: &str| lexicons.iter().flat_map(|lexicon| lexicon.senses(word)).collect::<Vec<_>>();
    let unit = |other: &String| meaning(other).iter().any(|sense| matches!(sense, Sense::Unit(_)));
    if !(counted && others.iter().any(unit)) {
        return if let [one] = others.as_slice() { Some(one.clone()) } else { None };
    }
    // Forms of one unit are one: minuts is minutes or minute.
    others.retain(unit);
    let first = meaning(others.first()?);
    others.iter().all(|other| meaning(other) == first).then_some(())?;
    let alike = others.iter().find(|other| other.ends_with('s') == word.ends_with('s'));
    alike.or(others.first()).cloned()
}

/// All that is one letter more, less or other than a word. The first letter is seldom missed.
fn one_letter_away(word: &str) -> Vec<String> {
    let letters: Vec<char> = word.chars().collect();
    let mut others = Vec::new();
    for at in 0..=letters.len() {
        let (head, tail) = letters.split_at(at);
        let with =
            |middle: &[char], tail: &[char]| -> String { [head, middle, tail].concat().iter().collect() };
        if let Some((_, rest)) = tail.split_first() {
            others.push(with(&[], rest));
            others.extend(('a'..='z').map(|letter| with(&[letter], rest)));
        }
        others.extend(('a'..='z').map(|letter| with(&[letter], tail)));
    }
    others.retain(|other| other.as_str() != word && other.chars().next() == word.chars().next());
    others.sort();
    others.dedup();
    others
}

/// The one unit of the calendar, of four letters and more, that a word is a letter away from.
fn calendar_unit(word: &str, lexicons: &[&Lexicon]) -> Option<String> {
    let units = [Unit::Week, Unit::Month, Unit::Quarter, Unit::Year].map(Sense::Unit);
    let mut near = one_letter_away(word);
    near.retain(|other| {
        other.len() >= 4
            && lexicons.iter().flat_map(|lexicon| lexicon.senses(other)).any(|sense| units.contains(&sense))
    });
    if let [one] = near.as_slice() { Some(one.clone()) } else { None }
}

impl Lexicon {
    /// Whether it has this English word, by itself.
    fn has(&self, word: &str) -> bool {
        !self.senses(word).is_empty()
    }

    /// What an English word means by itself.
    fn senses(&self, word: &str) -> Vec<Sense> {
        let place = word.chars().try_fold(self.root(), Place::step);
        let entries = place.map_or(&[][..], Place::entries).iter();
        entries.filter(|entry| entry.class == Class::Word).map(|entry| entry.sense).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slip_is_mended_and_two_words_are_not_guessed_between() {
        let general = crate::words::general();
        let read = |text: &str| corrected(text, &[general]).0;
        assert_eq!(read("how many erorrs yesterady"), "how many erorrs yesterday", "only what a lexicon has");
        assert_eq!(read("taht"), "that");
        assert_eq!(read("20 secnds or 3 minuts"), "20 seconds or 3 minutes");
        assert_eq!(read("status 404"), "status 404");
        assert_eq!(read("flat prices of a broker"), "flat prices of a broker");
        assert_eq!(read("xyzzyq"), "xyzzyq");
        assert_eq!(read("어제 에러"), "어제 에러");
    }
}
