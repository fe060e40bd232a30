//! The language a question is asked in.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Lang {
    Ko,
    En,
}

impl Lang {
    /// Korean if there is any Hangul.
    pub(crate) fn of(text: &str) -> Self {
        if text.chars().any(|letter| ('가'..='힣').contains(&letter)) { Self::Ko } else { Self::En }
    }

    pub(crate) fn pick(self, ko: impl Into<String>, en: impl Into<String>) -> String {
        match self {
            Self::Ko => ko.into(),
            Self::En => en.into(),
        }
    }

    /// A word with the particle that fits its end: 소득을, 월세를.
    pub(crate) fn with(word: &str, (after_consonant, after_vowel): (&str, &str)) -> String {
        let last = word.chars().rev().find(|letter| letter.is_alphanumeric()).unwrap_or('가');
        let closed = ('가'..='힣').contains(&last) && !(last as u32 - '가' as u32).is_multiple_of(28);
        format!("{word}{}", if closed { after_consonant } else { after_vowel })
    }

    /// As models are told.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Ko => "한국어",
            Self::En => "English",
        }
    }
}
