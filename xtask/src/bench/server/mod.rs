//! `cargo xtask bench server`: how many runs a server carries out, how fast, and in how much memory.

mod cases;
mod process;
mod reference;
mod table;

use anyhow::Result;
use serde_json::Value;

use super::cases::Case;
use super::options::Options;
use super::postgres;
use super::program::{Program, lines};
use super::server_cpu;
use super::{Measured, Merged, possible, show};
use process::Listening;
use reference::{Reference, Whose};

pub(super) fn run(options: &Options) -> Result<bool> {
    let mut cases = possible(cases::CASES, options)?;
    if !options.against_langgraph {
        cases.retain(|case| case.python.is_none());
    }
    let load = Program::build()?;
    let binary = process::build()?;
    let reference =
        if options.against_langgraph { Some(Reference::ready(options, load.target())?) } else { None };
    let database =
        if cases.iter().any(|case| case.needs_postgres()) { Some(postgres::Server::start()?) } else { None };

    let window_ms = if options.quick { 1000 } else { 5000 };
    let mut results: Vec<Measured> = cases.into_iter().map(Measured::new).collect();
    for repeat in 1..=options.repeat {
        for measured in &mut results {
            let case = measured.case;
            eprintln!("[{repeat}/{}] {}", options.repeat, case.name);
            let database = database.as_ref().filter(|_| case.needs_postgres());
            // A fresh server each time: what the one before holds says nothing about this one.
            let ours = process::ours(&binary, store(case), database)?;
            match (&reference, case.python) {
                (Some(reference), Some(_)) => {
                    measured.ours.extend(reference.measure(case, &ours, window_ms, Whose::Ours)?);
                    drop(ours);
                    let theirs = reference.start()?;
                    measured.theirs.extend(reference.measure(case, &theirs, window_ms, Whose::Reference)?);
                }
                _ => measured.ours.extend(measure(&load, case, &ours, database, window_ms)?),
            }
        }
    }
    drop(database);

    let merged: Vec<Merged> = results.iter().map(Measured::merge).collect::<Result<_>>()?;
    show("server", &merged, &table::figures(&merged), cases::GOALS)
}

/// What our own clients say of a server.
fn measure(
    load: &Program,
    case: &Case,
    server: &Listening,
    database: Option<&postgres::Server>,
    window_ms: u64,
) -> Result<Vec<Value>> {
    let mut command = load.command(case.ours, window_ms);
    command.arg(format!("url={}", server.url)).arg(format!("pid={}", server.pid()));
    server_cpu::known(server.pid(), || match database {
        Some(database) => server_cpu::beside(database, 0.0, || lines(command)),
        None => lines(command),
    })
}

/// Where a case has the server keep its threads.
fn store(case: &Case) -> &'static str {
    let mut words = case.ours.split_whitespace();
    words.find_map(|word| word.strip_prefix("store=")).unwrap_or("memory")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_says_where_threads_are_kept() {
        let of = |name| store(cases::CASES.iter().find(|case| case.name == name).unwrap());
        assert_eq!(
            (of("idle"), of("wait-sqlite-1"), of("wait-postgres-64")),
            ("memory", "sqlite", "postgres")
        );
    }
}
