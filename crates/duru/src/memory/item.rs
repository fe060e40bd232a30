//! What is kept.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Map, Value};

use super::{Address, Error, Namespace, text};

/// How large a value may be, written as JSON.
pub const MAX_VALUE_BYTES: usize = 1 << 20;

/// How deep a value may be nested; a reader of JSON refuses much more.
pub const MAX_DEPTH: usize = 100;

/// The last moment that every store can keep.
const END_OF_TIME: u64 = i64::MAX as u64;

/// Something that is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// Where.
    pub namespace: Namespace,
    /// Under which key.
    pub key: String,
    /// What.
    pub value: Map<String, Value>,
    /// When it was first put, in milliseconds since 1970.
    pub created_ms: u64,
    /// When it was last put.
    pub updated_ms: u64,
    /// How long it lives after a put, or a read that refreshes it; none for ever.
    pub ttl_ms: Option<u64>,
    /// From when on it is gone.
    pub expires_ms: Option<u64>,
}

/// An item that a search has found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The item.
    pub item: Item,
    /// How well it fits the text that was searched for, above 0 and at most 1;
    /// none if there was no text. See [`rank`](super::rank).
    pub score: Option<f64>,
}

/// When something that is put or refreshed now will be gone.
pub fn expiry(now_ms: u64, ttl_ms: Option<u64>) -> Option<u64> {
    ttl_ms.map(|ttl_ms| now_ms.saturating_add(ttl_ms).min(END_OF_TIME))
}

/// Whether something that expires then is there now. At the very millisecond it is gone.
pub fn is_live(expires_ms: Option<u64>, now_ms: u64) -> bool {
    expires_ms.is_none_or(|expires_ms| expires_ms > now_ms)
}

/// An item to put: checked, written as JSON and split into terms, so that every
/// store keeps the same.
#[derive(Debug, Clone)]
pub struct Put {
    at: Address,
    value: Map<String, Value>,
    json: String,
    terms: BTreeSet<String>,
    ttl_ms: Option<u64>,
}

impl Put {
    /// Checks a value: a JSON object of at most [`MAX_VALUE_BYTES`], nested at
    /// most [`MAX_DEPTH`] deep. A time to live counts in whole milliseconds,
    /// rounded up.
    pub fn new(at: Address, value: Value, ttl: Option<Duration>) -> Result<Self, Error> {
        let refuse = |reason: String| Error::Value { at: at.to_string(), reason };
        let Value::Object(value) = value else {
            return Err(refuse(format!("it is {}, not an object; put it into a field", kind(&value))));
        };
        if !value.values().all(|value| is_shallow(value, MAX_DEPTH - 1)) {
            return Err(refuse(format!("it is nested deeper than {MAX_DEPTH}")));
        }
        let ttl_ms = match ttl {
            Some(Duration::ZERO) => return Err(refuse("a time to live of zero keeps nothing".to_owned())),
            Some(ttl) => Some(u64::try_from(ttl.as_nanos().div_ceil(1_000_000)).unwrap_or(END_OF_TIME)),
            None => None,
        };
        let ttl_ms = ttl_ms.map(|ttl_ms| ttl_ms.min(END_OF_TIME));
        let json = serde_json::to_string(&value).map_err(|error| refuse(error.to_string()))?;
        if json.len() > MAX_VALUE_BYTES {
            return Err(refuse(format!("it takes {} bytes, more than {MAX_VALUE_BYTES}", json.len())));
        }
        let terms = text::value_terms(&value);
        Ok(Self { at, value, json, terms, ttl_ms })
    }

    /// Where it goes.
    pub fn at(&self) -> &Address {
        &self.at
    }

    /// The value as JSON.
    pub fn json(&self) -> &str {
        &self.json
    }

    /// The terms by which it is found; they hold no white space.
    pub fn terms(&self) -> &BTreeSet<String> {
        &self.terms
    }

    /// How long it lives.
    pub fn ttl_ms(&self) -> Option<u64> {
        self.ttl_ms
    }

    /// The item, when put now in the place of one that was made then.
    pub fn into_item(self, created_ms: u64, now_ms: u64) -> Item {
        Item {
            namespace: self.at.namespace().clone(),
            key: self.at.key().to_owned(),
            value: self.value,
            created_ms,
            updated_ms: now_ms,
            ttl_ms: self.ttl_ms,
            expires_ms: expiry(now_ms, self.ttl_ms),
        }
    }
}

/// What a value is, for people.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// Whether no more than `levels` arrays and objects lie within each other.
pub(super) fn is_shallow(value: &Value, levels: usize) -> bool {
    let Some(inner) = levels.checked_sub(1) else { return !value.is_array() && !value.is_object() };
    match value {
        Value::Array(values) => values.iter().all(|value| is_shallow(value, inner)),
        Value::Object(map) => map.values().all(|value| is_shallow(value, inner)),
        _ => true,
    }
}
