//! `duru serve`, and `duru` alone.

use clap::{Arg, ArgMatches, Command, value_parser};

use super::docs::{self, DocsPlace};
use super::text;
use crate::lang::Lang;
use crate::settings;

/// LangGraph's clients look for a server here.
const USUAL: u16 = 2024;

#[derive(Debug)]
pub(crate) struct ServeArgs {
    pub(crate) host: String,
    pub(crate) port: Port,
    pub(crate) logs: Option<String>,
    pub(crate) documents: DocsPlace,
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
            port: Port::Near(USUAL),
            logs: named_logs(None),
            documents: docs::usual_place(),
        }
    }
}

fn named_logs(given: Option<String>) -> Option<String> {
    given.or_else(|| settings::get("DURU_LOGS")).filter(|place| !place.is_empty())
}

pub(super) fn read(matches: &ArgMatches) -> ServeArgs {
    ServeArgs {
        host: text(matches, "host").unwrap_or_default(),
        port: Port::This(matches.get_one::<u16>("port").copied().unwrap_or(USUAL)),
        logs: named_logs(text(matches, "logs")),
        documents: docs::read_place(matches),
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
