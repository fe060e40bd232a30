//! Which of the two languages to speak.

use std::ffi::OsString;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::settings;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Lang {
    #[default]
    En,
    Ko,
}

impl Lang {
    pub(crate) fn pick<T>(self, ko: T, en: T) -> T {
        match self {
            Self::Ko => ko,
            Self::En => en,
        }
    }

    pub(crate) fn from_word(word: &str) -> Option<Self> {
        match word {
            "ko" => Some(Self::Ko),
            "en" => Some(Self::En),
            _ => None,
        }
    }

    /// Of the arguments, else of the environment. Asked before the arguments
    /// are parsed, since help and errors are in this language too.
    pub(crate) fn detect(args: &[OsString]) -> Self {
        let mut words = args.iter().filter_map(|arg| arg.to_str());
        while let Some(word) = words.next() {
            let value = match word.strip_prefix("--lang") {
                Some("") => words.next(),
                Some(rest) => rest.strip_prefix('='),
                None => None,
            };
            if let Some(lang) = value.and_then(Self::from_word) {
                return lang;
            }
        }
        if let Some(lang) = settings::get("DURU_LANG").as_deref().and_then(Self::from_word) {
            return lang;
        }
        Self::of_locale(["LC_ALL", "LC_MESSAGES", "LANG"].map(|name| std::env::var(name).ok()))
    }

    /// The first variable that says anything decides.
    fn of_locale(variables: [Option<String>; 3]) -> Self {
        let said = variables.into_iter().flatten().find(|value| !value.is_empty());
        said.filter(|value| value.to_ascii_lowercase().starts_with("ko")).map_or(Self::En, |_| Self::Ko)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn locale(all: Option<&str>, lang: Option<&str>) -> Lang {
        Lang::of_locale([all.map(String::from), None, lang.map(String::from)])
    }

    #[test]
    fn the_first_locale_variable_with_a_value_decides() {
        assert_eq!(locale(None, Some("ko_KR.UTF-8")), Lang::Ko);
        assert_eq!(locale(Some("C"), Some("ko_KR.UTF-8")), Lang::En);
        assert_eq!(locale(Some(""), Some("ko")), Lang::Ko);
        assert_eq!(locale(None, None), Lang::En);
    }

    #[test]
    fn an_argument_beats_the_environment() {
        let args = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
        assert_eq!(Lang::detect(&args(&["duru", "demo", "--lang", "ko"])), Lang::Ko);
        assert_eq!(Lang::detect(&args(&["duru", "--lang=ko", "graph"])), Lang::Ko);
    }
}
