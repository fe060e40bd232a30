//! `duru runs dead …`.

use clap::{Arg, ArgMatches, Command, value_parser};

use super::text;
use crate::lang::Lang;

#[derive(Debug)]
pub(crate) enum RunsAction {
    List { limit: usize },
    Show(String),
    Retry(String),
    Drop { run: String, dry_run: bool },
}

pub(super) fn command(lang: Lang, command: &dyn Fn(&'static str) -> Command) -> Command {
    let say = |ko, en| lang.pick(ko, en);
    let run = || Arg::new("run").required(true).value_name("RUN").help(say("실행의 이름표", "The run's id"));
    let dead = command("dead")
        .about(say(
            "끝내 실패한 실행: 목록, 이유, 다시 시도, 버리기",
            "Runs that failed for good: which, why, try again, drop",
        ))
        // By itself it lists them.
        .subcommand(
            command("list").about(say("최근 것부터", "The latest first")).arg(
                Arg::new("limit")
                    .long("limit")
                    .value_name("N")
                    .value_parser(value_parser!(u32).range(1..=10_000))
                    .default_value("50")
                    .hide_default_value(true)
                    .help(say("많아야 이만큼 (기본 50)", "At most so many (50)")),
            ),
        )
        .subcommand(command("show").about(say("하나와 그 이유", "One of them, and why")).arg(run()))
        .subcommand(
            command("retry")
                .about(say(
                    "다시 큐에 넣습니다; 이미 끝난 작업은 다시 하지 않습니다",
                    "Put it back into the queue; what was finished is not done again",
                ))
                .arg(run()),
        )
        .subcommand(
            command("drop")
                .about(say("목록에서 지웁니다; 스레드는 남습니다", "Forget it; its thread stays"))
                .arg(run())
                .arg(super::mode::dry_run(lang)),
        );
    command("runs")
        .about(say("서버가 맡은 실행을 돌봅니다", "Manage runs that failed for good"))
        .subcommand_required(true)
        .subcommand(dead)
}

pub(super) fn read(matches: &ArgMatches) -> RunsAction {
    let run = |matches: &ArgMatches| text(matches, "run").unwrap_or_default();
    match matches.subcommand_matches("dead").and_then(ArgMatches::subcommand) {
        Some(("show", show)) => RunsAction::Show(run(show)),
        Some(("retry", retry)) => RunsAction::Retry(run(retry)),
        Some(("drop", drop)) => RunsAction::Drop { run: run(drop), dry_run: drop.get_flag("dry-run") },
        Some((_, list)) => {
            RunsAction::List { limit: list.get_one::<u32>("limit").map_or(50, |limit| *limit as usize) }
        }
        None => RunsAction::List { limit: 50 },
    }
}
