//! How long a thread is kept: so many minutes, and what becomes of it then.

use duru::store::Entry;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::words::PruneStrategy;
use crate::error::{ApiError, ApiResult};
use crate::time::iso;

/// In a thread's entry.
const FIELD: &str = "ttl";
/// A hundred years are for ever.
const LONGEST: f64 = 100.0 * 365.0 * 24.0 * 60.0;

/// As clients say it: minutes, or minutes and what to do then.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum Ttl {
    Minutes(f64),
    Said {
        #[schema(exclusive_minimum = 0, maximum = 52_560_000)]
        ttl: f64,
        #[schema(value_type = Option<PruneStrategy>)]
        strategy: Option<String>,
    },
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

/// When a thread's time is over, and what becomes of it then.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ThreadTtl)]
pub(crate) struct TtlRecord {
    #[schema(value_type = PruneStrategy)]
    strategy: Value,
    #[schema(value_type = f64)]
    ttl_minutes: Value,
    #[schema(format = DateTime)]
    expires_at: String,
}

impl TtlRecord {
    /// None for a thread that is kept.
    pub(crate) fn of(entry: &Entry) -> Option<Self> {
        let (said, due_ms) = (entry.body.get(FIELD)?, entry.due_ms?);
        Some(Self {
            strategy: said["strategy"].clone(),
            ttl_minutes: said["ttl"].clone(),
            expires_at: iso(due_ms),
        })
    }
}
