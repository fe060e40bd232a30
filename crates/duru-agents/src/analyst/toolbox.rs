//! What the analyst works with.

use std::sync::Arc;

use duru_llm::decision::Decider;
use duru_sql::guard::{Guard, Lang};
use duru_sql::{Limits, LogStore};
use jiff::Timestamp;

use super::state::Analysis;

/// The store it asks, the guard before it, and who decides.
#[derive(Clone)]
pub struct Toolbox {
    pub logs: Arc<dyn LogStore>,
    pub guard: Guard,
    pub decider: Decider,
    pub limits: Limits,
}

impl Toolbox {
    /// Decides by rules, with the usual limits.
    pub fn new(logs: Arc<dyn LogStore>, guard: Guard) -> Self {
        Self { logs, guard, decider: Decider::by_rules(), limits: Limits::default() }
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
        let hangul = |c: char| matches!(c, '가'..='힣' | 'ㄱ'..='ㅣ');
        if self.question.contains(hangul) { Lang::Ko } else { Lang::En }
    }
}
