//! English words that are misspelt by one letter: taht, andriod.

use crate::lexicon::{Class, Lexicon};
use crate::segment::{TokenKind, segment};

/// A sentence with its misspelt words mended, and which ones: as written, as read. Only words that no lexicon has are
/// looked at, and only where a single other word is one letter away.
pub fn corrected(sentence: &str, lexicons: &[&Lexicon]) -> (String, Vec<(String, String)>) {
    let mut text = sentence.to_owned();
    let mut mended = Vec::new();
    for token in segment(sentence, lexicons).iter().rev() {
        let word = token.text(sentence);
        let plain = word.len() >= 4 && word.bytes().all(|byte| byte.is_ascii_lowercase());
        if token.kind != TokenKind::Unknown || !plain {
            continue;
        }
        if let Some(right) = near(word, lexicons) {
            text.replace_range(token.start..token.end, &right);
            mended.push((word.to_owned(), right));
        }
    }
    mended.reverse();
    (text, mended)
}

/// The one word that is a letter away; swapped letters are the likeliest slip.
fn near(word: &str, lexicons: &[&Lexicon]) -> Option<String> {
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
    // The first letter is seldom missed.
    others.retain(|other| {
        other.as_str() != word && other.chars().next() == word.chars().next() && known(other)
    });
    others.sort();
    others.dedup();
    match others.as_slice() {
        [one] => Some(one.clone()),
        _ => None,
    }
}

impl Lexicon {
    /// Whether it has this English word, by itself.
    fn has(&self, word: &str) -> bool {
        let mut place = self.root();
        for letter in word.chars() {
            match place.step(letter) {
                Some(next) => place = next,
                None => return false,
            }
        }
        place.entries().iter().any(|entry| entry.class == Class::Word)
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
        assert_eq!(read("xyzzyq"), "xyzzyq");
        assert_eq!(read("어제 에러"), "어제 에러");
    }
}
