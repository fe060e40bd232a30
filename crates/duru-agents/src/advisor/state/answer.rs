//! What an answer is made from, the answer, and what of it can be asked about next.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::advisor::tools::{Filed, Item};
use crate::advisor::understand::{DataKind, Intent};

/// All that an answer is made from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Aggregated {
    pub items: usize,
    pub reports: usize,
    pub insights: Vec<String>,
    pub missing: Vec<DataKind>,
    pub wanting: Vec<String>,
    pub reused: Vec<DataKind>,
}

/// The answer, in parts and as a whole.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Answer {
    /// The answer in one or two sentences.
    pub summary: String,
    pub sections: Vec<Section>,
    pub sources: Vec<String>,
    pub reused: Vec<String>,
    pub failed: Vec<String>,
    pub missing: Vec<String>,
    /// Parts of the question that are not answered, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unanswered: Vec<String>,
    pub next_steps: Vec<String>,
    pub caution: Option<String>,
    /// Documents that were made.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<Filed>,
    /// All of it, as Markdown.
    pub text: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Section {
    pub heading: String,
    pub lines: Vec<String>,
}

/// What an answer told: what it listed, in the order it did, and why it is so, in Korean and English.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Told {
    pub turn: usize,
    pub intent: Option<Intent>,
    pub shown: Vec<Item>,
    pub reasons: Vec<(String, String)>,
}

/// What of the answer before is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Echo {
    /// Why it is so.
    Why,
    /// One of the things that were listed, from 0.
    Item(usize),
    /// The last of them.
    Last,
}
