//! `cargo xtask bench server`: how many runs a server carries out, how fast, and in how much memory.

mod cases;
mod collector;
pub(super) mod process;
mod product;
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
use process::{Guard, How, Listening};
use product::Product;
use reference::{Reference, Whose};

/// Lines for a trial.
const TRIAL_ROWS: u64 = 20_000;

pub(super) fn run(options: &Options) -> Result<bool> {
    let mut cases = possible(cases::CASES, options)?;
    if !options.against_langgraph {
        cases.retain(|case| case.python.is_none());
    }
    let load = Program::built(options.dev)?;
    let binary = process::build(options.dev)?;
    let product =
        cases.iter().any(|case| of_product(case)).then(|| Product::build(options.dev)).transpose()?;
    let collector = collector::start()?;
    let reference = if options.against_langgraph { Some(Reference::ready(load.target())?) } else { None };
    let database =
        if cases.iter().any(|case| case.needs_postgres()) { Some(postgres::Server::start()?) } else { None };

    let window_ms = if options.quick { 1000 } else { 5000 };
    let mut results: Vec<Measured> = cases.into_iter().map(Measured::new).collect();
    for repeat in 1..=options.repeat {
        for measured in &mut results {
            let case = measured.case;
            eprintln!("[{repeat}/{}] {}", options.repeat, case.name);
            let database = database.as_ref().filter(|_| case.needs_postgres());
            if let Some(product) = product.as_ref().filter(|_| of_product(case)) {
                measured.ours.extend(with_logs(&load, product, case, options, window_ms)?);
                continue;
            }
            // A fresh server each time: what the one before holds says nothing about this one.
            let guard = Guard::of(word(case, "guard="), &collector)?;
            let has_key = guard.has_key();
            let store = word(case, "store=").unwrap_or("memory");
            let mut ours = process::ours(&binary, &How { store, database, guard })?;
            let key = has_key.then(|| ours.line()).transpose()?;
            match (&reference, case.python) {
                (Some(reference), Some(_)) => {
                    measured.ours.extend(reference.measure(case, &ours, window_ms, Whose::Ours)?);
                    drop(ours);
                    let theirs = reference.start()?;
                    measured.theirs.extend(reference.measure(case, &theirs, window_ms, Whose::Reference)?);
                }
                _ => measured.ours.extend(measure(&load, case, &ours, database, window_ms, key.as_deref())?),
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
    key: Option<&str>,
) -> Result<Vec<Value>> {
    let mut command = load.command(case.ours, window_ms);
    command.arg(format!("url={}", server.url)).arg(format!("pid={}", server.pid()));
    if let Some(key) = key {
        command.arg(format!("key={key}"));
    }
    server_cpu::known(server.pid(), || match database {
        Some(database) => server_cpu::beside(database, 0.0, || lines(command)),
        None => lines(command),
    })
}

/// Whether a case is about the product and not about the graphs of the tests.
fn of_product(case: &Case) -> bool {
    case.ours.starts_with("load-query") || case.ours.starts_with("send")
}

/// What the product makes of questions and lines.
fn with_logs(
    load: &Program,
    product: &Product,
    case: &Case,
    options: &Options,
    window_ms: u64,
) -> Result<Vec<Value>> {
    let number = |name: &str| word(case, name).and_then(|text| text.parse::<u64>().ok()).unwrap_or(1);
    // A trial needs no million.
    let rows = number("rows=").min(if options.quick { TRIAL_ROWS } else { u64::MAX });
    if case.ours.starts_with("send") {
        return product.ingest(rows, number("connections="));
    }
    let server = product.serve(&product.logs(rows)?)?;
    let mut command = load.command(case.ours, window_ms);
    command
        .arg(format!("url={}", server.url))
        .arg(format!("pid={}", server.pid()))
        .arg(format!("now={}", product.now()));
    server_cpu::known(server.pid(), || lines(command))
}

/// What a case says after a word.
fn word(case: &Case, key: &str) -> Option<&'static str> {
    case.ours.split_whitespace().find_map(|word| word.strip_prefix(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_says_where_threads_are_kept_and_whether_it_is_guarded() {
        let of = |name, key| word(cases::CASES.iter().find(|case| case.name == name).unwrap(), key);
        assert_eq!(
            (of("idle", "store="), of("wait-sqlite-1", "store="), of("wait-postgres-64", "store=")),
            (None, Some("sqlite"), Some("postgres"))
        );
        assert_eq!(
            (of("wait-memory-64-traced", "guard="), of("wait-memory-64", "guard=")),
            (Some("traced"), None)
        );
        assert!(cases::CASES.iter().all(|case| Guard::of(word(case, "guard="), "").is_ok()));
    }
}
