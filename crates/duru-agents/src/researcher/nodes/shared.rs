//! What several nodes need.

use std::collections::BTreeMap;

use duru_llm::decision::Untrusted;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::researcher::document::{Document, Ending, SearchFilter, Subtask};
use crate::researcher::lang::Lang;
use crate::researcher::state::{ResearchUpdate, internal};

/// At most so many answers are written again.
pub(super) const RETRIES: u32 = 3;

/// A sub-task on its way: all that a worker knows of the question.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::researcher) struct Work {
    pub(in crate::researcher) subtask: Subtask,
    pub(in crate::researcher) filter: SearchFilter,
    /// What the sub-tasks that it depends on found.
    pub(in crate::researcher) found: Vec<String>,
    pub(in crate::researcher) korean: bool,
    /// What the person said, which is all that the web may hear.
    #[serde(default)]
    pub(in crate::researcher) own: String,
}

impl Work {
    pub(super) fn lang(&self) -> Lang {
        if self.korean { Lang::Ko } else { Lang::En }
    }
}

/// A sub-task with what a search found for it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::researcher) struct Found {
    pub(in crate::researcher) work: Work,
    pub(in crate::researcher) documents: Vec<Document>,
    /// Whether the passages answer it, by rule.
    pub(in crate::researcher) ending: Ending,
    /// How likely they do.
    pub(in crate::researcher) confidence: f32,
    /// Its words that no passage speaks of.
    pub(in crate::researcher) missing: Vec<String>,
}

/// An update that says which node made it, what it did, and its statistics.
pub(super) fn report(node: &str, said: impl Into<String>, statistics: Value) -> ResearchUpdate {
    let update = ResearchUpdate::new().current_node(node).messages([internal(node, said)]);
    match statistics {
        Value::Object(statistics) => update.metadata(BTreeMap::from([(node.to_owned(), statistics)])),
        _ => update,
    }
}

/// Documents as models see them: numbered, as data.
pub(super) fn numbered(documents: &[Document]) -> Vec<Untrusted> {
    let one = |(at, document): (usize, &Document)| {
        Untrusted::new(format!("[{}] {}\n{}", at + 1, document.label(), document.text))
    };
    documents.iter().enumerate().map(one).collect()
}

pub(super) fn untrusted(texts: impl IntoIterator<Item = impl Into<String>>) -> Vec<Untrusted> {
    texts.into_iter().map(|text| Untrusted::new(text)).collect()
}
