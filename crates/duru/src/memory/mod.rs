//! Memory across threads: JSON objects under a namespace and a key, kept beside
//! the threads and shared by all of them.
//!
//! A node reaches it through [`Cx::memory`](crate::Cx::memory), anybody else
//! through a [`Memory`] on a store. What a store has to do is
//! [`store::Memories`](crate::store::Memories); every backend gives the same
//! results, in the same order, because words ([`text`]), filters and scores
//! ([`rank`]) are computed here and not by the backend.
//!
//! Memory is **not part of a thread's transaction**: what a node puts stays,
//! even if the node then fails and is tried again. Putting the same thing under
//! the same key twice does no harm; for anything else, wrap it in
//! [`Cx::effect`](crate::Cx::effect), which does it once.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use std::sync::Arc;
//! use duru::memory::{Memory, Search};
//! use duru::store::MemoryStore;
//! use serde_json::json;
//!
//! let memory = Memory::new(Arc::new(MemoryStore::new()));
//! memory.put(["users", "kim"], "lease", &json!({"about": "전세금 반환", "year": 2024})).await?;
//! memory.put(["users", "kim"], "cat", &json!({"about": "고양이 이름은 나비", "year": 2019})).await?;
//!
//! let search = Search::within(["users", "kim"])?.text("전세를").filter(json!({"year": {"$gte": 2020}}))?;
//! let hits = memory.search(search).await?;
//! assert_eq!(hits.iter().map(|hit| hit.item.key.as_str()).collect::<Vec<_>>(), ["lease"]);
//! # Ok(()) }
//! ```

mod address;
mod error;
mod filter;
mod handle;
mod item;
mod namespace;
mod node;
pub mod rank;
mod search;
pub mod text;

pub use address::{Address, MAX_KEY_BYTES};
pub use error::Error;
pub use filter::Filter;
pub use handle::Memory;
pub use item::{Hit, Item, MAX_DEPTH, MAX_VALUE_BYTES, Put, expiry, is_live};
pub use namespace::{MAX_NAMESPACE_BYTES, Namespace};
pub use search::{NamespaceQuery, Search};
