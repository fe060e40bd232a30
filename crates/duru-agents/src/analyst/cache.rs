//! Answers that were given a moment ago.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use duru::{AskedBy, Cx};
use duru_sql::Answer;
use jiff::Timestamp;

/// Whose answers are kept together: all conversations of whoever asked, where the server knows them (`AskedBy`); else one
/// conversation only.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Whose {
    Person(String),
    Thread(String),
}

impl Whose {
    /// Nobody's, if the run is not even part of a conversation.
    pub(super) fn of(cx: &Cx) -> Option<Self> {
        match cx.get::<AskedBy>() {
            Ok(who) => Some(Self::Person(who.0.clone())),
            Err(_) => cx.thread().map(|thread| Self::Thread(thread.to_string())),
        }
    }
}

/// Answers by what was asked of which data by whom: never by the words of a
/// question, which mean different things in different conversations.
#[derive(Debug)]
pub struct Answers {
    limits: AnswerLimits,
    shelf: Mutex<Shelf>,
}

/// How many answers are kept, and how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnswerLimits {
    pub entries: usize,
    /// Of all rows together.
    pub bytes: usize,
    pub age: Duration,
}

impl Default for AnswerLimits {
    fn default() -> Self {
        Self { entries: 256, bytes: 32 << 20, age: Duration::from_secs(300) }
    }
}

/// Everything that an answer depends on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) whose: Whose,
    /// The query with all its values, those of the clock too.
    pub(super) sql: String,
    pub(super) timezone: String,
    pub(super) rows: u32,
    /// Of the data; see [`TableSource::version`](duru_sql::TableSource::version).
    pub(super) version: String,
}

/// An answer as it was given.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Kept {
    pub(super) answer: Answer,
    pub(super) count: u64,
    pub(super) count_is_lower_bound: bool,
    /// When it was true.
    pub(super) at: Timestamp,
    /// What was said of it, to which question.
    pub(super) said: Option<Said>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) question: String,
    /// By a model: what the rules say costs nothing.
    pub(super) insight: String,
}

#[derive(Debug, Default)]
struct Shelf {
    slots: HashMap<Key, Slot>,
    bytes: usize,
    /// Counts uses, to know which was the last.
    uses: u64,
}

#[derive(Debug)]
struct Slot {
    kept: Kept,
    bytes: usize,
    since: Instant,
    used: u64,
}

impl Default for Answers {
    fn default() -> Self {
        Self::new(AnswerLimits::default())
    }
}

impl Answers {
    pub fn new(limits: AnswerLimits) -> Self {
        Self { limits, shelf: Mutex::default() }
    }

    pub(super) fn find(&self, key: &Key) -> Option<Kept> {
        let mut shelf = self.shelf();
        shelf.forget_older_than(self.limits.age);
        shelf.uses += 1;
        let used = shelf.uses;
        let slot = shelf.slots.get_mut(key)?;
        slot.used = used;
        Some(slot.kept.clone())
    }

    pub(super) fn keep(&self, key: Key, kept: Kept) {
        let bytes = size(&kept.answer) + key.sql.len();
        if bytes > self.limits.bytes || self.limits.entries == 0 {
            return;
        }
        let mut shelf = self.shelf();
        shelf.remove(&key);
        shelf.forget_older_than(self.limits.age);
        while shelf.slots.len() >= self.limits.entries || shelf.bytes + bytes > self.limits.bytes {
            let Some(oldest) = shelf.least_recent() else { break };
            shelf.remove(&oldest);
        }
        shelf.uses += 1;
        shelf.bytes += bytes;
        let used = shelf.uses;
        shelf.slots.insert(key, Slot { kept, bytes, since: Instant::now(), used });
    }

    /// Notes what was said of an answer, if it is still here.
    pub(super) fn note(&self, key: &Key, said: Said) {
        if let Some(slot) = self.shelf().slots.get_mut(key) {
            slot.kept.said = Some(said);
        }
    }

    // Every change leaves a shelf that holds, so a panic elsewhere does not spoil it.
    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shelf {
    fn remove(&mut self, key: &Key) {
        if let Some(slot) = self.slots.remove(key) {
            self.bytes -= slot.bytes;
        }
    }

    fn forget_older_than(&mut self, age: Duration) {
        let old = self.slots.iter().filter(|(_, slot)| slot.since.elapsed() >= age);
        let old: Vec<Key> = old.map(|(key, _)| key.clone()).collect();
        old.iter().for_each(|key| self.remove(key));
    }

    fn least_recent(&self) -> Option<Key> {
        self.slots.iter().min_by_key(|(_, slot)| slot.used).map(|(key, _)| key.clone())
    }
}

/// About as many bytes as the rows have.
fn size(answer: &Answer) -> usize {
    let cell = |value: &serde_json::Value| match value {
        serde_json::Value::String(text) => text.len() + 2,
        serde_json::Value::Array(_) | serde_json::Value::Object(_) => value.to_string().len(),
        _ => 8,
    };
    answer.rows.iter().flatten().map(cell).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn key(person: &str, sql: &str) -> Key {
        Key {
            whose: Whose::Person(person.into()),
            sql: sql.into(),
            timezone: "Asia/Seoul".into(),
            rows: 100,
            version: "1".into(),
        }
    }

    fn kept(text: &str) -> Kept {
        let answer =
            Answer { columns: Vec::new(), rows: vec![vec![json!(text)]], cut: None, took: Duration::ZERO };
        Kept { answer, count: 1, count_is_lower_bound: false, at: Timestamp::UNIX_EPOCH, said: None }
    }

    #[test]
    fn every_part_of_the_key_counts() {
        let answers = Answers::default();
        answers.keep(key("kim", "SELECT 1"), kept("one"));
        assert_eq!(answers.find(&key("kim", "SELECT 1")), Some(kept("one")));
        for other in [
            key("lee", "SELECT 1"),
            key("kim", "SELECT 2"),
            Key { whose: Whose::Thread("kim".into()), ..key("kim", "SELECT 1") },
            Key { timezone: "UTC".into(), ..key("kim", "SELECT 1") },
            Key { rows: 5, ..key("kim", "SELECT 1") },
            Key { version: "2".into(), ..key("kim", "SELECT 1") },
        ] {
            assert_eq!(answers.find(&other), None, "{other:?}");
        }
    }

    #[test]
    fn the_least_recently_used_go_first() {
        let limits = AnswerLimits { entries: 2, ..AnswerLimits::default() };
        let answers = Answers::new(limits);
        let of = |sql: &str| answers.find(&key("kim", sql)).is_some();
        answers.keep(key("kim", "a"), kept("a"));
        answers.keep(key("kim", "b"), kept("b"));
        assert!(of("a"));
        answers.keep(key("kim", "c"), kept("c"));
        assert_eq!((of("a"), of("b"), of("c")), (true, false, true));
    }

    #[test]
    fn size_and_age_are_bounded() {
        let answers = Answers::new(AnswerLimits { bytes: 100, ..AnswerLimits::default() });
        answers.keep(key("kim", "a"), kept(&"x".repeat(60)));
        answers.keep(key("kim", "b"), kept(&"x".repeat(60)));
        assert_eq!(answers.find(&key("kim", "a")), None);
        answers.keep(key("kim", "c"), kept(&"x".repeat(200)));
        assert_eq!(answers.find(&key("kim", "c")), None);
        assert!(answers.find(&key("kim", "b")).is_some(), "what does not fit pushes nothing out");

        let none = Answers::new(AnswerLimits { age: Duration::ZERO, ..AnswerLimits::default() });
        none.keep(key("kim", "a"), kept("a"));
        assert_eq!(none.find(&key("kim", "a")), None);
        assert_eq!(none.shelf().bytes, 0);
    }
}
