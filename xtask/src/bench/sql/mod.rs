//! `cargo xtask bench sql`: the embedded log store and PostgreSQL side by side, on the same lines, in the same run.

mod table;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::options::Options;
use super::postgres;
use super::program::{data_dir, lines};
use super::server::process::{Listening, listening, tied};
use super::{machine, results};
use crate::workspace::{cargo, root, target};

/// How much is measured.
struct Sizes {
    /// Lines in each store when it is asked.
    asked: u64,
    /// Lines that are sent over HTTP.
    sent: u64,
    /// Lines in the folder that is opened.
    stored: u64,
}

const WHOLE: Sizes = Sizes { asked: 1_000_000, sent: 1_000_000, stored: 10_000_000 };
/// To see that everything works; nothing is optimised then.
const TRIAL: Sizes = Sizes { asked: 20_000, sent: 20_000, stored: 40_000 };

pub(super) fn run(options: &Options) -> Result<bool> {
    if let Some(why) = postgres::missing() {
        bail!("there is nothing to compare with, because {why}");
    }
    let sizes = if options.quick { TRIAL } else { WHOLE };
    let programs = Programs::build(options.quick)?;
    let folder = Folder::new()?;
    let database = postgres::Server::start()?;
    let url = database.fresh("asked")?;
    let mut found = Vec::new();
    let place = |name: &str| folder.0.join(name).display().to_string();

    let filled = place("asked");
    for into in [&filled, &url] {
        eprintln!("{} lines into {into}", sizes.asked);
        found.extend(programs.measure(&["fill", &word("into", into), &word("rows", sizes.asked)])?);
    }
    eprintln!("questions, {} times each", options.repeat);
    let words = ["ask", &word("folder", &filled), &word("url", &url), &word("rounds", options.repeat)]
        .map(str::to_owned);
    found.extend(programs.measure(&words.each_ref().map(String::as_str))?);

    for (store, logs) in [("embedded", place("sent")), ("postgres", database.fresh("sent")?)] {
        eprintln!("{} lines over HTTP into {logs}", sizes.sent);
        let server = programs.serve(&logs, &folder.0.join(format!("threads-{store}.db")))?;
        found.extend(programs.measure(&[
            "send",
            &word("url", &server.url),
            &word("pid", server.pid()),
            &word("rows", sizes.sent),
            &word("store", store),
        ])?);
    }

    let stored = place("stored");
    eprintln!("{} lines into {stored}", sizes.stored);
    found.extend(programs.measure(&["fill", &word("into", &stored), &word("rows", sizes.stored)])?);
    for _ in 0..3 {
        found.extend(programs.measure(&["open", &word("folder", &stored)])?);
    }

    let (path, mut file) = results(&root()?, "sql")?;
    for line in &found {
        writeln!(file, "{line}")?;
    }
    println!("{}", machine::describe());
    if options.quick {
        println!("**A trial: few lines, and nothing was optimised. These are no figures.**\n");
    }
    print!("{}", table::figures(&found));
    println!("\nJSON lines: {}", path.display());
    Ok(true)
}

fn word(key: &str, value: impl std::fmt::Display) -> String {
    format!("{key}={value}")
}

/// The product, and what measures it.
struct Programs {
    product: PathBuf,
    measures: PathBuf,
}

impl Programs {
    fn build(quick: bool) -> Result<Self> {
        let mut words = vec!["build", "--package", "duru-cli", "--package", "duru-bench-sql"];
        words.extend((!quick).then_some("--release"));
        eprintln!("$ cargo {}", words.join(" "));
        if !cargo(&words)?.status().context("cannot start cargo")?.success() {
            bail!("the programs do not compile");
        }
        let folder = target()?.join(if quick { "debug" } else { "release" });
        let program = |name: &str| folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
        Ok(Self { product: program("duru"), measures: program("duru-bench-sql") })
    }

    fn measure(&self, words: &[&str]) -> Result<Vec<Value>> {
        let mut command = Command::new(&self.measures);
        command.args(words);
        lines(command)
    }

    /// The product itself, with these logs.
    fn serve(&self, logs: &str, store: &Path) -> Result<Listening> {
        let mut command = tied(&self.product);
        command
            .args(["serve", "--quiet", "--port", "0", "--lang", "en", "--logs", logs, "--store"])
            .arg(store);
        listening(command, None)
    }
}

/// On a disk, and removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self> {
        let path = data_dir(&target()?).join(format!("sql-{}", std::process::id()));
        fs::create_dir_all(&path).with_context(|| format!("cannot make {}", path.display()))?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            eprintln!("cannot remove {}: {error}", self.0.display());
        }
    }
}
