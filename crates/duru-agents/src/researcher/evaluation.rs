//! Measuring what a model adds to a search.

use duru_llm::decision::{Decider, Untrusted};

use super::decide::{VaryAsked, VaryQuery};
use super::nodes::as_asked;

/// The other ways in which a query is looked up, by whoever `decider` has.
pub async fn variations(query: &str, decider: &Decider) -> Vec<String> {
    let asked = VaryAsked { query: Untrusted::new(query), found: Vec::new(), draft: as_asked(query) };
    let mut ways = decider.for_question(query).decide::<VaryQuery>(&asked).await.value.variations;
    ways.retain(|way| !way.trim().is_empty() && way != query);
    ways
}
