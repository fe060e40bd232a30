//! Lines of other programs, in other forms, as records.

mod bad;
mod body;
mod detect;
mod elements;
mod fields;
mod files;
mod layout;
mod mapping;
mod mask;
mod preview;
mod read;
mod rows;
mod text;
mod time;
mod trace;
mod values;

pub use bad::{Bad, Reason};
pub use body::{Parsed, read_batch};
pub use detect::{Detected, Format, LineFormat};
pub use files::{Found, Ingest, Progress, Summary, find, preview, records};
pub use layout::{Layout, Wrapper};
pub use mapping::{Error, Mapping, MaskRule, Settings};
pub use preview::{ColumnSource, Preview};
pub use time::DateOrder;
