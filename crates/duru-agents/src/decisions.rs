//! Every decision of every agent, in one list.

use duru_llm::decision::Registry;

use crate::{advisor, analyst, researcher};

/// The decisions of all agents: to list them, to check their prompts when a
/// program starts, and to choose their models.
///
/// ```
/// let registry = duru_agents::decisions::registry();
/// assert!(registry.find("researcher/query_router").is_some());
/// ```
pub fn registry() -> Registry {
    Registry::new().and(advisor::decisions()).and(analyst::decisions()).and(researcher::decisions())
}
