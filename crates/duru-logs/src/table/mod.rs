//! One version of the store as a table that DataFusion can scan.

mod pushdown;
mod scan;

pub(crate) use scan::{LogsTable, segments};
