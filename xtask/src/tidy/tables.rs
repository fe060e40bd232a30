//! The tables of faults and of security checks name a test for every number, and every test that they name exists.

use super::finding::Finding;

/// A table whose rows begin with their numbers and end with their tests.
struct Table {
    path: &'static str,
    /// Stands before a number.
    sign: &'static str,
    /// They are numbered up to this one.
    last: usize,
}

const TABLES: [Table; 2] = [
    Table { path: "docs/faults.md", sign: "F", last: 24 },
    Table { path: "docs/security.md", sign: "", last: 42 },
];

pub(super) fn check(files: &[(String, String)]) -> Vec<Finding> {
    TABLES.iter().flat_map(|table| table.check(files)).collect()
}

impl Table {
    fn check(&self, files: &[(String, String)]) -> Vec<Finding> {
        let Some((_, text)) = files.iter().find(|(path, _)| path == self.path) else {
            return vec![Finding::error(self.path, 1, "the table is missing")];
        };
        let mut findings = Vec::new();
        let mut seen = Vec::new();
        // A table ends at an empty line; another may follow, of figures.
        let rows = text.lines().enumerate().skip_while(|(_, line)| !line.starts_with("| # |"));
        for (at, row) in rows.take_while(|(_, line)| line.starts_with('|')) {
            let numbers = self.numbers(row);
            let Some(first) = numbers.first().copied() else { continue };
            let (names, none) = tests(row);
            if names.is_empty() && !none {
                let number = format!("{}{first} names no test", self.sign);
                findings.push(Finding::error(self.path, at + 1, number));
            }
            for name in names.into_iter().filter(|name| !exists(name, files)) {
                findings.push(Finding::error(self.path, at + 1, format!("there is no test `{name}`")));
            }
            seen.extend(numbers);
        }
        let missing = (1..=self.last).filter(|number| !seen.contains(number));
        findings
            .extend(missing.map(|n| Finding::error(self.path, 1, format!("{}{n} is missing", self.sign))));
        findings
    }

    /// The numbers of a row: `| F3 |`, `| 3, 4 |`, `| 15–20 |`.
    fn numbers(&self, row: &str) -> Vec<usize> {
        let cell = row.split('|').nth(1).unwrap_or_default();
        let number = |text: &str| text.trim().strip_prefix(self.sign)?.parse::<usize>().ok();
        let part = |text: &str| match text.split_once('–') {
            Some((from, to)) => number(from).zip(number(to)).map(|(from, to)| from..=to),
            None => number(text).map(|one| one..=one),
        };
        cell.split(',').filter_map(part).flatten().collect()
    }
}

/// The names in backticks in the last cell that look like functions or like files of tests; and whether it says that
/// there is nothing to test.
fn tests(row: &str) -> (Vec<&str>, bool) {
    let cell = row.trim_end().trim_end_matches('|').rsplit('|').next().unwrap_or_default();
    let quoted = cell.split('`').skip(1).step_by(2);
    let names = quoted.filter(|name| !name.contains(' ') && (name.contains('_') || is_page_test(name)));
    (names.collect(), cell.trim() == "there are none")
}

fn is_page_test(name: &str) -> bool {
    name.starts_with("web/tests/")
}

fn exists(name: &str, files: &[(String, String)]) -> bool {
    if is_page_test(name) {
        return files.iter().any(|(path, _)| path == name);
    }
    let head = format!("fn {name}(");
    files.iter().any(|(path, content)| path.ends_with(".rs") && content.contains(&head))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(table: &Table, rows: &str) -> Vec<String> {
        let files = [
            (
                table.path.to_owned(),
                format!("# Head\n\n| # | x | tests |\n|---|---|---|\n{rows}\n| 9 | other |\n"),
            ),
            ("a.rs".to_owned(), "fn a_test() {}".to_owned()),
            ("web/tests/a.mjs".to_owned(), String::new()),
        ];
        table.check(&files).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_row_must_be_there_and_name_tests_that_exist() {
        let table = Table { path: "t.md", sign: "F", last: 2 };
        let first = "| F1 | x | `a_test`, and `cargo xtask soak` |\n";
        let all = |second: &str| findings(&table, &format!("{first}{second}"));
        assert_eq!(all("| F2 | x | `a_test` |\n"), [""; 0]);
        assert_eq!(all(""), ["t.md:1: F2 is missing"]);
        assert_eq!(all("| F2 | `a_test` | none |\n"), ["t.md:6: F2 names no test"]);
        assert_eq!(all("| F2 | x | `no_test` |\n"), ["t.md:6: there is no test `no_test`"]);
    }

    #[test]
    fn a_row_may_have_several_numbers() {
        let table = Table { path: "t.md", sign: "", last: 5 };
        let rows =
            |last: &str| format!("| 1, 2 | x | `web/tests/a.mjs` |\n| 3–4 | x | there are none |\n| {last}");
        assert_eq!(findings(&table, &rows("5 | x | `a_test` |\n")), [""; 0]);
        assert_eq!(
            findings(&table, &rows("4 | x | `web/tests/b.mjs` |\n")),
            ["t.md:7: there is no test `web/tests/b.mjs`", "t.md:1: 5 is missing"]
        );
    }
}
