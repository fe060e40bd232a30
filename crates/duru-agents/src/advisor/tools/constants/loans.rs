//! Loans on offer.

use serde::{Deserialize, Serialize};

use crate::advisor::understand::{Group, LoanKind};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::advisor::tools) struct Loans {
    pub(in crate::advisor::tools) source: String,
    #[serde(default)]
    pub(in crate::advisor::tools) source_en: String,
    pub(in crate::advisor::tools) products: Vec<LoanProduct>,
}

/// A loan on offer. Sums in won, rates as shares.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoanProduct {
    pub name: String,
    /// What it is called in English, with who lends it; empty where nobody said.
    #[serde(default)]
    pub name_en: String,
    pub by: String,
    pub kind: LoanKind,
    /// For these only; for all if empty.
    pub groups: Vec<Group>,
    pub rate: (f64, f64),
    pub most: Option<u64>,
    pub income_up_to: Option<u64>,
    /// The dearest home, or the highest deposit of a lease.
    pub home_up_to: Option<u64>,
    /// For who is at least and at most so old.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ages: Option<(u32, u32)>,
    pub note: String,
    #[serde(default)]
    pub note_en: String,
}
