//! The release program with our workloads.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::cases::Case;
use super::options::Options;
use super::postgres::Server;
use super::server_cpu;
use crate::workspace::{cargo, target};

pub(super) struct Program {
    target: PathBuf,
    binary: PathBuf,
}

impl Program {
    pub(super) fn build() -> Result<Self> {
        Self::built(false)
    }

    /// Optimised, unless only the measurement itself is tried.
    pub(super) fn built(dev: bool) -> Result<Self> {
        let binary = built(dev, &["--package", "duru-bench"])?.join(program("duru-bench"));
        Ok(Self { target: target()?, binary })
    }

    /// Where things may be put that can be made again.
    pub(super) fn target(&self) -> &Path {
        &self.target
    }

    /// A command that measures, with words and a window.
    pub(super) fn command(&self, words: &str, window_ms: u64) -> Command {
        let mut command = Command::new(&self.binary);
        command
            .args(words.split_whitespace())
            .arg(format!("window={window_ms}"))
            .env("BENCH_DATA_DIR", data_dir(&self.target));
        command
    }

    /// One line of figures from a fresh process.
    pub(super) fn measure(
        &self,
        case: &Case,
        implementation: &str,
        options: &Options,
        server: Option<&Server>,
    ) -> Result<Value> {
        let mut command = self.command(case.ours, options.window_ms());
        command.arg(format!("impl={implementation}"));
        let lines = match server {
            None => lines(command)?,
            Some(server) => {
                command.arg(format!("url={}", server.url()));
                server_cpu::beside(server, 0.0, || lines(command))?
            }
        };
        lines.into_iter().next().with_context(|| format!("{} printed nothing", case.name))
    }
}

/// Has cargo build something, and says in which folder it is.
pub(super) fn built(dev: bool, what: &[&str]) -> Result<PathBuf> {
    let mut words = vec!["build"];
    words.extend((!dev).then_some("--release"));
    words.extend(what);
    eprintln!("$ cargo {}", words.join(" "));
    if !cargo(&words)?.status().context("cannot start cargo")?.success() {
        bail!("`cargo {}` failed", words.join(" "));
    }
    Ok(target()?.join(if dev { "debug" } else { "release" }))
}

/// The file of a program.
pub(super) fn program(name: &str) -> String {
    format!("{name}{}", std::env::consts::EXE_SUFFIX)
}

/// Databases of both sides go here: on one disk, and not on one that is memory.
pub(super) fn data_dir(target: &Path) -> PathBuf {
    target.join("bench-data")
}

/// Runs a program that prints JSON lines.
pub(super) fn lines(mut command: Command) -> Result<Vec<Value>> {
    let shown = format!("{command:?}");
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start {shown}"))?;
    if !output.status.success() {
        bail!("{shown} failed: {}", output.status);
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let parsed = text.lines().filter(|line| line.starts_with('{')).map(serde_json::from_str);
    parsed.collect::<Result<_, _>>().with_context(|| format!("{shown} printed what is not JSON"))
}
