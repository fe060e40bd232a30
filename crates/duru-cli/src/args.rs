//! The command line, in the language of whoever reads its help.

mod ask;
mod cli;
mod config;
mod data;
mod db;
mod docs;
mod eval;
mod feedback;
mod keys;
mod logs;
mod memory;
mod models;
mod runs;
mod serve;
mod sql;
mod tell;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

pub(crate) use ask::{Agent, AskArgs, Show};
pub(crate) use config::ConfigAction;
pub(crate) use data::{DataAction, DataArgs, Mode};
pub(crate) use db::{DbAction, DbArgs};
pub(crate) use docs::{DocsAction, DocsArgs, DocsPlace};
pub(crate) use keys::KeysAction;
pub(crate) use logs::{GenerateArgs, IngestArgs, LogsArgs};
pub(crate) use memory::{LOCAL_USER, MemoryAction, MemoryArgs};
pub(crate) use runs::RunsAction;
pub(crate) use serve::{Port, ServeArgs, USUAL_PORT};
pub(crate) use tell::Telling;

use clap::ArgMatches;
use clap::error::{ContextKind, ErrorKind};

use crate::colour::Colour;
use crate::demo::Verdict;
use crate::lang::Lang;
use crate::output::Output;
use crate::problem::{Early, Problem};
use crate::settings;
use crate::store::Place;

pub(crate) use eval::{EvalArgs, EvalDocuments, EvalLogs};
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
        yes: bool,
    },
    Docs(DocsArgs),
    Eval(EvalArgs),
    Graph(GraphArgs),
    Data(DataArgs),
    Db(DbArgs),
    Logs(LogsArgs),
    Keys(KeysAction),
    Runs(RunsAction),
    Memory(MemoryArgs),
    AbReport,
    /// What people thought of answers; or only what they did not like.
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
pub(crate) struct GraphArgs {
    pub(crate) format: Format,
    /// Whose path to mark.
    pub(crate) thread: Option<String>,
}

/// How a graph is drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Format {
    #[default]
    Mermaid,
    Svg,
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
    clap_complete::generate(shell, &mut cli::command(lang), "duru", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// The commands as the manual describes them.
pub(crate) fn described(lang: Lang) -> clap::Command {
    cli::command(lang)
}

pub(crate) fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Args, Early> {
    let args: Vec<OsString> = args.into_iter().collect();
    let settings = settings::read();
    let lang = Lang::detect(&args);
    if let Err(unreadable) = settings {
        return Err(early(&args, lang, Problem::Settings(unreadable)));
    }
    match tell::command(cli::command(lang), &args).try_get_matches_from(&args) {
        Ok(matches) => Ok(read(lang, &matches)),
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            Err(Early::Help(error))
        }
        Err(error) => Err(early(&args, lang, Problem::Usage(describe(lang, &error)))),
    }
}

/// What is wrong before it is known what was asked for.
fn early(args: &[OsString], lang: Lang, problem: Problem) -> Early {
    let has = |name: &str| args.iter().any(|arg| arg == name);
    let args = Args {
        lang,
        json: has("--json"),
        jsonl: has("--jsonl"),
        plain: false,
        telling: Telling::Usual,
        colour: tell::colour(args),
        store: None,
        action: Action::List { limit: 0 },
    };
    Early::Problem(Box::new(problem), Output::of(&args))
}

fn read(lang: Lang, matches: &ArgMatches) -> Args {
    let action = match matches.subcommand() {
        Some(("demo", demo)) => match demo.subcommand() {
            Some(("reset", reset)) => Action::DemoReset { yes: reset.get_flag("yes") },
            _ => Action::Demo(read_demo(demo)),
        },
        Some(("eval", matches)) => Action::Eval(eval::read(matches)),
        Some(("graph", graph)) => Action::Graph(GraphArgs {
            format: if text(graph, "format").is_some_and(|word| word == "svg") {
                Format::Svg
            } else {
                Format::Mermaid
            },
            thread: text(graph, "thread"),
        }),
        Some(("serve", matches)) => Action::Serve(serve::read(matches)),
        Some(("sql", asked)) => Action::Sql(sql::read(asked)),
        Some(("keys", matches)) => Action::Keys(keys::read(matches)),
        Some(("runs", matches)) => Action::Runs(runs::read(matches)),
        Some(("db", matches)) => Action::Db(db::read(matches)),
        Some(("logs", matches)) => Action::Logs(logs::read(matches)),
        Some(("memory", matches)) => Action::Memory(memory::read(matches)),
        Some(("ab", _)) => Action::AbReport,
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
    let named = text(matches, "store").or_else(|| settings::get("DURU_STORE"));
    Args {
        lang,
        json: matches.get_flag("json"),
        jsonl: matches.get_flag("jsonl"),
        plain: matches.get_flag("plain"),
        telling: tell::read(matches),
        colour: Colour::of(text(matches, "color").as_deref()),
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

/// What is wrong with the arguments.
fn describe(lang: Lang, error: &clap::Error) -> String {
    let context = |kind| error.get(kind).map(|value| value.to_string()).unwrap_or_default();
    let (arg, value) = (context(ContextKind::InvalidArg), context(ContextKind::InvalidValue));
    match error.kind() {
        ErrorKind::UnknownArgument => {
            lang.pick(format!("모르는 인자입니다: {arg}"), format!("unknown argument: {arg}"))
        }
        ErrorKind::InvalidSubcommand => {
            let name = context(ContextKind::InvalidSubcommand);
            // The best of them comes last.
            let meant = context(ContextKind::SuggestedSubcommand);
            let meant = meant.rsplit(", ").next().unwrap_or_default();
            if meant.is_empty() {
                lang.pick(format!("모르는 명령입니다: {name}"), format!("unknown command: {name}"))
            } else {
                lang.pick(
                    format!("모르는 명령입니다: {name} (혹시 {meant}?)"),
                    format!("unknown command: {name}; did you mean {meant}?"),
                )
            }
        }
        ErrorKind::MissingSubcommand => {
            lang.pick("명령이 빠졌습니다".to_owned(), "a command is missing".to_owned())
        }
        ErrorKind::MissingRequiredArgument => {
            lang.pick(format!("인자가 빠졌습니다: {arg}"), format!("missing: {arg}"))
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation if value.is_empty() => {
            lang.pick(format!("{arg}에 값이 필요합니다"), format!("{arg} needs a value"))
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => lang
            .pick(format!("{arg}에 쓸 수 없는 값입니다: {value}"), format!("{value} is no value for {arg}")),
        ErrorKind::ArgumentConflict => {
            let other = context(ContextKind::PriorArg);
            lang.pick(
                format!("{arg}와(과) {other}은(는) 함께 쓸 수 없습니다"),
                format!("{arg} can't be used with {other}"),
            )
        }
        // Clap's own words, without its "error: " and usage lines.
        _ => error.to_string().lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned(),
    }
}
