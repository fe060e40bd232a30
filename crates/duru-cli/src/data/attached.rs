//! Files that were sent with conversations go with them.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use duru::store::{Catalog, Entry, EntryKind, EntryQuery, Error, Expect, Found, Put};
use duru_search::index::{Index, Write};
use duru_search::{Access, Document, Reach};

use crate::docs::DocsProblem;
use crate::problem::Problem;

/// The index that conversations' files are in, once it is open.
pub(crate) type Shelf = Arc<OnceLock<Arc<dyn Index>>>;

/// A catalog whose threads take their files along when they go, whoever removes them.
pub(crate) struct WithFiles {
    pub(crate) catalog: Arc<dyn Catalog>,
    pub(crate) shelf: Shelf,
}

#[async_trait]
impl Catalog for WithFiles {
    async fn put(&self, entry: Entry, expect: Expect) -> Result<Put, Error> {
        self.catalog.put(entry, expect).await
    }

    async fn entry(&self, kind: EntryKind, id: &str) -> Result<Option<Entry>, Error> {
        self.catalog.entry(kind, id).await
    }

    async fn find(&self, query: EntryQuery) -> Result<Found, Error> {
        self.catalog.find(query).await
    }

    async fn remove(&self, kind: EntryKind, id: &str) -> Result<bool, Error> {
        let there = self.catalog.remove(kind, id).await?;
        if kind == EntryKind::Thread
            && let Some(index) = self.shelf.get()
            && let Err(error) = forget(&**index, id).await
        {
            // Nobody reaches them any more, and whoever looks after the store tries again.
            tracing::error!("the files of a conversation that was deleted are still in the index: {error}");
        }
        Ok(there)
    }
}

/// Takes everything out that was sent with a conversation, by whomever.
pub(crate) async fn forget(index: &dyn Index, thread: &str) -> Result<usize, duru_search::index::Error> {
    let mut known = index.reaching(Reach::Everything).documents(Some(&Access::collection_of(thread))).await?;
    known.retain(|document| thread_of(document) == Some(thread));
    let remove =
        |document: Document| Write::Remove { collection: document.collection, document: document.id };
    let writes: Vec<Write> = known.into_iter().map(remove).collect();
    let count = writes.len();
    if count > 0 {
        index.apply(writes).await?;
    }
    Ok(count)
}

fn thread_of(document: &Document) -> Option<&str> {
    match &document.access {
        Access::Thread { thread, .. } => Some(thread),
        _ => None,
    }
}

/// Takes out what was sent with conversations that are no more: other commands remove some, too. How many files.
pub(crate) async fn sweep(index: &dyn Index, catalog: &dyn Catalog) -> Result<usize, Problem> {
    let all = index.reaching(Reach::Everything).documents(None).await.map_err(DocsProblem::Index)?;
    let threads: BTreeSet<&str> = all.iter().filter_map(thread_of).collect();
    let mut gone = 0;
    for thread in threads {
        if catalog.entry(EntryKind::Thread, thread).await.map_err(Problem::Store)?.is_none() {
            gone += forget(index, thread).await.map_err(DocsProblem::Index)?;
        }
    }
    Ok(gone)
}
