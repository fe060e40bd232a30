//! `--tables`, for whoever asks other tables than the logs, and `duru tables …`.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};

use crate::lang::Lang;
use crate::settings;

/// Which tables are asked.
#[derive(Debug, Clone, Default)]
pub(crate) struct TablesPlace {
    /// A URL of a database, a file or a folder, or a name that was given to one.
    pub(crate) named: Option<String>,
    /// Holds the password, so that no command line does.
    pub(crate) password_file: Option<PathBuf>,
}

pub(super) fn place(lang: Lang) -> [Arg; 2] {
    let say = |ko, en| lang.pick(ko, en);
    [
        Arg::new("tables").long("tables").value_name("URL|PATH|NAME").conflicts_with("logs").help(say(
            "로그 대신 물을 데이터베이스나 CSV·JSON·Parquet (DURU_TABLES)",
            "A database, or CSV, JSON, Parquet, to ask (DURU_TABLES)",
        )),
        Arg::new("tables-password-file")
            .long("tables-password-file")
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .help(say("비밀번호가 든 파일 (또는 PGPASSWORD)", "A file with the password (or PGPASSWORD)")),
    ]
}

/// What the settings name.
pub(crate) fn usual() -> TablesPlace {
    TablesPlace { named: settings::get("DURU_TABLES").filter(|place| !place.is_empty()), password_file: None }
}

pub(super) fn read(matches: &ArgMatches) -> TablesPlace {
    let named = matches.try_get_one::<String>("tables").ok().flatten().cloned();
    // Whoever names logs on the command line means those.
    let logs = matches.try_get_one::<String>("logs").ok().flatten().is_some();
    let usual = || settings::get("DURU_TABLES").filter(|_| !logs);
    TablesPlace {
        named: named.or_else(usual).filter(|place| !place.is_empty()),
        password_file: matches.try_get_one("tables-password-file").ok().flatten().cloned(),
    }
}

/// What is done with sources that have a name.
#[derive(Debug)]
pub(crate) enum TablesAction {
    Add { place: TablesPlace, name: Option<String> },
    List,
    Show { name: String },
    Check { name: Option<String> },
    Describe { name: String, model: Option<String> },
    Forget { name: String },
}

pub(super) fn command(lang: Lang, command: &dyn Fn(&'static str) -> Command) -> Command {
    let say = |ko, en| lang.pick(ko, en);
    let [_, password] = place(lang);
    let name = || Arg::new("name").value_name("NAME").help(say("등록한 이름", "The name that was given"));
    command("tables")
        .about(say("물을 수 있는 다른 테이블에 이름을 붙입니다", "Register databases and files to ask"))
        .subcommand_required(true)
        .subcommand(
            command("add")
                .about(say(
                    "데이터베이스에 이름을 붙이고 무엇을 물을 수 있는지 보여 줍니다",
                    "Register a database and show what can be asked",
                ))
                .arg(Arg::new("url").value_name("URL").required(true).help(say(
                    "postgres://사용자@호스트:5432/데이터베이스, 또는 파일이나 폴더",
                    "postgres://user@host:5432/database, or a file or folder",
                )))
                .arg(
                    name()
                        .long("name")
                        .help(say("이름 (기본: 데이터베이스의 것)", "The name (the database's)")),
                )
                .arg(password),
        )
        .subcommand(command("list").about(say("등록한 것의 목록", "What was added")))
        .subcommand(
            command("show")
                .about(say("테이블, 열, 연결", "Tables, columns and joins"))
                .arg(name().required(true)),
        )
        .subcommand(
            command("check")
                .about(say("설명 파일의 틀린 곳을 찾습니다", "Find mistakes in descriptions"))
                .arg(name().help(say("등록한 이름 (기본: 모두)", "The name that was given (all)"))),
        )
        .subcommand(
            command("describe")
                .about(say(
                    "모델이 테이블과 열을 부르는 말을 제안해 파일에 적습니다",
                    "Let a model suggest everyday words, kept in the file",
                ))
                .arg(name().required(true))
                .arg(Arg::new("model").long("model").value_name("NAME").help(say(
                    "이 모델에게 묻습니다 (DURU_MODEL처럼)",
                    "Ask this model, named as in DURU_MODEL",
                ))),
        )
        .subcommand(
            command("forget")
                .about(say(
                    "등록한 것을 잊습니다; 데이터베이스는 그대로입니다",
                    "Unregister one; the database is untouched",
                ))
                .arg(name().required(true)),
        )
}

pub(super) fn read_action(matches: &ArgMatches) -> TablesAction {
    let name = |matches: &ArgMatches| super::text(matches, "name");
    match matches.subcommand() {
        Some(("add", matches)) => TablesAction::Add {
            place: TablesPlace { named: super::text(matches, "url"), ..read(matches) },
            name: name(matches),
        },
        Some(("show", matches)) => TablesAction::Show { name: name(matches).unwrap_or_default() },
        Some(("check", matches)) => TablesAction::Check { name: name(matches) },
        Some(("describe", matches)) => TablesAction::Describe {
            name: name(matches).unwrap_or_default(),
            model: super::text(matches, "model"),
        },
        Some(("forget", matches)) => TablesAction::Forget { name: name(matches).unwrap_or_default() },
        _ => TablesAction::List,
    }
}
