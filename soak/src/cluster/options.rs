//! What `soak cluster` is told, and how it comes into a network of its own.

use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::pg_cluster::{install, programs};
use crate::tools;

/// A defect that must be found: an audit that can't fail shows nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Broken {
    /// Databases acknowledge what a loss of power takes away.
    Hasty,
}

impl Broken {
    /// What the databases are told as they start.
    pub(super) fn settings(self) -> &'static [&'static str] {
        match self {
            Self::Hasty => &["synchronous_commit=off", "wal_writer_delay=10s"],
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Options {
    pub(super) minutes: f64,
    pub(super) program: PathBuf,
    pub(super) clients: usize,
    pub(super) seed: u64,
    pub(super) broken: Option<Broken>,
    pub(super) logs: bool,
    /// Where these two are; known only within the network.
    pub(super) nats: Option<PathBuf>,
    pub(super) weed: Option<PathBuf>,
}

impl Options {
    pub(super) fn parse(words: &[String]) -> Result<Self> {
        let mut options = Self { minutes: 30.0, clients: 8, logs: true, ..Self::default() };
        options.seed = fastrand::u64(..1_000_000);
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().with_context(|| format!("{word} needs a value"));
            match word.as_str() {
                "--program" => options.program = value()?.into(),
                "--clients" => options.clients = value()?.parse().context("--clients")?,
                "--seed" => options.seed = value()?.parse().context("--seed")?,
                "--without-logs" => options.logs = false,
                "--broken" => match value()?.as_str() {
                    "hasty" => options.broken = Some(Broken::Hasty),
                    other => bail!("there is no defect {other:?}: hasty"),
                },
                "--nats" => options.nats = Some(value()?.into()),
                "--weed" => options.weed = Some(value()?.into()),
                number => {
                    options.minutes =
                        number.parse().with_context(|| format!("{number:?} is no number of minutes"))?;
                }
            }
        }
        ensure!(!options.program.as_os_str().is_empty(), "--program PATH: which `duru` to start");
        options.program = std::path::absolute(&options.program)?;
        Ok(options)
    }
}

/// Gets what is needed from outside, and takes this process into a network that has no outside.
pub(super) fn go_inside(words: &[String], options: &Options) -> Result<()> {
    if !has("ip") {
        install("iproute2");
    }
    let can = Command::new("unshare").args(["--net", "ip", "link", "add", "test", "type", "bridge"]).output();
    if !can.as_ref().is_ok_and(|output| output.status.success()) {
        bail!(
            "network namespaces can't be made here: that takes Linux, `ip`, `unshare`, and being root: {can:?}"
        );
    }
    ensure!(programs().is_some(), "there is no PostgreSQL 15 here");
    let python =
        |name, wanted| tools::python(name, wanted).with_context(|| format!("{name} can't be had here"));
    let mut command = Command::new("unshare");
    command.arg("--net").arg(std::env::current_exe()?).arg("cluster").args(words);
    command.args(["--seed", &options.seed.to_string()]);
    command.arg("--nats").arg(python("nats", tools::NATS)?.with_file_name("nats-server"));
    if options.logs {
        command.arg("--weed").arg(python("seaweedfs", tools::SEAWEEDFS)?.with_file_name("weed"));
    }
    // The same process, so that Ctrl-C reaches it.
    Err(command.exec()).context("cannot start unshare")
}

fn has(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("-V").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok()
}
