//! `duru serve`, and `duru` alone.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};

use super::docs::{self, DocsPlace};
use super::tables::{self, TablesPlace};
use super::text;
use crate::lang::Lang;
use crate::settings;

/// LangGraph's clients look for a server here.
pub(crate) const USUAL_PORT: u16 = 2024;

#[derive(Debug)]
pub(crate) struct ServeArgs {
    /// None for what the settings say, or else this machine only.
    pub(crate) host: Option<String>,
    /// None for what the settings say, or else the usual one.
    pub(crate) port: Option<u16>,
    /// Where the usual port is taken, the next one will do.
    pub(crate) nearby: bool,
    pub(crate) logs: Option<String>,
    /// What the analyst is asked about in place of the logs.
    pub(crate) tables: TablesPlace,
    pub(crate) documents: DocsPlace,
    /// How lines that come in over HTTP are read.
    pub(crate) ingest_map: Option<PathBuf>,
    /// How log lines look.
    pub(crate) log_format: Option<String>,
    /// What is worth a log line.
    pub(crate) log_level: Option<String>,
}

impl ServeArgs {
    /// On this machine, where there is room.
    pub(super) fn anywhere() -> Self {
        Self {
            host: None,
            port: None,
            nearby: true,
            logs: named_logs(None),
            tables: tables::usual(),
            documents: docs::usual_place(),
            ingest_map: named_map(None),
            log_format: None,
            log_level: None,
        }
    }
}

fn named_logs(given: Option<String>) -> Option<String> {
    given.or_else(|| settings::get("DURU_LOGS")).filter(|place| !place.is_empty())
}

fn named_map(given: Option<String>) -> Option<PathBuf> {
    given.or_else(|| settings::get("DURU_INGEST_MAP")).map(PathBuf::from)
}

pub(super) fn read(matches: &ArgMatches) -> ServeArgs {
    ServeArgs {
        host: text(matches, "host"),
        port: matches.get_one::<u16>("port").copied(),
        nearby: false,
        logs: named_logs(text(matches, "logs")),
        tables: tables::read(matches),
        documents: docs::read_place(matches),
        ingest_map: named_map(text(matches, "ingest-map")),
        log_format: text(matches, "log-format"),
        log_level: text(matches, "log-level"),
    }
}

pub(super) fn command(lang: Lang, command: &dyn Fn(&'static str) -> Command) -> Command {
    let say = |ko, en| lang.pick(ko, en);
    command("serve")
        .about(say(
            "에이전트를 HTTP로 제공합니다: 페이지, API, LangGraph 클라이언트",
            "Serve the agents over HTTP: the page, the API, LangGraph's clients",
        ))
        .arg(super::ask::logs(lang))
        .args(tables::place(lang))
        .args(docs::place(lang))
        .arg(Arg::new("ingest-map").long("ingest-map").value_name("FILE").help(say(
            "POST /logs/ingest의 필드 이름, 기본값, 가리기 규칙 (JSON)",
            "Fields, defaults and masks for POST /logs/ingest (JSON)",
        )))
        .arg(
            Arg::new("log-format")
                .long("log-format")
                .value_name("text|json")
                .value_parser(["text", "json"])
                .hide_possible_values(true)
                .help(say("로그 줄의 형식 (기본 text)", "The format of log lines (text)")),
        )
        .arg(
            Arg::new("log-level")
                .long("log-level")
                .value_name("LEVEL")
                .value_parser(["error", "warn", "info", "debug"])
                .hide_possible_values(true)
                .help(say(
                    "로그에 남길 것: error, warn(기본), info(json이면 기본), debug",
                    "What is worth a line: error, warn (usual), info (json), debug",
                )),
        )
        .arg(
            Arg::new("port")
                .long("port")
                .value_name("N")
                .value_parser(value_parser!(u16))
                .help(say("포트 (기본 2024; 0이면 빈 포트)", "The port (2024; 0 for any that is free)")),
        )
        .arg(Arg::new("host").long("host").value_name("ADDRESS").help(say(
            "주소 (기본 127.0.0.1: 이 컴퓨터에서만)",
            "The address (127.0.0.1: only this machine)",
        )))
}
