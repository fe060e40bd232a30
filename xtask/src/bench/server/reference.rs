//! The reference server with its graphs, and the script that puts load on it and on ours.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::process::{self, Listening};
use crate::bench::cases::Case;
use crate::bench::program::{data_dir, lines};
use crate::bench::python::environment;
use crate::workspace::root;

const SCRIPT: &str = "load.py";
const GRAPHS: [&str; 2] = ["graph.py", "langgraph.json"];

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
    /// Makes the environment if there is none.
    pub(super) fn ready(target: &Path) -> Result<Self> {
        let scripts = root()?.join("bench/python/server");
        let imports = "import langgraph_cli, langgraph_api, httpx";
        let programs = environment("langgraph-server", &scripts.join("requirements.txt"), imports)?;
        let folder = data_dir(target).join("langgraph-server");
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        for name in GRAPHS.into_iter().chain([SCRIPT]) {
            std::fs::copy(scripts.join(name), folder.join(name))
                .with_context(|| format!("cannot copy {name}"))?;
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

/// The script's figures as a case has them.
fn in_our_words(line: Value, whose: Whose) -> Result<Value> {
    let number = |field: &str| line[field].as_f64().with_context(|| format!("no {field} in {line}"));
    if line["failed"] != 0 {
        anyhow::ensure!(whose == Whose::Reference, "wrong answers: {line}");
        eprintln!("the reference failed {} of its calls: {}", line["failed"], line["first_failure"]);
    }
    Ok(json!({
        "bench": SCRIPT, "unit": "ms/run", "median": number("p50_ms")?, "min": line["p50_ms"],
        "max": number("max_ms")?, "runs_per_s": number("runs_per_s")?, "p99_ms": number("p99_ms")?,
        "cpu_us_per_run": number("cpu_us_per_run")?, "rss_mib": number("rss_mib")?,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::server::cases::CASES;

    #[test]
    fn the_script_knows_the_words_of_every_case() {
        let script = include_str!("../../../../bench/python/server/load.py");
        let words = CASES.iter().filter_map(|case| case.python).flat_map(str::split_whitespace);
        let mut options = words.filter(|word| word.starts_with("--")).peekable();
        assert!(options.peek().is_some());
        assert!(options.all(|option| script.contains(&format!("add_argument(\"{option}\""))));
    }

    #[test]
    fn the_scripts_line_is_read() {
        let line = json!({"runs_per_s": 200.0, "failed": 0, "p50_ms": 5.0, "p99_ms": 9.0, "max_ms": 11.0,
                          "rss_mib": 90.0, "cpu_us_per_run": 2500.0});
        let ours = in_our_words(line.clone(), Whose::Ours).unwrap();
        assert_eq!((&ours["cpu_us_per_run"], &ours["median"]), (&json!(2500.0), &json!(5.0)));
        let mut wrong = line;
        wrong["failed"] = json!(3);
        assert!(in_our_words(wrong.clone(), Whose::Ours).is_err());
        assert!(in_our_words(wrong, Whose::Reference).is_ok());
    }
}
