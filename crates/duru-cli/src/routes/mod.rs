//! Routes of the program's own, beside those that serve graphs.

pub(crate) mod ingest_logs;
