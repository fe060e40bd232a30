//! The Python original, in an environment of its own, with the scripts of `bench/python`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::cases::Case;
use super::postgres::Server;
use super::program::{data_dir, lines};
use super::server_cpu;
use crate::workspace::{cache, root};

/// What the scripts need, to see whether it is there.
const IMPORTS: &str =
    "import langgraph.graph, langgraph.checkpoint.sqlite.aio, langgraph.checkpoint.postgres.aio, psycopg";

pub(super) struct Python {
    program: PathBuf,
    scripts: PathBuf,
    data: PathBuf,
}

impl Python {
    /// Makes the environment if there is none.
    pub(super) fn ready(target: &Path) -> Result<Self> {
        let scripts = root()?.join("bench/python");
        let programs = environment("langgraph", &scripts.join("requirements.txt"), IMPORTS)?;
        Ok(Self { program: programs.join("python"), scripts, data: data_dir(target) })
    }

    /// The script's lines for one repetition.
    pub(super) fn measure(&self, case: &Case, server: Option<&Server>) -> Result<Vec<Value>> {
        let Some(words) = case.python else { return Ok(Vec::new()) };
        std::fs::create_dir_all(&self.data)?;
        let mut command = Command::new(&self.program);
        command
            .arg("engine.py")
            .args(words.split_whitespace())
            .args(["--repeat", "1"])
            .current_dir(&self.scripts)
            .env("BENCH_DATA_DIR", &self.data)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("LANGSMITH_TRACING", "false");
        match server {
            None => lines(command),
            Some(server) => {
                command.env("BENCH_PG_DSN", format!("{}?sslmode=disable", server.url()));
                server_cpu::beside(server, case.python_pieces, || lines(command))
            }
        }
    }
}

/// The folder of an environment's programs. It is made in the cache folder if it can't import what is needed.
pub(super) fn environment(name: &str, requirements: &Path, imports: &str) -> Result<PathBuf> {
    let place = cache("bench")?.join(name);
    let programs = place.join("bin");
    let python = programs.join("python");
    let imports_all = || {
        let tried = Command::new(&python).args(["-c", imports]).output();
        tried.is_ok_and(|output| output.status.success())
    };
    if !imports_all() {
        eprintln!("making a Python environment in {}", place.display());
        passes(Command::new("python3").args(["-m", "venv"]).arg(&place))?;
        passes(
            Command::new(&python)
                .args(["-m", "pip", "install", "--quiet", "--requirement"])
                .arg(requirements),
        )?;
        if !imports_all() {
            bail!("{} does not have what {} names", place.display(), requirements.display());
        }
    }
    Ok(programs)
}

fn passes(command: &mut Command) -> Result<()> {
    let shown = format!("{command:?}");
    eprintln!("$ {shown}");
    let status = command.status().with_context(|| format!("cannot start {shown}"))?;
    if !status.success() {
        bail!("{shown} failed: {status}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::bench::cases::CASES;

    /// A case whose words the script does not know would fail only where somebody compares.
    #[test]
    fn every_case_is_one_that_the_scripts_know() {
        let engine = include_str!("../../../bench/python/engine.py");
        for case in CASES {
            let Some(words) = case.python else { continue };
            let mut words = words.split_whitespace();
            let name = words.next().unwrap();
            let known = format!("case(\"{name}\", {name}");
            let line = engine.lines().find(|line| line.contains(&known));
            let line = line.unwrap_or_else(|| panic!("{}: there is no case {name}", case.name));
            for option in words.filter_map(|word| word.strip_prefix("--")) {
                let kept = matches!(option, "saver" | "durability") && line.contains("kept(");
                assert!(kept || line.contains(&format!("{option}=")), "{}: --{option}", case.name);
            }
        }
    }
}
