//! Documents: ingest, hybrid index and retrieval, Korean and English text.
//!
//! [`read`] and [`split`] make passages of files, [`text`] takes text apart, [`index`] keeps passages, [`ingest`]
//! brings an index up to date with files, [`retrieve`] finds passages for a question. [`remark`]
//! keeps what people say about them, [`browse`] shows what is there, [`sample`] has documents to begin with. Whom a
//! document is for is its [`Access`]; an index shows what is in its [`Reach`], which is what is shared unless more is said.

mod access;
pub mod browse;
mod document;
pub mod index;
pub mod ingest;
pub mod meaning;
pub mod read;
pub mod remark;
pub mod retrieve;
pub mod sample;
pub mod split;
pub mod text;

pub use access::{Access, Reach};
pub use document::{Chunk, DEFAULT_COLLECTION, Document, Names, PageBreak};
pub use remark::{Remark, Verdict};
