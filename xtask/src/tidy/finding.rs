//! One thing that is not tidy.

use std::fmt;

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Finding {
    path: String,
    line: usize,
    level: Level,
    /// What is wrong, and what to do.
    text: String,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Error,
    Warning,
}

impl Finding {
    pub(super) fn error(path: &str, line: usize, text: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, level: Level::Error, text: text.into() }
    }

    pub(super) fn warning(path: &str, line: usize, text: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, level: Level::Warning, text: text.into() }
    }

    pub(super) fn is_warning(&self) -> bool {
        self.level == Level::Warning
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = if self.is_warning() { "warning: " } else { "" };
        write!(f, "{}:{}: {level}{}", self.path, self.line, self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_one_line() {
        assert_eq!(Finding::error("a.rs", 3, "bad, mend it").to_string(), "a.rs:3: bad, mend it");
        assert_eq!(Finding::warning("a.rs", 1, "long").to_string(), "a.rs:1: warning: long");
    }
}
