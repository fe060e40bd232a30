//! Syllables and the letters they are made of.

const FIRST: u32 = 0xAC00;
const LAST: u32 = 0xD7A3;
const VOWELS: u32 = 21;
const FINALS: u32 = 28;

/// The final consonants that matter to endings, as numbers of the standard's table.
pub(super) const NONE: u32 = 0;
pub(super) const N: u32 = 4;
pub(super) const D: u32 = 7;
pub(super) const L: u32 = 8;
pub(super) const M: u32 = 16;
pub(super) const B: u32 = 17;
pub(super) const S: u32 = 19;
pub(super) const SS: u32 = 20;
pub(super) const H: u32 = 27;

/// Initial consonants, as numbers of the standard's table.
pub(super) const R_ONSET: u32 = 5;
pub(super) const H_ONSET: u32 = 18;

/// Vowels, as numbers of the standard's table.
pub(super) const A: u32 = 0;
pub(super) const AE: u32 = 1;
pub(super) const EO: u32 = 4;
pub(super) const YEO: u32 = 6;
pub(super) const O: u32 = 8;
pub(super) const WA: u32 = 9;
pub(super) const WAE: u32 = 10;
pub(super) const OE: u32 = 11;
pub(super) const U: u32 = 13;
pub(super) const WO: u32 = 14;
pub(super) const EU: u32 = 18;
pub(super) const I: u32 = 20;

/// One syllable in its three parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Syllable {
    pub(super) onset: u32,
    pub(super) vowel: u32,
    pub(super) coda: u32,
}

impl Syllable {
    pub(super) fn of(c: char) -> Option<Self> {
        let code = u32::from(c);
        if !(FIRST..=LAST).contains(&code) {
            return None;
        }
        let at = code - FIRST;
        Some(Self { onset: at / (VOWELS * FINALS), vowel: at / FINALS % VOWELS, coda: at % FINALS })
    }
}

pub(super) fn is_syllable(c: char) -> bool {
    (FIRST..=LAST).contains(&u32::from(c))
}

/// Does the syllable end in a consonant? What is no syllable has none.
pub(super) fn closed(c: char) -> bool {
    Syllable::of(c).is_some_and(|syllable| syllable.coda != NONE)
}

/// Whether a text has any Hangul. An English one need not be ASCII: people's keyboards write ’ for an apostrophe.
pub(crate) fn is_korean(text: &str) -> bool {
    text.chars().any(|letter| ('가'..='힣').contains(&letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_syllable_comes_apart() {
        assert_eq!(Syllable::of('한'), Some(Syllable { onset: 18, vowel: A, coda: N }));
        assert_eq!(Syllable::of('져').map(|s| s.vowel), Some(YEO));
        assert_eq!(Syllable::of('a'), None);
        assert!(closed('집') && !closed('주'));
    }
}
