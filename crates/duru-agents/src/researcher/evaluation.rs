//! Measuring what a model adds to a search.

use duru_llm::decision::{Decider, Untrusted};
use duru_search::text::Thesaurus;

use super::decide::{VaryAsked, VaryQuery};
use super::nodes::by_thesaurus;

/// The other ways in which a query is looked up, by whoever `decider` has.
pub async fn variations(query: &str, thesaurus: &Thesaurus, decider: &Decider) -> Vec<String> {
    let asked =
        VaryAsked { query: Untrusted::new(query), found: Vec::new(), draft: by_thesaurus(query, thesaurus) };
    let mut ways = decider.for_question(query).decide::<VaryQuery>(&asked).await.value.variations;
    ways.retain(|way| !way.trim().is_empty() && way != query);
    ways
}
