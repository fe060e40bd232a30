//! Whether what takes something away is done, tried or asked about first.

use clap::{Arg, ArgAction, ArgMatches};

use crate::lang::Lang;

/// Whether to do it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Only say what would be done.
    DryRun,
    /// Ask whoever sits at the terminal.
    Ask,
    Yes,
}

impl Mode {
    /// Of a command that has both [`args`].
    pub(super) fn of(matches: &ArgMatches) -> Self {
        match (matches.get_flag("dry-run"), matches.get_flag("yes")) {
            (true, _) => Self::DryRun,
            (_, true) => Self::Yes,
            _ => Self::Ask,
        }
    }
}

pub(super) fn args(lang: Lang) -> [Arg; 2] {
    let yes = Arg::new("yes").long("yes").short('y').action(ArgAction::SetTrue);
    [dry_run(lang), yes.help(lang.pick("묻지 않습니다", "Do not ask"))]
}

pub(super) fn dry_run(lang: Lang) -> Arg {
    Arg::new("dry-run").long("dry-run").action(ArgAction::SetTrue).help(lang.pick(
        "무엇을 할지만 말하고 아무것도 바꾸지 않습니다",
        "Only say what would be done; nothing is changed",
    ))
}
