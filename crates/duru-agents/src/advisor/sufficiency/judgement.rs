//! What gate 1 says.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::issue::Issue;
use crate::advisor::understand::DataKind;
use crate::advisor::understand::region::Region;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The search team is left out.
    Reuse,
    /// Gate 2 looks at the data.
    Verify,
    /// Gate 3 asks the person; where nobody can be asked, gate 2 decides.
    Confirm,
    Search,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DataSource {
    ChatHistory,
    LongTermMemory,
    None,
}

/// Data that are good enough to use again, with or without a search for the rest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Kept {
    pub kind: DataKind,
    pub region: Option<Region>,
    pub count: usize,
    /// Seconds since they were found, where that is known.
    pub age: Option<i64>,
    pub source: DataSource,
    /// The search they are from, by position in what was judged.
    pub search: usize,
}

/// What gate 1 says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Judgement {
    pub verdict: Verdict,
    /// How sure it is that the data are enough, 0 to 1.
    pub confidence: f32,
    pub data_source: DataSource,
    /// What must be searched for.
    pub missing: Vec<DataKind>,
    /// The places a search for market data must cover; empty: all that are asked about.
    pub missing_regions: Vec<Region>,
    pub kept: Vec<Kept>,
    pub issues: Vec<Issue>,
    /// Why, in Korean and in English.
    pub reasoning: String,
    pub reasoning_en: String,
}
