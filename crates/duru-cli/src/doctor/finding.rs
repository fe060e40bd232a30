//! What a check found.

use serde_json::{Value, json};

use crate::lang::Lang;
use crate::text::{clean, pad};

/// How it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Good,
    /// It works, but not as it could.
    Fair,
    Bad,
}

/// What a check found, and what to do.
#[derive(Debug)]
pub(super) struct Finding {
    /// In both languages; the English one is the name for programs.
    check: (&'static str, &'static str),
    pub(super) state: State,
    what: String,
    fix: Option<String>,
}

impl Finding {
    pub(super) fn good(check: (&'static str, &'static str), what: String) -> Self {
        Self { check, state: State::Good, what, fix: None }
    }

    pub(super) fn fair(check: (&'static str, &'static str), what: String, fix: String) -> Self {
        Self { check, state: State::Fair, what, fix: Some(fix) }
    }

    pub(super) fn bad(check: (&'static str, &'static str), what: String, fix: String) -> Self {
        Self { check, state: State::Bad, what, fix: Some(fix) }
    }

    /// One line, and one more that says what to do.
    pub(super) fn text(&self, lang: Lang) -> String {
        let mark = match self.state {
            State::Good => "✓",
            State::Fair => "!",
            State::Bad => "✗",
        };
        let name = pad(lang.pick(self.check.0, self.check.1), 14);
        let mut text = format!("{mark} {name} {}\n", clean(&self.what));
        if let Some(fix) = &self.fix {
            text.push_str(&format!("  {} {}: {}\n", pad("", 14), lang.pick("해결", "fix"), clean(fix)));
        }
        text
    }

    pub(super) fn json(&self) -> Value {
        let state = match self.state {
            State::Good => "good",
            State::Fair => "fair",
            State::Bad => "bad",
        };
        json!({ "check": self.check.1, "state": state, "what": clean(&self.what), "fix": self.fix.as_deref().map(clean) })
    }
}
