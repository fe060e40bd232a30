//! The parts of the test run: each calls one tool and says what came of it.

use std::path::Path;

use anyhow::{Context, Result};

use super::report::Outcome;
use crate::workspace::{cargo, has, root};

pub(super) fn format() -> Result<Outcome> {
    if !has("fmt")? {
        return Ok(missing("rustfmt"));
    }
    passes(&["fmt", "--all", "--", "--check"]).map(Outcome::of)
}

pub(super) fn tidy() -> Result<Outcome> {
    crate::tidy::run().map(Outcome::of)
}

pub(super) fn clippy() -> Result<Outcome> {
    if !has("clippy")? {
        return Ok(missing("clippy"));
    }
    passes(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]).map(Outcome::of)
}

pub(super) fn tests(extra: &[String]) -> Result<Outcome> {
    let nextest = ensure_nextest()?;
    let args = test_arguments(nextest, extra);
    passes(&args.iter().map(String::as_str).collect::<Vec<_>>()).map(Outcome::of)
}

/// With all features, like the tests, so that nothing is compiled a second time for them.
pub(super) fn doc_tests() -> Result<Outcome> {
    passes(&["test", "--workspace", "--all-features", "--doc"]).map(Outcome::of)
}

/// Builds all examples in sight, then runs each; what one prints is shown only if it fails.
pub(super) fn examples() -> Result<Outcome> {
    let names = example_names(&root()?.join("examples/examples"))?;
    if names.is_empty() {
        println!("there are no examples yet");
        return Ok(Outcome::Passed);
    }
    if !passes(&["build", "--package", "duru-examples", "--examples"])? {
        return Ok(Outcome::Failed("the examples do not compile".to_owned()));
    }
    let mut failed = Vec::new();
    for name in names {
        let output = cargo(&["run", "--quiet", "--package", "duru-examples", "--example", &name])?
            .output()
            .with_context(|| format!("cannot run the example {name}"))?;
        if output.status.success() {
            println!("{name}: ok");
        } else {
            println!("{name}: {}", output.status);
            print!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            failed.push(name);
        }
    }
    Ok(if failed.is_empty() { Outcome::Passed } else { Outcome::Failed(failed.join(", ")) })
}

fn passes(args: &[&str]) -> Result<bool> {
    println!("$ cargo {}", args.join(" "));
    let status = cargo(args)?.status().with_context(|| format!("cannot start cargo {}", args.join(" ")))?;
    Ok(status.success())
}

fn missing(tool: &'static str) -> Outcome {
    println!(
        "!!!! {tool} is not installed: this part is NOT checked. Get it with `rustup component add {tool}`."
    );
    Outcome::Missing(tool)
}

fn ensure_nextest() -> Result<bool> {
    if has("nextest")? {
        return Ok(true);
    }
    println!("!!!! cargo-nextest is not installed: installing it now, which takes some minutes.");
    if passes(&["install", "cargo-nextest", "--locked"])? && has("nextest")? {
        return Ok(true);
    }
    println!(
        "!!!! cargo-nextest could not be installed: the tests run with `cargo test`, slower, without time limits."
    );
    Ok(false)
}

fn test_arguments(nextest: bool, extra: &[String]) -> Vec<String> {
    let runner: &[&str] = if nextest { &["nextest", "run"] } else { &["test", "--tests"] };
    // Cargo ignores a chosen package beside `--workspace`, silently.
    let chosen = extra.iter().any(|arg| arg.starts_with("-p") || arg.starts_with("--package"));
    let scope: &[&str] = if chosen { &[] } else { &["--workspace"] };
    let common = ["--all-features", "--no-fail-fast"];
    runner
        .iter()
        .chain(scope)
        .chain(&common)
        .map(|arg| arg.to_string())
        .chain(extra.iter().cloned())
        .collect()
}

fn example_names(dir: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    if !dir.is_dir() {
        return Ok(names);
    }
    for entry in std::fs::read_dir(dir).with_context(|| format!("cannot list {}", dir.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|ext| ext == "rs") {
            names.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
        }
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(nextest: bool, extra: &[&str]) -> String {
        test_arguments(nextest, &extra.iter().map(|arg| arg.to_string()).collect::<Vec<_>>()).join(" ")
    }

    #[test]
    fn the_whole_workspace_unless_a_package_is_chosen() {
        assert_eq!(line(true, &[]), "nextest run --workspace --all-features --no-fail-fast");
        assert_eq!(line(true, &["-p", "duru"]), "nextest run --all-features --no-fail-fast -p duru");
        assert_eq!(line(false, &["crash"]), "test --tests --workspace --all-features --no-fail-fast crash");
    }

    #[test]
    fn examples_are_the_rust_files_in_order() {
        let dir = std::env::temp_dir().join(format!("xtask-examples-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        for name in ["b.rs", "a.rs", "notes.md"] {
            std::fs::write(dir.join(name), "").unwrap();
        }
        let names = example_names(&dir);
        std::fs::remove_dir_all(&dir).unwrap();
        assert_eq!(names.unwrap(), ["a", "b"]);
        assert!(example_names(&dir).unwrap().is_empty(), "no folder, no examples");
    }
}
