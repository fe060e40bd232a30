//! No file grows until nobody reads it as a whole.

use super::files::is_test;
use super::finding::Finding;

const WARN_FROM: usize = 400;
const MOST: usize = 800;

pub(super) fn check(path: &str, content: &str) -> Option<Finding> {
    // A list of cases or of constants may be long: it is read one entry at a time.
    if is_test(path) || path.ends_with("tables.rs") {
        return None;
    }
    match content.lines().count() {
        lines if lines > MOST => Some(Finding::error(
            path,
            lines,
            format!("{lines} lines, at most {MOST}; split it by what it does"),
        )),
        lines if lines >= WARN_FROM => Some(Finding::warning(
            path,
            lines,
            format!("{lines} lines; think of splitting it by what it does"),
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(path: &str, lines: usize) -> Option<Finding> {
        check(path, &"x\n".repeat(lines))
    }

    #[test]
    fn short_passes_long_warns_too_long_fails() {
        assert_eq!(of("src/a.rs", 399), None);
        assert!(of("src/a.rs", 400).unwrap().is_warning());
        assert!(of("src/a.rs", 800).unwrap().is_warning());
        assert!(!of("src/a.rs", 801).unwrap().is_warning());
    }

    #[test]
    fn tests_and_tables_may_be_long() {
        assert_eq!(of("crates/duru/tests/a.rs", 900), None);
        assert_eq!(of("src/tests.rs", 900), None);
        assert_eq!(of("src/unicode_tables.rs", 900), None);
    }
}
