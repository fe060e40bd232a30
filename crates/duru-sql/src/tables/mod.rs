//! Tables of others: what can be known of them without a word of configuration.
//!
//! Nothing here asks a database. What is found is shown to people, who can say otherwise.

mod notes;
mod relations;
mod secrets;
mod sheets;
mod soft_delete;
mod values;

pub use notes::TableNote;
pub use relations::{LikelyKey, likely_keys, worth_counting};
pub use secrets::looks_secret;
pub use sheets::SheetNote;
pub use soft_delete::soft_delete_rule;
pub use values::{ColumnValues, FEW, LONGEST, NAMES};
