//! `cargo xtask soak [replicas|cluster] [minutes]`: builds the rig of `soak/` and lets it take this process's place.

mod faults;

use std::os::unix::process::CommandExt;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::workspace::{cargo, root, target};

pub(crate) fn run(args: &[String]) -> Result<bool> {
    if let Some((_, rows)) = args.split_first().filter(|(first, _)| *first == "faults") {
        return faults::run(rows);
    }
    let mut args = args.to_vec();
    let of_servers = args.first().is_some_and(|first| ["replicas", "cluster"].contains(&first.as_str()));
    if of_servers && !args.iter().any(|arg| arg == "--program") {
        // By itself: together with the rig, it would be built with what only tests may have.
        build("duru-cli")?;
        let duru = target()?.join("debug").join("duru");
        args.extend(["--program".to_owned(), duru.display().to_string()]);
    }
    build("duru-soak")?;
    let program = target()?.join("debug").join("duru-soak");
    // One process only, so that Ctrl-C reaches the rig, which then prints what it has found so far.
    let error = Command::new(&program).args(args).current_dir(root()?).exec();
    Err(error).with_context(|| format!("cannot start {}", program.display()))
}

fn build(package: &str) -> Result<()> {
    eprintln!("$ cargo build --package {package}");
    let status = cargo(&["build", "--package", package])?.status().context("cannot start cargo")?;
    if !status.success() {
        bail!("{package} does not compile");
    }
    Ok(())
}
