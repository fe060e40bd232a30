//! Unfinished code, and tests that are switched off without a word.

use super::files::{is_test, is_word, line_at};
use super::finding::Finding;
use super::mask::{code_only, without_tests};

const UNFINISHED: [(&str, &str); 3] = [
    ("todo!(", "finish it or return an error"),
    ("unimplemented!(", "finish it or return an error"),
    ("dbg!(", "remove it, or use tracing"),
];

pub(super) fn check(path: &str, source: &str) -> Vec<Finding> {
    let code = code_only(source);
    let mut findings = ignored_tests(path, source, &code);
    if !is_test(path) {
        findings.extend(unfinished(path, &without_tests(&code)));
    }
    findings
}

fn unfinished(path: &str, code: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (name, advice) in UNFINISHED {
        for (at, _) in code.match_indices(name) {
            if !code.as_bytes()[..at].last().is_some_and(|byte| is_word(*byte)) {
                let text = format!("`{name}…)` outside a test; {advice}");
                findings.push(Finding::error(path, line_at(code, at), text));
            }
        }
    }
    findings
}

fn ignored_tests(path: &str, source: &str, code: &str) -> Vec<Finding> {
    let attributes = code.match_indices("#[ignore").filter(|(at, attribute)| {
        // The code says where the attribute is, the source what its string holds.
        let Some((_, reason)) = source[at + attribute.len()..].split_once('"') else { return true };
        let has_string = code[at + attribute.len()..].trim_start().starts_with('=');
        !has_string || reason.split('"').next().unwrap_or_default().trim().is_empty()
    });
    let text = "`#[ignore]` without a reason; write `#[ignore = \"why\"]`";
    attributes.map(|(at, _)| Finding::error(path, line_at(code, at), text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, source: &str) -> Vec<String> {
        check(path, source).iter().map(|f| f.to_string()).collect()
    }

    #[test]
    fn unfinished_code_fails() {
        let found =
            lines("src/a.rs", "fn a() {\n    todo!()\n}\nfn b() { dbg!(1); unimplemented!(\"x\") }\n");
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[0].starts_with("src/a.rs:2: `todo!(…)`"), "{found:?}");
    }

    #[test]
    fn words_about_it_other_macros_and_tests_pass() {
        assert!(lines("src/a.rs", "// todo!()\nlet s = \"dbg!(x)\"; my_todo!();\n").is_empty());
        assert!(lines("src/a.rs", "#[cfg(test)]\nmod tests {\n    fn a() { todo!() }\n}\n").is_empty());
        assert!(lines("crates/a/tests/a.rs", "fn a() { todo!() }\n").is_empty());
    }

    #[test]
    fn code_behind_the_tests_is_code_again() {
        let source = "#[cfg(test)]\nmod tests { fn a() { todo!() } }\nfn b() { todo!() }\n";
        assert_eq!(lines("src/a.rs", source).len(), 1);
    }

    #[test]
    fn an_ignored_test_needs_a_reason() {
        assert_eq!(lines("tests/a.rs", "#[test]\n#[ignore]\nfn a() {}\n").len(), 1);
        assert_eq!(lines("tests/a.rs", "#[ignore = \" \"]\nfn a() {}\n").len(), 1);
        assert_eq!(lines("tests/a.rs", "#[ignore]\nfn a() { b(\"c\") }\n").len(), 1);
        assert!(lines("tests/a.rs", "#[ignore = \"needs a network\"]\nfn a() {}\n").is_empty());
        assert!(lines("tests/a.rs", "// #[ignore]\n").is_empty());
    }
}
