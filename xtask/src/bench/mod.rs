//! `cargo xtask bench engine`: what a step, a task, a turn and a run cost, beside a floor by hand and, if wanted,
//! beside the Python original. `cargo xtask bench server`: what a server makes of runs. `cargo xtask bench decisions`: what
//! a decision costs besides its model. `cargo xtask bench sql`: what log stores make of lines and questions.
//! `cargo xtask bench search`: what finding documents costs. `cargo xtask bench analyst`: what a question costs
//! besides database and model. `cargo xtask bench advisor`: what one costs without a model.
//! `cargo xtask bench replicas`: what servers ask of the database that they share. See `bench/README.md`.

mod advisor;
mod analyst;
mod cases;
mod decisions;
mod goals;
mod machine;
mod merge;
mod options;
mod postgres;
mod program;
mod python;
mod replicas;
mod search;
mod server;
mod server_cpu;
mod sql;
mod table;

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::date;
use crate::workspace::root;
use cases::Case;
use goals::Goal;
use options::Options;
use postgres::Server;
use program::Program;
use python::Python;

pub(crate) fn run(args: &[String]) -> Result<bool> {
    match args.split_first() {
        Some((word, rest)) if word == "engine" => engine(&Options::parse(rest, 5)?),
        Some((word, rest)) if word == "server" => server::run(&Options::parse(rest, 3)?),
        Some((word, rest)) if word == "decisions" => decisions::run(&Options::parse(rest, 5)?),
        Some((word, rest)) if word == "sql" => sql::run(&Options::parse(rest, 7)?),
        Some((word, rest)) if word == "search" => search::run(&Options::parse(rest, 1)?),
        Some((word, [])) if word == "analyst" => analyst::run(),
        Some((word, rest)) if word == "replicas" => replicas::run(rest),
        Some((word, rest)) if word == "advisor" => advisor::run(&Options::parse(rest, 1)?),
        _ => {
            bail!(
                "say what to measure: `cargo xtask bench engine`, `… server`, `… decisions`, `… sql`, `… search`, `… analyst`, `… advisor` or `… replicas`"
            )
        }
    }
}

/// The chosen cases that can be measured here.
fn possible(all: &'static [Case], options: &Options) -> Result<Vec<&'static Case>> {
    let mut cases = cases::chosen(all, options)?;
    if let Some(why) = postgres::missing().filter(|_| cases.iter().any(|case| case.needs_postgres())) {
        eprintln!("*** left out, because {why}: all cases on PostgreSQL ***");
        cases.retain(|case| !case.needs_postgres());
    }
    if cases.is_empty() {
        bail!("there is nothing to measure");
    }
    Ok(cases)
}

fn engine(options: &Options) -> Result<bool> {
    let cases = possible(cases::CASES, options)?;
    let ours = Program::built(options.dev)?;
    let theirs = if options.against_langgraph { Some(Python::ready(ours.target())?) } else { None };

    let server = if cases.iter().any(|case| case.needs_postgres()) { Some(Server::start()?) } else { None };

    let mut results: Vec<Measured> = cases.into_iter().map(Measured::new).collect();
    // Ours, the floor, theirs, and again: what disturbs the machine for a minute disturbs all three.
    for repeat in 1..=options.repeat {
        for measured in &mut results {
            let case = measured.case;
            eprintln!("[{repeat}/{}] {}", options.repeat, case.name);
            let server = server.as_ref().filter(|_| case.needs_postgres());
            measured.ours.push(ours.measure(case, "duru", options, server)?);
            measured.floor.push(ours.measure(case, "floor", options, server)?);
            if let Some(theirs) = &theirs
                && case.python_repeats(options) >= repeat
            {
                measured.theirs.extend(theirs.measure(case, server)?);
            }
        }
    }

    drop(server);

    let merged: Vec<Merged> = results.iter().map(Measured::merge).collect::<Result<_>>()?;
    show("engine", &merged, &table::figures(&merged), goals::GOALS)
}

/// Keeps what was measured, and prints it.
fn show(what: &str, merged: &[Merged], figures: &str, goals: &[Goal]) -> Result<bool> {
    let path = save(&root()?, what, merged)?;
    println!("{}", machine::describe());
    print!("{figures}");
    println!();
    print!("{}", table::goals(&goals::check(goals, merged)));
    println!("\nJSON lines: {}", path.display());
    Ok(true)
}

/// What was measured of one case, one line per process.
struct Measured {
    case: &'static Case,
    ours: Vec<Value>,
    floor: Vec<Value>,
    theirs: Vec<Value>,
}

/// One line per implementation.
pub(crate) struct Merged {
    case: &'static Case,
    ours: Value,
    floor: Value,
    theirs: Option<Value>,
}

impl Measured {
    fn new(case: &'static Case) -> Self {
        Self { case, ours: Vec::new(), floor: Vec::new(), theirs: Vec::new() }
    }

    fn merge(&self) -> Result<Merged> {
        let merged =
            |lines: &[Value]| merge::merge(lines).with_context(|| format!("in case {}", self.case.name));
        Ok(Merged {
            case: self.case,
            ours: merged(&self.ours)?,
            // A server has none.
            floor: if self.floor.is_empty() { Value::Null } else { merged(&self.floor)? },
            theirs: if self.theirs.is_empty() { None } else { Some(merged(&self.theirs)?) },
        })
    }
}

/// The day's file, to be added to.
fn results(root: &Path, what: &str) -> Result<(PathBuf, File)> {
    let folder = root.join("bench-results");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let path = folder.join(format!("{what}-{}.jsonl", date::today()));
    let file = std::fs::OpenOptions::new().create(true).append(true).open(&path)?;
    Ok((path, file))
}

/// Adds the lines to the day's file.
fn save(root: &Path, what: &str, merged: &[Merged]) -> Result<PathBuf> {
    let (path, mut file) = results(root, what)?;
    for case in merged {
        for line in [Some(&case.ours), Some(&case.floor), case.theirs.as_ref()].into_iter().flatten() {
            if line.is_null() {
                continue;
            }
            let mut line = line.clone();
            line["case"] = Value::from(case.case.name);
            writeln!(file, "{line}")?;
        }
    }
    Ok(path)
}
