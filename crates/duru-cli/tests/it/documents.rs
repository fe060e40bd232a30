//! What the documents say is true: their code is an example that runs, their
//! commands exist, and what they point at is there.

use std::path::{Path, PathBuf};

use crate::Desk;

const DOCUMENTS: [&str; 16] = [
    "README.md",
    "README.ko.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs/api.md",
    "docs/cli.md",
    "docs/configuration.md",
    "docs/data.md",
    "docs/deployment.md",
    "docs/documents.md",
    "docs/faults.md",
    "docs/graphs.md",
    "docs/logs.md",
    "docs/operations.md",
    "docs/security.md",
];
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

#[test]
fn the_readme_s_first_graph_is_the_example() {
    for readme in READMES {
        assert_eq!(blocks(&read(readme), "rust"), [read("examples/examples/hello.rs")], "{readme}");
    }
    let lines = read("examples/examples/hello.rs").lines().filter(|line| !line.trim().is_empty()).count();
    assert!(lines <= 20, "a first graph in {lines} lines");
}

#[test]
fn both_readmes_give_the_same_commands() {
    let commands = |readme| {
        let text = blocks(&read(readme), "sh").concat();
        text.lines()
            .map(|line| line.split('#').next().unwrap_or_default().trim().to_owned())
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
    for document in DOCUMENTS {
        for line in blocks(&read(document), "sh").concat().lines() {
            let line = line.split('#').next().unwrap_or_default().trim();
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

#[test]
fn links_and_paths_lead_somewhere() {
    for document in DOCUMENTS {
        let text = read(document);
        let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for link in links.filter(|link| !link.starts_with("http")) {
            let folder = root().join(document);
            assert!(folder.with_file_name(link).exists(), "{document} links to {link}");
        }
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
fn the_readmes_list_every_example() {
    for entry in std::fs::read_dir(root().join("examples/examples")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        for readme in READMES {
            assert!(read(readme).contains(&format!("(examples/examples/{name})")), "{readme} lacks {name}");
        }
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
