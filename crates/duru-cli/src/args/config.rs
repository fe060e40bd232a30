//! `duru config`, `duru init`, `duru completions` and `duru man`.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use clap_complete::Shell;

use super::Action;
use super::cli::base;
use crate::lang::Lang;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConfigAction {
    Show { origin: bool },
    Path,
    Trust,
    Distrust,
}

pub(super) fn commands(lang: Lang) -> [Command; 4] {
    let say = |ko, en| lang.pick(ko, en);
    let config = base("config", lang)
        .about(say("무엇이 어디에 설정되어 있는지 보여 줍니다", "Show settings and where they come from"))
        .subcommand_required(true)
        .subcommand(
            base("show", lang)
                .about(say(
                    "모든 설정과 그 뜻 (키는 숨깁니다)",
                    "Every setting and its meaning (keys are hidden)",
                ))
                .arg(
                    Arg::new("origin")
                        .long("origin")
                        .action(ArgAction::SetTrue)
                        .help(say("값이 어디에서 왔는지도", "Say where each value comes from")),
                ),
        )
        .subcommand(base("trust", lang).about(say(
            "이 폴더의 duru.toml을 믿습니다 (파일이 바뀌면 다시)",
            "Trust the duru.toml of this folder, until it changes",
        )))
        .subcommand(base("distrust", lang).about(say("더는 믿지 않습니다", "Trust it no more")))
        .subcommand(
            base("path", lang).about(say("여러분의 설정 파일이 있는 곳", "Where your file of settings is")),
        );
    let init = base("init", lang).about(say("처음 쓸 설정 파일을 만듭니다", "Create a settings file")).arg(
        Arg::new("yes")
            .long("yes")
            .short('y')
            .action(ArgAction::SetTrue)
            .help(say("묻지 않고 기본값으로", "Ask nothing, take what is usual")),
    );
    let completions = base("completions", lang)
        .about(say("셸의 자동 완성 스크립트를 출력합니다", "Print a shell's completion script"))
        .arg(
            Arg::new("shell")
                .required(true)
                .value_name("bash|zsh|fish|powershell|elvish")
                .hide_possible_values(true)
                .value_parser(value_parser!(Shell))
                .help(say("어느 셸", "Which shell")),
        );
    let man = base("man", lang)
        .about(say("설명서(man)를 출력하거나 폴더에 씁니다", "Print the manual page, or write all of them"))
        .arg(Arg::new("dir").long("dir").value_name("FOLDER").value_parser(value_parser!(PathBuf)).help(
            say(
                "모든 설명서를 이 폴더에 씁니다 (예: ~/.local/share/man/man1)",
                "Write all pages here (such as ~/.local/share/man/man1)",
            ),
        ));
    [config, init, completions, man]
}

pub(super) fn read(name: &str, matches: &ArgMatches) -> Option<Action> {
    Some(match name {
        "config" => Action::Config(match matches.subcommand() {
            Some(("show", show)) => ConfigAction::Show { origin: show.get_flag("origin") },
            Some(("trust", _)) => ConfigAction::Trust,
            Some(("distrust", _)) => ConfigAction::Distrust,
            _ => ConfigAction::Path,
        }),
        "init" => Action::Init { yes: matches.get_flag("yes") },
        "man" => Action::Man { folder: matches.get_one::<PathBuf>("dir").cloned() },
        "completions" => Action::Completions(matches.get_one::<Shell>("shell").copied()?),
        _ => return None,
    })
}
