//! What was decided, by whom, and why.

use std::time::Duration;

use duru_messages::UsageMetadata;
use serde::{Deserialize, Serialize};

/// What was decided, by whom, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome<T> {
    /// The decision.
    pub value: T,
    /// Who answered.
    pub by: By,
    /// Why it was not simply the model: what was wrong with its reply, or why there was none.
    pub why: Option<String>,
    /// Which decision.
    pub decision: String,
    /// Which version of its prompt.
    pub prompt: String,
    /// Which model was asked, if any.
    pub model: Option<String>,
    /// How long it took.
    pub latency: Duration,
    /// The tokens of all that was asked.
    pub usage: UsageMetadata,
}

/// Who made a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum By {
    /// The model, at once.
    Model,
    /// The model, after its syntax was repaired or it was asked again.
    Repaired,
    /// The rule.
    Rule,
    /// A recording of a model.
    Replay,
}
