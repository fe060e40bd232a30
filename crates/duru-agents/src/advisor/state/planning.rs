//! What planning found out.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::Echo;
use super::before::KnownFact;
use crate::advisor::sums::Sum;
use crate::advisor::tools::{Calculation, Parameters, Team};
use crate::advisor::understand::region::Region;
use crate::advisor::understand::{DataKind, Intent, Terms};

/// What planning found out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Planning {
    pub intent: Option<Intent>,
    pub confidence: f32,
    pub keywords: Vec<String>,
    /// The places it asks about, its own or those it goes on from.
    pub regions: Vec<Region>,
    pub terms: Terms,
    /// The kinds of data its answer rests on.
    pub required: Vec<DataKind>,
    pub suggested_teams: Vec<Team>,
    pub sub_tasks: Vec<String>,
    /// What the question asks about, by name; an answer says something of each.
    pub parts: Vec<String>,
    pub calculations: Vec<Calculation>,
    /// Plain sums that are reckoned from what was said.
    #[serde(default)]
    pub sums: Vec<Sum>,
    /// Figures of an earlier question that this one goes on with.
    pub carried: Option<Parameters>,
    /// Facts of other conversations that this question goes on from; the answer says so.
    #[serde(default)]
    pub remembered: Vec<KnownFact>,
    /// What of the answer before is asked about, where nothing else is.
    pub echo: Option<Echo>,
    /// What a clarifying question asks, where the intent is unclear.
    pub clarify: Option<String>,
    /// Only one step must be taken.
    pub single: bool,
}
