//! `duru audit`: its arguments.

use clap::{Arg, ArgMatches, Command, value_parser};

use super::text;
use crate::lang::Lang;

pub(super) fn command(lang: Lang, base: &dyn Fn(&'static str) -> Command) -> Command {
    base("audit")
        .about(lang.pick("누가 무엇을 했는지: 서버의 감사 기록", "Show a server's audit log"))
        .arg(Arg::new("who").long("who").value_name("NAME").help(lang.pick(
            "이 사람이 한 것만 (지워진 사람도)",
            "Only what this person did, also once they are erased",
        )))
        .arg(
            Arg::new("limit")
                .long("limit")
                .value_name("N")
                .value_parser(value_parser!(u32).range(1..=1_000_000))
                .default_value("100")
                .hide_default_value(true)
                .help(lang.pick("마지막 몇 줄 (기본 100)", "The last so many (100)")),
        )
}

pub(super) fn read(matches: &ArgMatches) -> (Option<String>, usize) {
    (text(matches, "who"), matches.get_one::<u32>("limit").map_or(100, |limit| *limit as usize))
}
