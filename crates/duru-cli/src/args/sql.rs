//! `duru sql`: its arguments.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command};

use crate::lang::Lang;

#[derive(Debug)]
pub(crate) struct SqlArgs {
    /// The tables that may be asked; none: the product's own.
    pub(crate) schema: Option<PathBuf>,
    /// One query; none: JSON lines from standard input.
    pub(crate) sql: Option<String>,
}

pub(super) fn command(lang: Lang, base: impl Fn(&'static str) -> Command) -> Command {
    let say = |ko, en| lang.pick(ko, en);
    let check = base("check")
        .about(say(
            "조회문을 검사하고, 실행해도 되는 꼴로 고쳐 보여 줍니다 (거절되면 종료 코드 4)",
            "Check a query and show it as it may run (exit code 4 if it is refused)",
        ))
        .arg(Arg::new("sql").value_name("SQL").help(say(
            "조회문; 없으면 표준 입력에서 {\"id\", \"sql\"} JSON 줄을 읽습니다",
            "The query; without it, JSON lines {\"id\", \"sql\"} from standard input",
        )))
        .arg(Arg::new("schema").long("schema").value_name("FILE").help(say(
            "조회할 수 있는 테이블과 열의 JSON (기본: logs 테이블)",
            "JSON of the tables and columns that may be asked (the logs table)",
        )));
    base("sql")
        .about(say("로그 조회문을 다룹니다", "Check queries over logs"))
        .subcommand_required(true)
        .subcommand(check)
}

pub(super) fn read(sql: &ArgMatches) -> SqlArgs {
    let matches = sql.subcommand_matches("check");
    let text = |name| matches.and_then(|matches| matches.get_one::<String>(name).cloned());
    SqlArgs { schema: text("schema").map(PathBuf::from), sql: text("sql") }
}
