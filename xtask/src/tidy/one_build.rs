//! `cargo run` and `cargo xtask test` share one build: every foreign crate that the product uses has the same
//! features in both. A feature that only a test asks for would make cargo compile everything above that crate a
//! second time, which takes half an hour where the query engine is concerned.

use std::collections::BTreeSet;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::finding::Finding;

const MANIFEST: &str = "crates/duru-cli/Cargo.toml";

pub(super) fn check() -> Result<Vec<Finding>> {
    let product = resolved(&["--package", "duru-cli", "--edges", "normal"])?;
    let tests = resolved(&["--workspace", "--all-features", "--edges", "normal,dev"])?;
    Ok(differences(&product, &tests))
}

fn differences(product: &BTreeSet<String>, tests: &BTreeSet<String>) -> Vec<Finding> {
    product
        .difference(tests)
        .map(|line| {
            Finding::error(
                MANIFEST,
                1,
                format!(
                    "`cargo run` builds {line}, the tests build it with other features: ask for theirs here"
                ),
            )
        })
        .collect()
}

/// One line per foreign crate: name, version and features.
fn resolved(arguments: &[&str]) -> Result<BTreeSet<String>> {
    let output = Command::new("cargo")
        .args(["tree", "--prefix", "none", "--format", "{p} [{f}]"])
        .args(arguments)
        .output()
        .context("cannot run cargo tree")?;
    ensure!(output.status.success(), "cargo tree: {}", String::from_utf8_lossy(&output.stderr));
    // Our own crates carry a path in parentheses; their test features are meant to differ.
    Ok(String::from_utf8(output.stdout)?
        .lines()
        .filter(|line| !line.contains('/') && !line.is_empty())
        .map(|line| line.trim_end_matches(" (*)").to_owned())
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(lines: &[&str]) -> BTreeSet<String> {
        lines.iter().map(|line| (*line).to_owned()).collect()
    }

    #[test]
    fn a_feature_that_only_the_tests_have_is_an_error() {
        let product = set(&["tokio v1 [net]", "bytes v1 [std]"]);
        let tests = set(&["tokio v1 [net,test-util]", "bytes v1 [std]", "proptest v1 []"]);
        let found = differences(&product, &tests);
        assert_eq!(found.len(), 1);
        assert!(found[0].to_string().contains("tokio v1 [net]"));
        assert!(differences(&product, &product).is_empty());
    }
}
