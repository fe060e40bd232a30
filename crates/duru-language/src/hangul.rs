//! Hangul syllables and their letters (jamo).
//!
//! Endings of Korean verbs often are a single final consonant (느리 + ㄴ = 느린), so words are compared letter by letter:
//! as conjoining jamo, in which an initial consonant is another character than a final one.

const FIRST: u32 = 0xAC00;
const LAST: u32 = 0xD7A3;
const LEAD: u32 = 0x1100;
const VOWEL: u32 = 0x1161;
/// One before the first final consonant: 0 is "none".
const TAIL: u32 = 0x11A7;

/// A syllable by the numbers of its letters; `tail` 0 is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Syllable {
    pub lead: u32,
    pub vowel: u32,
    pub tail: u32,
}

impl Syllable {
    pub fn of(letter: char) -> Option<Self> {
        let code = u32::from(letter);
        (FIRST..=LAST).contains(&code).then(|| {
            let place = code - FIRST;
            Self { lead: place / 588, vowel: place % 588 / 28, tail: place % 28 }
        })
    }

    pub fn letter(self) -> char {
        char::from_u32(FIRST + self.lead * 588 + self.vowel * 28 + self.tail).unwrap_or('\u{fffd}')
    }
}

pub fn is_syllable(letter: char) -> bool {
    (FIRST..=LAST).contains(&u32::from(letter))
}

/// Syllables, letters on their own (ㅋㅋ), and conjoining jamo.
pub fn is_hangul(letter: char) -> bool {
    is_syllable(letter) || matches!(letter, '\u{1100}'..='\u{11FF}' | '\u{3131}'..='\u{318E}')
}

/// Whether a syllable ends in a consonant; digits and Latin letters count as they are read in Korean.
pub fn is_closed(letter: char) -> bool {
    match Syllable::of(letter) {
        Some(syllable) => syllable.tail != 0,
        None => matches!(
            letter,
            '0' | '1' | '3' | '6' | '7' | '8' | 'l' | 'm' | 'n' | 'r' | 'L' | 'M' | 'N' | 'R'
        ),
    }
}

/// A text with its syllables taken apart. A final consonant that stands alone at the beginning ("ㄴ데") is one that the
/// syllable before it will end in.
pub fn jamo(text: &str) -> String {
    let mut all = String::with_capacity(text.len() * 2);
    for letter in text.chars() {
        match Syllable::of(letter) {
            Some(syllable) => push(&mut all, syllable),
            None => all.push(final_consonant(letter).unwrap_or(letter)),
        }
    }
    all
}

/// Appends the letters of a syllable.
pub fn push(all: &mut String, syllable: Syllable) {
    let letters = [LEAD + syllable.lead, VOWEL + syllable.vowel, TAIL + syllable.tail];
    let count = if syllable.tail == 0 { 2 } else { 3 };
    all.extend(letters[..count].iter().filter_map(|code| char::from_u32(*code)));
}

/// Whether this letter ends a syllable whose vowel is another character.
pub fn is_tail(letter: char) -> bool {
    matches!(letter, '\u{11A8}'..='\u{11C2}')
}

fn final_consonant(letter: char) -> Option<char> {
    let tail = match letter {
        'ㄴ' => 4,
        'ㄹ' => 8,
        'ㅁ' => 16,
        'ㅂ' => 17,
        'ㅅ' => 19,
        'ㅆ' => 20,
        _ => return None,
    };
    char::from_u32(TAIL + tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syllables_come_apart_and_together() {
        for letter in ['가', '힣', '값', '느', '린'] {
            assert_eq!(Syllable::of(letter).map(Syllable::letter), Some(letter));
        }
        assert_eq!(Syllable::of('a'), None);
        assert_eq!(jamo("느린"), jamo("느리") + &jamo("ㄴ"));
        assert_eq!(jamo("났던"), jamo("나") + &jamo("ㅆ던"));
        assert!(is_closed('값') && !is_closed('나') && is_closed('8') && !is_closed('2'));
    }
}
