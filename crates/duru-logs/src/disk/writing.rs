//! The one thread that writes. Batches that arrive during an fsync share the next one.

use std::collections::HashMap;
use std::fs::File;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use datafusion::arrow::array::RecordBatch;
use duru_sql::{Error, Fault, Receipt};
use tokio::sync::mpsc as requests;
use tokio::sync::oneshot;

use super::compact;
use super::folder::{Folder, unavailable};
use super::frame;
use super::manifest::Notes;
use super::progress::Progress;
use super::promise::Promise;
use super::recover::Recovered;
use super::request::{Append, Command};
use super::sealer::{Job, Sealer, Work, retain};
use super::shelf::Shelf;
use super::tail::{Place, Tail};
use super::version::Published;
use crate::Options;

/// At most so many bytes go into one write.
const GROUP_BYTES: usize = 32 << 20;
/// Fewer rows than this part of a full log are not worth a file of their own.
const FEW: usize = 8;
/// Logs that may wait to become segments: they are memory.
const SEALING: usize = 1;

fn open_wal(folder: &Folder, number: u64) -> Result<File, Error> {
    let path = folder.wal(number);
    let opened = File::options().create(true).append(true).open(&path).and_then(|file| {
        folder.sync()?;
        Ok(file)
    });
    opened.map_err(|e| unavailable("can't open", &path, &e))
}

/// Of a group of requests, what is written at once.
#[derive(Default)]
struct Taken {
    bytes: Vec<u8>,
    batches: Vec<RecordBatch>,
    sums: Vec<u64>,
    promises: Vec<Promise>,
    deleted: Vec<i64>,
}

pub(super) struct Writing {
    file: File,
    wal: u64,
    /// Of this log.
    notes: Notes,
    /// Of all batches.
    keys: HashMap<String, u64>,
    folder: Arc<Folder>,
    shelf: Arc<dyn Shelf>,
    published: Arc<Published>,
    next_id: Arc<AtomicI64>,
    progress: Arc<Progress>,
    tail: Option<Arc<Tail>>,
    jobs: Option<Sender<Work>>,
    sealing: Option<JoinHandle<()>>,
    limits: (usize, usize),
    /// Rows and bytes in memory that are in no segment and none is being made of.
    size: (usize, usize),
    /// After how long nothing counts as written lately, and when something was.
    idle: (Duration, Instant),
    broken: Option<Error>,
}

/// What the thread shares with others.
pub(super) struct Setting {
    pub(super) shelf: Arc<dyn Shelf>,
    pub(super) tail: Option<Arc<Tail>>,
    pub(super) progress: Arc<Progress>,
    pub(super) next_id: Arc<AtomicI64>,
}

pub(super) fn cant_start(e: std::io::Error) -> Error {
    Error::Unavailable { reason: format!("can't start a thread: {e}") }
}

impl Writing {
    /// Goes on where the logs end; those that are full become segments.
    pub(super) fn begin(recovered: Recovered, setting: Setting, options: &Options) -> Result<Self, Error> {
        let Recovered { folder, version, keys, next_id: _, full, wal, notes, torn: _ } = recovered;
        let Setting { shelf, tail, progress, next_id } = setting;
        let published = Arc::new(Published::new(version));
        let (jobs, waiting) = mpsc::channel();
        let sealer = Sealer {
            folder: folder.clone(),
            shelf: shelf.clone(),
            published: published.clone(),
            progress: progress.clone(),
            tail: tail.clone(),
            keep_days: options.keep_days,
            full_rows: options.seal_rows as u64,
        };
        let sealing = thread::Builder::new()
            .name("logs-seal".into())
            .spawn(move || sealer.run(&waiting))
            .map_err(cant_start)?;
        for job in full {
            progress.begin();
            drop(jobs.send(Work::Seal(job)));
        }
        let mut writing = Self {
            file: open_wal(&folder, wal)?,
            wal,
            notes,
            keys,
            folder,
            shelf,
            published,
            next_id,
            progress,
            tail,
            jobs: Some(jobs),
            sealing: Some(sealing),
            limits: (options.seal_rows, options.seal_bytes),
            size: (0, 0),
            idle: (options.seal_after, Instant::now()),
            broken: None,
        };
        writing.measure();
        Ok(writing)
    }

    pub(super) fn published(&self) -> Arc<Published> {
        self.published.clone()
    }

    pub(super) fn run(mut self, mut requests: requests::Receiver<Command>) {
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
        let refused = self.refusal();
        let mut taken = Taken::default();
        let mut after = Vec::new();
        for command in group {
            match (command, &refused) {
                (Command::Append(append), Some(why)) => drop(append.reply.send(Err(why.clone()))),
                (Command::Delete { reply, .. }, Some(why)) => drop(reply.send(Err(why.clone()))),
                (Command::Append(append), None) => self.take(append, &mut taken),
                (Command::Delete { ids, reply }, None) => self.take_deleted(ids, reply, &mut taken),
                (other, _) => after.push(other),
            }
        }
        self.keep(taken);
        if self.is_full() {
            self.seal();
        }
        for command in after {
            self.maintain(command);
        }
    }

    /// Why nothing can be taken: it is broken, or the log is full and the one before it can't be put away.
    fn refusal(&mut self) -> Option<Error> {
        if self.broken.is_none() && self.is_full() {
            self.seal();
        }
        let stalled = || self.is_full().then(|| self.progress.stalled(SEALING)).flatten();
        self.broken.clone().or_else(stalled)
    }

    fn is_full(&self) -> bool {
        self.size.0 >= self.limits.0 || self.size.1 >= self.limits.1
    }

    fn take(&mut self, append: Append, taken: &mut Taken) {
        let known = append.key.as_ref().and_then(|key| self.keys.get(key));
        let again = known.is_some();
        if append.taken && !again {
            drop(append.reply.send(Err(Error::Query { fault: Fault::Duplicate })));
            return;
        }
        let kept = known.copied().unwrap_or(append.batch.num_rows() as u64);
        taken.promises.push(Promise::Kept(append.reply, Receipt { kept, again }));
        if !again && kept > 0 {
            if let Some(key) = append.key {
                self.keys.insert(key.clone(), kept);
                self.notes.keys.push((key, kept));
            }
            taken.sums.push(frame::sum(&append.frame));
            taken.bytes.extend(append.frame);
            taken.batches.push(append.batch);
        }
    }

    fn take_deleted(&self, ids: Vec<i64>, reply: oneshot::Sender<Result<u64, Error>>, taken: &mut Taken) {
        let dead = &self.published.now().dead;
        let mut new: Vec<i64> =
            ids.into_iter().filter(|id| !dead.contains(id) && !taken.deleted.contains(id)).collect();
        new.sort_unstable();
        new.dedup();
        if !new.is_empty() {
            let frame = frame::deleted(&new);
            taken.sums.push(frame::sum(&frame));
            taken.bytes.extend(frame);
        }
        taken.promises.push(Promise::Deleted(reply, new.len() as u64));
        taken.deleted.extend(new);
    }

    /// Writes what was taken, shows it to queries, and acknowledges it.
    fn keep(&mut self, taken: Taken) {
        let Taken { bytes, batches, sums, promises, deleted } = taken;
        if !bytes.is_empty() && self.broken.is_none() {
            self.idle.1 = Instant::now();
            self.broken = self.write(&bytes).err();
        }
        if self.broken.is_some() {
            promises.into_iter().for_each(|promise| promise.settle(self.broken.as_ref()));
            return;
        }
        let rows = batches.iter().map(RecordBatch::num_rows).sum::<usize>();
        self.notes.deleted.extend(&deleted);
        self.size.0 += rows;
        self.size.1 += bytes.len();
        self.published.change(|version| {
            sums.into_iter().for_each(|sum| version.changed(sum));
            batches.into_iter().for_each(|batch| version.push(batch));
            if !deleted.is_empty() {
                Arc::make_mut(&mut version.dead).extend(deleted);
            }
        });
        match &self.tail {
            None => promises.into_iter().for_each(|promise| promise.settle(None)),
            Some(tail) => {
                let until = Place { log: self.wal, offset: self.size.1 as u64 };
                tail.written(until, rows as u64, promises);
            }
        }
    }

    /// After a failed fsync nobody knows what is on the disk: nothing is written any more.
    fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        super::step();
        let written = self.file.write_all(bytes).and_then(|()| {
            super::step();
            self.file.sync_data()
        });
        super::step();
        written.map_err(|e| unavailable("can't write", &self.folder.wal(self.wal), &e))
    }

    fn maintain(&mut self, command: Command) {
        match command {
            Command::Seal { reply } => {
                if self.size.0 > 0 || !self.notes.is_empty() {
                    self.seal();
                }
                self.progress.wait(0);
                drop(reply.send(self.hindrance().map_or(Ok(()), Err)));
            }
            Command::Retain { before, reply } => {
                self.progress.wait(0);
                let result = match self.hindrance() {
                    Some(why) => Err(why),
                    None => retain(&*self.shelf, &self.published, before),
                };
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

    /// Why what was begun is not done.
    fn hindrance(&self) -> Option<Error> {
        let broken = self.broken.clone().or_else(|| self.progress.broken());
        broken.or_else(|| self.progress.stalled(0))
    }

    /// Begins a new log; the old one becomes a segment meanwhile.
    fn seal(&mut self) {
        self.progress.wait(SEALING);
        if self.broken.is_some() || self.progress.stalled(SEALING).is_some() {
            return;
        }
        super::step();
        match open_wal(&self.folder, self.wal + 1) {
            Ok(file) => self.file = file,
            Err(e) => {
                self.broken = Some(e);
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
        compact::due(&self.shelf.manifest().segments, self.limits.0 as u64).is_some()
    }

    fn measure(&mut self) {
        let now = self.published.now();
        self.size.0 = now.tail.iter().map(RecordBatch::num_rows).sum();
        self.size.1 =
            self.file.metadata().map_or(0, |found| usize::try_from(found.len()).unwrap_or(usize::MAX));
    }
}
