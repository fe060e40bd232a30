//! Which language somebody writes in, and is answered in.

use serde::{Deserialize, Serialize};

use crate::hangul;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    #[default]
    Ko,
    En,
}

impl Lang {
    /// The language of a text: Korean as soon as it has Hangul, for English words stand in Korean sentences, not the
    /// other way round.
    pub fn of(text: &str) -> Self {
        if text.chars().any(hangul::is_hangul) { Self::Ko } else { Self::En }
    }

    pub fn pick<T>(self, ko: T, en: T) -> T {
        match self {
            Self::Ko => ko,
            Self::En => en,
        }
    }

    pub fn code(self) -> &'static str {
        self.pick("ko", "en")
    }
}
