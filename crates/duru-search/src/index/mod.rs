//! Where passages are kept and found again.

mod embedded;
mod filter;
mod packed;
mod postgres;
mod query;
mod seam;
mod terms;

pub use embedded::EmbeddedIndex;
pub use filter::{Filter, Within};
#[cfg(test)]
pub(crate) use packed::pack;
pub(crate) use packed::unpack;
pub use postgres::PostgresIndex;
pub use query::{Query, Scored, Weighted};
pub(crate) use seam::FORGOTTEN;
pub use seam::{Error, Index, Passage, Write};
