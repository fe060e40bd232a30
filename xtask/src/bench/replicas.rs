//! `cargo xtask bench replicas`: what several servers ask of the database that they share, at full size. The
//! measurement is a test that takes too long to be run each time.

use anyhow::{Context, Result, bail};

use super::machine;
use crate::workspace::cargo;

const TEST: &str = "asking::at_full_size";

pub(super) fn run(options: &[String]) -> Result<bool> {
    let profile = match options {
        [] => "release",
        [dev] if dev == "--dev" => "dev",
        _ => bail!("`cargo xtask bench replicas` takes only --dev: not optimised"),
    };
    let of = ["--profile", profile, "--package", "duru-server"];
    let mut build = cargo(&["build", "--example", "fixtures"])?;
    if !build.args(of).status().context("cannot start cargo")?.success() {
        bail!("the server that is measured can't be built");
    }
    println!("{}", machine::describe());
    let mut test = cargo(&["test", "--test", "it"])?;
    let test = test.args(of).args(["--", "--ignored", "--exact", "--nocapture", TEST]);
    Ok(test.status().context("cannot start cargo")?.success())
}
