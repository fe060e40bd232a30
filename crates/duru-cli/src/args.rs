//! The command line, in the language of whoever reads its help.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::error::{ContextKind, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use crate::demo::Verdict;
use crate::lang::Lang;
use crate::output::Output;
use crate::problem::{Early, Problem};

/// What was asked for.
#[derive(Debug)]
pub(crate) struct Args {
    pub(crate) lang: Lang,
    pub(crate) json: bool,
    pub(crate) quiet: bool,
    pub(crate) store: Option<PathBuf>,
    pub(crate) action: Action,
}

#[derive(Debug)]
pub(crate) enum Action {
    Demo(DemoArgs),
    Graph,
    List { limit: usize },
    Show { id: String },
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

pub(crate) fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Args, Early> {
    let args: Vec<OsString> = args.into_iter().collect();
    let lang = Lang::detect(&args);
    match command(lang).try_get_matches_from(&args) {
        Ok(matches) => Ok(read(lang, &matches)),
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            Err(Early::Help(error))
        }
        Err(error) => {
            let json = args.iter().any(|arg| arg == "--json");
            let args = Args { lang, json, quiet: false, store: None, action: Action::Graph };
            Err(Early::Problem(Box::new(Problem::Usage(describe(lang, &error))), Output::of(&args)))
        }
    }
}

fn command(lang: Lang) -> Command {
    let say = |ko, en| lang.pick(ko, en);
    let global = |name: &'static str| Arg::new(name).long(name).global(true);
    let switch = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
    let command = |name: &'static str| {
        Command::new(name)
            .disable_help_flag(true)
            .disable_help_subcommand(true)
            .help_template(template(lang))
            .next_help_heading(say("옵션", "Options"))
            .subcommand_help_heading(say("명령", "Commands"))
    };
    let demo = command("demo")
        .about(say(
            "예제 그래프를 그리고 실행하고 그 기록을 보여 줍니다",
            "Draw the example graph, run it, show its history",
        ))
        .arg(Arg::new("thread").long("thread").value_name("NAME").help(say(
            "이 이름의 스레드를 씁니다; 끝나지 않았으면 멈춘 곳에서 이어 갑니다",
            "Use this thread; if it is unfinished, go on where it stopped",
        )))
        .arg(
            Arg::new("topic")
                .long("topic")
                .value_name("TEXT")
                .help(say("글의 주제", "What the article is about")),
        )
        .arg(switch("yes").short('y').help(say("묻지 않고 예라고 답합니다", "Answer yes without asking")))
        .arg(
            Arg::new("answer")
                .long("answer")
                .value_parser(PossibleValuesParser::new(Verdict::WORDS))
                .hide_possible_values(true)
                .value_name("publish|revise|hold")
                .conflicts_with("yes")
                .help(say("첫 질문에 이렇게 답합니다", "Answer the first question so")),
        )
        .arg(switch("no-input").conflicts_with_all(["yes", "answer"]).help(say(
            "답하지 않습니다: 실행은 질문에서 멈춥니다 (종료 코드 6)",
            "Answer nothing: the run stays paused (exit code 6)",
        )))
        .arg(
            Arg::new("pace")
                .long("pace")
                .value_name("MS")
                .value_parser(value_parser!(u64).range(..=3_600_000))
                .default_value("0")
                .hide_default_value(true)
                .help(say(
                    "노드마다 이만큼(밀리초) 쉽니다: 도중에 끊어 보기 좋습니다",
                    "Let each node take so many milliseconds: time to kill it",
                )),
        );
    let threads = command("threads")
        .about(say("저장소 파일의 스레드를 봅니다", "Look at the threads of a store file"))
        .subcommand_required(true)
        .subcommand(
            command("ls").about(say("스레드 목록, 최근 것부터", "List the threads, the latest first")).arg(
                Arg::new("limit")
                    .long("limit")
                    .value_name("N")
                    .value_parser(value_parser!(u32).range(1..=100_000))
                    .default_value("50")
                    .hide_default_value(true)
                    .help(say("많아야 이만큼 (기본 50)", "At most so many (50)")),
            ),
        )
        .subcommand(
            command("show")
                .about(say("스레드 하나의 상태와 체크포인트", "One thread's state and checkpoints"))
                .arg(
                    Arg::new("id")
                        .required(true)
                        .value_name("ID")
                        .help(say("스레드 이름", "The thread's name")),
                ),
        );
    command("duru")
        .bin_name("duru")
        .version(env!("CARGO_PKG_VERSION"))
        .disable_version_flag(true)
        .about(say("두루: 중단되어도 이어지는 그래프", "Duru: graphs that survive a crash"))
        .subcommand(demo)
        .subcommand(
            command("graph")
                .about(say("예제 그래프를 Mermaid로 출력합니다", "Print the example graph as Mermaid")),
        )
        .subcommand(threads)
        .arg(global("store").value_name("FILE").value_parser(value_parser!(PathBuf)).help(say(
            "저장소 파일 (기본: 사용자 데이터 폴더의 duru/demo.db)",
            "The store file (by default duru/demo.db in your data folder)",
        )))
        .arg(
            global("json")
                .action(ArgAction::SetTrue)
                .help(say("JSON 객체 하나로 출력합니다", "Print one JSON object")),
        )
        .arg(
            global("quiet")
                .short('q')
                .action(ArgAction::SetTrue)
                .help(say("진행 상황을 말하지 않습니다", "Say nothing about progress")),
        )
        .arg(global("lang").value_name("ko|en").value_parser(["ko", "en"]).hide_possible_values(true).help(
            say("언어 (기본: LC_ALL, LANG에 따름)", "The language (by default that of LC_ALL or LANG)"),
        ))
        .arg(global("help").short('h').action(ArgAction::Help).help(say("이 도움말", "This text")))
        .arg(
            Arg::new("version")
                .long("version")
                .short('V')
                .action(ArgAction::Version)
                .help(say("버전", "The version")),
        )
}

fn template(lang: Lang) -> &'static str {
    lang.pick(
        "{about}\n\n사용법: {usage}\n\n{all-args}\n\n종료 코드: 0 성공 · 1 실행 실패 · 2 잘못된 인자 · 3 설정 · 5 저장소 · 6 답을 기다림 · 130 중단\n",
        "{about}\n\nUsage: {usage}\n\n{all-args}\n\nExit codes: 0 ok · 1 run failed · 2 usage · 3 configuration · 5 store · 6 waits for an answer · 130 interrupted\n",
    )
}

fn read(lang: Lang, matches: &ArgMatches) -> Args {
    let action = match matches.subcommand() {
        Some(("demo", demo)) => Action::Demo(read_demo(demo)),
        Some(("graph", _)) => Action::Graph,
        Some(("threads", threads)) => match threads.subcommand() {
            Some(("show", show)) => Action::Show { id: text(show, "id").unwrap_or_default() },
            Some((_, ls)) => {
                Action::List { limit: ls.get_one::<u32>("limit").map_or(50, |limit| *limit as usize) }
            }
            None => Action::List { limit: 50 },
        },
        _ => Action::Demo(DemoArgs::default()),
    };
    Args {
        lang,
        json: matches.get_flag("json"),
        quiet: matches.get_flag("quiet"),
        store: matches.get_one::<PathBuf>("store").cloned(),
        action,
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
            lang.pick(format!("모르는 명령입니다: {name}"), format!("unknown command: {name}"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_are_well_formed_in_both_languages() {
        command(Lang::Ko).debug_assert();
        command(Lang::En).debug_assert();
    }
}
