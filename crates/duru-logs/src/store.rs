//! The store: a folder, its writer, and the engine that answers.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use async_trait::async_trait;
use datafusion::object_store::local::LocalFileSystem;
use duru_sql::guard::Checked;
use duru_sql::{Answer, Asking, Batch, Error, Knowledge, LogStore, Receipt, Record, TableSource};
use jiff::Timestamp;
use tokio::sync::{RwLock, oneshot};

use crate::disk::{Append, Command, Folder, FolderShelf, Version, Writer, days_ago, recover, times};
use crate::query::{Engine, Root};
use crate::reader::Reader;
use crate::{Options, columns};

/// Log lines in a folder of their own, asked with PostgreSQL's SQL.
///
/// One process may have a folder open. A line may bring its id along; a batch with an id
/// that another line has is refused whole, as PostgreSQL refuses it. Text compares by code points, as in a
/// PostgreSQL database with the collation `C`.
pub struct EmbeddedLogs {
    writer: Writer,
    reader: Reader,
    /// Held exclusively by batches with ids of their own: the ids are looked up before they are stored.
    naming: RwLock<()>,
    torn: u64,
}

impl EmbeddedLogs {
    /// Opens the folder, or makes it.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if another process has it open or it can't be used,
    /// [`Error::Corrupt`] if something that was acknowledged can't be read.
    pub async fn open(folder: &Path, options: Options) -> Result<Self, Error> {
        let folder = std::path::absolute(folder)
            .map_err(|e| Error::Unavailable { reason: format!("{}: {e}", folder.display()) })?;
        let opening = tokio::task::spawn_blocking(move || {
            let folder = Arc::new(Folder::open(&folder)?);
            let shelf = Arc::new(FolderShelf::open(folder.clone())?);
            let recovered = recover(folder.clone(), &*shelf)?;
            let torn = recovered.torn;
            let writer = Writer::start(recovered, shelf, None, &options)?;
            let root = LocalFileSystem::new_with_prefix(folder.path())
                .map_err(|e| Error::Unavailable { reason: e.to_string() })?;
            let root = Root { store: Arc::new(root), place: None };
            let engine = Engine::new(&options, &folder.spill(), Some(root))?;
            engine.spawn(writer.sealing_when_idle(options.seal_after));
            Ok(Self { writer, reader: Reader::new(engine), naming: RwLock::default(), torn })
        });
        opening.await.map_err(|e| Error::Unavailable { reason: e.to_string() })?
    }

    /// Bytes of a write that a crash cut short: never acknowledged, and dropped at opening.
    pub fn torn_bytes(&self) -> u64 {
        self.torn
    }

    /// Turns what is in memory into a Parquet file.
    ///
    /// # Errors
    /// If it can't be written; nothing is lost then.
    pub async fn seal(&self) -> Result<(), Error> {
        let (reply, done) = oneshot::channel();
        self.writer.send(Command::Seal { reply }).await?;
        done.await.map_err(|_| closed())?
    }

    /// Merges small Parquet files, which otherwise happens when nobody writes. How many files are gone.
    ///
    /// # Errors
    /// If one can't be read or written; nothing is lost then.
    pub async fn compact(&self) -> Result<u64, Error> {
        let (reply, done) = oneshot::channel();
        self.writer.send(Command::Compact { reply }).await?;
        done.await.map_err(|_| closed())?
    }

    /// Drops files whose newest line is older than so many days. How many rows went.
    ///
    /// # Errors
    /// If the folder can't be written.
    pub async fn keep(&self, days: u32) -> Result<u64, Error> {
        self.drop_files(days_ago(days)).await
    }

    async fn drop_files(&self, before: i64) -> Result<u64, Error> {
        let (reply, done) = oneshot::channel();
        self.writer.send(Command::Retain { before, reply }).await?;
        done.await.map_err(|_| closed())?
    }

    /// As [`LogStore::query`], at another time than now.
    ///
    /// # Errors
    /// As there.
    pub async fn query_at(&self, query: &Checked, asking: &Asking, now: Timestamp) -> Result<Answer, Error> {
        self.reader.ask(query.sql().to_owned(), self.version_now(), asking, now).await
    }

    fn version_now(&self) -> Arc<Version> {
        self.writer.published.now()
    }

    /// Whether an id that lines bring along is another line's already, be it deleted.
    async fn taken(&self, records: &[Record]) -> Result<bool, Error> {
        let mut own: Vec<i64> = records.iter().filter_map(|record| record.id).collect();
        own.sort_unstable();
        if own.windows(2).any(|pair| pair[0] == pair[1]) {
            return Ok(true);
        }
        // No query gives those, and nobody would see a new line by that id.
        if own.iter().any(|id| self.version_now().dead.contains(id)) {
            return Ok(true);
        }
        let next = self.writer.next_id.load(Ordering::Relaxed);
        own.retain(|id| *id < next);
        Ok(!self.reader.taken(&self.version_now(), &own).await?.is_empty())
    }

    /// Ids for lines: their own, or the next ones.
    fn ids(&self, records: &[Record]) -> Vec<i64> {
        let missing = records.iter().filter(|record| record.id.is_none()).count();
        if let Some(highest) = records.iter().filter_map(|record| record.id).max() {
            self.writer.next_id.fetch_max(highest.saturating_add(1), Ordering::Relaxed);
        }
        let count = i64::try_from(missing).unwrap_or(i64::MAX);
        let mut next = self.writer.next_id.fetch_add(count, Ordering::Relaxed);
        let mut given = || {
            next += 1;
            next - 1
        };
        records.iter().map(|record| record.id.unwrap_or_else(&mut given)).collect()
    }
}

fn closed() -> Error {
    Error::Unavailable { reason: "the store has been closed".into() }
}

#[async_trait]
impl TableSource for EmbeddedLogs {
    async fn query(&self, query: &Checked, asking: &Asking) -> Result<Answer, Error> {
        self.query_at(query, asking, Timestamp::now()).await
    }

    async fn knowledge(&self) -> Result<Arc<Knowledge>, Error> {
        self.reader.knowledge(self.version_now()).await
    }

    async fn version(&self) -> Result<String, Error> {
        Ok(self.version_now().name())
    }
}

#[async_trait]
impl LogStore for EmbeddedLogs {
    async fn append(&self, batch: Batch) -> Result<Receipt, Error> {
        let Batch { key, records } = batch;
        let named = records.iter().any(|record| record.id.is_some());
        let (_alone, _together) = match named {
            true => (Some(self.naming.write().await), None),
            false => (None, Some(self.naming.read().await)),
        };
        let taken = named && self.taken(&records).await?;
        let rows = columns::batch(&records, self.ids(&records))?;
        let (reply, done) = oneshot::channel();
        let append =
            Append::new(key, rows, taken, reply).map_err(|e| Error::Unavailable { reason: e.to_string() })?;
        self.writer.send(Command::Append(append)).await?;
        done.await.map_err(|_| closed())?
    }

    async fn delete(&self, ids: &[i64]) -> Result<u64, Error> {
        let there = self.reader.seen(&self.version_now(), ids).await?;
        if there.is_empty() {
            return Ok(0);
        }
        let (reply, done) = oneshot::channel();
        self.writer.send(Command::Delete { ids: there, reply }).await?;
        done.await.map_err(|_| closed())?
    }

    /// Whole files, however many lines they have.
    async fn drop_before(&self, before: Timestamp, _most: u64) -> Result<u64, Error> {
        let before = before.as_microsecond();
        let old = |batch| times(batch).is_some_and(|(_, last)| last < before);
        // Old lines that came in lately are in no file yet.
        if self.version_now().in_memory().any(old) {
            self.seal().await?;
        }
        self.drop_files(before).await
    }

    async fn count_before(&self, before: Timestamp) -> Result<u64, Error> {
        Ok(self.version_now().rows_before(before.as_microsecond()))
    }

    /// It is where everybody finds it once it is acknowledged.
    async fn settle(&self) -> Result<(), Error> {
        Ok(())
    }
}
