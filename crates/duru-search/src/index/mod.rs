//! Where passages are kept and found again.

mod embedded;
mod filter;
mod query;
mod seam;

pub use embedded::EmbeddedIndex;
pub use filter::Filter;
pub use query::{Query, Scored, Weighted};
pub use seam::{Error, Index, Passage, Write};
