//! What is remembered, in its three forms.

use duru_sql::guard::Lang;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::fact::Fact;
use crate::advisor::ledger::Entry;
use crate::advisor::sufficiency::{Search, Tier};
use crate::advisor::understand::region::{self, Region};
use crate::advisor::understand::{DataKind, Terms, before_contract};

/// So much of a question is read for what it says of the person.
const READ: usize = 2_000;

/// A question and its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exchange {
    pub thread: String,
    pub at: Timestamp,
    pub asked: String,
    pub answered: String,
    /// What the question said by itself: the person's wishes, not a tool's defaults.
    pub terms: Terms,
    pub regions: Vec<Region>,
    /// What was found for it, to be used again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held: Vec<Held>,
    /// The number of the question in its conversation, from 1.
    #[serde(default)]
    pub turn: usize,
    /// What it wrote into the ledger of its conversation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<Entry>,
    /// Its facts are kept already, and are not made of it again: what was forgotten stays so.
    #[serde(default)]
    pub distilled: bool,
}

/// A search and its data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Held {
    pub search: Search,
    /// The data, in whatever form their user reads them.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub data: Value,
}

impl Exchange {
    /// An exchange that found nothing to keep; what the question says is read from it.
    pub fn new(
        thread: impl Into<String>,
        at: Timestamp,
        asked: impl Into<String>,
        answered: impl Into<String>,
    ) -> Self {
        let asked = asked.into();
        // A contract may follow a question; what the person wants is said before it.
        let said: String = before_contract(&asked).chars().take(READ).collect();
        let mut regions: Vec<Region> = Vec::new();
        for place in region::find(&said, &[]).into_iter().filter(|place| !place.taken_back) {
            if !regions.contains(&place.region) {
                regions.push(place.region);
            }
        }
        Self {
            thread: thread.into(),
            at,
            terms: Terms::read(&said),
            regions,
            asked,
            answered: answered.into(),
            held: Vec::new(),
            turn: 0,
            entries: Vec::new(),
            distilled: false,
        }
    }

    /// The same, with what its question wrote into the ledger.
    #[must_use]
    pub fn entered(mut self, turn: usize, entries: impl IntoIterator<Item = Entry>) -> Self {
        self.turn = turn;
        self.entries.extend(entries);
        self
    }

    /// The same, with what was found for it.
    #[must_use]
    pub fn holding(mut self, held: impl IntoIterator<Item = Held>) -> Self {
        self.held.extend(held);
        self
    }
}

/// An exchange of some time ago, in short.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    pub thread: String,
    pub at: Timestamp,
    pub text: String,
    pub terms: Terms,
    pub regions: Vec<Region>,
    /// Only law: prices and rates are too old by now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held: Vec<Held>,
    /// As for an exchange.
    #[serde(default)]
    pub distilled: bool,
}

/// One thing that is remembered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Remembered {
    /// By which it is listed and forgotten.
    pub id: String,
    #[serde(flatten)]
    pub body: Body,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "form", rename_all = "snake_case")]
pub enum Body {
    Exchange(Exchange),
    Summary(Summary),
    Fact(Fact),
}

impl Remembered {
    pub fn tier(&self) -> Tier {
        match self.body {
            Body::Exchange(_) => Tier::ShortTerm,
            Body::Summary(_) => Tier::MidTerm,
            Body::Fact(_) => Tier::LongTerm,
        }
    }

    /// When it was said, a fact the last time.
    pub fn at(&self) -> Timestamp {
        match &self.body {
            Body::Exchange(exchange) => exchange.at,
            Body::Summary(summary) => summary.at,
            Body::Fact(fact) => fact.last,
        }
    }

    /// For a person.
    pub fn text(&self, lang: Lang) -> String {
        match &self.body {
            Body::Exchange(exchange) => format!("{} → {}", exchange.asked, exchange.answered),
            Body::Summary(summary) => summary.text.clone(),
            Body::Fact(fact) => fact.text(lang),
        }
    }
}

impl Held {
    /// The law in it, which does not grow old, in a form that takes little room.
    pub(super) fn lasting(&self) -> Option<Self> {
        let found: Vec<_> =
            self.search.found.iter().filter(|found| found.kind == DataKind::Legal).cloned().collect();
        (!found.is_empty())
            .then(|| Self { search: Search { found, ..self.search.clone() }, data: self.data.clone() })
    }
}
