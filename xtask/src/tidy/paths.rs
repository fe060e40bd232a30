//! Paths that climb: who reads one has to count.

use super::files::line_at;
use super::finding::Finding;
use super::mask::code_only;

const CLIMBING: &str = "super::super::";

pub(super) fn check(path: &str, source: &str) -> Vec<Finding> {
    let code = code_only(source);
    let found = code.match_indices(CLIMBING);
    let finding = |at| {
        Finding::error(
            path,
            line_at(&code, at),
            format!("`{CLIMBING}` has to be counted; write the path from `crate::`"),
        )
    };
    found.map(|(at, _)| finding(at)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_climb_twice_fail() {
        assert_eq!(check("a.rs", "mod a;\nuse super::super::b;\n").len(), 1);
    }

    #[test]
    fn other_paths_and_texts_pass() {
        for line in [
            "use super::supersteps::b;",
            "use crate::a::b;",
            "// super::super::b",
            "let a = \"super::super::b\";",
        ] {
            assert!(check("a.rs", line).is_empty(), "{line}");
        }
    }
}
