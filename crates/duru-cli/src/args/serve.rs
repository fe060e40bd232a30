//! `duru serve`, and `duru` alone.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};

use super::docs::{self, DocsPlace};
use super::text;
use crate::lang::Lang;
use crate::settings;

/// LangGraph's clients look for a server here.
pub(crate) const USUAL_PORT: u16 = 2024;

#[derive(Debug)]
pub(crate) struct ServeArgs {
    pub(crate) host: String,
    pub(crate) port: Port,
    pub(crate) logs: Option<String>,
    pub(crate) documents: DocsPlace,
    /// How lines that come in over HTTP are read.
    pub(crate) ingest_map: Option<PathBuf>,
    /// How log lines look.
    pub(crate) log_format: Option<String>,
    /// What is worth a log line.
    pub(crate) log_level: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Port {
    /// This one and no other.
    This(u16),
    /// This one, or the next that is free.
    Near(u16),
}

impl ServeArgs {
    /// On this machine, where there is room.
    pub(super) fn anywhere() -> Self {
        Self {
            host: "127.0.0.1".to_owned(),
            port: Port::Near(USUAL_PORT),
            logs: named_logs(None),
            documents: docs::usual_place(),
            ingest_map: None,
            log_format: None,
            log_level: None,
        }
    }
}

fn named_logs(given: Option<String>) -> Option<String> {
    given.or_else(|| settings::get("DURU_LOGS")).filter(|place| !place.is_empty())
}

pub(super) fn read(matches: &ArgMatches) -> ServeArgs {
    ServeArgs {
        host: text(matches, "host").unwrap_or_default(),
        port: Port::This(matches.get_one::<u16>("port").copied().unwrap_or(USUAL_PORT)),
        logs: named_logs(text(matches, "logs")),
        documents: docs::read_place(matches),
        ingest_map: text(matches, "ingest-map").map(PathBuf::from),
        log_format: text(matches, "log-format"),
        log_level: text(matches, "log-level"),
    }
}

pub(super) fn command(lang: Lang, command: &dyn Fn(&'static str) -> Command) -> Command {
    let say = |ko, en| lang.pick(ko, en);
    command("serve")
        .about(say(
            "에이전트와 예제 그래프를 HTTP로 제공합니다; LangGraph 클라이언트로 쓸 수 있습니다",
            "Serve the agents and the example over HTTP, to LangGraph's clients",
        ))
        .arg(super::ask::logs(lang))
        .args(docs::place(lang))
        .arg(Arg::new("ingest-map").long("ingest-map").value_name("FILE").help(say(
            "POST /logs/ingest로 오는 로그의 필드 이름, 기본값, 가리기 규칙 (JSON)",
            "Names of fields, defaults and masks for POST /logs/ingest (JSON)",
        )))
        .arg(
            Arg::new("log-format")
                .long("log-format")
                .value_name("text|json")
                .value_parser(["text", "json"])
                .hide_possible_values(true)
                .help(say("로그 줄의 형식 (기본 text)", "How log lines look (text)")),
        )
        .arg(
            Arg::new("log-level")
                .long("log-level")
                .value_name("error|warn|info|debug")
                .value_parser(["error", "warn", "info", "debug"])
                .hide_possible_values(true)
                .help(say(
                    "로그에 남길 것 (기본 warn; json이면 info)",
                    "What is worth a log line (warn; info with json)",
                )),
        )
        .arg(
            Arg::new("port")
                .long("port")
                .value_name("N")
                .value_parser(value_parser!(u16))
                .help(say("포트 (기본 2024; 0이면 빈 포트)", "The port (2024; 0 for any that is free)")),
        )
        .arg(
            Arg::new("host")
                .long("host")
                .value_name("ADDRESS")
                .default_value("127.0.0.1")
                .hide_default_value(true)
                .help(say(
                    "주소 (기본 127.0.0.1: 이 컴퓨터에서만)",
                    "The address (127.0.0.1: only this machine)",
                )),
        )
}
