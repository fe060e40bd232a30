//! The workloads of `cargo xtask bench sql`: one process measures one thing and prints JSON lines.

mod ask;
mod data;
mod fill;
mod open;
mod questions;
mod send;
mod together;
mod words;

use std::process::ExitCode;

use anyhow::{Result, bail};

use words::Words;

#[tokio::main]
async fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let work = arguments.next().unwrap_or_default();
    match run(&work, arguments.collect()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("duru-bench-sql {work}: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run(work: &str, arguments: Vec<String>) -> Result<()> {
    let words = Words::parse(arguments)?;
    match work {
        "fill" => fill::run(&words).await,
        "ask" => ask::run(&words).await,
        "send" => send::run(&words).await,
        "open" => open::run(&words).await,
        "together" => together::run(&words).await,
        "work" => together::work(&words).await,
        _ => bail!("there are fill, ask, send, open, together and work"),
    }
}
