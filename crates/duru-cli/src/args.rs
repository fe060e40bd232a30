//! The command line, in the language of whoever reads its help.

mod ask;
mod audit;
mod cli;
mod config;
mod data;
mod db;
mod docs;
mod eval;
mod examples;
mod feedback;
mod graph;
mod keys;
mod logs;
mod memory;
mod mode;
mod models;
mod runs;
mod serve;
mod sql;
mod tables;
mod tell;
mod wrong;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

pub(crate) use ask::{Agent, AskArgs, Show};
pub(crate) use cli::exit_codes;
pub(crate) use config::ConfigAction;
pub(crate) use data::{DataAction, DataArgs, Restoring};
pub(crate) use db::{DbAction, DbArgs};
pub(crate) use docs::{DocsAction, DocsArgs, DocsPlace, RemarksAction};
pub(crate) use graph::{Format, GraphArgs};
pub(crate) use keys::KeysAction;
pub(crate) use logs::{GenerateArgs, IngestArgs, LogsArgs};
pub(crate) use memory::{LOCAL_USER, MemoryAction, MemoryArgs};
pub(crate) use mode::Mode;
pub(crate) use runs::RunsAction;
pub(crate) use serve::{ServeArgs, USUAL_PORT};
pub(crate) use tables::{TablesAction, TablesPlace};
pub(crate) use tell::Telling;

use clap::error::ErrorKind;
use clap::{ArgMatches, Command};

use crate::colour::Colour;
use crate::demo::Verdict;
use crate::lang::Lang;
use crate::output::Output;
use crate::problem::{Early, Problem};
use crate::settings;
use crate::store::Place;

pub(crate) use eval::{EvalArgs, EvalDocuments, EvalLogs, EvalModel, EvalTables};
pub(crate) use sql::SqlArgs;

/// What was asked for.
#[derive(Debug)]
pub(crate) struct Args {
    pub(crate) lang: Lang,
    pub(crate) json: bool,
    pub(crate) jsonl: bool,
    pub(crate) plain: bool,
    pub(crate) telling: Telling,
    pub(crate) colour: Colour,
    /// Nobody is asked anything.
    pub(crate) no_input: bool,
    /// The command that was called, such as `threads show`.
    pub(crate) path: String,
    /// What flags say, by the names of the variables that say the same.
    pub(crate) flags: Vec<(&'static str, String)>,
    /// A password stands on the command line, where others on this machine can see it.
    pub(crate) shows_password: bool,
    /// The store that was named, if one was.
    pub(crate) store: Option<Place>,
    pub(crate) action: Action,
}

#[derive(Debug)]
pub(crate) enum Action {
    Ask(AskArgs),
    Chat(AskArgs),
    /// Going on with a thread, whichever it is.
    Resume(AskArgs),
    Demo(DemoArgs),
    /// Sample data as at the first start.
    DemoReset {
        mode: Mode,
    },
    Docs(DocsArgs),
    Eval(EvalArgs),
    Graph(GraphArgs),
    Data(DataArgs),
    Db(DbArgs),
    Logs(LogsArgs),
    Tables(TablesAction),
    Keys(KeysAction),
    Runs(RunsAction),
    Memory(MemoryArgs),
    AbReport,
    /// What people thought of answers; or only what they did not like.
    Audit {
        who: Option<String>,
        limit: usize,
    },
    Feedback {
        only_bad: bool,
    },
    /// Nothing in particular: the whole product.
    Start(ServeArgs),
    Serve(ServeArgs),
    List {
        limit: usize,
    },
    Show {
        id: String,
        at: Option<String>,
    },
    Diff {
        id: String,
        from: Option<String>,
        to: Option<String>,
    },
    Fork {
        id: String,
        to: String,
        yes: bool,
    },
    Decisions {
        show: Option<String>,
    },
    FakeModel {
        port: u16,
        script: Option<String>,
    },
    Doctor {
        offline: bool,
    },
    Config(ConfigAction),
    Init {
        yes: bool,
    },
    Completions(clap_complete::Shell),
    /// Pages of the manual, into a folder if one is named.
    Man {
        folder: Option<PathBuf>,
    },
    Sql(SqlArgs),
}

#[derive(Debug, Default)]
pub(crate) struct DemoArgs {
    pub(crate) thread: Option<String>,
    pub(crate) topic: Option<String>,
    pub(crate) answering: Answering,
    /// How long each node takes.
    pub(crate) pace: Duration,
}

/// Who answers the example's questions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Answering {
    /// The person at the terminal; without one, yes.
    #[default]
    Person,
    /// Always yes.
    Yes,
    /// The first question so, the others yes.
    With(Verdict),
    /// Nobody: the run stays paused.
    Nobody,
}

/// What a shell needs to complete our words.
pub(crate) fn completions(shell: clap_complete::Shell, lang: Lang) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut described(lang), "duru", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// The commands as the manual and the shells' completions describe them.
pub(crate) fn described(lang: Lang) -> clap::Command {
    cli::command(lang)
}

impl Action {
    /// Whether it does anything but look at settings, help and scripts.
    fn uses_data(&self) -> bool {
        !matches!(
            self,
            Self::Config(_)
                | Self::Init { .. }
                | Self::Completions(_)
                | Self::Man { .. }
                | Self::Doctor { .. }
        )
    }
}

pub(crate) fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Args, Early> {
    let args = with_help(args.into_iter().collect());
    let settings = settings::read();
    let lang = Lang::detect(&args);
    if let Err(unreadable) = settings {
        return Err(early(&args, lang, Problem::Settings(unreadable)));
    }
    let command = cli::command(lang).mut_subcommand("docs", docs::with_reader);
    match command.try_get_matches_from(&args) {
        Ok(matches) => {
            let read = Args { shows_password: args.iter().any(has_password), ..read(lang, &matches) };
            match settings::untrusted().filter(|_| read.action.uses_data()) {
                Some(untrusted) => Err(early(&args, lang, Problem::Settings(untrusted))),
                None => Ok(read),
            }
        }
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            Err(Early::Help(help(lang, &error, tell::colour_of_help(&args))))
        }
        Err(error) => Err(early(&args, lang, Problem::Usage(wrong::describe(lang, &error)))),
    }
}

/// Whether an argument is a URL with a password or a secret key in it.
fn has_password(arg: &OsString) -> bool {
    let bucket = arg.to_str().map(str::parse::<duru_logs::BucketAddress>);
    if let Some(Ok(address)) = bucket {
        return address.has_secret();
    }
    let Some((scheme, rest)) = arg.to_str().and_then(|arg| arg.split_once("://")) else { return false };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let user = authority.rsplit_once('@').map(|(user, _)| user).unwrap_or_default();
    scheme.contains("postgres") && user.split_once(':').is_some_and(|(_, password)| !password.is_empty())
}

/// `duru help ask` is `duru ask --help`.
fn with_help(mut args: Vec<OsString>) -> Vec<OsString> {
    let mut at = 1;
    while let Some(word) = args.get(at).and_then(|word| word.to_str()) {
        match word {
            "help" => {
                args.remove(at);
                args.push("--help".into());
                break;
            }
            "--lang" | "--color" | "--store" => at += 2,
            option if option.starts_with('-') => at += 1,
            _ => break,
        }
    }
    args
}

/// The help, without the one English word that clap does not let us choose.
fn help(lang: Lang, error: &clap::Error, colour: Colour) -> String {
    let text = match colour {
        Colour::Always => error.render().ansi().to_string(),
        Colour::Never => error.render().to_string(),
    };
    lang.pick(text.replace("[OPTIONS]", "[옵션]"), text)
}

/// What is wrong before it is known what was asked for.
fn early(args: &[OsString], lang: Lang, problem: Problem) -> Early {
    let has = |name: &str| args.iter().any(|arg| arg == name);
    let path = called(&cli::command(lang), args);
    let args = Args {
        lang,
        json: has("--json"),
        jsonl: has("--jsonl"),
        plain: false,
        telling: Telling::Usual,
        colour: tell::colour(args),
        no_input: has("--no-input"),
        path,
        flags: Vec::new(),
        shows_password: false,
        store: None,
        action: Action::List { limit: 0 },
    };
    Early::Problem(Box::new(problem), Output::of(&args))
}

/// Which command is called by words that can't be read as a whole.
fn called(command: &Command, args: &[OsString]) -> String {
    let (mut at, mut path) = (command, Vec::new());
    for word in args.iter().skip(1) {
        if let Some(below) = at.find_subcommand(word).filter(|below| !below.is_hide_set()) {
            path.push(below.get_name());
            at = below;
        }
    }
    path.join(" ")
}

/// The words of the command that was called.
fn path(matches: &ArgMatches) -> String {
    let (mut at, mut path) = (matches, Vec::new());
    while let Some((name, below)) = at.subcommand() {
        path.push(name);
        at = below;
    }
    path.join(" ")
}

fn read(lang: Lang, matches: &ArgMatches) -> Args {
    let action = match matches.subcommand() {
        Some(("demo", demo)) => match demo.subcommand() {
            Some(("reset", reset)) => Action::DemoReset { mode: Mode::of(reset) },
            _ => Action::Demo(read_demo(demo)),
        },
        Some(("eval", matches)) => Action::Eval(eval::read(matches)),
        Some(("graph", matches)) => Action::Graph(graph::read(matches)),
        Some(("serve", matches)) => Action::Serve(serve::read(matches)),
        Some(("sql", asked)) => Action::Sql(sql::read(asked)),
        Some(("keys", matches)) => Action::Keys(keys::read(matches)),
        Some(("runs", matches)) => Action::Runs(runs::read(matches)),
        Some(("db", matches)) => Action::Db(db::read(matches)),
        Some(("logs", matches)) => Action::Logs(logs::read(matches)),
        Some(("tables", matches)) => Action::Tables(tables::read_action(matches)),
        Some(("memory", matches)) => Action::Memory(memory::read(matches)),
        Some(("ab", _)) => Action::AbReport,
        Some(("audit", matches)) => {
            let (who, limit) = audit::read(matches);
            Action::Audit { who, limit }
        }
        Some(("feedback", matches)) => Action::Feedback { only_bad: feedback::read(matches) },
        Some(("ask", matches)) => Action::Ask(ask::read(matches)),
        Some(("chat", matches)) => Action::Chat(ask::read(matches)),
        Some(("resume", matches)) => Action::Resume(ask::read(matches)),
        Some(("threads", threads)) => read_threads(threads),
        Some(("docs", docs)) => Action::Docs(docs::read(docs)),
        Some((name, rest)) => models::read(name, rest)
            .or_else(|| config::read(name, rest))
            .or_else(|| data::read(name, rest).map(Action::Data))
            .unwrap_or_else(|| Action::Start(ServeArgs::anywhere())),
        None => Action::Start(ServeArgs::anywhere()),
    };
    let flags: Vec<(&'static str, String)> = [("DURU_STORE", "store"), ("DURU_LANG", "lang")]
        .into_iter()
        .filter_map(|(variable, flag)| Some((variable, text(matches, flag)?)))
        .collect();
    let named = text(matches, "store").or_else(|| settings::get("DURU_STORE"));
    Args {
        lang,
        json: matches.get_flag("json"),
        jsonl: matches.get_flag("jsonl"),
        plain: matches.get_flag("plain"),
        telling: tell::read(matches),
        colour: Colour::of(text(matches, "color").as_deref()),
        no_input: matches.get_flag("no-input"),
        path: path(matches),
        flags,
        shows_password: false,
        store: named.filter(|name| !name.is_empty()).map(Place::named),
        action,
    }
}

fn read_threads(threads: &ArgMatches) -> Action {
    let Some((name, matches)) = threads.subcommand() else { return Action::List { limit: 50 } };
    let id = || text(matches, "id").unwrap_or_default();
    match name {
        "show" => Action::Show { id: id(), at: text(matches, "at") },
        "diff" => Action::Diff { id: id(), from: text(matches, "from"), to: text(matches, "to") },
        "fork" => Action::Fork {
            id: id(),
            to: text(matches, "checkpoint").unwrap_or_default(),
            yes: matches.get_flag("yes"),
        },
        _ => Action::List { limit: matches.get_one::<u32>("limit").map_or(50, |limit| *limit as usize) },
    }
}

fn read_demo(demo: &ArgMatches) -> DemoArgs {
    let answering = if demo.get_flag("yes") {
        Answering::Yes
    } else if demo.get_flag("no-input") {
        Answering::Nobody
    } else {
        let verdict = text(demo, "answer").and_then(|word| Verdict::from_word(&word));
        verdict.map_or(Answering::Person, Answering::With)
    };
    DemoArgs {
        thread: text(demo, "thread"),
        topic: text(demo, "topic"),
        answering,
        pace: Duration::from_millis(demo.get_one::<u64>("pace").copied().unwrap_or_default()),
    }
}

fn text(matches: &ArgMatches, name: &str) -> Option<String> {
    matches.get_one::<String>(name).cloned()
}
