//! Lines of other programs, in other forms, as records.

mod bad;
mod body;
mod elements;
mod fields;
mod files;
mod mapping;
mod mask;
mod read;
mod rows;
mod time;
mod values;

pub use bad::{Bad, Reason};
pub use body::{Parsed, read_batch};
pub use files::{Found, Ingest, Progress, Summary, find, records};
pub use mapping::{Error, Format, Mapping, MaskRule, Settings};
