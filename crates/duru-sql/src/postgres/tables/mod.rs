//! Any database's tables, asked and never changed.

mod checks;
mod keys;
mod source;
mod structure;
mod values;

pub use source::{PostgresTables, TableOptions};
