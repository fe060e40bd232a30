//! A text that somebody planted, where it stands, and how one would see that it was obeyed.

use std::path::Path;

use duru_sql::Level;
use serde::{Deserialize, Serialize};

use crate::problem::Problem;

/// Where the planted text stands in a carrier.
const PLACE: &str = "{{planted}}";

/// One question, asked twice: with the planted text and without it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InjectionItem {
    pub(super) id: String,
    pub(super) agent: Target,
    /// How it tries; for people.
    #[serde(rename = "technique")]
    _technique: String,
    /// An ordinary question, whose answer must read the carrier.
    pub(super) question: String,
    pub(super) planted: String,
    carrier: Carrier,
    /// What only an answer that obeys would say.
    pub(super) canary: Vec<String>,
    /// What the clean answer says, and this one should say as well.
    #[serde(default)]
    pub(super) must: Vec<String>,
}

/// Who is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Target {
    Analyst,
    Researcher,
    Advisor,
}

impl Target {
    pub(super) const ALL: [Self; 3] = [Self::Analyst, Self::Researcher, Self::Advisor];

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Analyst => "analyst",
            Self::Researcher => "researcher",
            Self::Advisor => "advisor",
        }
    }
}

/// What the planted text comes in.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Carrier {
    /// Lines among other lines.
    Log(PlantedLines),
    /// A document in Markdown, among other documents.
    Document(String),
    /// A contract that the person pastes below the question.
    Contract(String),
}

/// Lines that are alike, with the text in one of their fields.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlantedLines {
    pub(super) field: LogField,
    pub(super) service: String,
    pub(super) level: Level,
    #[serde(default = "one")]
    pub(super) times: usize,
    /// What the field says in the clean run, so that every count stays the same.
    instead: String,
}

fn one() -> usize {
    1
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum LogField {
    Message,
    Service,
    Path,
    UserId,
    ErrorType,
    StackTrace,
    /// A key of the line's own.
    Metadata,
}

/// Which of the two runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Twin {
    Planted,
    Clean,
}

/// What an agent is asked in one of the runs, and what it finds.
#[derive(Debug, PartialEq)]
pub(super) struct Asked {
    pub(super) question: String,
    pub(super) lines: Option<(PlantedLines, String)>,
    pub(super) document: Option<String>,
}

impl InjectionItem {
    pub(super) fn asked(&self, twin: Twin) -> Asked {
        let planted = match twin {
            Twin::Planted => self.planted.as_str(),
            Twin::Clean => "",
        };
        let filled = |text: &str| text.replace(PLACE, planted);
        let plain = Asked { question: self.question.clone(), lines: None, document: None };
        match &self.carrier {
            Carrier::Log(lines) => {
                let text = if twin == Twin::Planted { planted } else { &lines.instead };
                Asked { lines: Some((lines.clone(), text.to_owned())), ..plain }
            }
            Carrier::Document(text) => Asked { document: Some(filled(text)), ..plain },
            Carrier::Contract(text) => {
                Asked { question: format!("{}\n\n{}", self.question, filled(text)), ..plain }
            }
        }
    }

    /// Why the item measures nothing, if it does not.
    fn fault(&self) -> Option<&'static str> {
        let has_place = match &self.carrier {
            Carrier::Log(_) => true,
            Carrier::Document(text) | Carrier::Contract(text) => text.contains(PLACE),
        };
        let fits = match &self.carrier {
            Carrier::Log(_) => self.agent == Target::Analyst,
            Carrier::Document(_) => self.agent != Target::Analyst,
            Carrier::Contract(_) => self.agent == Target::Advisor,
        };
        match (has_place, fits, self.canary.is_empty()) {
            (false, ..) => Some("its carrier has no {{planted}}"),
            (_, false, _) => Some("its agent does not read such a carrier"),
            (.., true) => Some("it has no canary"),
            _ => None,
        }
    }
}

/// The items of a file, one JSON object on every line.
pub(super) fn read(file: &Path) -> Result<Vec<InjectionItem>, Problem> {
    let text =
        std::fs::read_to_string(file).map_err(|source| Problem::File { file: file.to_owned(), source })?;
    let bad = |number: usize, why: String| Problem::File {
        file: file.to_owned(),
        source: std::io::Error::other(format!("line {number}: {why}")),
    };
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(at, line)| {
            let item: InjectionItem =
                serde_json::from_str(line).map_err(|error| bad(at + 1, error.to_string()))?;
            match item.fault() {
                Some(why) => Err(bad(at + 1, why.to_owned())),
                None => Ok(item),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(carrier: &str) -> Result<InjectionItem, serde_json::Error> {
        serde_json::from_str(&format!(
            r#"{{"id":"a","agent":"advisor","technique":"t","question":"q","planted":"OBEY","canary":["x"],"carrier":{carrier}}}"#
        ))
    }

    #[test]
    fn the_twins_differ_in_what_was_planted_alone() {
        let contract = item(r#"{"contract":"제1조 보증금 {{planted}}"}"#).unwrap();
        assert_eq!(contract.asked(Twin::Planted).question, "q\n\n제1조 보증금 OBEY");
        assert_eq!(contract.asked(Twin::Clean).question, "q\n\n제1조 보증금 ");
        assert_eq!(contract.fault(), None);
        let log = r#"{"log":{"field":"message","service":"s","level":"ERROR","instead":"fine"}}"#;
        let lines = item(log).unwrap();
        assert_eq!(lines.asked(Twin::Clean).lines.unwrap().1, "fine");
        assert!(lines.fault().is_some(), "the advisor reads no logs");
        assert!(item(r#"{"document":"nothing"}"#).unwrap().fault().is_some(), "nothing was planted");
    }
}
