//! The example's state and how its nodes are connected.

use anyhow::Context as _;
use duru::{Compiled, END, Graph, State, Target};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::nodes;
use crate::lang::Lang;
use crate::problem::Problem;

/// An article on its way to being published.
#[derive(State, Clone)]
pub(crate) struct Article {
    pub(crate) topic: String,
    pub(crate) lang: Lang,
    pub(crate) draft: String,
    #[merge(sum)]
    pub(crate) round: u32,
    #[merge(append)]
    pub(crate) remarks: Vec<Remark>,
    pub(crate) verdict: Option<Verdict>,
    pub(crate) receipt: String,
}

/// What a check says about a draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Remark {
    pub(crate) round: u32,
    pub(crate) rule: Rule,
    pub(crate) ok: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Rule {
    Length,
    DoubledWord,
    Ending,
}

impl Rule {
    pub(crate) const ALL: [Self; 3] = [Self::Length, Self::DoubledWord, Self::Ending];

    pub(crate) fn name(self, lang: Lang) -> &'static str {
        match self {
            Self::Length => lang.pick("길이", "length"),
            Self::DoubledWord => lang.pick("겹친 낱말", "doubled word"),
            Self::Ending => lang.pick("끝맺음", "ending"),
        }
    }
}

/// One check of one draft: a task of its own.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Check {
    pub(crate) rule: Rule,
    pub(crate) draft: String,
    pub(crate) round: u32,
}

/// What the person is asked.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Ask {
    pub(crate) round: u32,
    pub(crate) draft: String,
    pub(crate) remarks: Vec<Remark>,
}

/// What the person may answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Verdict {
    Publish,
    Revise,
    Hold,
}

impl Verdict {
    pub(crate) const WORDS: [&str; 3] = ["publish", "revise", "hold"];

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Publish => "publish",
            Self::Revise => "revise",
            Self::Hold => "hold",
        }
    }

    pub(crate) fn from_word(word: &str) -> Option<Self> {
        [Self::Publish, Self::Revise, Self::Hold].into_iter().find(|verdict| verdict.word() == word)
    }
}

/// The graph as a picture for a terminal; a test keeps it true.
pub(crate) const DRAWING: &str = "
            ┌┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄ revise ┄┄┄┄┄┐
            ▼                            ┆
  start ─► draft ┄┬┄► check ─┬─► ask ┄┄┄┄┼┄ publish ┄► publish ─► end
                  ├┄► check ─┤           └┄ hold ┄► end
                  └┄► check ─┘

";

pub(crate) fn compile() -> Result<Compiled<Article>, Problem> {
    let mut g = Graph::<Article>::new("article");
    let draft = g.node("draft", nodes::draft);
    let check = g.worker("check", nodes::check);
    let ask = g.node("ask", nodes::ask);
    let publish = g.node("publish", nodes::publish);
    g.start(draft);
    g.route(draft, [check], move |s: &Article| {
        let task = |rule| check.send(Check { rule, draft: s.draft.clone(), round: s.round });
        Rule::ALL.map(task)
    });
    g.edge(check, ask);
    g.route(ask, [publish.into(), draft.into(), END], move |s: &Article| -> Target {
        match s.verdict {
            Some(Verdict::Publish) => publish.into(),
            Some(Verdict::Revise) => draft.into(),
            Some(Verdict::Hold) | None => END,
        }
    });
    g.edge(publish, END);
    g.compile().context("the example graph does not compile").map_err(Problem::Unexpected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_drawing_shows_the_edges_that_there_are() {
        let mermaid = compile().unwrap().mermaid();
        let lines = || mermaid.lines().map(str::trim);
        let label = |line: &str| line.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
        let names: Vec<(&str, String)> = lines()
            .filter_map(|line| line.split_once(['[', '(']))
            .map(|(id, rest)| (id, label(rest)))
            .collect();
        let name = |id: &str| names.iter().find(|(known, _)| *known == id).map(|(_, name)| name.as_str());
        let edges: Vec<(&str, &str)> = lines()
            .filter_map(|line| line.split_once(" -.-> ").or(line.split_once(" --> ")))
            .filter_map(|(from, to)| Some((name(from)?, name(to)?)))
            .collect();
        let drawn = [
            ("start", "draft"),
            ("draft", "check"),
            ("check", "ask"),
            ("ask", "publish"),
            ("ask", "draft"),
            ("ask", "end"),
            ("publish", "end"),
        ];
        assert_eq!(edges, drawn, "change DRAWING and this list together:\n{mermaid}");
        assert!(["draft", "check", "ask", "publish"].iter().all(|node| DRAWING.contains(node)));
    }
}
