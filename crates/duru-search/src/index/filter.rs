//! Which passages may be found.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

/// Every condition that is set must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    pub collection: Option<String>,
    pub source: Option<String>,
    pub category: Option<String>,
    /// The document's title; a statute's name stands for its decrees and rules, too.
    pub title: Option<String>,
    pub article: Option<String>,
    pub pages: Option<RangeInclusive<u32>>,
    /// In any of these; anywhere if there are none.
    pub within: Vec<Within>,
    /// Speaks of this. Indexes do not know it: a search leaves the others out of what they find.
    pub entity: Option<String>,
}

/// A part of what an index holds.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Within {
    Document {
        collection: String,
        id: String,
    },
    /// As the filter's.
    Title(String),
}
