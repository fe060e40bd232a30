//! Files that were sent with conversations go with them.
//!
//! An index may be shared: by the stores of a machine, or by servers on one database. So every store keeps which of its
//! conversations got files, and only those are looked after by whoever looks after it: a conversation that one store does not
//! know may be another's.

use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use duru::memory::{Memory, Search};
use duru::store::{Catalog, Entry, EntryKind, EntryQuery, Error, Expect, Found, Put};
use duru_search::index::{Index, Write};
use duru_search::{Access, Document, Reach};
use serde_json::json;

use crate::docs::DocsProblem;
use crate::memory::problem;
use crate::problem::Problem;

/// Where a store keeps which of its conversations got files. Nobody who needs a key comes here.
const NOTED: &str = "@attached";

/// So many are read at once.
const PAGE: usize = 200;

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

/// Writes down that files come with a conversation of this store, before they do.
pub(crate) async fn note(memory: &Memory, thread: &str) -> Result<(), duru::memory::Error> {
    memory.put([NOTED], thread, &json!({ "thread": thread })).await
}

/// Conversations of this store that got files, also those that are no more.
pub(crate) async fn noted(memory: &Memory) -> Result<Vec<String>, duru::memory::Error> {
    let mut threads = Vec::new();
    loop {
        let search = Search::within([NOTED])?.limit(PAGE).offset(threads.len());
        let hits = memory.search(search).await?;
        let last = hits.len() < PAGE;
        threads.extend(hits.into_iter().map(|hit| hit.item.key));
        if last {
            return Ok(threads);
        }
    }
}

/// Takes out what was sent with conversations of this store that are no more: other commands remove some, too. How many
/// files.
pub(crate) async fn sweep(
    index: &dyn Index,
    memory: &Memory,
    catalog: &dyn Catalog,
) -> Result<usize, Problem> {
    let mut gone = 0;
    for thread in noted(memory).await.map_err(problem)? {
        if catalog.entry(EntryKind::Thread, &thread).await.map_err(Problem::Store)?.is_some() {
            continue;
        }
        let files = forget(index, &thread).await.map_err(DocsProblem::Index)?;
        if files > 0 {
            tracing::info!("removed {files} files of the conversation {thread}, which was deleted");
        }
        memory.delete([NOTED], &thread).await.map_err(problem)?;
        gone += files;
    }
    Ok(gone)
}

#[cfg(test)]
mod tests {
    use duru::store::MemoryStore;
    use duru_search::index::EmbeddedIndex;
    use duru_search::text::Thesaurus;

    use super::*;

    fn file(thread: &str) -> Write {
        let document = Document {
            id: format!("of-{thread}"),
            collection: Access::collection_of(thread),
            source: "a.md".into(),
            title: "a".into(),
            fingerprint: String::new(),
            chunks: 0,
            owner: None,
            access: Access::Thread { thread: thread.into(), owner: None },
            names: Default::default(),
        };
        Write::Put { document, passages: Vec::new() }
    }

    /// A store with a conversation of this name that got a file, as it is kept in an index.
    async fn store(index: &dyn Index, thread: &str) -> (Arc<MemoryStore>, Memory) {
        let store = Arc::new(MemoryStore::new());
        store.put(Entry::new(EntryKind::Thread, thread), Expect::New).await.unwrap();
        let memory = Memory::new(store.clone());
        note(&memory, thread).await.unwrap();
        index.apply(vec![file(thread)]).await.unwrap();
        (store, memory)
    }

    #[tokio::test]
    async fn no_store_removes_the_files_of_anothers_conversations() {
        let lexicon = Thesaurus::built_in().lexicon().clone();
        let index = EmbeddedIndex::in_memory(lexicon).unwrap();
        let (first, firsts) = store(&index, "one").await;
        let (second, seconds) = store(&index, "two").await;
        let left = async || {
            let all = index.reaching(Reach::Everything).documents(None).await.unwrap();
            all.into_iter().map(|document| document.id).collect::<Vec<_>>()
        };
        assert_eq!(sweep(&index, &firsts, &*first).await.unwrap(), 0);
        assert_eq!(sweep(&index, &seconds, &*second).await.unwrap(), 0);
        assert_eq!(left().await, ["of-one", "of-two"]);

        // What is deleted in one is removed by that one.
        first.remove(EntryKind::Thread, "one").await.unwrap();
        assert_eq!(sweep(&index, &seconds, &*second).await.unwrap(), 0);
        assert_eq!(left().await.len(), 2);
        assert_eq!(sweep(&index, &firsts, &*first).await.unwrap(), 1);
        assert_eq!(left().await, ["of-two"]);
        assert!(noted(&firsts).await.unwrap().is_empty(), "it is looked for once");
    }

    #[tokio::test]
    async fn every_conversation_with_files_is_noted() {
        let memory = Memory::new(Arc::new(MemoryStore::new()));
        for at in 0..PAGE + 5 {
            note(&memory, &format!("thread-{at}")).await.unwrap();
            note(&memory, &format!("thread-{at}")).await.unwrap();
        }
        let mut all = noted(&memory).await.unwrap();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), PAGE + 5);
    }
}
