//! `duru eval …`: measuring answers on sets of labelled cases.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};

use crate::lang::Lang;

/// What is measured.
#[derive(Debug)]
pub(crate) enum EvalArgs {
    /// Whether what a conversation holds is enough.
    Sufficiency { cases: PathBuf, out: PathBuf },
}

pub(super) fn command(lang: Lang, base: impl Fn(&'static str) -> Command) -> Command {
    let say = |ko, en| lang.pick(ko, en);
    let file = |name: &'static str, ko, en| {
        Arg::new(name)
            .long(name)
            .value_name("FILE")
            .required(true)
            .value_parser(value_parser!(PathBuf))
            .help(say(ko, en))
    };
    base("eval")
        .about(say("정답이 있는 문제로 답을 재어 봅니다", "Measure answers on labelled cases"))
        .subcommand_required(true)
        .subcommand(
            base("sufficiency")
                .about(say(
                    "이전 데이터를 다시 쓸지 판단한 것을 재어 봅니다",
                    "Measure decisions on using earlier data again",
                ))
                .arg(file("cases", "사례 파일 (JSONL)", "The cases (JSONL)"))
                .arg(file("out", "판단을 쓸 파일 (JSONL)", "Where the decisions go (JSONL)")),
        )
}

pub(super) fn read(matches: &ArgMatches) -> EvalArgs {
    let (_, matches) = matches.subcommand().unwrap_or(("sufficiency", matches));
    let file = |name| matches.get_one::<PathBuf>(name).cloned().unwrap_or_default();
    EvalArgs::Sufficiency { cases: file("cases"), out: file("out") }
}
