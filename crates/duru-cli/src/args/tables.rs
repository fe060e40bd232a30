//! `--tables`, for whoever asks other tables than the logs.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, value_parser};

use crate::lang::Lang;
use crate::settings;

/// Which tables are asked.
#[derive(Debug, Clone, Default)]
pub(crate) struct TablesPlace {
    /// A URL of a database.
    pub(crate) named: Option<String>,
    /// Holds the password, so that no command line does.
    pub(crate) password_file: Option<PathBuf>,
}

pub(super) fn place(lang: Lang) -> [Arg; 2] {
    let say = |ko, en| lang.pick(ko, en);
    [
        Arg::new("tables").long("tables").value_name("URL").conflicts_with("logs").help(say(
            "로그 대신 이 postgres:// 데이터베이스의 테이블에 묻습니다 (DURU_TABLES)",
            "Ask the tables of this postgres:// database, not the logs (DURU_TABLES)",
        )),
        Arg::new("tables-password-file")
            .long("tables-password-file")
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .help(say("비밀번호가 든 파일 (또는 PGPASSWORD)", "A file with the password (or PGPASSWORD)")),
    ]
}

/// What the settings name.
pub(super) fn usual() -> TablesPlace {
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
