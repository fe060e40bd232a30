//! A decision about reuse, and what came of it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Variant;
use crate::advisor::sufficiency::Verdict;

/// What was done in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Made {
    /// The search was left out.
    Skip,
    Search,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    CorrectSkip,
    IncorrectSkip,
    CorrectSearch,
    IncorrectSearch,
    #[default]
    Unknown,
}

/// One decision. The names of the fields are those of the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    pub timestamp: Timestamp,
    pub variant: Variant,
    pub query: String,
    /// Gate 1's.
    pub supervisor_decision: Verdict,
    /// What the later gates made of it; none where they had no say.
    pub execute_node_decision: Option<Made>,
    #[serde(default)]
    pub actual_result: Outcome,
    /// Of the whole answer, in seconds.
    pub execution_time: f64,
}

/// What shows whether a decision was right. None of it is the decider's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// After a reuse the person asked to search again.
    AskedAgain,
    /// A search that was made only to compare: did it find the same?
    Shadow { same: bool },
    /// A labelled case: was a search needed?
    Labelled { search_needed: bool },
}

impl Decision {
    pub fn skipped(&self) -> bool {
        match self.execute_node_decision {
            Some(made) => made == Made::Skip,
            None => self.supervisor_decision == Verdict::Reuse,
        }
    }

    /// What the evidence says of it; none if it says nothing.
    pub fn outcome(&self, evidence: Evidence) -> Option<Outcome> {
        let needed = match evidence {
            // Asking again after a search says nothing about the search.
            Evidence::AskedAgain if !self.skipped() => return None,
            Evidence::AskedAgain => true,
            Evidence::Shadow { same } => !same,
            Evidence::Labelled { search_needed } => search_needed,
        };
        Some(match (self.skipped(), needed) {
            (true, false) => Outcome::CorrectSkip,
            (true, true) => Outcome::IncorrectSkip,
            (false, true) => Outcome::CorrectSearch,
            (false, false) => Outcome::IncorrectSearch,
        })
    }
}
