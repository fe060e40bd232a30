//! The workloads of `cargo xtask bench`: one process measures one case once and prints one JSON line.
//!
//! `duru-bench <workload> [key=value …]`. What is compared with what, and how often, is decided in `xtask/src/bench/`.

mod args;
mod chain;
mod cold;
mod concurrency;
mod decisions;
mod fanout;
mod floor;
mod load;
mod measure;
mod messages;
mod postgres;
mod report;
mod round_trips;
mod search;
mod store;
mod stream;

use std::process::ExitCode;

use anyhow::{Result, bail};

use args::Args;

fn main() -> ExitCode {
    let started = measure::Contention::start();
    match run(started) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(contention: measure::Contention) -> Result<()> {
    let mut words = std::env::args().skip(1);
    let workload = words.next().unwrap_or_default();
    let args = Args::parse(words)?;
    let report = match workload.as_str() {
        "chain" => chain::run(&args)?,
        "fanout" => fanout::run(&args)?,
        "messages" => messages::run(&args)?,
        "concurrency" => concurrency::run(&args)?,
        "stream" => stream::run(&args)?,
        "decisions" => decisions::run(&args)?,
        "coldstart" => cold::run(&args)?,
        "load-wait" => load::wait::run(&args)?,
        "load-query" => load::query::run(&args)?,
        "load-idle" => load::idle::run(&args)?,
        "load-streams" => load::streams::run(&args)?,
        "search" => search::run(&args)?,
        "search-corpus" => return search::corpus(&args),
        cold::CHILD => return cold::child(&args),
        other => bail!("there is no workload {other:?}; start this with `cargo xtask bench`"),
    };
    args.all_used()?;
    println!("{}", report.line(&args, contention.end()));
    Ok(())
}
