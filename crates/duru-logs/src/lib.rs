//! The embedded log store: a write-ahead log sealed into Parquet, asked with DataFusion.
//!
//! [`EmbeddedLogs`] keeps the lines of one folder, [`BucketLogs`] those of a bucket that many processes use. What is appended is durable
//! when the call returns and can be asked for at once; what has been asked of
//! PostgreSQL can be asked here, with the same answers, or is refused with a reason.

mod bucket;
mod columns;
mod dialect;
mod disk;
mod files;
mod functions;
mod knowledge;
mod options;
mod parquet_lines;
mod query;
mod reader;
mod store;
mod table;
#[cfg(any(test, feature = "testkit"))]
pub mod testkit;
mod workers;

pub use bucket::{
    AddressError, BucketAddress, BucketLogs, NotBroughtIn, Unshipped, copy_bucket, fill_bucket, probe_bucket,
};
pub use disk::copy_folder;
pub use files::FileTables;
pub use options::Options;
pub use parquet_lines::{is_parquet, parquet_lines};
pub use store::EmbeddedLogs;
pub use workers::{WorkerOptions, WorkersSeen};
