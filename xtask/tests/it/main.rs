//! What is in packaging/, by the tools that it is for.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that can't go on has failed")]

mod debian;
mod image;
mod kubernetes;
mod prometheus;
mod systemd;
// What the server's tests install with Python.
#[allow(dead_code, clippy::expect_used)]
#[path = "../../../crates/duru-server/tests/it/tools.rs"]
mod tools;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// As the tools know it.
mod pg_server {
    pub(crate) fn skip(why: &str) {
        eprintln!("\n*** SKIPPED: {why} ***\n");
    }
}

/// A file or folder of the workspace.
fn packaging(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../packaging").join(path)
}

/// Whether a command succeeds, and all that it says.
fn told(command: &mut Command) -> (bool, String) {
    let output = command.stdin(Stdio::null()).output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&said).into_owned())
}

/// What a command prints, which must succeed.
fn printed(command: &mut Command) -> String {
    let output = command.stdin(Stdio::null()).output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
