//! The reference server with its graphs, and the script that puts load on it and on ours.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::super::cases::Case;
use super::super::options::Options;
use super::super::program::{data_dir, lines};
use super::super::python::{passes, scripts};
use super::process::{self, Listening};
use crate::workspace::root;

const PACKAGES: [&str; 2] = ["langgraph-cli[inmem]", "httpx"];
/// Where the scripts are if nobody says, from the root of this repository.
const USUAL_PLACE: &str = "../shared/bench/api";
const VARIABLE: &str = "DURU_LANGGRAPH_API_BENCH";
const SCRIPT: &str = "bench.py";

pub(super) struct Reference {
    programs: PathBuf,
    /// A copy of the scripts: the reference writes beside its graphs.
    folder: PathBuf,
}

/// Which server a line is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    Ours,
    Reference,
}

impl Reference {
    /// Finds the scripts and makes the environment if there is none.
    pub(super) fn ready(options: &Options, target: &Path) -> Result<Self> {
        let named = options.scripts.clone().or_else(|| std::env::var_os(VARIABLE).map(PathBuf::from));
        let scripts = scripts(named, &root()?.join(USUAL_PLACE), SCRIPT, VARIABLE)?;
        let environment = target.join("langgraph-server-venv");
        let programs = environment.join("bin");
        if !programs.join("langgraph").exists() {
            eprintln!("making a Python environment in {}", environment.display());
            passes(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
            let mut install = Command::new(programs.join("python"));
            passes(install.args(["-m", "pip", "install", "--quiet"]).args(PACKAGES))?;
        }
        let folder = data_dir(target).join("langgraph-server");
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        for entry in std::fs::read_dir(&scripts)? {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                let copy = folder.join(entry.file_name());
                // A copy of what nobody may write could not be written again.
                if !copy.exists() {
                    std::fs::copy(entry.path(), copy)?;
                }
            }
        }
        Ok(Self { programs, folder })
    }

    pub(super) fn start(&self) -> Result<Listening> {
        process::reference(&self.programs.join("langgraph"), &self.folder)
    }

    /// The script's line about a server. Our own may not answer wrongly once; the reference is measured by what
    /// it did answer, and what it did not is told.
    pub(super) fn measure(
        &self,
        case: &Case,
        server: &Listening,
        window_ms: u64,
        whose: Whose,
    ) -> Result<Vec<Value>> {
        let mut command = Command::new(self.programs.join("python"));
        command
            .arg(SCRIPT)
            .args(case.python.unwrap_or_default().split_whitespace())
            .args(["--url", &server.url, "--pid", &server.pid().to_string()])
            .args(["--seconds", &(window_ms / 1000).max(1).to_string()])
            .current_dir(&self.folder);
        lines(command)?.into_iter().map(|line| in_our_words(line, whose)).collect()
    }
}

/// The script's figures under the names that ours have.
fn in_our_words(line: Value, whose: Whose) -> Result<Value> {
    let number = |field: &str| line[field].as_f64().with_context(|| format!("no {field} in {line}"));
    let rate = number("rps")?;
    if line["err"] != 0 {
        anyhow::ensure!(whose == Whose::Reference, "wrong answers: {line}");
        eprintln!("the reference failed {} of its calls: {}", line["err"], line["first_err"]);
    }
    Ok(json!({
        "bench": "bench.py", "unit": "ms/run", "median": number("p50_ms")?, "min": line["p50_ms"],
        "max": number("max_ms")?, "runs_per_s": rate, "p99_ms": number("p99_ms")?,
        "cpu_us_per_run": number("cpu_cores")? * 1e6 / rate, "rss_mib": number("rss_mb")?,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scripts_line_is_read() {
        let line = json!({"rps": 200.0, "err": 0, "p50_ms": 5.0, "p99_ms": 9.0, "max_ms": 11.0, "rss_mb": 90.0,
                          "cpu_cores": 0.5});
        let ours = in_our_words(line.clone(), Whose::Ours).unwrap();
        assert_eq!((&ours["cpu_us_per_run"], &ours["median"]), (&json!(2500.0), &json!(5.0)));
        let mut wrong = line;
        wrong["err"] = json!(3);
        assert!(in_our_words(wrong.clone(), Whose::Ours).is_err());
        assert!(in_our_words(wrong, Whose::Reference).is_ok());
    }
}
