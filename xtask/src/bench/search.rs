//! `cargo xtask bench search`: our index of documents, SQLite's full text and BM25 in Python on the same passages.

use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::cases::{Case, alone};
use super::goals::{Figure, Goal, Limit, goal};
use super::options::Options;
use super::program::{Program, data_dir, lines};
use super::{Measured, Merged, possible, show, table};
use crate::workspace::root;

const CPU: &str = "cpu_ms_per_variation";

const CASES: &[Case] = &[
    alone("search-100000", "search chunks=100000", CPU),
    alone("search-60000", "search chunks=60000", CPU),
    alone("search-10000", "search chunks=10000", CPU),
];

const GOALS: &[Goal] = &[
    goal("search-100000", "ms per way that a question is put", Figure::Ours("median"), Limit::AtMost(50.0)),
    goal(
        "search-100000",
        "passages indexed per second",
        Figure::Ours("chunks_per_s"),
        Limit::AtLeast(2000.0),
    ),
    goal("search-60000", "ms that a question takes, p99", Figure::Ours("wait_p99_ms"), Limit::AtMost(30.0)),
    goal("search-100000", "MiB at most", Figure::Ours("peak_rss_mib"), Limit::AtMost(500.0)),
];

pub(super) fn run(options: &Options) -> Result<bool> {
    let cases = possible(CASES, options)?;
    let ours = Program::build()?;
    let mut results: Vec<Measured> = cases.into_iter().map(Measured::new).collect();
    for repeat in 1..=options.repeat {
        for measured in &mut results {
            let case = measured.case;
            eprintln!("[{repeat}/{}] {}", options.repeat, case.name);
            measured.ours.push(ours.measure(case, "duru", options, None)?);
            measured.floor.push(ours.measure(case, "floor", options, None)?);
            measured.theirs.push(python(&ours, case)?);
        }
    }
    let merged: Vec<Merged> = results.iter().map(Measured::merge).collect::<Result<_>>()?;
    show("search", &merged, &table::figures(&merged), GOALS)
}

/// The same passages and questions, in Python.
fn python(ours: &Program, case: &Case) -> Result<Value> {
    let folder = data_dir(ours.target());
    std::fs::create_dir_all(&folder)?;
    let file = folder.join(format!("{}.jsonl", case.name));
    let words = case.ours.replacen("search", "search-corpus", 1);
    let mut corpus = ours.command(&words, 0);
    corpus.arg(format!("file={}", file.display()));
    if !corpus.status().context("cannot start duru-bench")?.success() {
        bail!("the passages could not be written");
    }
    let mut command = Command::new("python3");
    command.arg(root()?.join("bench/search_bm25.py")).arg(&file);
    let line = lines(command)?.into_iter().next().context("the script printed nothing")?;
    std::fs::remove_file(&file)?;
    Ok(line)
}
