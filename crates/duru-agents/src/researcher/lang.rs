//! The language a question is asked in.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lang {
    Ko,
    En,
}

impl Lang {
    /// Korean if there is any Hangul.
    pub(super) fn of(text: &str) -> Self {
        if text.chars().any(|letter| ('가'..='힣').contains(&letter)) { Self::Ko } else { Self::En }
    }

    pub(super) fn pick(self, ko: impl Into<String>, en: impl Into<String>) -> String {
        match self {
            Self::Ko => ko.into(),
            Self::En => en.into(),
        }
    }

    /// As models are told.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Ko => "한국어",
            Self::En => "English",
        }
    }
}
