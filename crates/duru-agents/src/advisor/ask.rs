//! Decisions within a run's bound on model calls.

use duru::{Cx, Result};
use duru_llm::decision::{By, Decision};

use super::progress::DecidedBy;
use crate::decided;

/// What was decided, by whom, and what it cost.
pub(super) struct Asked<T> {
    pub(super) value: T,
    pub(super) by: DecidedBy,
    /// A model was asked and did not answer: why.
    pub(super) failed: Option<String>,
    /// Model calls.
    pub(super) calls: u64,
}

impl<T> Asked<T> {
    /// How sure a rule's answer is: certain without a model, half after a failure.
    pub(super) fn rule_confidence(&self) -> f32 {
        if self.failed.is_some() { 0.5 } else { 1.0 }
    }
}

/// The decision `D`, by its rule where no call is left.
pub(super) async fn decide<D: Decision>(cx: &Cx, left: u64, input: &D::Input) -> Result<Asked<D::Output>> {
    if left == 0 {
        return Ok(Asked { value: D::by_rule(input), by: DecidedBy::Rule, failed: None, calls: 0 });
    }
    let outcome = decided::decider(cx)?.decide::<D>(input).await;
    let asked = outcome.model.is_some() && outcome.by != By::Replay;
    let by = if outcome.by == By::Rule { DecidedBy::Rule } else { DecidedBy::Model };
    let failed = (outcome.by == By::Rule && asked).then(|| outcome.why.unwrap_or_default());
    Ok(Asked { value: outcome.value, by, failed, calls: u64::from(asked) })
}
