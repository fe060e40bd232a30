//! The Python original, in an environment of its own, with scripts that are not part of this repository.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::cases::Case;
use super::options::Options;
use super::postgres::Server;
use super::program::{data_dir, lines};
use super::server_cpu;
use crate::workspace::root;

const PACKAGES: [&str; 6] = [
    "langgraph",
    "langgraph-checkpoint-sqlite",
    "langgraph-checkpoint-postgres",
    "psycopg[binary]",
    "aiosqlite",
    "psutil",
];
/// Where the scripts are if nobody says, from the root of this repository.
const USUAL_PLACE: &str = "../shared/bench/langgraph";
const VARIABLE: &str = "DURU_LANGGRAPH_BENCH";

pub(super) struct Python {
    program: PathBuf,
    scripts: PathBuf,
    data: PathBuf,
}

impl Python {
    /// Finds the scripts and makes the environment if there is none.
    pub(super) fn ready(options: &Options, target: &Path) -> Result<Self> {
        let named = options.scripts.clone().or_else(|| std::env::var_os(VARIABLE).map(PathBuf::from));
        let scripts = scripts(named, &root()?.join(USUAL_PLACE), "bench_chain.py", VARIABLE)?;
        let environment = target.join("langgraph-venv");
        let program = environment.join("bin").join("python");
        if !imports(&program) {
            eprintln!("making a Python environment in {}", environment.display());
            passes(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
            passes(Command::new(&program).args(["-m", "pip", "install", "--quiet"]).args(PACKAGES))?;
        }
        Ok(Self { program, scripts, data: data_dir(target) })
    }

    /// The script's lines for one repetition.
    pub(super) fn measure(&self, case: &Case, server: Option<&Server>) -> Result<Vec<Value>> {
        let Some(words) = case.python else { return Ok(Vec::new()) };
        std::fs::create_dir_all(&self.data)?;
        let mut command = Command::new(&self.program);
        command
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

/// The folder of scripts that has a certain one. A variable may name it.
pub(super) fn scripts(named: Option<PathBuf>, usual: &Path, one: &str, variable: &str) -> Result<PathBuf> {
    let place = named.clone().unwrap_or_else(|| usual.to_owned());
    if place.join(one).is_file() {
        return place.canonicalize().with_context(|| format!("cannot find {}", place.display()));
    }
    bail!(
        "the scripts of the Python original are not in {}; name their folder with `--scripts DIR` or the variable {variable}",
        place.display()
    )
}

fn imports(program: &Path) -> bool {
    let code =
        "import langgraph.graph, langgraph.checkpoint.sqlite.aio, langgraph.checkpoint.postgres.aio, psutil";
    Command::new(program).args(["-c", code]).output().is_ok_and(|output| output.status.success())
}

pub(super) fn passes(command: &mut Command) -> Result<()> {
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
    use super::*;

    #[test]
    fn missing_scripts_are_asked_for() {
        let nowhere = std::env::temp_dir().join("no-such-scripts");
        let error = scripts(None, &nowhere, "bench_chain.py", VARIABLE).unwrap_err().to_string();
        assert!(
            error.contains("--scripts") && error.contains(VARIABLE) && error.contains("no-such-scripts"),
            "{error}"
        );
        let error =
            scripts(Some("elsewhere".into()), &nowhere, "bench_chain.py", VARIABLE).unwrap_err().to_string();
        assert!(error.contains("elsewhere"), "{error}");
    }
}
