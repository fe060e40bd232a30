//! What was before a question: exchanges, memories, searches that may be used again, and a draft.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::advisor::draft::LeaseForm;
use crate::advisor::ledger::{Value, What};
use crate::advisor::sufficiency::{self, Tier};
use crate::advisor::tools::Used;
use crate::advisor::understand::region::Region;
use crate::advisor::understand::{DataKind, Terms};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Exchange {
    pub question: String,
    pub answer: String,
}

/// What is remembered, as lines, by tier.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Memories {
    pub short_term: Vec<String>,
    pub mid_term: Vec<String>,
    pub long_term: Vec<String>,
    /// Searches of other conversations of the user.
    pub searches: Vec<PastSearch>,
    /// Facts about the user that a question may go on from.
    pub facts: Vec<KnownFact>,
}

/// A fact about the user that another conversation told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KnownFact {
    /// By which it is listed, put right and forgotten.
    pub id: String,
    pub what: What,
    pub value: Value,
    /// When it was said last, RFC 3339.
    pub at: String,
    /// The person put it right where it is shown.
    #[serde(default)]
    pub corrected: bool,
}

impl Memories {
    pub(in crate::advisor) fn is_empty(&self) -> bool {
        self.short_term.is_empty()
            && self.mid_term.is_empty()
            && self.long_term.is_empty()
            && self.searches.is_empty()
            && self.facts.is_empty()
    }
}

/// What one search found, with all that says whether it can be used again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PastSearch {
    /// What it is known by, however many searches follow it.
    #[serde(default)]
    pub id: String,
    pub query: String,
    pub regions: Vec<Region>,
    pub terms: Terms,
    pub stated: Terms,
    pub tier: Tier,
    pub results: Vec<Used>,
}

impl PastSearch {
    /// When it was made.
    pub fn at(&self) -> Option<Timestamp> {
        self.results.iter().filter_map(|used| used.at).max()
    }

    /// As the gates look at it.
    pub fn held(&self) -> sufficiency::Search {
        let mut found: Vec<sufficiency::Found> = Vec::new();
        for used in &self.results {
            for item in &used.found.items {
                let held = sufficiency::Item {
                    region: item.region.clone(),
                    deal: item.deal,
                    property: item.property,
                    at: item.at,
                    source: item.source.clone(),
                };
                match found.iter_mut().find(|known| known.kind == item.kind) {
                    Some(known) => {
                        known.count += 1;
                        known.at = known.at.min(used.at);
                        known.items.push(held);
                    }
                    None => found.push(sufficiency::Found {
                        kind: item.kind,
                        count: 1,
                        at: used.at,
                        source: item.source.clone(),
                        items: vec![held],
                    }),
                }
            }
        }
        sufficiency::Search {
            query: self.query.clone(),
            regions: self.regions.clone(),
            terms: self.terms.clone(),
            stated: self.stated.clone(),
            tier: self.tier,
            found,
        }
    }
}

/// One search, by its id, and the kinds that are used of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reuse {
    pub search: String,
    pub kinds: Vec<DataKind>,
}

/// A draft, and the turn of the conversation that last changed it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Drafted {
    pub form: LeaseForm,
    pub turn: usize,
}
