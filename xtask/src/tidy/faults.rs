//! The table of faults names a test for every fault, and every test that it names exists.

use super::finding::Finding;

const TABLE: &str = "docs/faults.md";
/// The faults are numbered up to this one.
const LAST: usize = 24;

pub(super) fn check(files: &[(String, String)]) -> Vec<Finding> {
    let Some((_, table)) = files.iter().find(|(path, _)| path == TABLE) else {
        return vec![Finding::error(TABLE, 1, "the table of faults is missing")];
    };
    let exists = |name: &str| {
        let head = format!("fn {name}(");
        files.iter().any(|(path, content)| path.ends_with(".rs") && content.contains(&head))
    };
    let mut findings = Vec::new();
    for number in 1..=LAST {
        let row = format!("| F{number} |");
        let line = table.lines().position(|line| line.starts_with(&row));
        let Some(line) = line else {
            findings.push(Finding::error(TABLE, 1, format!("F{number} is missing")));
            continue;
        };
        let names = tests(table.lines().nth(line).unwrap_or_default());
        if names.is_empty() {
            findings.push(Finding::error(TABLE, line + 1, format!("F{number} names no test")));
        }
        for name in names.iter().filter(|name| !exists(name)) {
            findings.push(Finding::error(TABLE, line + 1, format!("there is no test `{name}`")));
        }
    }
    findings
}

/// The names in backticks in the last cell that look like functions.
fn tests(row: &str) -> Vec<&str> {
    let cell = row.trim_end().trim_end_matches('|').rsplit('|').next().unwrap_or_default();
    let quoted = cell.split('`').skip(1).step_by(2);
    quoted.filter(|name| name.contains('_') && !name.contains(' ')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(row: &str) -> String {
        (1..=LAST)
            .map(|n| if n == 3 { row.to_owned() } else { format!("| F{n} | x | `a_test` |\n") })
            .collect()
    }

    fn findings(row: &str) -> Vec<String> {
        let code = ("a.rs".to_owned(), "fn a_test() {}".to_owned());
        check(&[(TABLE.to_owned(), table(row)), code]).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_row_must_be_there_and_name_tests_that_exist() {
        assert_eq!(findings("| F3 | x | `a_test`, and `cargo xtask soak` |\n"), [""; 0]);
        assert_eq!(findings(""), ["docs/faults.md:1: F3 is missing"]);
        assert_eq!(findings("| F3 | `a_test` | none |\n"), ["docs/faults.md:3: F3 names no test"]);
        assert_eq!(findings("| F3 | x | `no_test` |\n"), ["docs/faults.md:3: there is no test `no_test`"]);
    }
}
