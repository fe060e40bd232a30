//! The files of the project, and what kind of file a path names.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

/// Every text file git tracks or would track, with its content.
pub(super) fn list(root: &Path) -> Result<Vec<(String, String)>> {
    let output = Command::new("git")
        // A clone made by another user is still ours to read.
        .args(["-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .context("cannot start git, which tidy asks for the list of files")?;
    if !output.status.success() {
        bail!("git cannot list the files: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    let mut files = Vec::new();
    for path in String::from_utf8_lossy(&output.stdout).split('\0').filter(|path| !path.is_empty()) {
        let full = root.join(path);
        // A file may be tracked and already deleted; a link's target is checked under its own name.
        if !full.symlink_metadata().is_ok_and(|meta| meta.is_file()) {
            continue;
        }
        let bytes = std::fs::read(&full).with_context(|| format!("cannot read {path}"))?;
        if let Ok(content) = String::from_utf8(bytes) {
            files.push((path.to_owned(), content));
        }
    }
    Ok(files)
}

pub(super) fn relative(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned()
}

pub(super) fn is_test(path: &str) -> bool {
    path.starts_with("tests/") || path.contains("/tests/") || path.ends_with("tests.rs")
}

/// The line, counted from one, on which the byte at `offset` stands.
pub(super) fn line_at(content: &str, offset: usize) -> usize {
    content.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
}

/// Whether the byte may be part of a Rust name.
pub(super) fn is_word(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric() || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_known_by_their_path() {
        assert!(is_test("crates/duru/tests/crash.rs"));
        assert!(is_test("crates/duru/src/stepper/tests.rs"));
        assert!(is_test("crates/duru/src/stepper_tests.rs"));
        assert!(!is_test("crates/duru/src/testkit/store.rs"));
    }

    #[test]
    fn lines_count_from_one() {
        assert_eq!(line_at("a\nb\nc", 0), 1);
        assert_eq!(line_at("a\nb\nc", 4), 3);
    }
}
