//! The index in a PostgreSQL database: our own terms under a GIN index, scored here as the index in a folder scores them.
//!
//! Vectors are compared by the database where its extension `vector` is installed; otherwise in this process, exactly, on a
//! copy that is read again when anything was written. Any number of processes may read and write: whoever writes holds one
//! lock, so that the counts that scores are reckoned from are right.

mod connection;
mod counts;
mod nearest;
mod read;
mod schema;
mod write;

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use duru_postgres::Pool;

use super::{Error, Filter, Index, Query, Scored, Write};
use crate::access::Reach;
use crate::document::{Chunk, Document};
use crate::remark::{Remark, RemarksOf};
use crate::text::Lexicon;
use connection::lease;
use nearest::Nearest;
use read::Vectors;
use schema::Found;

/// Where tables are, unless another schema is named.
const SCHEMA: &str = "duru_search";

/// An index in a database. Cloning it is cheap, and all clones are the same index.
#[derive(Clone)]
pub struct PostgresIndex {
    inner: Arc<Inner>,
    reach: Reach,
}

struct Inner {
    pool: Pool,
    lexicon: Lexicon,
    /// Where the database has the extension.
    nearest: Option<Nearest>,
    vectors: Mutex<Option<Arc<Vectors>>>,
}

impl PostgresIndex {
    /// Opens the index of a database, or makes one. What another format or another lexicon made is made anew from its
    /// records, in one transaction.
    pub async fn open(url: &str, embedder: &str, lexicon: Lexicon) -> Result<Self, Error> {
        Self::open_in(url, SCHEMA, embedder, lexicon).await
    }

    /// The same in a schema of this name.
    pub async fn open_in(url: &str, schema: &str, embedder: &str, lexicon: Lexicon) -> Result<Self, Error> {
        let schema = format!("\"{}\"", schema.replace('"', "\"\""));
        let pool = connection::pool(url, &schema)?;
        let lease = lease(&pool).await?;
        let client = lease.client();
        write::begin(client).await?;
        let state = schema::prepare(client, &schema, embedder, &lexicon).await?;
        let nearest = nearest::find(client).await?;
        if let Found::Stale(writes) = state {
            write::all(client, &writes, (&lexicon, nearest.as_ref())).await?;
        }
        if let Some(nearest) = &nearest {
            nearest.catch_up(client).await?;
        }
        write::commit(client).await?;
        lease.give_back();
        let inner = Inner { pool, lexicon, nearest, vectors: Mutex::default() };
        Ok(Self { inner: Arc::new(inner), reach: Reach::Shared })
    }

    /// Whether the database compares vectors itself, by its extension `vector`.
    pub fn compares_vectors(&self) -> bool {
        self.inner.nearest.is_some()
    }

    /// The vectors as they are now.
    async fn vectors(&self, client: &tokio_postgres::Client) -> Result<Arc<Vectors>, Error> {
        let version = read::version(client).await?;
        let kept = self.inner.vectors.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(kept) = kept.filter(|kept| kept.version == version) {
            return Ok(kept);
        }
        let fresh = Arc::new(read::vectors(client).await?);
        *self.inner.vectors.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&fresh));
        Ok(fresh)
    }
}

#[async_trait]
impl Index for PostgresIndex {
    fn reaching(&self, reach: Reach) -> Arc<dyn Index> {
        Arc::new(Self { inner: Arc::clone(&self.inner), reach })
    }

    async fn apply(&self, writes: Vec<Write>) -> Result<(), Error> {
        let lease = lease(&self.inner.pool).await?;
        write::begin(lease.client()).await?;
        // A connection that is not given back is closed, and with it whatever it had begun.
        write::all(lease.client(), &writes, (&self.inner.lexicon, self.inner.nearest.as_ref())).await?;
        write::commit(lease.client()).await?;
        lease.give_back();
        Ok(())
    }

    async fn documents(&self, collection: Option<&str>) -> Result<Vec<Document>, Error> {
        let lease = lease(&self.inner.pool).await?;
        let found = read::documents(lease.client(), &self.reach, collection).await?;
        lease.give_back();
        Ok(found)
    }

    async fn passages(&self, document: &str) -> Result<Vec<Chunk>, Error> {
        let lease = lease(&self.inner.pool).await?;
        let found = read::passages(lease.client(), &self.reach, document).await?;
        lease.give_back();
        Ok(found)
    }

    async fn chunks(&self, ids: &[String]) -> Result<Vec<Chunk>, Error> {
        let lease = lease(&self.inner.pool).await?;
        let found = read::chunks(lease.client(), &self.reach, ids).await?;
        lease.give_back();
        Ok(found)
    }

    async fn remarks(&self, of: &RemarksOf) -> Result<Vec<Remark>, Error> {
        let lease = lease(&self.inner.pool).await?;
        let found = read::remarks(lease.client(), of).await?;
        lease.give_back();
        Ok(found)
    }

    async fn by_words(&self, query: &Query, filter: &Filter, limit: usize) -> Result<Vec<Scored>, Error> {
        if query.is_empty() || limit == 0 {
            return Ok(Vec::new());
        }
        let lease = lease(&self.inner.pool).await?;
        let found = read::by_words(lease.client(), query, (filter, &self.reach), limit).await?;
        lease.give_back();
        Ok(found)
    }

    async fn by_vector(&self, vector: &[f32], filter: &Filter, limit: usize) -> Result<Vec<Scored>, Error> {
        let lease = lease(&self.inner.pool).await?;
        let found = match &self.inner.nearest {
            Some(nearest) => nearest.by_vector(lease.client(), vector, (filter, &self.reach, limit)).await?,
            None => {
                let vectors = self.vectors(lease.client()).await?;
                read::by_vector(lease.client(), &vectors, vector, (filter, &self.reach, limit)).await?
            }
        };
        lease.give_back();
        Ok(found)
    }

    async fn frequencies(&self, pairs: &[String]) -> Result<(u64, Vec<u64>), Error> {
        let lease = lease(&self.inner.pool).await?;
        let found = read::frequencies(lease.client(), &self.reach, pairs).await?;
        lease.give_back();
        Ok(found)
    }
}
