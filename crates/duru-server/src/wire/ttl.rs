//! How long a thread is kept: so many minutes, and what becomes of it then.

use duru::store::Entry;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::{ApiError, ApiResult};
use crate::time::iso;

/// In a thread's entry.
const FIELD: &str = "ttl";
/// A hundred years are for ever.
const LONGEST: f64 = 100.0 * 365.0 * 24.0 * 60.0;

/// As clients say it: minutes, or minutes and what to do then.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum Ttl {
    Minutes(f64),
    Said { ttl: f64, strategy: Option<String> },
}

/// What becomes of a thread whose time is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    Delete,
    KeepLatest,
}

impl Then {
    fn read(word: &str) -> Option<Self> {
        match word {
            "delete" => Some(Self::Delete),
            "keep_latest" => Some(Self::KeepLatest),
            _ => None,
        }
    }
}

impl Ttl {
    /// Has a thread's time run from now on.
    pub(crate) fn set(&self, entry: &mut Entry, now_ms: u64) -> ApiResult<()> {
        let (minutes, strategy) = match self {
            Self::Minutes(minutes) => (*minutes, "delete"),
            Self::Said { ttl, strategy } => (*ttl, strategy.as_deref().unwrap_or("delete")),
        };
        if Then::read(strategy).is_none() {
            return Err(ApiError::invalid(format!("{strategy:?} is not a strategy: delete, keep_latest")));
        }
        if !(minutes > 0.0 && minutes <= LONGEST) {
            return Err(ApiError::invalid("ttl: a number of minutes above 0"));
        }
        entry.body.insert(FIELD.into(), json!({ "ttl": minutes, "strategy": strategy }));
        entry.due_ms = Some(now_ms.saturating_add((minutes * 60_000.0) as u64));
        Ok(())
    }
}

/// What becomes of a thread in the end, if it has one.
pub(crate) fn then(entry: &Entry) -> Option<Then> {
    Then::read(entry.body.get(FIELD)?["strategy"].as_str()?)
}

/// As clients read it.
pub(crate) fn to_json(entry: &Entry) -> Value {
    let (Some(said), Some(due_ms)) = (entry.body.get(FIELD), entry.due_ms) else { return Value::Null };
    json!({ "strategy": said["strategy"], "ttl_minutes": said["ttl"], "expires_at": iso(due_ms) })
}
