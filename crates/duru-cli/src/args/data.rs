//! `duru user`, `duru retention`, `duru backup`, `duru restore`: people's data.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use super::docs::{self, DocsPlace};
use super::mode::{self, Mode};
use super::text;
use crate::lang::Lang;
use crate::settings;

/// What is to be done, and where the data is besides the store.
#[derive(Debug)]
pub(crate) struct DataArgs {
    pub(crate) logs: Option<String>,
    pub(crate) documents: DocsPlace,
    pub(crate) action: DataAction,
}

#[derive(Debug)]
pub(crate) enum DataAction {
    Erase { name: String, mode: Mode },
    Retention { mode: Mode },
    Backup { file: PathBuf },
    Restore { file: PathBuf, how: Restoring },
}

/// How far a restore goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Restoring {
    /// The file is looked at, and nothing is put anywhere.
    Trial,
    /// Only where nothing is.
    Careful,
    /// Data that is there is moved aside.
    Forced,
}

pub(super) fn commands(lang: Lang, command: impl Fn(&'static str) -> Command) -> [Command; 4] {
    let say = |ko, en| lang.pick(ko, en);
    let switch = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
    let file = || Arg::new("file").required(true).value_name("FILE").value_parser(value_parser!(PathBuf));
    let place = |command: Command| command.arg(super::ask::logs(lang)).args(docs::place(lang));
    let erase = place(command("erase"))
        .about(say("한 사람의 것을 모두 지웁니다", "Erase everything of one person"))
        .arg(Arg::new("name").required(true).value_name("NAME").help(say(
            "키의 이름; 키 없이 쓴 것은 local",
            "The name of their keys; local for what was done without a key",
        )))
        .args(mode::args(lang));
    [
        command("user")
            .about(say("사람들의 데이터", "People's data"))
            .subcommand_required(true)
            .subcommand(erase),
        place(command("retention"))
            .about(say(
                "보관 기간이 지난 것을 지웁니다 (DURU_KEEP_LOGS, _RUNS, _EVENTS, _THREADS)",
                "Delete expired data (DURU_KEEP_LOGS, _RUNS, _EVENTS, _THREADS)",
            ))
            .arg(mode::dry_run(lang)),
        place(command("backup"))
            .about(say(
                "데이터를 파일 하나로 복사합니다; 서버가 돌고 있어도 됩니다",
                "Back up the data into one file; a server may keep running",
            ))
            .arg(file().help(say("만들 파일", "The file to make"))),
        place(command("restore"))
            .about(say("복사해 둔 데이터를 되살립니다", "Restore a backup"))
            .arg(file().help(say("`duru backup`이 만든 파일", "A file that `duru backup` made")))
            .arg(switch("force").help(say(
                "있는 데이터를 옆으로 옮기고 바꿉니다",
                "Move data that is there aside, and replace it",
            )))
            .arg(mode::dry_run(lang)),
    ]
}

pub(super) fn read(name: &str, matches: &ArgMatches) -> Option<DataArgs> {
    let (matches, action) = match name {
        "user" => {
            let (_, erase) = matches.subcommand()?;
            let name = text(erase, "name").unwrap_or_default();
            (erase, DataAction::Erase { name, mode: Mode::of(erase) })
        }
        "retention" => {
            let mode = if matches.get_flag("dry-run") { Mode::DryRun } else { Mode::Yes };
            (matches, DataAction::Retention { mode })
        }
        "backup" => (matches, DataAction::Backup { file: file(matches) }),
        "restore" => {
            let how = match (matches.get_flag("dry-run"), matches.get_flag("force")) {
                (true, _) => Restoring::Trial,
                (_, true) => Restoring::Forced,
                _ => Restoring::Careful,
            };
            (matches, DataAction::Restore { file: file(matches), how })
        }
        _ => return None,
    };
    let logs = text(matches, "logs").or_else(|| settings::get("DURU_LOGS")).filter(|place| !place.is_empty());
    Some(DataArgs { logs, documents: docs::read_place(matches), action })
}

fn file(matches: &ArgMatches) -> PathBuf {
    matches.get_one::<PathBuf>("file").cloned().unwrap_or_default()
}
