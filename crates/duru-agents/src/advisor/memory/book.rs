//! What is remembered, on a store.

use duru::memory::{Error, Memory, Search};
use jiff::Timestamp;
use serde_json::Value;

use super::age::{Ages, Changes, hear, id_of as fact_id};
use super::digest;
use super::exchange::{Body, Exchange, Remembered};
use super::fact::FactKind;
use super::heard::{Heard, corrected, heard};
use super::recall::Recalled;
use super::secret;

/// What to forget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forget<'a> {
    One(&'a str),
    All,
}

/// What became of a wish to put something right.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "one is made for a wish, and looked at once")]
pub enum Correction {
    /// The fact as it is now.
    Done(Remembered),
    /// Nothing has this id.
    Unknown,
    /// Only facts are put right; what was said stays as it was said.
    NotAFact,
    /// What was given is nothing that this kind of fact can be.
    Unread(FactKind),
}

/// What the advisor remembers of people. Cheap to clone.
#[derive(Clone)]
pub struct Book {
    memory: Memory,
    ages: Ages,
}

/// Read in pages of so many; a person's book has a few hundred at most.
const PAGE: usize = 500;
/// A larger exchange is kept without its data.
const LARGEST: usize = 256 << 10;

impl Book {
    pub fn new(memory: Memory) -> Self {
        Self { memory, ages: Ages::default() }
    }

    /// The same, growing old otherwise.
    #[must_use]
    pub fn ageing(mut self, ages: Ages) -> Self {
        self.ages = ages;
        self
    }

    /// Writes an exchange down with the facts in it, without what looks like a
    /// secret, and lets the older ones grow old. Written twice, it is remembered
    /// once, so a node may try again. Its id.
    pub async fn remember(&self, user: &str, exchange: Exchange) -> Result<String, Error> {
        let exchange = without_secrets(exchange);
        let now = exchange.at;
        let id = id_of(&exchange);
        let heard = heard(&exchange, &id);
        let exchange = Exchange { distilled: true, ..fitting(exchange) };
        self.put(user, &Remembered { id: id.clone(), body: Body::Exchange(exchange) }).await?;
        let mut all = self.all(user).await?;
        let mut changes = learn(&mut all, heard, now);
        let (_, aged) = self.ages.settle(all, now);
        changes.put.retain(|put| !aged.forget.contains(&put.id));
        changes.put.extend(aged.put);
        changes.forget.extend(aged.forget);
        // First what was made of the old, then the old: a crash in between loses nothing.
        for one in &changes.put {
            self.put(user, one).await?;
        }
        for id in &changes.forget {
            self.memory.delete(namespace(user), id).await?;
        }
        Ok(id)
    }

    /// Puts a fact right: from now on it is what the person says.
    pub async fn correct(&self, user: &str, id: &str, to: &str, now: Timestamp) -> Result<Correction, Error> {
        let fact = match self.get(user, id).await? {
            Some(Remembered { body: Body::Fact(fact), .. }) => fact,
            Some(_) => return Ok(Correction::NotAFact),
            None => return Ok(Correction::Unknown),
        };
        let Some(right) = corrected(&fact, to, now) else { return Ok(Correction::Unread(fact.kind)) };
        let one = Remembered { id: fact_id(&right), body: Body::Fact(right) };
        self.put(user, &one).await?;
        if one.id != id {
            self.memory.delete(namespace(user), id).await?;
        }
        Ok(Correction::Done(one))
    }

    /// What is remembered, in at most so many characters.
    pub async fn recall(&self, user: &str, budget: usize, now: Timestamp) -> Result<Recalled, Error> {
        // What has grown old since the last exchange is seen so, though not yet kept so.
        let (all, _) = self.ages.settle(self.all(user).await?, now);
        Ok(Recalled::within(budget, all))
    }

    /// Everything that is remembered, the newest first, facts last.
    pub async fn list(&self, user: &str, now: Timestamp) -> Result<Vec<Remembered>, Error> {
        Ok(self.ages.settle(self.all(user).await?, now).0)
    }

    /// One thing, by its id.
    pub async fn get(&self, user: &str, id: &str) -> Result<Option<Remembered>, Error> {
        self.memory.get(namespace(user), id).await
    }

    /// Forgets, and says how many things.
    pub async fn forget(&self, user: &str, what: Forget<'_>) -> Result<usize, Error> {
        match what {
            Forget::One(id) => Ok(usize::from(self.memory.delete(namespace(user), id).await?)),
            Forget::All => {
                let mut forgotten = 0;
                loop {
                    let page = self.memory.search(Search::within(namespace(user))?.limit(PAGE)).await?;
                    if page.is_empty() {
                        return Ok(forgotten);
                    }
                    for hit in page {
                        forgotten += usize::from(self.memory.delete(namespace(user), &hit.item.key).await?);
                    }
                }
            }
        }
    }

    async fn put(&self, user: &str, one: &Remembered) -> Result<(), Error> {
        self.memory.put(namespace(user), &one.id, one).await
    }

    async fn all(&self, user: &str) -> Result<Vec<Remembered>, Error> {
        let mut all = Vec::new();
        for page in 0.. {
            let search = Search::within(namespace(user))?.limit(PAGE).offset(page * PAGE);
            let hits = self.memory.search(search).await?;
            let last = hits.len() < PAGE;
            for hit in hits {
                let (at, value) = (hit.item.key, Value::Object(hit.item.value));
                all.push(serde_json::from_value(value).map_err(|error| Error::Unfit {
                    at: format!("memory {at:?}"),
                    reason: error.to_string(),
                })?);
            }
            if last {
                break;
            }
        }
        Ok(all)
    }
}

/// Adds what was heard to what is known, and takes away what it says is no longer so.
fn learn(all: &mut Vec<Remembered>, heard: Heard, now: Timestamp) -> Changes {
    let mut changes = Changes::default();
    for (kind, name) in heard.gone {
        let gone = |one: &Remembered| match &one.body {
            Body::Fact(fact) => fact.kind == kind && fact.value.0 == name && fact.last <= now,
            _ => false,
        };
        changes.forget.extend(all.iter().filter(|one| gone(one)).map(|one| one.id.clone()));
        all.retain(|one| !gone(one));
    }
    for fact in heard.facts {
        hear(all, fact, &mut changes);
    }
    changes.forget.retain(|id| !changes.put.iter().any(|put| put.id == *id));
    changes
}

/// The same without what looks like a secret, in what was said and in what searches were asked with.
fn without_secrets(mut exchange: Exchange) -> Exchange {
    exchange.asked = secret::hidden(&exchange.asked).into_owned();
    exchange.answered = secret::hidden(&exchange.answered).into_owned();
    for held in &mut exchange.held {
        held.search.query = secret::hidden(&held.search.query).into_owned();
        secret::hide_said(&mut held.data);
    }
    exchange
}

fn namespace(user: &str) -> [String; 3] {
    ["advisor".to_owned(), "memory".to_owned(), label(user)]
}

/// A person's own place. A name may hold anything, a label may not.
pub(in crate::advisor) fn label(user: &str) -> String {
    let mut label = String::new();
    for letter in user.chars() {
        if letter == '.' || letter == '%' || letter.is_control() {
            label.push_str(&format!("%{:02x}", letter as u32));
        } else {
            label.push(letter);
        }
    }
    label
}

/// Sorted by time, and the same for the same exchange.
fn id_of(exchange: &Exchange) -> String {
    let text = format!("{}\u{1f}{}\u{1f}{}", exchange.thread, exchange.asked, exchange.answered);
    let hash = xxhash_rust::xxh3::xxh3_64(text.as_bytes());
    format!("{}-{:08x}", exchange.at.as_millisecond(), hash as u32)
}

/// Without its data, if they are too large.
fn fitting(mut exchange: Exchange) -> Exchange {
    let large = |value: &Value| value.to_string().len() > LARGEST;
    for held in &mut exchange.held {
        if large(&held.data) {
            held.data = Value::Null;
        }
    }
    let total: usize = exchange.held.iter().map(|held| held.data.to_string().len()).sum();
    if total > LARGEST {
        exchange.held.clear();
    }
    let text: usize = exchange.asked.len() + exchange.answered.len();
    if text > LARGEST {
        exchange.asked = digest::shortened(&exchange.asked, 20_000);
        exchange.answered = digest::shortened(&exchange.answered, 40_000);
    }
    exchange
}
