//! A text letter by letter, in one spelling, and where each letter stood.

use crate::hangul::{Syllable, is_syllable, push};

/// One letter of a text: a part of a syllable, or a small Latin letter.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Letter {
    pub(crate) it: char,
    /// The bytes of the source that it is, or is part of.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Whether a syllable or other letter begins here.
    pub(crate) first: bool,
    /// Whether it was written as a capital.
    pub(crate) capital: bool,
}

/// Full-width signs and letters as ASCII has them, one kind of quotes and dashes.
pub(crate) fn narrow(text: &str) -> String {
    text.chars().map(narrow_letter).collect()
}

fn narrow_letter(letter: char) -> char {
    match letter {
        '\u{3000}' | '\u{a0}' | '\t' | '\n' | '\r' => ' ',
        '！'..='～' => char::from_u32(letter as u32 - 0xFEE0).unwrap_or(letter),
        '〜' | '∼' => '~',
        '“' | '”' | '「' | '」' | '『' | '』' => '"',
        '‘' | '’' | '`' | '´' => '\'',
        '–' | '—' | '−' => '-',
        '≥' => '≥',
        other => other,
    }
}

pub(crate) fn letters(text: &str) -> Vec<Letter> {
    let mut all = Vec::with_capacity(text.len());
    for (start, source) in text.char_indices() {
        let end = start + source.len_utf8();
        let narrowed = narrow_letter(source);
        if is_syllable(narrowed) {
            let mut parts = String::new();
            if let Some(syllable) = Syllable::of(narrowed) {
                push(&mut parts, syllable);
            }
            all.extend(parts.chars().enumerate().map(|(place, it)| Letter {
                it,
                start,
                end,
                first: place == 0,
                capital: false,
            }));
        } else {
            let small = narrowed.to_lowercase().next().unwrap_or(narrowed);
            all.push(Letter { it: small, start, end, first: true, capital: small != narrowed });
        }
    }
    all
}
