//! The store: a bucket that any number of processes read, and take lines in for.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use async_trait::async_trait;
use duru_sql::guard::Checked;
use duru_sql::{
    Answer, Asking, Batch, BucketTrouble, Error, Knowledge, LogStore, Receipt, Record, TableSource,
};
use jiff::Timestamp;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio::sync::{OnceCell, RwLock, oneshot};
use tokio_util::sync::CancellationToken;

use super::address::BucketAddress;
use super::foreign;
use super::ingester::{Ingester, closed};
use super::left::{Left, NotBroughtIn, Tell};
use super::merged::Merged;
use super::remote::Bucket;
use super::sweep::Sweeper;
use super::view::View;
use crate::disk::{Append, Command, Version, Writer, days_ago, times};
use crate::query::{Engine, Root};
use crate::reader::Reader;
use crate::workers::{self, WorkerOptions, WorkersSeen};
use crate::{Options, columns};

/// Log lines in object storage, asked with PostgreSQL's SQL.
///
/// Every process that has it open sees what all have shipped. One that takes lines in keeps those that are not shipped yet
/// in a folder of its own: it answers for them, also after a crash.
pub struct BucketLogs {
    /// None only while it is being dropped.
    ingester: Option<OnceCell<Ingester>>,
    bucket: Arc<Bucket>,
    address: BucketAddress,
    options: Options,
    view: Arc<View>,
    reader: Reader,
    merged: Merged,
    /// Held exclusively by batches with ids of their own: the ids are looked up before they are stored.
    naming: RwLock<()>,
    /// None only while it is being dropped.
    runtime: Option<Runtime>,
    stop: CancellationToken,
    /// Brings in what other processes have left.
    left: Mutex<Option<JoinHandle<()>>>,
    tell: Tell,
    _spill: TempDir,
}

/// How far a process is with what it has taken in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Unshipped {
    /// Lines that are on this process's disk alone.
    pub rows: u64,
    /// Since when the first of them is.
    pub age: Duration,
}

impl BucketLogs {
    /// Opens it for asking. The first line that comes makes an ingester of the process; see [`BucketLogs::take_in`].
    ///
    /// # Errors
    /// [`Error::Bucket`] if the bucket can't be read.
    pub async fn open(address: &BucketAddress, options: Options) -> Result<Self, Error> {
        let cant = |e: std::io::Error| Error::Unavailable { reason: format!("can't start: {e}") };
        let bucket = Arc::new(Bucket::open(address)?);
        let spill = TempDir::with_prefix("duru-spill-").map_err(cant)?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("logs-bucket")
            .enable_all()
            .build()
            .map_err(cant)?;
        // Queries have connections of their own: what is shipped does not wait for them.
        let root = Root { store: Bucket::open(address)?.root(), place: Some(address.to_string()) };
        let engine = Engine::new(&options, spill.path(), Some(root))?;
        let store = Self {
            ingester: Some(OnceCell::new()),
            view: Arc::new(View::new(bucket.clone())),
            bucket,
            address: address.clone(),
            options,
            reader: Reader::new(engine),
            merged: Merged::default(),
            naming: RwLock::default(),
            runtime: Some(runtime),
            stop: CancellationToken::new(),
            left: Mutex::default(),
            tell: Arc::new(|_| ()),
            _spill: spill,
        };
        store.look(Duration::ZERO).await?;
        Ok(store)
    }

    /// Has whoever opened it told of lines that others left on this machine and that could not be brought in. That is tried
    /// beside what else is done, once this process takes lines in: nobody who waits for something would hear of it.
    #[must_use]
    pub fn telling(mut self, tell: impl Fn(NotBroughtIn) + Send + Sync + 'static) -> Self {
        self.tell = Arc::new(tell);
        self
    }

    /// Makes an ingester of this process, which goes on with what one that died on this machine has left.
    ///
    /// # Errors
    /// If no folder for that was named or can be used, or the bucket can't be written.
    pub async fn take_in(&self) -> Result<(), Error> {
        self.ingester().await.map(drop)
    }

    /// Whether nothing is taken in here.
    pub fn is_read_only(&self) -> bool {
        self.address.read_only
    }

    /// Waits until all that was acknowledged is in the bucket.
    ///
    /// # Errors
    /// If it can't get there now; it is on the disk, and gets there later.
    pub async fn ship(&self) -> Result<(), Error> {
        let Some(ingester) = self.open_ingester() else { return Ok(()) };
        ingester.tail.hurry().await.unwrap_or_else(|_| Err(closed()))
    }

    /// Whether nobody has ever taken anything in.
    ///
    /// # Errors
    /// If the bucket can't be read.
    pub async fn is_empty(&self) -> Result<bool, Error> {
        self.look(self.options.look_after).await?;
        Ok(self.open_ingester().is_none() && self.view.manifests().await.is_empty())
    }

    /// Turns what is on this process's disk into a Parquet file.
    ///
    /// # Errors
    /// If it can't be written; nothing is lost then.
    pub async fn seal(&self) -> Result<(), Error> {
        let (reply, done) = oneshot::channel();
        self.ingester().await?.writer()?.send(Command::Seal { reply }).await?;
        done.await.map_err(|_| closed())?
    }

    /// Merges small Parquet files of this ingester, which otherwise happens when nobody writes. How many are gone.
    ///
    /// # Errors
    /// If one can't be read or written; nothing is lost then.
    pub async fn compact(&self) -> Result<u64, Error> {
        let (reply, done) = oneshot::channel();
        self.ingester().await?.writer()?.send(Command::Compact { reply }).await?;
        done.await.map_err(|_| closed())?
    }

    /// Drops files whose newest line is older than so many days. How many rows went.
    ///
    /// # Errors
    /// If the bucket can't be written.
    pub async fn keep(&self, days: u32) -> Result<u64, Error> {
        self.drop_files(days_ago(days)).await
    }

    /// From now on, spreads queries over workers and, where there is an address to listen at, works for others that have the same
    /// bucket.
    ///
    /// # Errors
    /// If the secret can't be used, or the address can't be had.
    pub async fn work_together(
        &self,
        options: WorkerOptions,
        listen: Option<SocketAddr>,
    ) -> Result<Option<SocketAddr>, Error> {
        let listener = match listen {
            Some(address) => Some(workers::listen(address).await?),
            None => None,
        };
        let address = listener.as_ref().and_then(|listener| listener.local_addr().ok());
        self.reader.engine.work_together(options, listener).await?;
        Ok(address)
    }

    /// Who works for this process; none where every query is carried out here.
    pub fn workers(&self) -> Option<WorkersSeen> {
        self.reader.engine.workers_seen()
    }

    /// What is wrong with the bucket, as far as this process knows.
    pub fn trouble(&self) -> Option<Error> {
        self.open_ingester().and_then(|ingester| ingester.tail.trouble()).or_else(|| self.view.trouble())
    }

    /// What this process has acknowledged and not shipped yet.
    pub fn unshipped(&self) -> Unshipped {
        let size = self.open_ingester().map(|ingester| ingester.tail.size());
        size.map(|(rows, age)| Unshipped { rows, age }).unwrap_or_default()
    }

    /// Looks whether the bucket answers, unless somebody has a moment ago.
    ///
    /// # Errors
    /// If it does not.
    pub async fn check(&self, age: Duration) -> Result<(), Error> {
        self.look(age).await
    }

    /// As [`TableSource::query`], at another time than now.
    ///
    /// # Errors
    /// As there.
    pub async fn query_at(&self, query: &Checked, asking: &Asking, now: Timestamp) -> Result<Answer, Error> {
        let version = self.version_now().await?;
        let answer = self.reader.ask(query.sql().to_owned(), version, asking, now).await;
        if !matches!(&answer, Err(Error::Bucket { trouble: BucketTrouble::Emptied, .. })) {
            return answer;
        }
        // A file that was dropped while it was to be read: once more, with what there is now.
        self.look(Duration::ZERO).await?;
        self.reader.ask(query.sql().to_owned(), self.version_now().await?, asking, now).await
    }

    fn open_ingester(&self) -> Option<&Ingester> {
        self.ingester.as_ref()?.get()
    }

    async fn ingester(&self) -> Result<&Ingester, Error> {
        let (Some(cell), Some(runtime)) = (&self.ingester, &self.runtime) else { return Err(closed()) };
        if self.address.read_only {
            return Err(Error::Denied { reason: format!("{} is only read: ?read_only=true", self.address) });
        }
        let open = || async {
            let handle = runtime.handle();
            let ingester = Ingester::open(self.bucket.clone(), &self.address, handle, &self.options).await?;
            self.view.without(ingester.shelf.ingester()).await;
            let sweeper = Sweeper {
                bucket: self.bucket.clone(),
                shelf: ingester.shelf.clone(),
                view: self.view.clone(),
                after: self.options.remove_after,
            };
            let stop = self.stop.clone();
            handle.spawn(async move { stop.run_until_cancelled(sweeper.run()).await });
            let left = Left {
                bucket: self.bucket.clone(),
                address: self.address.clone(),
                runtime: handle.clone(),
                options: self.options.clone(),
                stop: self.stop.clone(),
                tell: Arc::clone(&self.tell),
            };
            *self.left.lock().unwrap_or_else(PoisonError::into_inner) = left.bring_in();
            self.reader.engine.spawn(ingester.writer()?.sealing_when_idle(self.options.seal_after));
            Ok(ingester)
        };
        cell.get_or_try_init(open).await
    }

    /// Follows what others have done, unless somebody has looked so short a time ago.
    async fn look(&self, age: Duration) -> Result<(), Error> {
        let own = self.view.look(age).await?;
        if let (Some(own), Some(ingester)) = (own, self.open_ingester()) {
            ingester.shelf.follow_if(own.as_ref()).await?;
        }
        Ok(())
    }

    async fn version_now(&self) -> Result<Arc<Version>, Error> {
        self.look(self.options.look_after).await?;
        Ok(self.merged())
    }

    /// What this process keeps, with what others do.
    fn merged(&self) -> Arc<Version> {
        let own = self.open_ingester().and_then(|ingester| Some(ingester.writer().ok()?.published.now()));
        self.merged.of(own, self.view.now())
    }

    async fn drop_files(&self, before: i64) -> Result<u64, Error> {
        self.look(Duration::ZERO).await?;
        let mut gone = 0;
        let mut old_parts = self.view.old_parts(before).await;
        for (ingester, kept) in self.view.manifests().await {
            let parts = old_parts.remove(&ingester).unwrap_or_default();
            if !parts.is_empty() || kept.manifest.segments.iter().any(|meta| meta.times.1 < before) {
                gone += foreign::retain(&self.bucket, &ingester, before, &parts).await?;
            }
        }
        if let Some(ingester) = self.open_ingester() {
            let (reply, done) = oneshot::channel();
            ingester.writer()?.send(Command::Retain { before, reply }).await?;
            gone += done.await.map_err(|_| closed())??;
        }
        self.look(Duration::ZERO).await?;
        Ok(gone)
    }

    /// Whether an id that lines bring along is another line's already, be it deleted.
    async fn taken(&self, ids: &[i64], ingester: &Ingester) -> Result<bool, Error> {
        let mut own = ids.to_vec();
        own.sort_unstable();
        if own.windows(2).any(|pair| pair[0] == pair[1]) {
            return Ok(true);
        }
        let claimed = ingester.ids.claim(&own).await;
        if let Ok(unused) = claimed {
            own.retain(|id| *id < unused);
        }
        let version = self.version_now().await?;
        // No query gives those, and nobody would see a new line by that id.
        let taken = own.iter().any(|id| version.dead.contains(id))
            || !self.reader.taken(&version, &own).await?.is_empty();
        if taken { Ok(true) } else { claimed.map(|_| false) }
    }

    /// Ids for lines: their own, or new ones.
    async fn ids(&self, records: &[Record], ingester: &Ingester) -> Result<Vec<i64>, Error> {
        let missing = records.iter().filter(|record| record.id.is_none()).count();
        let mut new = ingester.ids.take(missing).await?.into_iter();
        let ids: Vec<i64> = records.iter().filter_map(|record| record.id.or_else(|| new.next())).collect();
        ingester.writer()?.seen_ids(&ids);
        Ok(ids)
    }
}

#[async_trait]
impl TableSource for BucketLogs {
    async fn query(&self, query: &Checked, asking: &Asking) -> Result<Answer, Error> {
        self.query_at(query, asking, Timestamp::now()).await
    }

    async fn knowledge(&self) -> Result<Arc<Knowledge>, Error> {
        self.reader.knowledge(self.version_now().await?).await
    }

    async fn version(&self) -> Result<String, Error> {
        Ok(self.version_now().await?.name())
    }
}

#[async_trait]
impl LogStore for BucketLogs {
    async fn append(&self, batch: Batch) -> Result<Receipt, Error> {
        let ingester = self.ingester().await?;
        let Batch { key, records } = batch;
        if let Some(key) = &key {
            // While nobody can see what others have, what this one acknowledges by itself it takes.
            match self.address.ship.is_zero() {
                true => self.look(Duration::ZERO).await?,
                false => drop(self.look(self.options.look_after).await),
            }
            // Another ingester has it, as far as that has shipped it.
            if let Some(kept) = self.view.now().keys.get(key) {
                return Ok(Receipt { kept: *kept, again: true });
            }
        }
        let own: Vec<i64> = records.iter().filter_map(|record| record.id).collect();
        let (_alone, _together) = match own.is_empty() {
            false => (Some(self.naming.write().await), None),
            true => (None, Some(self.naming.read().await)),
        };
        let taken = !own.is_empty() && self.taken(&own, ingester).await?;
        let rows = columns::batch(&records, self.ids(&records, ingester).await?)?;
        send(ingester.writer()?, key, rows, taken).await
    }

    async fn delete(&self, ids: &[i64]) -> Result<u64, Error> {
        let there = self.reader.seen(&self.version_now().await?, ids).await?;
        if there.is_empty() {
            return Ok(0);
        }
        let (reply, done) = oneshot::channel();
        self.ingester().await?.writer()?.send(Command::Delete { ids: there, reply }).await?;
        done.await.map_err(|_| closed())?
    }

    /// Whole files, however many lines they have, of all ingesters.
    async fn drop_before(&self, before: Timestamp, _most: u64) -> Result<u64, Error> {
        let before = before.as_microsecond();
        let old = |batch| times(batch).is_some_and(|(_, last)| last < before);
        // Old lines that came in lately are in no file yet.
        if let Some(ingester) = self.open_ingester()
            && ingester.writer()?.published.now().in_memory().any(old)
        {
            self.seal().await?;
        }
        self.drop_files(before).await
    }

    async fn count_before(&self, before: Timestamp) -> Result<u64, Error> {
        let before = before.as_microsecond();
        let files = self.version_now().await?.rows_before(before);
        let parts = self.view.old_parts(before).await;
        Ok(files + parts.values().flat_map(HashMap::values).sum::<u64>())
    }

    async fn settle(&self) -> Result<(), Error> {
        self.ship().await
    }
}

async fn send(
    writer: &Writer,
    key: Option<String>,
    rows: datafusion::arrow::array::RecordBatch,
    taken: bool,
) -> Result<Receipt, Error> {
    let (reply, done) = oneshot::channel();
    let append =
        Append::new(key, rows, taken, reply).map_err(|e| Error::Unavailable { reason: e.to_string() })?;
    writer.send(Command::Append(append)).await?;
    done.await.map_err(|_| closed())?
}

impl Drop for BucketLogs {
    fn drop(&mut self) {
        self.stop.cancel();
        if let Some(left) = self.left.get_mut().unwrap_or_else(PoisonError::into_inner).take() {
            drop(left.join());
        }
        // It ships what is left, which needs the runtime.
        drop(self.ingester.take());
        if let Some(runtime) = self.runtime.take() {
            // Dropping it would wait, which async code must not.
            runtime.shutdown_background();
        }
    }
}
