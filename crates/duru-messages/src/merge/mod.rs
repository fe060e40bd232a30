//! Merge by id, once for typed messages and for JSON, so that both agree.

mod batch;
mod error;
mod index;

pub use batch::REMOVE_ALL;
pub(crate) use batch::{Entry, apply, merge};
pub use error::MergeError;
pub use index::Index;
