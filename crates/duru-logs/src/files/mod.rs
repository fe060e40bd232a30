//! Files of others as tables: CSV, TSV, JSON, JSON lines, Parquet and workbooks, read once and asked like a database.

mod contents;
mod read;
mod source;
mod types;
mod workbook;

pub use source::FileTables;
