//! Why a query may not run, in both languages.

use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub rule: Rule,
    pub place: Option<Place>,
    /// What broke the rule, such as a function's name.
    pub detail: String,
}

/// Where in the text, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub line: u64,
    pub column: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rule {
    NotAQuery,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lang {
    Ko,
    En,
}

impl Refusal {
    /// What a person reads.
    pub fn text(&self, lang: Lang) -> String {
        match (self.rule, lang) {
            (Rule::NotAQuery, Lang::Ko) => "조회 문장이 아닙니다".into(),
            (Rule::NotAQuery, Lang::En) => "this is not a query".into(),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Lang::En))
    }
}

impl std::error::Error for Refusal {}
