//! Any database's tables, asked and never changed.

mod checks;
mod keys;
mod notes;
mod source;
mod structure;
mod values;

pub use notes::TableNote;
pub use source::{PostgresTables, TableOptions};
