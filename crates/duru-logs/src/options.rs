//! How a store is opened.

use std::time::Duration;

/// Bounds of an [`EmbeddedLogs`](crate::EmbeddedLogs).
#[derive(Debug, Clone)]
pub struct Options {
    /// So many rows are kept in memory before they become a Parquet file.
    pub seal_rows: usize,
    /// Or so many bytes.
    pub seal_bytes: usize,
    /// Or, once there are an eighth as many, so long after the last write: the next start
    /// then has little to read.
    pub seal_after: Duration,
    /// What all queries together may use before they spill to disk.
    pub query_memory: usize,
    /// What they may spill.
    pub spill_bytes: u64,
    /// Threads that carry out queries; none: one per core.
    pub threads: Option<usize>,
    /// Whole files are dropped when their newest line is older than so many days.
    pub keep_days: Option<u32>,
    /// Of a store in a bucket: what other ingesters have shipped is seen after so long.
    pub look_after: Duration,
    /// And objects that nothing refers to any more are removed after so long: whoever still reads them has that much time.
    pub remove_after: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            seal_rows: 131_072,
            seal_bytes: 64 << 20,
            seal_after: Duration::from_secs(300),
            query_memory: 128 << 20,
            spill_bytes: 2 << 30,
            threads: None,
            keep_days: None,
            look_after: Duration::from_secs(1),
            remove_after: Duration::from_secs(600),
        }
    }
}
