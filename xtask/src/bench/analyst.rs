//! `cargo xtask bench analyst`: what a question costs besides the database and a model.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::machine;
use crate::workspace::{cargo, root};

/// The most that a question may take, in milliseconds.
const GOAL: f64 = 5.0;

pub(super) fn run() -> Result<bool> {
    let sets = sets()?;
    for set in &sets {
        eprintln!("questions: {}", set.display());
    }
    let mut command =
        cargo(&["run", "--release", "--package", "duru-agents", "--example", "bench_analyst", "--"])?;
    let output = command.args(&sets).stderr(std::process::Stdio::inherit()).output();
    let output = output.context("cannot start cargo")?;
    if !output.status.success() {
        bail!("the measurement failed");
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let figures: Value = serde_json::from_str(text.trim()).context("the measurement says nothing")?;
    let of = |name: &str| figures[name].as_f64().unwrap_or(f64::NAN);
    println!("{}", machine::describe());
    println!(
        "{} questions, {} asked: median {:.3} ms, p99 {:.3} ms, longest {:.3} ms",
        figures["questions"],
        figures["asked"],
        of("median_ms"),
        of("p99_ms"),
        of("longest_ms")
    );
    let met = of("p99_ms") < GOAL;
    println!("goal: p99 below {GOAL} ms: {}", if met { "met" } else { "missed" });
    Ok(true)
}

/// The questions of the first set.
fn sets() -> Result<Vec<PathBuf>> {
    Ok(vec![root()?.join("eval/logs/questions.jsonl")])
}
