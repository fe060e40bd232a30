//! Every decision of every agent, in one list.

use duru_llm::decision::{MeasuredPolicy, Registry};

use crate::{advisor, analyst, researcher};

/// The decisions of all agents: to list them, to check their prompts when a
/// program starts, and to choose their models.
///
/// ```
/// let registry = duru_agents::decisions::registry();
/// assert!(registry.find("researcher/query_router").is_some());
/// ```
pub fn registry() -> Registry {
    let all =
        Registry::new().and(advisor::decisions()).and(analyst::decisions()).and(researcher::decisions());
    all.measured_as(measured())
}

/// Who makes which decision with models of which class, and what was measured. What is not in it was not measured: there
/// a model is a witness.
fn measured() -> Vec<MeasuredPolicy> {
    // It is a part of the program, and a test reads it.
    serde_json::from_str(include_str!("policies.json")).unwrap_or_default()
}
