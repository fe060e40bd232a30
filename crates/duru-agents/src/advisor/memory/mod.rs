//! What the advisor remembers of a person, across conversations.
//!
//! Three tiers: recent exchanges in full, older ones as summaries, and facts,
//! which outlast both. An exchange grows old by time and by the number of those
//! that came after it; one that says much about the person stays longer. Facts
//! are made at once of what a question wrote into the ledger of its
//! conversation: each says where and when it was said, and a later statement
//! takes its place. What looks like a secret is not kept. What a person has,
//! only that person's name opens; it can be listed, put right, and forgotten
//! one by one or as a whole.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use std::sync::Arc;
//! use duru::{memory::Memory, store::MemoryStore};
//! use duru_agents::advisor::memory::{Book, Exchange, Forget};
//!
//! let book = Book::new(Memory::new(Arc::new(MemoryStore::new())));
//! let now = "2026-05-13T10:00:00+09:00".parse()?;
//! book.remember("kim", Exchange::new("talk", now, "예산 5억인데 노원구 아파트 시세는?", "중앙값 6억 2,000만원")).await?;
//! let recalled = book.recall("kim", 2_000, now).await?;
//! assert_eq!(recalled.recent.len(), 1);
//! assert!(book.recall("lee", 2_000, now).await?.is_empty());
//! assert!(recalled.facts.iter().any(|fact| fact.value.0 == "5억원"));
//! assert!(book.forget("kim", Forget::All).await? > 1);
//! # Ok(()) }
//! ```

mod age;
mod book;
mod digest;
mod exchange;
mod fact;
mod heard;
mod names;
mod notebook;
mod recall;
mod secret;

pub use age::Ages;
pub(super) use book::label;
pub use book::{Book, Correction, Forget};
pub use exchange::{Body, Exchange, Held, Remembered, Summary};
pub use fact::{Fact, FactKind, FactSource};
pub(super) use names::name;
pub use notebook::Notebook;
pub use recall::Recalled;
