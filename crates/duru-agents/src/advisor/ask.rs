//! Decisions within a run's bound on model calls.

use duru::{Cx, Result};
use duru_llm::decision::{By, Decision};

use super::progress::DecidedBy;
use super::state::Advice;
use super::toolbox::Bounds;
use super::tools::Team;
use crate::decided::{self, NodeDecider};

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

/// What is left of the run's bound on model calls. Data that are used again have one of their own.
pub(super) fn calls_left(s: &Advice, bounds: &Bounds) -> u64 {
    let searches = s.steps.iter().any(|step| step.team == Team::Search);
    let most = match (searches, s.planning.single) {
        (false, _) => bounds.reuse_calls,
        (true, true) => bounds.simple_calls,
        (true, false) => bounds.complex_calls,
    };
    most.saturating_sub(s.count_of("model_calls"))
}

/// The decision `D`, by its rule where no call is left.
pub(super) async fn decide<D: Decision>(cx: &Cx, left: u64, input: &D::Input) -> Result<Asked<D::Output>> {
    decide_with::<D>(decided::decider(cx)?, left, input).await
}

/// The same with this decider.
pub(super) async fn decide_with<D: Decision>(
    decider: NodeDecider,
    left: u64,
    input: &D::Input,
) -> Result<Asked<D::Output>> {
    if left == 0 {
        return Ok(Asked { value: D::by_rule(input), by: DecidedBy::Rule, failed: None, calls: 0 });
    }
    // A bad answer may be asked for again only where a call is left for that.
    let decider = if left == 1 { decider.once() } else { decider };
    let outcome = decider.decide::<D>(input).await?;
    let by = if outcome.by == By::Rule { DecidedBy::Rule } else { DecidedBy::Model };
    let failed = outcome.failure().map(str::to_owned);
    Ok(Asked { value: outcome.value, by, failed, calls: u64::from(outcome.calls) })
}
