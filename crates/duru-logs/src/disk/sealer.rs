//! Turns full logs into segments, and merges those, behind the writer.

use std::collections::HashMap;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use duru_sql::Error;
use tokio::sync::oneshot;

use super::folder::Folder;
use super::manifest::{Manifest, Notes};
use super::segment::{self, Segment};
use super::version::Published;

/// A log that is full, with everything that the manifest must know of it.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) wal: u64,
    pub(super) notes: Notes,
    pub(super) changes: u64,
    pub(super) chain: u64,
    pub(super) next_id: i64,
}

/// What is done behind the writer.
pub(super) enum Work {
    Seal(Job),
    /// Merges small segments; tells how many files are gone, if anybody wants to know.
    Compact(Option<oneshot::Sender<Result<u64, Error>>>),
}

/// With so many segments, some are merged though lines keep coming in.
const MANY: usize = 256;

/// How much work waits, and whether sealing has failed for good.
#[derive(Debug, Default)]
pub(super) struct Progress {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    waiting: usize,
    broken: Option<String>,
}

impl Progress {
    fn with<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let result = change(&mut state);
        self.changed.notify_all();
        result
    }

    pub(super) fn begin(&self) {
        self.with(|state| state.waiting += 1);
    }

    fn end(&self, failed: Option<String>) {
        self.with(|state| {
            state.waiting -= 1;
            state.broken = state.broken.take().or(failed);
        });
    }

    pub(super) fn broken(&self) -> Option<String> {
        self.with(|state| state.broken.clone())
    }

    /// Waits until at most so many are left, or none will ever be done.
    pub(super) fn wait(&self, at_most: usize) {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let wait = self.changed.wait_while(state, |state| state.waiting > at_most && state.broken.is_none());
        drop(wait);
    }

    pub(super) fn is_idle(&self) -> bool {
        self.with(|state| state.waiting == 0)
    }
}

pub(super) struct Sealer {
    pub(super) folder: Arc<Folder>,
    pub(super) manifest: Arc<Mutex<Manifest>>,
    pub(super) published: Arc<Published>,
    pub(super) progress: Arc<Progress>,
    pub(super) keep_days: Option<u32>,
    /// Rows of a log that is full.
    pub(super) full_rows: u64,
}

impl Sealer {
    pub(super) fn run(self, work: &Receiver<Work>) {
        while let Ok(work) = work.recv() {
            // After a failure nothing is sealed any more: the logs keep it all.
            let failed = match (work, self.progress.broken()) {
                (Work::Seal(job), None) => self.seal(job).and_then(|()| self.compact_many()).err(),
                (Work::Seal(_), Some(_)) => None,
                (Work::Compact(reply), broken) => {
                    let done = match broken {
                        None => self.compact(),
                        Some(reason) => Err(Error::Unavailable { reason }),
                    };
                    // Nothing is lost where it fails: everything stays as it was, and it is tried again.
                    drop(reply.map(|reply| reply.send(done)));
                    None
                }
            };
            self.progress.end(failed.map(|e| e.to_string()));
        }
    }

    fn compact_many(&self) -> Result<(), Error> {
        if self.published.now().segments.len() >= MANY {
            self.compact()?;
        }
        Ok(())
    }

    fn seal(&self, job: Job) -> Result<(), Error> {
        let now = self.published.now();
        let batches = now.sealing.iter().find(|(wal, _)| *wal == job.wal).map(|(_, batches)| batches);
        let batches = batches.map(Vec::as_slice).unwrap_or_default();
        let rows: usize = batches.iter().map(|batch| batch.num_rows()).sum();
        let meta = match rows {
            0 => None,
            _ => Some(segment::write(&self.folder, job.wal, batches, &now.dead)?),
        };
        if !job.notes.is_empty() {
            job.notes.save(&self.folder, job.wal)?;
        }
        super::step();
        {
            let mut manifest = self.manifest.lock().unwrap_or_else(PoisonError::into_inner);
            let mut next = manifest.clone();
            next.first_wal = job.wal + 1;
            next.next_id = next.next_id.max(job.next_id);
            next.changes = job.changes;
            next.chain = job.chain;
            next.segments.extend(meta.clone());
            next.notes.extend((!job.notes.is_empty()).then_some(job.wal));
            next.save(&self.folder)?;
            *manifest = next;
        }
        super::step();
        let segment = meta.map(|meta| Arc::new(Segment::new(&self.folder, meta)));
        self.published.change(|version| {
            version.sealing.retain(|(wal, _)| *wal != job.wal);
            version.segments.extend(segment);
        });
        self.folder.remove(&self.folder.wal(job.wal))?;
        super::step();
        if let Some(days) = self.keep_days {
            retain(&self.folder, &self.manifest, &self.published, days_ago(days))?;
        }
        Ok(())
    }
}

/// The time so many days ago, in microseconds since 1970.
pub(crate) fn days_ago(days: u32) -> i64 {
    let age = Duration::from_secs(u64::from(days) * 86_400);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(now.saturating_sub(age).as_micros()).unwrap_or(i64::MAX)
}

/// Drops segments whose newest line is older than this time. How many rows went.
pub(super) fn retain(
    folder: &Folder,
    manifest: &Mutex<Manifest>,
    published: &Published,
    before: i64,
) -> Result<u64, Error> {
    let mut manifest = manifest.lock().unwrap_or_else(PoisonError::into_inner);
    let old: HashMap<u64, u64> = manifest
        .segments
        .iter()
        .filter(|meta| meta.times.1 < before)
        .map(|meta| (meta.number, meta.rows))
        .collect();
    if old.is_empty() {
        return Ok(0);
    }
    let mut next = manifest.clone();
    next.segments.retain(|meta| !old.contains_key(&meta.number));
    // Keys go with their data. Deletions stay: they may be of other segments' lines.
    for &number in old.keys() {
        if let Some(i) = next.notes.iter().position(|notes| *notes == number) {
            let mut notes = Notes::load(folder, number)?;
            notes.keys.clear();
            if notes.is_empty() {
                next.notes.remove(i);
            } else {
                notes.save(folder, number)?;
            }
        }
    }
    next.drops += 1;
    next.save(folder)?;
    *manifest = next;
    published.change(|version| {
        version.drops += 1;
        version.segments.retain(|segment| {
            let stays = !old.contains_key(&segment.meta.number);
            if !stays {
                segment.drop_file();
            }
            stays
        });
    });
    Ok(old.values().sum())
}
