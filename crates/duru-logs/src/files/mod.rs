//! Files of others as tables: CSV, TSV, JSON, JSON lines and Parquet, read once and asked like a database.

mod contents;
mod read;
mod source;
mod types;

pub use source::FileTables;
