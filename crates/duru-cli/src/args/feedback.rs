//! `duru feedback`: its arguments.

use clap::{Arg, ArgAction, ArgMatches, Command};

use crate::lang::Lang;

pub(super) fn command(lang: Lang, base: &dyn Fn(&'static str) -> Command) -> Command {
    base("feedback")
        .about(lang.pick(
            "사람들이 답을 어떻게 보았는지: 평가 자료로 쓸 JSON 줄",
            "Export ratings of answers as JSON lines, for evaluation",
        ))
        .arg(
            Arg::new("bad")
                .long("bad")
                .action(ArgAction::SetTrue)
                .help(lang.pick("아쉽다고 한 것만", "Only those they did not like")),
        )
}

/// Whether only bad ones are wanted.
pub(super) fn read(matches: &ArgMatches) -> bool {
    matches.get_flag("bad")
}
