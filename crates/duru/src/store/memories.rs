//! The seam for memory across threads.

use async_trait::async_trait;

use super::Error;
use crate::memory::{Address, Hit, Item, Namespace, NamespaceQuery, Put, Search};

/// Where memory across threads is kept. One contract, checked by
/// `testkit::memory_contract` on every backend; what can be computed apart from
/// a backend is in [`memory`](crate::memory), so that all give the same.
///
/// Times come from the caller, in milliseconds since 1970. What is expired at
/// that time is not there, swept or not.
#[async_trait]
pub trait Memories: Send + Sync + 'static {
    /// Keeps an item in the place of the one that was there. Only the time of
    /// its making stays, and only if that one is not expired.
    async fn put(&self, put: Put, now_ms: u64) -> Result<(), Error>;

    /// The item; with `refresh`, its time to live begins anew.
    async fn get(&self, at: &Address, refresh: bool, now_ms: u64) -> Result<Option<Item>, Error>;

    /// Removes an item. Whether there was one.
    async fn forget(&self, at: &Address, now_ms: u64) -> Result<bool, Error>;

    /// Items by what they hold, in the order that [`Search`] describes.
    async fn search(&self, search: Search, now_ms: u64) -> Result<Vec<Hit>, Error>;

    /// Namespaces that hold an item, in order.
    async fn namespaces(&self, query: NamespaceQuery, now_ms: u64) -> Result<Vec<Namespace>, Error>;

    /// Removes what is expired and gives how many there were.
    async fn sweep(&self, now_ms: u64) -> Result<u64, Error>;
}
