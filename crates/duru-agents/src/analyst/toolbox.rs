//! What the analyst works with.

use std::sync::Arc;

use duru_sql::domain::Description;
use duru_sql::guard::{Checked, Clock, Guard, Lang, Refusal};
use duru_sql::{Limits, MachineZone, TableSource};
use jiff::Timestamp;

use super::cache::{Answers, Key, Whose};
use super::description::LiveDescription;
use super::granted::{GrantedSource, Grants};
use super::reading::Preparing;
use super::state::Analysis;

/// So long the clock of a kept answer stands still: "the last hour" is a little more then.
const TICK: i64 = 30;

/// The store it asks, and the guard before it.
#[derive(Clone)]
pub struct Toolbox {
    pub logs: Arc<dyn TableSource>,
    pub guard: Guard,
    pub limits: Limits,
    /// Those that were given a moment ago.
    pub answers: Arc<Answers>,
    /// What people call the tables and what is in them.
    pub description: Arc<LiveDescription>,
    pub(super) preparing: Arc<Preparing>,
    /// What the source of the tables is called, where it has a name: who is granted it may ask all of them.
    pub source: Option<String>,
    /// Other tables that a person may choose to ask about.
    pub others: Vec<Arc<Toolbox>>,
    grants: Arc<Grants>,
    /// The time zone of whoever names none, by its IANA name.
    pub timezone: String,
}

impl Toolbox {
    /// With the usual limits, in the time zone of this machine.
    pub fn new(logs: Arc<dyn TableSource>, guard: Guard) -> Self {
        Self {
            logs,
            guard,
            limits: Limits::default(),
            answers: Arc::default(),
            description: Arc::new(LiveDescription::new(Description::logs())),
            preparing: Arc::default(),
            source: None,
            others: Vec::new(),
            grants: Arc::default(),
            timezone: MachineZone::get().name.clone(),
        }
    }

    /// The same in another time zone.
    #[must_use]
    pub fn in_zone(mut self, name: &str) -> Self {
        name.clone_into(&mut self.timezone);
        self
    }

    /// The same with no other tables than those that are granted: by their names, or by their source's.
    pub(super) fn granted(self: &Arc<Self>, names: &[String]) -> Arc<Self> {
        if self.source.as_ref().is_some_and(|source| names.contains(source)) {
            return Arc::clone(self);
        }
        self.only(names)
    }

    /// The same with these of its tables.
    pub(super) fn only(self: &Arc<Self>, names: &[String]) -> Arc<Self> {
        self.grants.get_or_make(names, || {
            let mut catalog = self.guard.catalog().clone();
            catalog.tables.retain(|table| names.contains(&table.name));
            Self {
                logs: Arc::new(GrantedSource::new(Arc::clone(&self.logs), names)),
                guard: self.guard.with_catalog(catalog),
                preparing: Arc::default(),
                grants: Arc::default(),
                ..Self::clone(self)
            }
        })
    }

    /// A query of the question as it may run, at the question's time if its clock stands still.
    pub(super) fn check(&self, sql: &str, s: &Analysis) -> Result<Checked, Refusal> {
        match &s.now {
            Some(_) => self.guard.clone().with_clock(Clock::new(s.moment(), s.zone())).check(sql),
            None => self.guard.check(sql),
        }
    }

    /// What the answer to the question depends on; nothing, if it can't be known.
    pub(super) async fn key(&self, s: &Analysis, whose: Option<Whose>) -> Option<Key> {
        let moment = match &s.now {
            Some(_) => s.moment(),
            None => Timestamp::from_second(Timestamp::now().as_second() / TICK * TICK).ok()?,
        };
        let bound = self.guard.clone().with_clock(Clock::new(moment, s.zone()));
        Some(Key {
            whose: whose?,
            sql: bound.check(s.generated_sql.as_deref()?).ok()?.sql().to_owned(),
            timezone: s.timezone.clone(),
            rows: s.max_results,
            // Asked for before the rows: what comes in between makes the answer newer than its key.
            version: self.logs.version().await.ok()?,
        })
    }
}

impl Analysis {
    /// The time of the question.
    pub(super) fn moment(&self) -> Timestamp {
        let told = self.now.as_deref().or(self.asked_at.as_deref()).and_then(|text| text.parse().ok());
        told.unwrap_or_else(Timestamp::now)
    }

    /// The language of the question; of a query alone, that of the question before it.
    pub(super) fn lang(&self) -> Lang {
        let before = self.turns.iter().rev().map(|turn| &turn.question);
        let said = [&self.question, &self.resolved_question].into_iter().chain(before);
        Lang::of(said.into_iter().find(|text| !text.is_empty()).map_or("", String::as_str))
    }
}
