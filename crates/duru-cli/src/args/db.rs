//! `duru db …`.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Command, value_parser};

use super::text;
use crate::lang::Lang;
use crate::settings;

#[derive(Debug)]
pub(crate) struct DbArgs {
    pub(crate) action: DbAction,
    pub(crate) database: Option<String>,
    pub(crate) role: String,
    pub(crate) tables: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DbAction {
    Print,
    Apply,
    Verify,
}

pub(super) fn command(command: &dyn Fn(&'static str) -> Command, lang: Lang) -> Command {
    let say = |ko, en| lang.pick(ko, en);
    let switch = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
    let common = |command: Command| {
        command
            .arg(Arg::new("database").long("database").value_name("URL").help(say(
                "데이터베이스: postgres:// URL (기본: DURU_LOGS)",
                "The database: a postgres:// URL (DURU_LOGS)",
            )))
            .arg(
                Arg::new("role")
                    .long("role")
                    .value_name("NAME")
                    .default_value(duru_sql::postgres::Reader::ROLE)
                    .hide_default_value(true)
                    .help(say("조회용 역할 (기본 duru_reader)", "The role for queries (duru_reader)")),
            )
            .arg(
                Arg::new("tables")
                    .long("tables")
                    .value_name("FILE")
                    .value_parser(value_parser!(PathBuf))
                    .help(say("물어볼 수 있는 다른 테이블 (JSON)", "Other tables that may be asked (JSON)")),
            )
    };
    command("db")
        .about(say(
            "데이터베이스가 스스로 막게 합니다",
            "Make the database itself refuse what the guard would",
        ))
        .subcommand_required(true)
        .subcommand(
            common(command("harden"))
                .about(say(
                    "조회용 역할, 행 보안, 한도를 만듭니다",
                    "Make a role for queries, row security and limits",
                ))
                .arg(switch("print").help(say("SQL만 보여 줍니다", "Only show the SQL")))
                .arg(switch("apply").help(say("실행합니다 (관리자로)", "Run it (as a superuser)")))
                .group(ArgGroup::new("how").args(["print", "apply"]).required(true)),
        )
        .subcommand(
            common(command("verify")).about(say(
                "빠진 것을 찾습니다 (있으면 종료 코드 3)",
                "Find what is missing (then exit code 3)",
            )),
        )
}

pub(super) fn read(matches: &ArgMatches) -> DbArgs {
    let (name, matches) = matches.subcommand().unwrap_or(("verify", matches));
    let action = match name {
        "harden" if matches.get_flag("apply") => DbAction::Apply,
        "harden" => DbAction::Print,
        _ => DbAction::Verify,
    };
    DbArgs {
        action,
        database: text(matches, "database")
            .or_else(|| settings::get("DURU_LOGS"))
            .filter(|url| !url.is_empty()),
        role: text(matches, "role").unwrap_or_default(),
        tables: matches.get_one::<PathBuf>("tables").cloned(),
    }
}
