//! The log of decisions, on a store.

use duru::memory::{Error, Memory, Search};
use jiff::Timestamp;
use serde_json::Value;

use super::{Decision, Evidence, Outcome, Report};
use crate::advisor::memory::label;

/// Where in whose conversation a decision was made.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    pub user: &'a str,
    pub thread: &'a str,
    /// The turn of the conversation, from 0.
    pub turn: usize,
}

/// Every decision, durable. Cheap to clone.
#[derive(Clone)]
pub struct Tracker {
    memory: Memory,
}

/// Only so long is a query kept.
const QUERY: usize = 500;
const PAGE: usize = 500;
const NAMESPACE: [&str; 2] = ["advisor", "ab"];

impl Tracker {
    pub fn new(memory: Memory) -> Self {
        Self { memory }
    }

    /// Logs a decision. Logged twice it is there once, so a node may try again.
    pub async fn log(&self, place: Place<'_>, mut decision: Decision) -> Result<(), Error> {
        // Whoever decides does not say how it went.
        decision.actual_result = Outcome::Unknown;
        if decision.query.chars().count() > QUERY {
            decision.query = decision.query.chars().take(QUERY).collect();
        }
        if let Some(logged) = self.get(place).await? {
            decision.actual_result = logged.actual_result;
        }
        self.memory.put(namespace(place.user), &key(place), &decision).await
    }

    /// Takes evidence about a decision in. Whether it was there and is now known.
    pub async fn learn(&self, place: Place<'_>, evidence: Evidence) -> Result<bool, Error> {
        let Some(mut decision) = self.get(place).await? else { return Ok(false) };
        let Some(outcome) = decision.outcome(evidence) else { return Ok(false) };
        // A label is the truth; a person's own word counts more than a sample.
        let weak = matches!(evidence, Evidence::Shadow { .. });
        if weak && decision.actual_result != Outcome::Unknown {
            return Ok(true);
        }
        decision.actual_result = outcome;
        self.memory.put(namespace(place.user), &key(place), &decision).await?;
        Ok(true)
    }

    pub async fn get(&self, place: Place<'_>) -> Result<Option<Decision>, Error> {
        self.memory.get(namespace(place.user), &key(place)).await
    }

    /// The whole log.
    pub async fn decisions(&self) -> Result<Vec<Decision>, Error> {
        let mut decisions = Vec::new();
        for page in 0.. {
            let hits = self.memory.search(Search::within(NAMESPACE)?.limit(PAGE).offset(page * PAGE)).await?;
            let last = hits.len() < PAGE;
            for hit in hits {
                let (at, value) = (hit.item.key, Value::Object(hit.item.value));
                decisions.push(serde_json::from_value(value).map_err(|error| Error::Unfit {
                    at: format!("decision {at:?}"),
                    reason: error.to_string(),
                })?);
            }
            if last {
                break;
            }
        }
        Ok(decisions)
    }

    pub async fn report(&self) -> Result<Report, Error> {
        Ok(Report::of(&self.decisions().await?))
    }

    /// Forgets a person's decisions: all of them, or those of one moment.
    pub async fn forget(&self, user: &str, at: Option<Timestamp>) -> Result<usize, Error> {
        let (mut forgotten, mut kept) = (0, 0);
        loop {
            let page = Search::within(namespace(user))?.limit(PAGE).offset(kept);
            let hits = self.memory.search(page).await?;
            if hits.is_empty() {
                return Ok(forgotten);
            }
            for hit in hits {
                let made = hit.item.value.get("timestamp").and_then(Value::as_str);
                let made: Option<Timestamp> = made.and_then(|made| made.parse().ok());
                // What can't be read goes with all, and stays where one is meant.
                if at.is_some() && made != at {
                    kept += 1;
                } else {
                    forgotten += usize::from(self.memory.delete(namespace(user), &hit.item.key).await?);
                }
            }
        }
    }
}

fn namespace(user: &str) -> [String; 3] {
    [NAMESPACE[0].to_owned(), NAMESPACE[1].to_owned(), label(user)]
}

/// Threads may have any name; a key may not.
fn key(place: Place<'_>) -> String {
    let hash = xxhash_rust::xxh3::xxh3_128(place.thread.as_bytes());
    format!("{hash:032x}-{:06}", place.turn)
}
