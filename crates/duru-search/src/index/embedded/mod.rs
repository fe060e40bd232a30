//! The index in a folder of this machine: tantivy for words, an exact scan for vectors.

mod fields;
mod kinds;
mod open;
mod read;
mod vectors;
mod write;

use std::sync::{Arc, Mutex};

use async_trait::async_trait;

use super::{Error, Filter, Index, Query, Scored, Write};
use crate::access::Reach;
use crate::document::{Chunk, Document};
use crate::remark::{Remark, RemarksOf};
use crate::text::Lexicon;
use fields::Fields;

/// An index in a folder, or in memory. Cloning it is cheap, and all clones are the same index.
#[derive(Clone)]
pub struct EmbeddedIndex {
    inner: Arc<Inner>,
    reach: Reach,
}

struct Inner {
    folder: std::path::PathBuf,
    index: tantivy::Index,
    reader: tantivy::IndexReader,
    fields: Fields,
    lexicon: Lexicon,
    /// Vectors of the segments that were searched, by the segments' ids.
    vectors: Mutex<vectors::Cache>,
    /// One change at a time in this process; tantivy's lock keeps other processes out.
    writing: Mutex<()>,
}

impl EmbeddedIndex {
    /// Runs work that reads files where it does not hold up other tasks.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Inner, &Reach) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let (inner, reach) = (Arc::clone(&self.inner), self.reach.clone());
        tokio::task::spawn_blocking(move || work(&inner, &reach))
            .await
            .map_err(|error| Error::Engine(error.into()))?
    }
}

#[async_trait]
impl Index for EmbeddedIndex {
    fn reaching(&self, reach: Reach) -> Arc<dyn Index> {
        Arc::new(Self { inner: Arc::clone(&self.inner), reach })
    }

    async fn apply(&self, writes: Vec<Write>) -> Result<(), Error> {
        self.run(move |inner, _| inner.apply(writes)).await
    }

    async fn documents(&self, collection: Option<&str>) -> Result<Vec<Document>, Error> {
        let collection = collection.map(str::to_owned);
        self.run(move |inner, reach| inner.documents(reach, collection.as_deref())).await
    }

    async fn passages(&self, document: &str) -> Result<Vec<Chunk>, Error> {
        let document = document.to_owned();
        self.run(move |inner, reach| inner.passages(reach, &document)).await
    }

    async fn chunks(&self, ids: &[String]) -> Result<Vec<Chunk>, Error> {
        let ids = ids.to_vec();
        self.run(move |inner, reach| inner.chunks(reach, &ids)).await
    }

    async fn remarks(&self, of: &RemarksOf) -> Result<Vec<Remark>, Error> {
        let of = of.clone();
        self.run(move |inner, _| inner.remarks(&of)).await
    }

    async fn by_words(&self, query: &Query, filter: &Filter, limit: usize) -> Result<Vec<Scored>, Error> {
        let (query, filter) = (query.clone(), filter.clone());
        self.run(move |inner, reach| inner.by_words(&query, (&filter, reach), limit)).await
    }

    async fn by_vector(&self, vector: &[f32], filter: &Filter, limit: usize) -> Result<Vec<Scored>, Error> {
        let (vector, filter) = (vector.to_vec(), filter.clone());
        self.run(move |inner, reach| inner.by_vector(&vector, (&filter, reach), limit)).await
    }

    async fn frequencies(&self, pairs: &[String]) -> Result<(u64, Vec<u64>), Error> {
        let pairs = pairs.to_vec();
        self.run(move |inner, reach| inner.frequencies(reach, &pairs)).await
    }
}

fn engine(error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::Engine(Box::new(error))
}
