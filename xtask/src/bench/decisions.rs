//! `cargo xtask bench decisions`: what a decision costs besides the network.

use anyhow::Result;

use super::cases::{Case, alone};
use super::goals::{Figure, Goal, Limit, goal};
use super::options::Options;
use super::program::Program;
use super::{Measured, Merged, possible, show, table};

const CPU: &str = "cpu_us_per_decision";

const CASES: &[Case] = &[
    alone("decision-10kb", "decisions bytes=10240", CPU),
    alone("decision-10kb-rules", "decisions bytes=10240 source=rules", CPU),
    alone("decision-100b", "decisions bytes=100", CPU),
    alone("decision-1mb", "decisions bytes=1048576", CPU),
];

const GOALS: &[Goal] = &[
    goal(
        "decision-10kb",
        "µs per decision without the network",
        Figure::Ours("median"),
        Limit::AtMost(200.0),
    ),
    goal("decision-10kb-rules", "µs per decision by a rule", Figure::Ours("median"), Limit::AtMost(200.0)),
];

pub(super) fn run(options: &Options) -> Result<bool> {
    let cases = possible(CASES, options)?;
    let ours = Program::build()?;
    let mut results: Vec<Measured> = cases.into_iter().map(Measured::new).collect();
    for repeat in 1..=options.repeat {
        for measured in &mut results {
            eprintln!("[{repeat}/{}] {}", options.repeat, measured.case.name);
            measured.ours.push(ours.measure(measured.case, "duru", options, None)?);
        }
    }
    let merged: Vec<Merged> = results.iter().map(Measured::merge).collect::<Result<_>>()?;
    show("decisions", &merged, &table::figures(&merged), GOALS)
}
