//! Threads in one SQLite file.

mod catalog;
mod commit;
mod file;
mod memories;
mod read;
mod readers;
mod rows;
mod runs;
mod schema;
mod workers;
mod writer;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use async_trait::async_trait;
use duru::store::{Checkpoints, Commit, Error, Head, Row, RowQuery, Seq, Snapshot, ThreadSummary, Timer};
use duru::{Namespace, ThreadId};
use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

pub use file::SqliteFile;
use readers::Read;
use writer::{Change, Job, Waiting};

/// When a commit counts as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Synchronous {
    /// When the disk has it: it survives a loss of power.
    #[default]
    Full,
    /// When the operating system has it: it survives the death of the process,
    /// but a loss of power may take the last commits.
    Normal,
}

/// How to open a database.
#[derive(Debug, Clone)]
pub struct SqliteOptions {
    /// When a commit counts as written.
    pub synchronous: Synchronous,
    /// How long to wait for another process that writes the same file.
    pub busy_timeout: Duration,
    /// How many threads read.
    pub readers: usize,
    /// How large the file may grow; a commit beyond it fails.
    pub max_bytes: Option<u64>,
}

impl Default for SqliteOptions {
    fn default() -> Self {
        Self {
            synchronous: Synchronous::Full,
            busy_timeout: Duration::from_secs(10),
            readers: 2,
            max_bytes: None,
        }
    }
}

/// Threads, and memory across them, in one SQLite file. Several processes may open the same file.
///
/// Dropping the store waits for the commits that it has accepted.
pub struct SqliteStore {
    writer: Option<mpsc::Sender<Job>>,
    /// None for a database in memory: it has one connection, the writer's.
    readers: Option<mpsc::Sender<Read>>,
    reading: Vec<JoinHandle<()>>,
    writing: Option<JoinHandle<()>>,
    transactions: Arc<AtomicU64>,
}

impl SqliteStore {
    /// Opens a database, and makes it if there is none.
    ///
    /// ```
    /// use duru::{ThreadId, store::Checkpoints};
    /// use duru_store::SqliteStore;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("threads.db");
    /// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
    /// let store = SqliteStore::open(&path)?;
    /// assert_eq!(store.head(&ThreadId::new("order-17")?).await?, None);
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::open_with(path, SqliteOptions::default())
    }

    /// Opens a database in another way than the usual.
    pub fn open_with(path: impl AsRef<Path>, options: SqliteOptions) -> Result<Self, Error> {
        let path = path.as_ref();
        let conn = schema::open_writer(Some(path), &options)?;
        let (readers, reading) = readers::start(path, &options)?;
        Self::start(conn, Some(readers), reading)
    }

    /// A database in memory. It is gone when the store is dropped.
    pub fn open_in_memory() -> Result<Self, Error> {
        Self::start(schema::open_writer(None, &SqliteOptions::default())?, None, Vec::new())
    }

    fn start(
        conn: Connection,
        readers: Option<mpsc::Sender<Read>>,
        reading: Vec<JoinHandle<()>>,
    ) -> Result<Self, Error> {
        let (writer, queue) = mpsc::channel(writer::QUEUE);
        let transactions = Arc::new(AtomicU64::new(0));
        let counter = transactions.clone();
        let writing = thread::Builder::new()
            .name("duru-sqlite-write".into())
            .spawn(move || writer::run(conn, queue, counter))
            .map_err(|e| Error::backend("start the writer thread", e))?;
        Ok(Self { writer: Some(writer), readers, reading, writing: Some(writing), transactions })
    }

    /// How many transactions it took to write all commits so far: fewer than
    /// commits when many threads are at work, because those that wait share one.
    pub fn transactions(&self) -> u64 {
        self.transactions.load(Ordering::Relaxed)
    }

    async fn write(&self, job: Job) -> Result<(), Error> {
        match &self.writer {
            Some(writer) => writer.send(job).await.map_err(|_| gone()),
            None => Err(gone()),
        }
    }

    /// Changes something in a transaction that others may share; the work is
    /// done again, alone, if one of those others fails.
    async fn change<T, F>(&self, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnMut(&Connection) -> Result<T, Error> + Send + 'static,
    {
        let (reply, result) = oneshot::channel();
        self.write(Job::Write(Box::new(Change { work, given: None, reply }))).await?;
        result.await.map_err(|_| gone())?
    }

    async fn read<T, F>(&self, read: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, Error> + Send + 'static,
    {
        let (reply, result) = oneshot::channel();
        // A caller that stopped waiting misses nothing.
        let read: Read = Box::new(move |conn| drop(reply.send(read(conn))));
        match &self.readers {
            Some(readers) => readers.send(read).await.map_err(|_| gone())?,
            None => self.write(Job::Run(read)).await?,
        }
        result.await.map_err(|_| gone())?
    }
}

fn gone() -> Error {
    Error::backend("reach the database", "its thread has ended")
}

impl Drop for SqliteStore {
    fn drop(&mut self) {
        // Readers first: only if the writer is the last to close the file does
        // everything move from the write-ahead log into the database.
        self.readers = None;
        join(self.reading.drain(..));
        self.writer = None;
        join(self.writing.take());
    }
}

fn join(threads: impl IntoIterator<Item = JoinHandle<()>>) {
    for thread in threads {
        // One that has panicked dropped the replies: those who waited know.
        drop(thread.join());
    }
}

#[async_trait]
impl Checkpoints for SqliteStore {
    async fn head(&self, thread: &ThreadId) -> Result<Option<Head>, Error> {
        let thread = thread.clone();
        self.read(move |conn| read::head(conn, &thread)).await
    }

    async fn commit(&self, commit: Commit) -> Result<Head, Error> {
        let (reply, result) = oneshot::channel();
        self.write(Job::Write(Box::new(Waiting { commit, head: None, reply }))).await?;
        result.await.map_err(|_| gone())?
    }

    async fn rows(&self, thread: &ThreadId, query: RowQuery) -> Result<Vec<Row>, Error> {
        let thread = thread.clone();
        self.read(move |conn| read::rows(conn, &thread, &query)).await
    }

    async fn snapshot(
        &self,
        thread: &ThreadId,
        ns: &Namespace,
        until: Option<Seq>,
    ) -> Result<Option<Snapshot>, Error> {
        let (thread, ns) = (thread.clone(), ns.clone());
        self.read(move |conn| read::snapshot(conn, &thread, &ns, until)).await
    }

    async fn due(&self, now_ms: u64, after: Option<&Timer>, limit: usize) -> Result<Vec<Timer>, Error> {
        let after = after.cloned();
        self.read(move |conn| read::due(conn, now_ms, after.as_ref(), limit)).await
    }

    async fn threads(&self, offset: usize, limit: usize) -> Result<Vec<ThreadSummary>, Error> {
        self.read(move |conn| read::threads(conn, offset, limit)).await
    }

    async fn delete(&self, thread: &ThreadId) -> Result<bool, Error> {
        // Servers delete a thread after every run that nobody named one for: those share the wait for the disk too.
        let thread = thread.clone();
        self.change(move |conn| commit::delete(conn, &thread)).await
    }
}
