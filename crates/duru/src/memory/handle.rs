//! Memory with types.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Address, Error, Hit, Item, Namespace, NamespaceQuery, Put, Search};
use crate::clock::{Clock, SystemClock};
use crate::store::Memories;

/// Memory on a store: what is kept under a namespace and a key, as Rust types.
/// Cheap to clone. Nodes get one from [`Cx::memory`](crate::Cx::memory).
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::sync::Arc;
/// use duru::{memory::Memory, store::MemoryStore};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize, Debug, PartialEq)]
/// struct Profile { name: String }
///
/// let memory = Memory::new(Arc::new(MemoryStore::new()));
/// memory.put(["users", "kim"], "profile", &Profile { name: "김철수".into() }).await?;
/// let profile: Option<Profile> = memory.get(["users", "kim"], "profile").await?;
/// assert_eq!(profile, Some(Profile { name: "김철수".into() }));
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Memory {
    store: Arc<dyn Memories>,
    clock: Arc<dyn Clock>,
}

impl Memory {
    /// Memory on a store, by the machine's clock.
    pub fn new(store: Arc<dyn Memories>) -> Self {
        Self::by(store, Arc::new(SystemClock))
    }

    /// Memory on a store, by another clock.
    pub fn with_clock(store: Arc<dyn Memories>, clock: impl Clock) -> Self {
        Self::by(store, Arc::new(clock))
    }

    pub(crate) fn by(store: Arc<dyn Memories>, clock: Arc<dyn Clock>) -> Self {
        Self { store, clock }
    }

    /// Keeps a value, which must be a JSON object, in the place of the one that
    /// was there, until it is deleted.
    pub async fn put<T: Serialize + ?Sized>(
        &self,
        namespace: impl IntoIterator<Item = impl AsRef<str>>,
        key: &str,
        value: &T,
    ) -> Result<(), Error> {
        self.keep(address(namespace, key)?, value, None).await
    }

    /// Keeps a value for so long.
    pub async fn put_for<T: Serialize + ?Sized>(
        &self,
        namespace: impl IntoIterator<Item = impl AsRef<str>>,
        key: &str,
        value: &T,
        ttl: Duration,
    ) -> Result<(), Error> {
        self.keep(address(namespace, key)?, value, Some(ttl)).await
    }

    async fn keep<T: Serialize + ?Sized>(
        &self,
        at: Address,
        value: &T,
        ttl: Option<Duration>,
    ) -> Result<(), Error> {
        let value = serde_json::to_value(value)
            .map_err(|error| Error::Value { at: at.to_string(), reason: error.to_string() })?;
        let put = Put::new(at, value, ttl)?;
        Ok(self.store.put(put, self.clock.now_ms()).await?)
    }

    /// The value, if there is one.
    pub async fn get<T: DeserializeOwned>(
        &self,
        namespace: impl IntoIterator<Item = impl AsRef<str>>,
        key: &str,
    ) -> Result<Option<T>, Error> {
        self.read(address(namespace, key)?, false).await
    }

    /// The value, if there is one; its time to live begins anew.
    pub async fn refresh<T: DeserializeOwned>(
        &self,
        namespace: impl IntoIterator<Item = impl AsRef<str>>,
        key: &str,
    ) -> Result<Option<T>, Error> {
        self.read(address(namespace, key)?, true).await
    }

    async fn read<T: DeserializeOwned>(&self, at: Address, refresh: bool) -> Result<Option<T>, Error> {
        let item = self.store.get(&at, refresh, self.clock.now_ms()).await?;
        let typed = |item: Item| serde_json::from_value(Value::Object(item.value));
        item.map(typed)
            .transpose()
            .map_err(|error| Error::Unfit { at: at.to_string(), reason: error.to_string() })
    }

    /// Forgets an item. Whether there was one.
    pub async fn delete(
        &self,
        namespace: impl IntoIterator<Item = impl AsRef<str>>,
        key: &str,
    ) -> Result<bool, Error> {
        Ok(self.store.forget(&address(namespace, key)?, self.clock.now_ms()).await?)
    }

    /// Items by what they hold.
    pub async fn search(&self, search: Search) -> Result<Vec<Hit>, Error> {
        Ok(self.store.search(search, self.clock.now_ms()).await?)
    }

    /// Namespaces that hold something.
    pub async fn namespaces(&self, query: NamespaceQuery) -> Result<Vec<Namespace>, Error> {
        Ok(self.store.namespaces(query, self.clock.now_ms()).await?)
    }

    /// Removes what is expired and gives how many there were. Nothing that is
    /// expired is ever seen; sweeping now and then only gives the room back.
    pub async fn sweep(&self) -> Result<u64, Error> {
        Ok(self.store.sweep(self.clock.now_ms()).await?)
    }
}

fn address(namespace: impl IntoIterator<Item = impl AsRef<str>>, key: &str) -> Result<Address, Error> {
    Address::new(Namespace::new(namespace)?, key)
}
