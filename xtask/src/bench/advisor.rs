//! `cargo xtask bench advisor`: what a question to the advisor takes without a model, as the product runs it.

use std::path::PathBuf;
use std::process::Stdio;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::machine;
use super::options::Options;
use crate::workspace::{cargo, root};

/// The most that a question may take, in milliseconds.
const GOAL: f64 = 100.0;

pub(super) fn run(options: &Options) -> Result<bool> {
    let mut arguments = vec!["run", "--package", "duru-agents", "--example", "bench_advisor"];
    if !options.dev {
        arguments.push("--release");
    }
    arguments.push("--");
    let output = cargo(&arguments)?.args(conversations()?).stderr(Stdio::inherit()).output();
    let output = output.context("cannot start cargo")?;
    if !output.status.success() {
        bail!("the measurement failed");
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let figures: Value = serde_json::from_str(text.trim()).context("the measurement says nothing")?;
    println!("{}", machine::describe());
    println!(
        "built for {}; {} conversations; a question takes {:.1} ms of CPU and {:.1} transactions",
        figures["profile"].as_str().unwrap_or_default(),
        figures["conversations"],
        figures["cpu_ms_per_question"].as_f64().unwrap_or(f64::NAN),
        figures["transactions_per_question"].as_f64().unwrap_or(f64::NAN)
    );
    println!("{:<20} {:>9} {:>9} {:>9} {:>9}", "", "questions", "p50, ms", "p99, ms", "max, ms");
    let line = |name: &str, of: &Value| {
        let figure = |name: &str| of[name].as_f64().unwrap_or(f64::NAN);
        let [p50, p99, longest] = ["p50_ms", "p99_ms", "longest_ms"].map(figure);
        println!("{name:<20} {:>9} {p50:>9.1} {p99:>9.1} {longest:>9.1}", of["questions"]);
    };
    line("on disk", &figures["on_disk"]);
    line("in memory only", &figures["in_memory"]);
    for (intent, of) in figures["by_intent"].as_object().into_iter().flatten() {
        line(&format!("  {intent}"), of);
    }
    println!("the slowest: {}", figures["slowest"].as_str().unwrap_or_default());
    let met = figures["on_disk"]["p99_ms"].as_f64().is_some_and(|p99| p99 < GOAL);
    println!("goal: p99 on disk below {GOAL} ms: {}", if met { "met" } else { "missed" });
    Ok(true)
}

/// Those of the tests: every intent, with follow-ups.
fn conversations() -> Result<Vec<PathBuf>> {
    let folder = root()?.join("crates/duru-agents/tests/it/advisor/conversations");
    let entries = std::fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    Ok(files)
}
