//! The memory that is somebody's own: a part of the whole, under their name.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use duru::memory::{self, Address, Hit, Item, Namespace, NamespaceQuery, Put, Search};
use duru::store::{Error, Memories};

/// The label above what people keep over HTTP.
pub(crate) const PEOPLE: &str = "@";

/// Where somebody keeps theirs. A name may have a dot, a label may not.
pub(crate) fn place(owner: &str) -> [String; 2] {
    [PEOPLE.to_owned(), owner.replace('.', "%2e")]
}

pub(super) struct Own {
    pub(super) owner: Arc<str>,
    pub(super) memories: Arc<dyn Memories>,
}

fn refused(error: memory::Error) -> Error {
    match error {
        memory::Error::Store(error) => error,
        other => Error::backend("keep this in memory", other),
    }
}

impl Own {
    fn inside(&self, namespace: &Namespace) -> Result<Namespace, Error> {
        let own = place(&self.owner);
        Namespace::new(own.iter().map(String::as_str).chain(namespace.labels())).map_err(refused)
    }

    fn outside(namespace: &Namespace) -> Result<Namespace, Error> {
        let labels: Vec<&str> = namespace.labels().skip(2).collect();
        if labels.is_empty() { Ok(Namespace::root()) } else { Namespace::new(labels).map_err(refused) }
    }

    fn address(&self, at: &Address) -> Result<Address, Error> {
        Address::new(self.inside(at.namespace())?, at.key()).map_err(refused)
    }

    fn shown(item: Item) -> Result<Item, Error> {
        Ok(Item { namespace: Self::outside(&item.namespace)?, ..item })
    }
}

#[async_trait]
impl Memories for Own {
    async fn put(&self, put: Put, now_ms: u64) -> Result<(), Error> {
        let value =
            serde_json::from_str(put.json()).map_err(|error| Error::backend("read a value", error))?;
        let ttl = put.ttl_ms().map(Duration::from_millis);
        let put = Put::new(self.address(put.at())?, value, ttl).map_err(refused)?;
        self.memories.put(put, now_ms).await
    }

    async fn get(&self, at: &Address, refresh: bool, now_ms: u64) -> Result<Option<Item>, Error> {
        self.memories.get(&self.address(at)?, refresh, now_ms).await?.map(Self::shown).transpose()
    }

    async fn forget(&self, at: &Address, now_ms: u64) -> Result<bool, Error> {
        self.memories.forget(&self.address(at)?, now_ms).await
    }

    async fn search(&self, search: Search, now_ms: u64) -> Result<Vec<Hit>, Error> {
        let search = Search { within: self.inside(&search.within)?, ..search };
        let hits = self.memories.search(search, now_ms).await?;
        hits.into_iter().map(|hit| Ok(Hit { item: Self::shown(hit.item)?, ..hit })).collect()
    }

    async fn namespaces(&self, query: NamespaceQuery, now_ms: u64) -> Result<Vec<Namespace>, Error> {
        let query = NamespaceQuery {
            prefix: self.inside(&query.prefix)?,
            max_depth: query.max_depth.map(|depth| depth + 2),
            ..query
        };
        self.memories.namespaces(query, now_ms).await?.iter().map(Self::outside).collect()
    }

    async fn sweep(&self, now_ms: u64) -> Result<u64, Error> {
        self.memories.sweep(now_ms).await
    }
}
