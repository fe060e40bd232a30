//! The map of the code names files that exist.

use super::finding::Finding;

const MAP: &str = "ARCHITECTURE.md";

pub(super) fn check(files: &[(String, String)]) -> Vec<Finding> {
    let Some((_, text)) = files.iter().find(|(path, _)| path == MAP) else {
        return vec![Finding::error(MAP, 1, "the map of the code is missing")];
    };
    let rows = text.lines().enumerate().filter(|(_, line)| line.starts_with('|'));
    let missing = rows.flat_map(|(at, row)| {
        let missing = named(row).into_iter().filter(|path| !exists(path, files));
        missing.map(move |path| Finding::error(MAP, at + 1, format!("there is no `{path}`")))
    });
    missing.collect()
}

/// The files and folders of a row. A name without a folder is in the one that was named last.
fn named(row: &str) -> Vec<String> {
    let mut folder = None;
    let mut paths = Vec::new();
    for name in row.split('`').skip(1).step_by(2) {
        let known = ["crates/", "xtask/", "bench/", "eval/", "soak/", "web/", "docs/", "examples/"];
        if known.iter().any(|start| name.starts_with(start)) && !name.contains([' ', '*']) {
            folder = name.rsplit_once('/').map(|(folder, _)| folder);
            paths.push(name.trim_end_matches('/').to_owned());
        } else if let Some(folder) = folder.filter(|_| name.ends_with(".rs") && !name.contains(' ')) {
            paths.push(format!("{folder}/{name}"));
        }
    }
    paths
}

fn exists(path: &str, files: &[(String, String)]) -> bool {
    let is =
        |file: &str| file.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    files.iter().any(|(file, _)| is(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_a_row_must_be_there() {
        let findings = |row: &str| {
            let files = [MAP, "crates/a/src/b/c.rs", "crates/a/src/b/d.rs"]
                .map(|path| (path.to_owned(), format!("# Map\n{row}\n")));
            check(&files).iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(
            findings("| what | `crates/a/src/b/c.rs`, `d.rs`; all: `crates/a/src/b/`, `cargo run` |"),
            [""; 0]
        );
        assert_eq!(
            findings("| what | `crates/a/src/b/e.rs` |"),
            ["ARCHITECTURE.md:2: there is no `crates/a/src/b/e.rs`"]
        );
        assert_eq!(
            findings("| what | `crates/a/src/b/c.rs`, `e.rs` |"),
            ["ARCHITECTURE.md:2: there is no `crates/a/src/b/e.rs`"]
        );
        assert_eq!(
            findings("| what | `crates/a/src/other/` |"),
            ["ARCHITECTURE.md:2: there is no `crates/a/src/other`"]
        );
    }
}
