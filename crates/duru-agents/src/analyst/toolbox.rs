//! What the analyst works with.

use std::sync::Arc;

use duru_sql::guard::{Checked, Clock, Guard, Lang, Refusal};
use duru_sql::{Limits, LogStore};
use jiff::Timestamp;

use super::state::Analysis;

/// The store it asks, and the guard before it.
#[derive(Clone)]
pub struct Toolbox {
    pub logs: Arc<dyn LogStore>,
    pub guard: Guard,
    pub limits: Limits,
}

impl Toolbox {
    /// With the usual limits.
    pub fn new(logs: Arc<dyn LogStore>, guard: Guard) -> Self {
        Self { logs, guard, limits: Limits::default() }
    }

    /// A query of the question as it may run, at the question's time if its clock stands still.
    pub(super) fn check(&self, sql: &str, s: &Analysis) -> Result<Checked, Refusal> {
        match &s.now {
            Some(_) => self.guard.clone().with_clock(Clock::new(s.moment(), s.zone())).check(sql),
            None => self.guard.check(sql),
        }
    }
}

impl Analysis {
    /// The time of the question.
    pub(super) fn moment(&self) -> Timestamp {
        let told = self.now.as_deref().or(self.asked_at.as_deref()).and_then(|text| text.parse().ok());
        told.unwrap_or_else(Timestamp::now)
    }

    /// The language of the question.
    pub(super) fn lang(&self) -> Lang {
        Lang::of(if self.question.is_empty() { &self.resolved_question } else { &self.question })
    }
}
