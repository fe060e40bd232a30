//! `duru logs …`.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use jiff::Timestamp;

use super::text;
use crate::lang::Lang;
use crate::settings;

#[derive(Debug)]
pub(crate) enum LogsArgs {
    Ingest(IngestArgs),
    /// Makes the store's tables in a database.
    Init {
        url: String,
    },
    Stats {
        logs: Option<String>,
    },
    Generate(GenerateArgs),
}

#[derive(Debug)]
pub(crate) struct IngestArgs {
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) logs: Option<String>,
    pub(crate) map: Option<PathBuf>,
    pub(crate) timezone: Option<String>,
    pub(crate) mask: bool,
    pub(crate) keep_ids: bool,
    pub(crate) dry_run: bool,
}

#[derive(Debug)]
pub(crate) struct GenerateArgs {
    pub(crate) rows: u64,
    pub(crate) seed: u64,
    pub(crate) days: u32,
    pub(crate) now: Option<Timestamp>,
    pub(crate) out: Option<PathBuf>,
    pub(crate) into: Option<String>,
    pub(crate) dry_run: bool,
}

pub(super) fn command(command: &dyn Fn(&'static str) -> Command, lang: Lang) -> Command {
    let say = |ko, en| lang.pick(ko, en);
    let switch = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
    let option = |name: &'static str, value: &'static str| Arg::new(name).long(name).value_name(value);
    let logs = || super::ask::logs(lang);
    command("logs")
        .about(say("로그를 넣고 살펴보고 만듭니다", "Ingest, inspect and generate logs"))
        .subcommand_required(true)
        .subcommand(
            command("ingest")
                .about(say(
                    "파일과 폴더의 로그를 넣습니다; 형식은 스스로 알아냅니다",
                    "Take in logs of files and folders; their format is found out",
                ))
                .arg(
                    Arg::new("paths")
                        .value_name("PATH")
                        .required(true)
                        .num_args(1..)
                        .value_parser(value_parser!(PathBuf))
                        .help(say("파일이나 폴더", "Files or folders")),
                )
                .arg(logs())
                .arg(option("map", "FILE").value_parser(value_parser!(PathBuf)).help(say(
                    "필드 이름, 기본값, 시각 형식, 패턴, 가리기 규칙 (JSON)",
                    "Names of fields, defaults, times, a pattern, masks (JSON)",
                )))
                .arg(option("timezone", "NAME").help(say(
                    "오프셋 없는 시각의 시간대 (기본 UTC)",
                    "The zone of times without an offset (UTC)",
                )))
                .arg(switch("mask").help(say(
                    "주민번호, 전화, 이메일, 카드 번호를 가립니다",
                    "Hide resident numbers, telephones, e-mails and cards",
                )))
                .arg(switch("keep-ids").help(say("행의 id를 그대로 씁니다", "Keep the ids that rows bring")))
                .arg(super::mode::dry_run(lang)),
        )
        .subcommand(
            command("init")
                .about(say("데이터베이스에 로그 저장소를 만듭니다", "Make a log store in a database"))
                .arg(Arg::new("url").value_name("URL").required(true).help(say(
                    "postgres://사용자@호스트:5432/데이터베이스",
                    "postgres://user@host:5432/database",
                ))),
        )
        .subcommand(command("stats").about(say("무엇이 들어 있는지", "What is in the store")).arg(logs()))
        .subcommand(
            command("generate")
                .about(say("견본 로그를 만듭니다 (JSON lines)", "Make sample logs (JSON lines)"))
                .arg(
                    option("rows", "N")
                        .value_parser(value_parser!(u64))
                        .default_value("10000")
                        .hide_default_value(true)
                        .help(say("행 수 (기본 10000)", "How many rows (10000)")),
                )
                .arg(
                    option("seed", "N")
                        .value_parser(value_parser!(u64))
                        .default_value("1")
                        .hide_default_value(true)
                        .help(say("같은 값이면 같은 로그 (기본 1)", "The same one makes the same logs (1)")),
                )
                .arg(
                    option("days", "N")
                        .value_parser(value_parser!(u32).range(1..=3650))
                        .default_value("14")
                        .hide_default_value(true)
                        .help(say("며칠 동안의 로그 (기본 14)", "Of how many days (14)")),
                )
                .arg(
                    option("now", "TIME")
                        .value_parser(value_parser!(Timestamp))
                        .help(say("마지막 시각 (기본: 지금)", "Their end (now)")),
                )
                .arg(
                    option("out", "FILE").value_parser(value_parser!(PathBuf)).help(say(
                        "이 파일에 씁니다 (기본: 표준 출력)",
                        "Write to this file (standard output)",
                    )),
                )
                .arg(
                    option("into", "URL")
                        .conflicts_with("out")
                        .help(say("이 저장소에 바로 넣습니다", "Put them into this store")),
                )
                .arg(super::mode::dry_run(lang)),
        )
}

pub(super) fn read(matches: &ArgMatches) -> LogsArgs {
    let logs = |matches: &ArgMatches| {
        text(matches, "logs").or_else(|| settings::get("DURU_LOGS")).filter(|place| !place.is_empty())
    };
    let file = |matches: &ArgMatches, name| matches.get_one::<PathBuf>(name).cloned();
    match matches.subcommand() {
        Some(("ingest", matches)) => LogsArgs::Ingest(IngestArgs {
            paths: matches.get_many("paths").into_iter().flatten().cloned().collect(),
            logs: logs(matches),
            map: file(matches, "map"),
            timezone: text(matches, "timezone"),
            mask: matches.get_flag("mask"),
            keep_ids: matches.get_flag("keep-ids"),
            dry_run: matches.get_flag("dry-run"),
        }),
        Some(("generate", matches)) => LogsArgs::Generate(GenerateArgs {
            rows: matches.get_one("rows").copied().unwrap_or_default(),
            seed: matches.get_one("seed").copied().unwrap_or_default(),
            days: matches.get_one("days").copied().unwrap_or_default(),
            now: matches.get_one("now").copied(),
            out: file(matches, "out"),
            into: text(matches, "into"),
            dry_run: matches.get_flag("dry-run"),
        }),
        Some(("init", matches)) => LogsArgs::Init { url: text(matches, "url").unwrap_or_default() },
        Some((_, matches)) => LogsArgs::Stats { logs: logs(matches) },
        None => LogsArgs::Stats { logs: None },
    }
}
