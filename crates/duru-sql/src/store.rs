//! The seams of what can be asked: any tables, and the log stores (PostgreSQL here, the embedded one in its own crate).

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

pub use crate::fault::Fault;
use crate::guard::{Checked, Lang};
use crate::{Answer, BucketTrouble, Record, Table};

/// Tables that can be asked. Nothing here changes anything.
#[async_trait]
pub trait TableSource: Send + Sync {
    /// Runs a query that the guard has passed, read-only and within limits.
    async fn query(&self, query: &Checked, asking: &Asking) -> Result<Answer, Error>;

    /// What is known of the tables, from a cache that follows changes.
    async fn knowledge(&self) -> Result<Arc<Knowledge>, Error>;

    /// Changes whenever an answer may change: part of the key of a cached answer.
    async fn version(&self) -> Result<String, Error>;
}

/// Where log lines are kept, and asked for.
#[async_trait]
pub trait LogStore: TableSource {
    /// Keeps the lines. They are durable when this returns; a batch whose key
    /// was seen before is not kept again.
    async fn append(&self, batch: Batch) -> Result<Receipt, Error>;

    /// Marks lines as deleted: no query sees them again. How many were there.
    async fn delete(&self, ids: &[i64]) -> Result<u64, Error>;

    /// Removes lines from before a time for good, so many at most where it can. How many went. A store that
    /// keeps many lines in one file keeps them as long as the youngest of them.
    async fn drop_before(&self, before: Timestamp, most: u64) -> Result<u64, Error>;

    /// How many lines [`LogStore::drop_before`] would remove in all, those that no query sees among them.
    async fn count_before(&self, before: Timestamp) -> Result<u64, Error>;

    /// Waits until everything that was acknowledged is where all processes find it, also where this one is gone.
    async fn settle(&self) -> Result<(), Error>;
}

/// In whose name, and within which limits, a query runs.
#[derive(Debug, Clone)]
pub struct Asking {
    /// The time zone in which `date_trunc`, `::date` and the like count, by its IANA name.
    pub timezone: String,
    pub limits: Limits,
    /// Ends the query early.
    pub cancel: CancellationToken,
    /// Who asks, for whoever writes that down; no store looks at it.
    pub who: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub time: Duration,
    pub rows: usize,
    /// Of one value; what is longer is cut.
    pub value_bytes: usize,
    /// Of all rows together.
    pub bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(10), rows: 1_000, value_bytes: 64 << 10, bytes: 8 << 20 }
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Batch {
    /// Names the batch: sent again under the same key, it is kept once.
    pub key: Option<String>,
    pub records: Vec<Record>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Receipt {
    /// How many lines the store has of this batch.
    pub kept: u64,
    /// The batch had been kept before.
    pub again: bool,
}

/// What is known of every table that may be asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Knowledge {
    pub tables: Vec<TableKnowledge>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TableKnowledge {
    pub table: Table,
    pub columns: Vec<ColumnKnowledge>,
    pub indexes: Vec<String>,
    /// By the store's statistics, not counted.
    pub estimated_rows: u64,
    /// The three newest rows.
    pub newest: Answer,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnKnowledge {
    pub name: String,
    /// The store's name for its type.
    pub data_type: String,
    pub nullable: bool,
    pub default: Option<String>,
    /// The values themselves where there are few, such as services; most frequent first.
    pub values: Vec<String>,
    /// A few values of columns that have too many to list: they show how such values are written.
    #[serde(default)]
    pub samples: Vec<String>,
    /// There are rows, and none of them has a value here. False where that is not known.
    #[serde(default)]
    pub empty: bool,
}

/// Why a store did not do as asked.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error("the query took longer than {limit:?}")]
    TimedOut { limit: Duration },
    #[error("the query was cancelled")]
    Cancelled,
    #[error("the query would cost too much: {estimate}, and {limit} is allowed")]
    TooCostly { estimate: u64, limit: u64 },
    #[error("the query needs more memory than it may use")]
    OutOfMemory,
    /// The query may run, but fails on this data.
    #[error("{fault}")]
    Query { fault: Fault },
    /// The query may run, but this store can't answer it as PostgreSQL would.
    #[error("the embedded log store does not support {what}")]
    Unsupported { what: String },
    /// The query is well-formed, but fails on this data or is not supported here.
    /// The text holds no value of any row.
    #[error("{reason}")]
    Failed { reason: String },
    #[error("the database refuses it: {reason}")]
    Denied { reason: String },
    /// Nobody has made our tables there; nothing is made because somebody asks.
    #[error("{}", no_log_store(*.own_table))]
    NoLogStore {
        /// There is a table `logs`, and it is somebody else's.
        own_table: bool,
    },
    #[error("the log store can't be reached: {reason}")]
    Unavailable { reason: String },
    #[error("the log store is damaged: {reason}")]
    Corrupt { reason: String },
    /// The object storage that the store is in does not do its part.
    #[error("{place}: {}", bucket_in_english(*.trouble, .detail))]
    Bucket {
        /// Its address, without secrets.
        place: String,
        trouble: BucketTrouble,
        /// What it said itself; may be empty.
        detail: String,
    },
}

fn bucket_in_english(trouble: BucketTrouble, detail: &str) -> String {
    let text = trouble.text(Lang::En);
    if detail.is_empty() { text.to_owned() } else { format!("{text} ({detail})") }
}

fn no_log_store(own_table: bool) -> &'static str {
    match own_table {
        true => "this database has a table logs of its own, which Duru did not make",
        false => "this database has no log store",
    }
}
