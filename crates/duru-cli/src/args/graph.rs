//! `duru graph …`.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command};

use crate::graph::NAMES;
use crate::lang::Lang;

/// What to draw, and how.
#[derive(Debug, Default)]
pub(crate) struct GraphArgs {
    /// An agent or the example; where a thread is named, its graph.
    pub(crate) name: Option<String>,
    pub(crate) format: Format,
    /// Whose path to mark.
    pub(crate) thread: Option<String>,
}

/// How a graph is drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Format {
    #[default]
    Mermaid,
    Svg,
    /// Lines of text.
    Text,
}

pub(super) fn command(lang: Lang, command: &dyn Fn(&'static str) -> Command) -> Command {
    let say = |ko, en| lang.pick(ko, en);
    command("graph")
        .about(say("에이전트나 예제의 그래프를 그립니다", "Draw the graph of an agent, or the example"))
        .arg(
            Arg::new("name")
                .value_name("GRAPH")
                .value_parser(PossibleValuesParser::new(NAMES))
                .hide_possible_values(true)
                .help(say(
                    "analyst, researcher, advisor, article (기본: 스레드의 것, 또는 예제 article)",
                    "analyst, researcher, advisor, article (the thread's, or the example, article)",
                )),
        )
        .arg(
            Arg::new("format")
                .long("format")
                .value_name("mermaid|svg|text")
                .value_parser(["mermaid", "svg", "text"])
                .hide_possible_values(true)
                .help(say("그림의 형식 (기본 mermaid)", "The kind of drawing (mermaid)")),
        )
        .arg(Arg::new("thread").long("thread").value_name("ID").help(say(
            "이 스레드가 지나간 길과 걸린 시간을 표시합니다",
            "Mark where this thread has been, and the time it took",
        )))
}

pub(super) fn read(matches: &ArgMatches) -> GraphArgs {
    let text = |name: &str| matches.get_one::<String>(name).cloned();
    let format = match text("format").as_deref() {
        Some("svg") => Format::Svg,
        Some("text") => Format::Text,
        _ => Format::Mermaid,
    };
    GraphArgs { name: text("name"), format, thread: text("thread") }
}
