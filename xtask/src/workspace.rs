//! Where the workspace is, and how its tools are called.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use serde_json::Value;

/// The root of the workspace. Cargo says at run time where this crate lies; what was true when it was compiled
/// may be another clone's place if the two share a target directory.
pub(crate) fn root() -> Result<PathBuf> {
    let xtask =
        std::env::var_os("CARGO_MANIFEST_DIR").context("start this as `cargo xtask`, not by its path")?;
    let mut root = PathBuf::from(xtask);
    root.pop();
    Ok(root)
}

/// A `cargo` command in the workspace root, with nothing to read from.
pub(crate) fn cargo(args: &[&str]) -> Result<Command> {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(program);
    command.args(args).current_dir(root()?).stdin(Stdio::null());
    // `cargo run` describes *this* package in the environment. Some build scripts watch these variables, so
    // passing them on would rebuild such crates at every change between `cargo build` and `cargo xtask test`.
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    Ok(command)
}

/// Where cargo puts what it builds.
pub(crate) fn target() -> Result<PathBuf> {
    let metadata = cargo(&["metadata", "--format-version", "1", "--no-deps"])?.output()?;
    let metadata: Value = serde_json::from_slice(&metadata.stdout).context("cargo metadata is not JSON")?;
    let target = metadata["target_directory"].as_str().context("cargo metadata names no target directory")?;
    Ok(PathBuf::from(target))
}

/// A folder of the user's cache, which exists then: for what takes long to fetch and every clone can use.
pub(crate) fn cache(part: &str) -> Result<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || set("HOME").or_else(|| set("USERPROFILE")).context("HOME is not set");
    let cache = match set("XDG_CACHE_HOME") {
        Some(cache) => cache,
        None if cfg!(target_os = "macos") => home()?.join("Library/Caches"),
        None => home()?.join(".cache"),
    };
    let folder = cache.join("duru").join(part);
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder)
}

/// Whether `cargo <subcommand> --version` works, that is, whether the tool is installed.
pub(crate) fn has(subcommand: &str) -> Result<bool> {
    let status = cargo(&[subcommand, "--version"])?.stdout(Stdio::null()).stderr(Stdio::null()).status();
    Ok(status.context("cannot start cargo")?.success())
}
