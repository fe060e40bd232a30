//! The `duru` command: serves the agents, asks them, feeds them, and shows, compares and takes back what the
//! threads of a store have done.
//!
//! Data goes to standard output, progress and errors to standard error.

mod ab;
mod agents;
mod args;
mod ask;
mod audit;
mod colour;
mod config;
mod data;
mod db;
mod decisions;
mod demo;
mod docs;
mod doctor;
mod eval;
mod fake_model;
mod feedback;
mod graph;
mod keys;
mod lang;
mod live;
mod logs;
mod man;
mod memory;
mod messages;
mod output;
mod page;
mod problem;
mod reasons;
mod resume;
mod routes;
mod runs;
mod serve;
mod settings;
mod show;
mod sql;
mod store;
mod tables;
mod terminal;
mod text;

use std::process::ExitCode;

use anyhow::Context as _;

use crate::args::{Action, Args};
use crate::output::Output;
use crate::problem::Problem;

/// A server asks for some hundreds of small pieces of memory for every run; the system's allocator took a quarter of
/// its time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let args = match args::parse(std::env::args_os()) {
        Ok(args) => args,
        Err(early) => return early.exit(),
    };
    let output = Output::of(&args);
    if args.shows_password {
        output.progress(output.lang.password_is_seen());
    }
    let code = match run(&args, &output) {
        Ok(()) => 0,
        Err(problem) => problem.report(&output),
    };
    ExitCode::from(code)
}

fn run(args: &Args, output: &Output) -> Result<(), Problem> {
    // A server and whoever asks logs use every core; other commands need one.
    let mut runtime = match args.action {
        Action::Start(_)
        | Action::Serve(_)
        | Action::Ask(_)
        | Action::Chat(_)
        | Action::Resume(_)
        | Action::Eval(_)
        | Action::Logs(_) => tokio::runtime::Builder::new_multi_thread(),
        _ => tokio::runtime::Builder::new_current_thread(),
    };
    let runtime = runtime
        .enable_all()
        .build()
        .context("the asynchronous runtime could not be started")
        .map_err(Problem::Unexpected)?;
    let result = runtime.block_on(async {
        match &args.action {
            Action::Start(asked) => serve::start(asked, args, output).await,
            Action::Serve(asked) => serve::run(asked, args, output).await,
            Action::Ask(asked) => agents::ask(asked, args, output).await,
            Action::Chat(asked) => agents::chat(asked, args, output).await,
            Action::Resume(asked) => resume::run(asked, args, output).await,
            Action::Data(asked) => data::run(asked, args, output).await,
            Action::Db(db) => db::run(db, output).await,
            Action::Logs(logs) => logs::run(logs, output).await,
            Action::Tables(action) => tables::run(action, output).await,
            Action::Keys(action) => keys::run(action, args, output).await,
            Action::Runs(action) => runs::run(action, args, output).await,
            Action::Memory(memory) => memory::run(memory, args, output).await,
            Action::AbReport => ab::report(args, output).await,
            Action::Audit { who, limit } => audit::run(who.as_deref(), *limit, args, output).await,
            Action::Feedback { only_bad } => feedback::run(*only_bad, args, output).await,
            Action::Graph(graph) => graph::graph(graph, args, output).await,
            Action::Docs(docs) => docs::run(docs, output).await,
            Action::Eval(eval) => eval::run(eval, output).await,
            Action::Demo(demo) => demo::run(demo, args, output).await,
            Action::DemoReset { mode } => demo::reset(*mode, args, output).await,
            Action::List { limit } => show::list(*limit, args, output).await,
            Action::Show { id, at: None } => show::thread(id, args, output).await,
            Action::Show { id, at: Some(at) } => show::moment(id, at, args, output).await,
            Action::Diff { id, from, to } => {
                show::diff(id, [from.as_deref(), to.as_deref()], args, output).await
            }
            Action::Sql(asked) => sql::check(asked, output),
            Action::Fork { id, to, yes } => show::fork(id, to, *yes, args, output).await,
            Action::Decisions { show: None } => decisions::list(args, output).await,
            Action::Decisions { show: Some(name) } => decisions::show(name, output),
            Action::FakeModel { port, script } => fake_model::run(*port, script.as_deref(), output).await,
            Action::Config(action) => config::run(*action, args, output),
            Action::Init { yes } => config::init(*yes, output),
            Action::Completions(shell) => config::completions(*shell, output),
            Action::Man { folder } => man::run(folder.as_deref(), output),
            Action::Doctor { offline } => doctor::run(*offline, args, output).await,
        }
    });
    // A thread that still reads the terminal must not keep the program alive.
    runtime.shutdown_background();
    result
}
