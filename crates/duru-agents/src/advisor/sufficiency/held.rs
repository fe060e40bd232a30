//! What earlier searches found: every result with its kind, place, conditions,
//! time and source.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::advisor::understand::region::Region;
use crate::advisor::understand::{DataKind, Deal, Property, Terms};

/// Where data were kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// This conversation.
    Conversation,
    ShortTerm,
    MidTerm,
    LongTerm,
}

/// One earlier search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Search {
    pub query: String,
    /// The places it covered. None: it was about no place.
    pub regions: Vec<Region>,
    /// The conditions it ran with, defaults of the tools among them.
    pub terms: Terms,
    /// The conditions that the question itself stated.
    pub stated: Terms,
    pub tier: Tier,
    pub found: Vec<Found>,
}

/// What a search found of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Found {
    pub kind: DataKind,
    pub count: usize,
    /// When it was found; none if nobody knows.
    pub at: Option<Timestamp>,
    /// Who said so: a tool, a law, a bank.
    pub source: String,
    /// The items, as far as they were kept.
    pub items: Vec<Item>,
}

/// One item of a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Item {
    pub region: Option<Region>,
    pub deal: Option<Deal>,
    pub property: Option<Property>,
    /// When it was true: a transaction's day, a rate's date.
    pub at: Option<Timestamp>,
    pub source: String,
}

impl Search {
    pub fn found(&self, kind: DataKind) -> Option<&Found> {
        self.found.iter().find(|found| found.kind == kind)
    }

    /// The kinds it found something of, or looked for.
    pub fn kinds(&self) -> Vec<DataKind> {
        let mut kinds: Vec<DataKind> = self.found.iter().map(|found| found.kind).collect();
        kinds.sort_unstable();
        kinds
    }
}
