//! Turns full logs into segments, and merges those, behind the writer.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use duru_sql::Error;
use tokio::sync::oneshot;

use super::folder::Folder;
use super::manifest::Notes;
use super::progress::Progress;
use super::segment;
use super::shelf::Shelf;
use super::tail::{Place, Tail};
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
/// From here on numbers of notes go that are left of segments that were dropped.
pub(crate) const LEFT: u64 = 1 << 41;
/// The first pause before what failed is tried again, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(10));

pub(super) struct Sealer {
    pub(super) folder: Arc<Folder>,
    pub(super) shelf: Arc<dyn Shelf>,
    pub(super) published: Arc<Published>,
    pub(super) progress: Arc<Progress>,
    pub(super) tail: Option<Arc<Tail>>,
    pub(super) keep_days: Option<u32>,
    /// Rows of a log that is full.
    pub(super) full_rows: u64,
}

impl Sealer {
    pub(super) fn run(self, work: &Receiver<Work>) {
        while let Ok(work) = work.recv() {
            // After a failure nothing is sealed any more: the logs keep it all.
            let failed = match (work, self.progress.broken()) {
                (Work::Seal(job), None) => {
                    self.seal_in_the_end(&job).and_then(|()| self.compact_many()).err()
                }
                (Work::Seal(_), Some(_)) => None,
                (Work::Compact(reply), broken) => {
                    let done = match broken {
                        None => self.compact(),
                        Some(reason) => Err(reason),
                    };
                    // Nothing is lost where it fails: everything stays as it was, and it is tried again.
                    drop(reply.map(|reply| reply.send(done)));
                    None
                }
            };
            self.progress.end(failed);
        }
    }

    fn compact_many(&self) -> Result<(), Error> {
        match self.published.now().segments.len() >= MANY {
            true => self.compact().map(drop).or_else(passing),
            false => Ok(()),
        }
    }

    /// Tries again as long as what it failed of may pass.
    fn seal_in_the_end(&self, job: &Job) -> Result<(), Error> {
        let (mut pause, longest) = PAUSES;
        // What fails may have been done all the same: each time the same bytes are written. Lines that are deleted
        // from now on are in the notes of a later log.
        let dead = self.published.now().dead.clone();
        while let Err(e) = self.seal(job, &dead) {
            passing(e.clone())?;
            if !self.progress.stall(e, pause) {
                // The log keeps it all until the next start.
                return Ok(());
            }
            pause = (pause * 2).min(longest);
        }
        match self.keep_days {
            Some(days) => retain(&*self.shelf, &self.published, days_ago(days)).map(drop).or_else(passing),
            None => Ok(()),
        }
    }

    fn seal(&self, job: &Job, dead: &HashSet<i64>) -> Result<(), Error> {
        let now = self.published.now();
        let batches = now.sealing.iter().find(|(wal, _)| *wal == job.wal).map(|(_, batches)| batches);
        let batches = batches.map(Vec::as_slice).unwrap_or_default();
        let rows: usize = batches.iter().map(|batch| batch.num_rows()).sum();
        let number = self.shelf.number(job.wal);
        let meta = match rows {
            0 => None,
            _ => {
                let (written, meta) = segment::write(&self.folder, number, batches, dead)?;
                self.shelf.keep_segment(&written, number)?;
                Some(meta)
            }
        };
        super::step();
        if !job.notes.is_empty() {
            self.shelf.save_notes(&job.notes, number)?;
        }
        super::step();
        let Job { wal, changes, chain, next_id, .. } = *job;
        let (added, notes) = (meta, (!job.notes.is_empty()).then_some(number));
        self.shelf.change(Box::new(move |next| {
            // It was done before, and only the answer was lost.
            if next.first_wal > wal {
                return false;
            }
            next.first_wal = wal + 1;
            next.next_id = next.next_id.max(next_id);
            next.changes = changes;
            next.chain = chain;
            next.segments.extend(added.clone());
            next.notes.extend(notes);
            true
        }))?;
        super::step();
        self.published.change(|version| {
            version.sealing.retain(|(wal, _)| *wal != job.wal);
            version.follow(&*self.shelf);
        });
        if let Some(tail) = &self.tail {
            tail.shipped(Place { log: job.wal + 1, offset: 0 });
        }
        self.folder.remove(&self.folder.wal(job.wal))?;
        super::step();
        Ok(())
    }
}

/// What may be over in a while is no reason to stop.
fn passing(e: Error) -> Result<(), Error> {
    match e {
        Error::Bucket { trouble, .. } if trouble.may_pass() => Ok(()),
        e => Err(e),
    }
}

/// The time so many days ago, in microseconds since 1970.
pub(crate) fn days_ago(days: u32) -> i64 {
    let age = Duration::from_secs(u64::from(days) * 86_400);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(now.saturating_sub(age).as_micros()).unwrap_or(i64::MAX)
}

/// Drops segments whose newest line is older than this time. How many rows went.
pub(super) fn retain(shelf: &dyn Shelf, published: &Published, before: i64) -> Result<u64, Error> {
    let now = shelf.manifest();
    let old: Arc<HashMap<u64, u64>> = now
        .segments
        .iter()
        .filter(|meta| meta.times.1 < before)
        .map(|meta| (meta.number, meta.rows))
        .collect::<HashMap<_, _>>()
        .into();
    if old.is_empty() {
        return Ok(0);
    }
    // Keys go with their data. Deletions stay: they may be of other segments' lines.
    let mut left = Notes::default();
    for &number in now.notes.iter().filter(|number| old.contains_key(number)) {
        left.deleted.extend(shelf.notes(number)?.deleted);
    }
    let number = shelf.number(LEFT + now.drops);
    if !left.is_empty() {
        shelf.save_notes(&left, number)?;
    }
    let (gone, left) = (Arc::clone(&old), (!left.is_empty()).then_some(number));
    shelf.change(Box::new(move |next| {
        // Somebody else was quicker, or it was done before and only the answer was lost.
        if !next.segments.iter().any(|meta| gone.contains_key(&meta.number)) {
            return false;
        }
        next.segments.retain(|meta| !gone.contains_key(&meta.number));
        next.notes.retain(|number| !gone.contains_key(number));
        next.notes.extend(left);
        next.drops += 1;
        true
    }))?;
    published.change(|version| version.follow(shelf));
    Ok(old.values().sum())
}
