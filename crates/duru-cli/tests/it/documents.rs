//! What the documents say is true: their code is an example that runs, their
//! commands exist, and what they point at is there.

use std::path::{Path, PathBuf};

use crate::Desk;

/// The documents outside of the book.
const OTHERS: [&str; 6] =
    ["README.md", "README.ko.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "bench/RESULTS.md"];
const READMES: [&str; 2] = ["README.md", "README.ko.md"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(crate) fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The blocks of code in this language.
pub(crate) fn blocks(text: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    let starts = text.split(fence.as_str()).skip(1);
    starts.filter_map(|rest| rest.split_once("```").map(|(block, _)| block.to_owned())).collect()
}

/// The pages of the book, by their paths.
pub(crate) fn pages() -> Vec<String> {
    let entries = std::fs::read_dir(root().join("docs")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut pages: Vec<String> =
        names.filter(|name| name.ends_with(".md")).map(|name| format!("docs/{name}")).collect();
    pages.sort();
    assert!(pages.len() > 10, "{pages:?}");
    pages
}

fn documents() -> Vec<String> {
    OTHERS.iter().map(|path| (*path).to_owned()).chain(pages()).collect()
}

/// Whether the block is a part of the program: its lines, in their order, with others left out.
fn is_excerpt(block: &str, program: &str) -> bool {
    let mut lines = program.lines().map(str::trim);
    let mut wanted = block.lines().map(str::trim).filter(|line| !line.is_empty());
    wanted.all(|line| lines.any(|other| other == line))
}

#[test]
fn the_rust_of_the_documents_is_taken_from_examples_that_run() {
    let examples: Vec<String> = std::fs::read_dir(root().join("examples/examples"))
        .unwrap()
        .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    let mut seen = 0;
    for document in documents() {
        for block in blocks(&read(&document), "rust") {
            let known = examples.iter().any(|example| is_excerpt(&block, example));
            assert!(known, "{document}: no example has these lines in this order:\n{block}");
            seen += 1;
        }
    }
    assert!(seen >= 8, "only {seen} blocks of Rust");
    assert!(!is_excerpt("let a = 1;\n", &examples[0]));
}

#[test]
fn a_first_graph_is_short() {
    let hello = read("examples/examples/hello.rs");
    for readme in READMES {
        let blocks = blocks(&read(readme), "rust");
        let lines = blocks.concat().lines().filter(|line| !line.trim().is_empty()).count();
        assert!(
            blocks.len() == 1 && is_excerpt(&blocks[0], &hello) && lines <= 14,
            "{readme}: {lines} lines"
        );
    }
    assert_eq!(blocks(&read("docs/graphs.md"), "rust").concat(), hello);
    let lines = hello.lines().filter(|line| !line.trim().is_empty()).count();
    assert!(lines <= 20, "a first graph in {lines} lines");
}

/// Questions are in the language of their reader.
#[test]
fn both_readmes_give_the_same_commands() {
    let commands = |readme| {
        let text = blocks(&read(readme), "sh").concat();
        text.lines()
            .map(|line| line.split('#').next().unwrap_or_default().trim())
            .map(|line| line.split('"').step_by(2).collect::<String>())
            .collect::<Vec<_>>()
    };
    assert_eq!(commands("README.md"), commands("README.ko.md"));
}

#[test]
fn the_commands_in_the_documents_exist() {
    let desk = Desk::new();
    let xtask = read("xtask/src/main.rs");
    assert!(read(".cargo/config.toml").contains("xtask = "));
    let mut seen = 0;
    for document in documents() {
        for line in blocks(&read(&document), "sh").concat().lines() {
            let line = line.split('#').next().unwrap_or_default().trim();
            let line = without_settings(line);
            seen += 1;
            if let Some(rest) = line.strip_prefix("cargo xtask ") {
                for word in rest.split_whitespace().filter(|word| !word.starts_with('<')) {
                    assert!(xtask.contains(word), "{document}: `{line}`: xtask does not know {word:?}");
                }
            } else if let Some(example) = line.strip_prefix("cargo run -p duru-examples --example ") {
                assert!(
                    root().join(format!("examples/examples/{example}.rs")).exists(),
                    "{document}: `{line}`"
                );
            } else if let Some(rest) = line.strip_prefix("cargo run") {
                // The help of a command is shown only if everything before it is right.
                let mut args: Vec<&str> = rest.trim().trim_start_matches("--").split_whitespace().collect();
                args.push("--help");
                let seen = desk.run(&args);
                assert_eq!(seen.code, Some(0), "{document}: `{line}`: {seen:?}");
            } else {
                assert!(line.is_empty(), "{document}: `{line}` is checked by nobody");
            }
        }
    }
    assert!(seen >= 10, "only {seen} commands");
}

/// `DURU_LOG=info cargo run` is the command `cargo run`.
fn without_settings(line: &str) -> &str {
    let is_setting = |word: &str| {
        word.split_once('=').is_some_and(|(name, _)| name.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
    };
    match line.split_once(' ') {
        Some((word, rest)) if is_setting(word) => without_settings(rest.trim_start()),
        _ => line,
    }
}

/// That links lead somewhere is checked by `cargo xtask tidy`.
#[test]
fn paths_in_the_documents_exist() {
    for document in documents() {
        let text = read(&document);
        let quoted = text.split('`').skip(1).step_by(2);
        let is_path = |word: &&str| {
            ["crates/", "docs/", "examples/", "packaging/", "xtask/"]
                .iter()
                .any(|start| word.starts_with(start))
                && !word.contains(' ')
        };
        for path in quoted.filter(is_path) {
            assert!(root().join(path).exists(), "{document} names {path}");
        }
    }
}

/// In the code map, names without a folder stand in the folder of the path before them.
#[test]
fn the_code_map_names_files_that_exist() {
    for line in read("ARCHITECTURE.md").lines().filter(|line| line.starts_with("| ")) {
        let mut folder = None;
        for word in line.split('`').skip(1).step_by(2) {
            if let Some((parent, _)) = word.rsplit_once('/').filter(|_| word.starts_with("crates/")) {
                folder = Some(parent);
            } else if let Some(folder) = folder.filter(|_| word.ends_with(".rs")) {
                assert!(root().join(folder).join(word).exists(), "{folder}/{word}");
            }
        }
    }
}

#[test]
fn the_guide_lists_every_example() {
    let guide = read("docs/graphs.md");
    for entry in std::fs::read_dir(root().join("examples/examples")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(guide.contains(&format!("(../examples/examples/{name})")), "docs/graphs.md lacks {name}");
    }
}

#[test]
fn every_dependency_has_its_reason_in_the_change_log() {
    let manifest = read("Cargo.toml");
    let section = manifest.split("[workspace.dependencies]").nth(1).unwrap_or_default();
    let section = section.split("\n[").next().unwrap_or_default();
    let names =
        section.lines().filter(|line| !line.contains("path = ")).filter_map(|line| line.split_once(" = "));
    let log = read("CHANGELOG.md");
    for (name, _) in names {
        assert!(log.contains(&format!("`{name}`")), "CHANGELOG.md does not say why {name} is used");
    }
}

/// Everything that is Rust below a folder.
fn rust_below(folder: &Path) -> String {
    let mut all = String::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            all += &rust_below(&path);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            all += &std::fs::read_to_string(&path).unwrap();
        }
    }
    all
}

#[test]
fn the_tests_that_the_security_page_names_exist() {
    let tests = rust_below(&root().join("crates"));
    let page = read("docs/security.md");
    let named = page.split('`').skip(1).step_by(2).filter(|word| {
        word.matches('_').count() >= 3 && word.chars().all(|char| char.is_ascii_lowercase() || char == '_')
    });
    let mut count = 0;
    for name in named {
        assert!(tests.contains(&format!("fn {name}(")), "there is no test {name}");
        count += 1;
    }
    assert!(count > 20, "only {count} tests are named");
}
