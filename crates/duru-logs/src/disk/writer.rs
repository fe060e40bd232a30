//! The one thread that writes. Batches that arrive during an fsync share the next one.

use std::collections::HashMap;
use std::fs::File;
use std::io::Write;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::error::ArrowError;
use duru_sql::{Error, Fault, Receipt};
use tokio::sync::mpsc as requests;
use tokio::sync::oneshot;

use super::compact;
use super::folder::{Folder, unavailable};
use super::frame;
use super::manifest::{Manifest, Notes};
use super::recover::Recovered;
use super::sealer::{Job, Progress, Sealer, Work, retain};
use super::version::Published;
use crate::Options;

/// Requests that wait for the writer; more wait for room.
const QUEUE: usize = 1024;
/// At most so many bytes go into one write.
const GROUP_BYTES: usize = 32 << 20;
/// Fewer rows than this part of a full log are not worth a file of their own.
const FEW: usize = 8;
/// Logs that may wait to become segments: they are memory.
const SEALING: usize = 1;

pub(crate) enum Command {
    Append(Append),
    Delete {
        ids: Vec<i64>,
        reply: oneshot::Sender<Result<u64, Error>>,
    },
    /// Turns what is in memory into a segment; replies when that is done.
    Seal {
        reply: oneshot::Sender<Result<(), Error>>,
    },
    /// If nothing was written lately: turns what is in memory into a segment if it is enough, and
    /// merges small ones.
    SealIfIdle,
    /// Merges small segments; replies how many files are gone.
    Compact {
        reply: oneshot::Sender<Result<u64, Error>>,
    },
    /// Drops segments whose newest line is older than this, in microseconds since 1970.
    Retain {
        before: i64,
        reply: oneshot::Sender<Result<u64, Error>>,
    },
}

pub(crate) struct Append {
    key: Option<String>,
    batch: RecordBatch,
    frame: Vec<u8>,
    /// An id in it is another line's.
    taken: bool,
    reply: oneshot::Sender<Result<Receipt, Error>>,
}

impl Append {
    /// Encodes the batch, so that the writer only has to write.
    pub(crate) fn new(
        key: Option<String>,
        batch: RecordBatch,
        taken: bool,
        reply: oneshot::Sender<Result<Receipt, Error>>,
    ) -> Result<Self, ArrowError> {
        let frame = frame::rows(key.as_deref(), &batch)?;
        Ok(Self { key, batch, frame, taken, reply })
    }
}

/// What is acknowledged once it is durable.
enum Promise {
    Kept(oneshot::Sender<Result<Receipt, Error>>, Receipt),
    Deleted(oneshot::Sender<Result<u64, Error>>, u64),
}

impl Promise {
    fn settle(self, failure: Option<&str>) {
        let error = |reason: &str| Error::Unavailable { reason: reason.to_owned() };
        // Who asked may be gone.
        match self {
            Self::Kept(reply, receipt) => {
                drop(reply.send(failure.map_or(Ok(receipt), |why| Err(error(why)))))
            }
            Self::Deleted(reply, n) => drop(reply.send(failure.map_or(Ok(n), |why| Err(error(why))))),
        }
    }
}

/// The handle to the thread; it ends when this is dropped.
pub(crate) struct Writer {
    requests: Option<requests::Sender<Command>>,
    pub(crate) published: Arc<Published>,
    pub(crate) next_id: Arc<AtomicI64>,
    pub(crate) folder: Arc<Folder>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    pub(crate) fn start(recovered: Recovered, options: &Options) -> Result<Self, Error> {
        let Recovered { folder, manifest, version, keys, next_id, full, wal, notes, torn: _ } = recovered;
        let (folder, published) = (Arc::new(folder), Arc::new(Published::new(version)));
        let (manifest, progress) = (Arc::new(Mutex::new(manifest)), Arc::new(Progress::default()));
        let next_id = Arc::new(AtomicI64::new(next_id));
        let (jobs, waiting) = mpsc::channel();
        let sealer = Sealer {
            folder: folder.clone(),
            manifest: manifest.clone(),
            published: published.clone(),
            progress: progress.clone(),
            keep_days: options.keep_days,
            full_rows: options.seal_rows as u64,
        };
        let cant = |e: std::io::Error| Error::Unavailable { reason: format!("can't start a thread: {e}") };
        let sealing = thread::Builder::new()
            .name("logs-seal".into())
            .spawn(move || sealer.run(&waiting))
            .map_err(cant)?;
        for job in full {
            progress.begin();
            drop(jobs.send(Work::Seal(job)));
        }
        let mut writing = Writing {
            file: open_wal(&folder, wal)?,
            wal,
            notes,
            keys,
            folder: folder.clone(),
            published: published.clone(),
            manifest,
            next_id: next_id.clone(),
            progress,
            jobs: Some(jobs),
            sealing: Some(sealing),
            limits: (options.seal_rows, options.seal_bytes),
            size: (0, 0),
            idle: (options.seal_after, Instant::now()),
            broken: None,
        };
        writing.measure();
        let (sender, receiver) = requests::channel(QUEUE);
        let thread = thread::Builder::new()
            .name("logs-write".into())
            .spawn(move || writing.run(receiver))
            .map_err(cant)?;
        Ok(Self { requests: Some(sender), published, next_id, folder, thread: Some(thread) })
    }

    /// Looks now and then whether the store is idle, until it is closed.
    pub(crate) fn sealing_when_idle(&self, after: Duration) -> impl Future<Output = ()> + Send + 'static {
        // It must not keep the store open.
        let requests = self.requests.as_ref().map(requests::Sender::downgrade);
        let pause = (after / 2).max(Duration::from_millis(10));
        async move {
            loop {
                tokio::time::sleep(pause).await;
                let Some(requests) = requests.as_ref().and_then(requests::WeakSender::upgrade) else {
                    return;
                };
                if requests.send(Command::SealIfIdle).await.is_err() {
                    return;
                }
            }
        }
    }

    pub(crate) async fn send(&self, command: Command) -> Result<(), Error> {
        let gone = || Error::Unavailable { reason: "the store has been closed".into() };
        self.requests.as_ref().ok_or_else(gone)?.send(command).await.map_err(|_| gone())
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        drop(self.requests.take());
        if let Some(thread) = self.thread.take() {
            // It has said of every request what came of it.
            drop(thread.join());
        }
    }
}

fn open_wal(folder: &Folder, number: u64) -> Result<File, Error> {
    let path = folder.wal(number);
    let opened = File::options().create(true).append(true).open(&path).and_then(|file| {
        folder.sync()?;
        Ok(file)
    });
    opened.map_err(|e| unavailable("can't open", &path, &e))
}

struct Writing {
    file: File,
    wal: u64,
    /// Of this log.
    notes: Notes,
    /// Of all batches.
    keys: HashMap<String, u64>,
    folder: Arc<Folder>,
    published: Arc<Published>,
    manifest: Arc<Mutex<Manifest>>,
    next_id: Arc<AtomicI64>,
    progress: Arc<Progress>,
    jobs: Option<Sender<Work>>,
    sealing: Option<JoinHandle<()>>,
    limits: (usize, usize),
    /// Rows and bytes in memory that are in no segment and none is being made of.
    size: (usize, usize),
    /// After how long nothing counts as written lately, and when something was.
    idle: (Duration, Instant),
    broken: Option<String>,
}

impl Writing {
    fn run(mut self, mut requests: requests::Receiver<Command>) {
        while let Some(first) = requests.blocking_recv() {
            let mut group = vec![first];
            let mut bytes = 0;
            while bytes < GROUP_BYTES
                && let Ok(next) = requests.try_recv()
            {
                if let Command::Append(append) = &next {
                    bytes += append.frame.len();
                }
                group.push(next);
            }
            self.carry_out(group);
        }
        drop(self.jobs.take());
        if let Some(sealing) = self.sealing.take() {
            drop(sealing.join());
        }
    }

    fn carry_out(&mut self, group: Vec<Command>) {
        if self.broken.is_none() {
            self.broken = self.progress.broken();
        }
        let (mut bytes, mut batches, mut sums) = (Vec::new(), Vec::new(), Vec::new());
        let (mut promises, mut after) = (Vec::new(), Vec::new());
        let mut deleted = Vec::new();
        for command in group {
            match command {
                Command::Append(append) => {
                    let known = append.key.as_ref().and_then(|key| self.keys.get(key));
                    let again = known.is_some();
                    if append.taken && !again {
                        drop(append.reply.send(Err(Error::Query { fault: Fault::Duplicate })));
                        continue;
                    }
                    let kept = known.copied().unwrap_or(append.batch.num_rows() as u64);
                    promises.push(Promise::Kept(append.reply, Receipt { kept, again }));
                    if !again && kept > 0 {
                        if let Some(key) = append.key {
                            self.keys.insert(key.clone(), kept);
                            self.notes.keys.push((key, kept));
                        }
                        sums.push(frame::sum(&append.frame));
                        bytes.extend(append.frame);
                        batches.push(append.batch);
                    }
                }
                Command::Delete { ids, reply } => {
                    let dead = &self.published.now().dead;
                    let mut new: Vec<i64> =
                        ids.into_iter().filter(|id| !dead.contains(id) && !deleted.contains(id)).collect();
                    new.sort_unstable();
                    new.dedup();
                    if !new.is_empty() {
                        let frame = frame::deleted(&new);
                        sums.push(frame::sum(&frame));
                        bytes.extend(frame);
                    }
                    promises.push(Promise::Deleted(reply, new.len() as u64));
                    deleted.extend(new);
                }
                other => after.push(other),
            }
        }
        if !bytes.is_empty() && self.broken.is_none() {
            self.idle.1 = Instant::now();
            self.broken = self.write(&bytes).err();
        }
        if self.broken.is_none() {
            self.notes.deleted.extend(&deleted);
            self.size.0 += batches.iter().map(RecordBatch::num_rows).sum::<usize>();
            self.size.1 += bytes.len();
            self.published.change(|version| {
                sums.into_iter().for_each(|sum| version.changed(sum));
                batches.into_iter().for_each(|batch| version.push(batch));
                if !deleted.is_empty() {
                    Arc::make_mut(&mut version.dead).extend(deleted);
                }
            });
        }
        promises.into_iter().for_each(|promise| promise.settle(self.broken.as_deref()));
        if self.size.0 >= self.limits.0 || self.size.1 >= self.limits.1 {
            self.seal();
        }
        for command in after {
            self.maintain(command);
        }
    }

    /// After a failed fsync nobody knows what is on the disk: nothing is written any more.
    fn write(&mut self, bytes: &[u8]) -> Result<(), String> {
        super::step();
        let written = self.file.write_all(bytes).and_then(|()| {
            super::step();
            self.file.sync_data()
        });
        super::step();
        written.map_err(|e| format!("can't write {}: {e}", self.folder.wal(self.wal).display()))
    }

    fn maintain(&mut self, command: Command) {
        let failed = |broken: &Option<String>| match broken {
            Some(reason) => Err(Error::Unavailable { reason: reason.clone() }),
            None => Ok(()),
        };
        match command {
            Command::Seal { reply } => {
                if self.size.0 > 0 || !self.notes.is_empty() {
                    self.seal();
                }
                self.progress.wait(0);
                let broken = self.broken.clone().or_else(|| self.progress.broken());
                drop(reply.send(failed(&broken)));
            }
            Command::Retain { before, reply } => {
                self.progress.wait(0);
                let result = failed(&self.broken)
                    .and_then(|()| retain(&self.folder, &self.manifest, &self.published, before));
                drop(reply.send(result));
            }
            Command::SealIfIdle => {
                let enough = self.size.0 >= (self.limits.0 / FEW).max(1);
                let idle = self.idle.1.elapsed() >= self.idle.0;
                if enough && idle {
                    self.seal();
                }
                if idle && self.progress.is_idle() && self.is_crumbled() {
                    self.work(Work::Compact(None));
                }
            }
            Command::Compact { reply } => self.work(Work::Compact(Some(reply))),
            Command::Append(_) | Command::Delete { .. } => {}
        }
    }

    /// Begins a new log; the old one becomes a segment meanwhile.
    fn seal(&mut self) {
        self.progress.wait(SEALING);
        if self.broken.is_some() {
            return;
        }
        super::step();
        match open_wal(&self.folder, self.wal + 1) {
            Ok(file) => self.file = file,
            Err(e) => {
                self.broken = Some(e.to_string());
                return;
            }
        }
        super::step();
        let full = self.wal;
        self.wal += 1;
        self.size = (0, 0);
        self.published.change(|version| {
            let tail = std::mem::take(&mut version.tail);
            version.sealing.push((full, tail));
        });
        let now = self.published.now();
        let job = Job {
            wal: full,
            notes: std::mem::take(&mut self.notes),
            changes: now.changes,
            chain: now.chain,
            next_id: self.next_id.load(Ordering::Relaxed),
        };
        self.work(Work::Seal(job));
    }

    /// Done behind this thread.
    fn work(&self, work: Work) {
        self.progress.begin();
        if let Some(jobs) = &self.jobs {
            drop(jobs.send(work));
        }
    }

    /// Whether there are many small segments.
    fn is_crumbled(&self) -> bool {
        let manifest = self.manifest.lock().unwrap_or_else(PoisonError::into_inner);
        compact::due(&manifest.segments, self.limits.0 as u64).is_some()
    }

    fn measure(&mut self) {
        let now = self.published.now();
        self.size.0 = now.tail.iter().map(RecordBatch::num_rows).sum();
        self.size.1 =
            self.file.metadata().map_or(0, |found| usize::try_from(found.len()).unwrap_or(usize::MAX));
    }
}
