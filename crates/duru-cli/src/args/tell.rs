//! How much is told, in which form and in which colours.

use std::ffi::OsString;

use clap::{Arg, ArgAction, ArgMatches};

use crate::colour::Colour;
use crate::lang::Lang;

/// How much is told on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Telling {
    Nothing,
    Usual,
    /// Who decided what, too.
    Decisions,
    Everything,
}

pub(super) fn options(lang: Lang) -> [Arg; 7] {
    let say = |ko, en| lang.pick(ko, en);
    let switch = |name: &'static str| Arg::new(name).long(name).global(true).action(ArgAction::SetTrue);
    [
        switch("json").help(say("JSON 객체 하나로 출력합니다", "Print one JSON object")),
        switch("jsonl").conflicts_with("json").help(say(
            "일어나는 대로 한 줄에 하나씩 JSON으로, 답은 마지막에",
            "Print what happens as JSON, one object a line, the answer last",
        )),
        switch("plain").help(say("표를 탭으로만 나눕니다", "Print tab-separated rows only")),
        switch("no-input").help(say(
            "아무것도 묻지 않습니다; 답이 필요하면 멈춥니다 (종료 코드 6)",
            "Ask nothing; stop where an answer is needed (exit code 6)",
        )),
        switch("quiet").short('q').help(say("진행 상황을 말하지 않습니다", "Show no progress")),
        Arg::new("verbose")
            .long("verbose")
            .short('v')
            .global(true)
            .action(ArgAction::Count)
            .help(say("누가 판단했는지도 말합니다 (-vv: 모든 것)", "Also show who decided (-vv: all)")),
        Arg::new("color")
            .long("color")
            .global(true)
            .value_name("auto|always|never")
            .value_parser(["auto", "always", "never"])
            .hide_possible_values(true)
            .help(say("색 (기본 auto; NO_COLOR를 따릅니다)", "Colours (auto respects NO_COLOR)")),
    ]
}

pub(super) fn read(matches: &ArgMatches) -> Telling {
    match (matches.get_flag("quiet"), matches.get_count("verbose")) {
        (true, _) => Telling::Nothing,
        (_, 0) => Telling::Usual,
        (_, 1) => Telling::Decisions,
        _ => Telling::Everything,
    }
}

/// Of help, which goes to standard output.
pub(super) fn colour_of_help(args: &[OsString]) -> Colour {
    Colour::of_output(asked(args).as_deref())
}

/// Of arguments that can't be read as a whole.
pub(super) fn colour(args: &[OsString]) -> Colour {
    Colour::of(asked(args).as_deref())
}

fn asked(args: &[OsString]) -> Option<String> {
    let mut words = args.iter().filter_map(|arg| arg.to_str());
    while let Some(word) = words.next() {
        match word.strip_prefix("--color") {
            Some("") => return words.next().map(str::to_owned),
            Some(rest) if rest.starts_with('=') => return Some(rest[1..].to_owned()),
            _ => {}
        }
    }
    None
}
