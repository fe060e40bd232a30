//! `cargo xtask soak [minutes]`: builds the rig of `soak/` and lets it take this process's place.

use std::os::unix::process::CommandExt;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::workspace::{cargo, root, target};

pub(crate) fn run(args: &[String]) -> Result<bool> {
    eprintln!("$ cargo build --package duru-soak");
    let status = cargo(&["build", "--package", "duru-soak"])?.status().context("cannot start cargo")?;
    if !status.success() {
        bail!("duru-soak does not compile");
    }
    let program = target()?.join("debug").join("duru-soak");
    // One process only, so that Ctrl-C reaches the rig, which then prints what it has found so far.
    let error = Command::new(&program).args(args).current_dir(root()?).exec();
    Err(error).with_context(|| format!("cannot start {}", program.display()))
}
