//! Files and folders into an index, and what is gone out of it.

mod again;
mod library;
mod report;
mod texts;
mod walk;

pub use library::{Error, Ingest, Library, ReadFile};
pub use report::{BlankPages, Progress, Report, Skipped};
pub use texts::Text;
