//! How a store is opened.

/// Bounds of an [`EmbeddedLogs`](crate::EmbeddedLogs).
#[derive(Debug, Clone)]
pub struct Options {
    /// So many rows are kept in memory before they become a Parquet file.
    pub seal_rows: usize,
    /// Or so many bytes.
    pub seal_bytes: usize,
    /// What all queries together may use before they spill to disk.
    pub query_memory: usize,
    /// What they may spill.
    pub spill_bytes: u64,
    /// Threads that carry out queries; none: one per core.
    pub threads: Option<usize>,
    /// Whole files are dropped when their newest line is older than so many days.
    pub keep_days: Option<u32>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            seal_rows: 131_072,
            seal_bytes: 64 << 20,
            query_memory: 128 << 20,
            spill_bytes: 2 << 30,
            threads: None,
            keep_days: None,
        }
    }
}
