//! What is there when a store is opened: segments by the manifest, logs by their frames.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::sync::Arc;

use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::arrow::datatypes::Int64Type;
use datafusion::arrow::error::ArrowError;
use duru_sql::Error;

use super::folder::{Folder, unavailable};
use super::frame::{self, Content, End};
use super::manifest::Notes;
use super::sealer::Job;
use super::shelf::Shelf;
use super::tail::Place;
use super::version::Version;
use crate::columns::ID;

pub(crate) struct Recovered {
    pub(super) folder: Arc<Folder>,
    pub(super) version: Version,
    pub(super) keys: HashMap<String, u64>,
    pub(super) next_id: i64,
    /// Logs that were full and had not become segments.
    pub(super) full: Vec<Job>,
    /// The log that goes on.
    pub(super) wal: u64,
    pub(super) notes: Notes,
    /// Bytes of a write that was never acknowledged, dropped.
    pub(crate) torn: u64,
}

/// Reads the logs of the folder that are not on the shelf yet.
pub(crate) fn recover(folder: Arc<Folder>, shelf: &dyn Shelf) -> Result<Recovered, Error> {
    let manifest = shelf.manifest();
    tidy_up(&folder, manifest.first_wal)?;
    let mut version = Version {
        changes: manifest.changes,
        chain: manifest.chain,
        drops: manifest.drops,
        ..Version::default()
    };
    version.segments = manifest.segments.iter().map(|meta| Arc::new(shelf.segment(meta.clone()))).collect();
    let (mut keys, mut dead) = (HashMap::new(), HashSet::new());
    for &number in &manifest.notes {
        let notes = shelf.notes(number)?;
        keys.extend(notes.keys);
        dead.extend(notes.deleted);
    }
    version.dead = Arc::new(dead);
    let mut recovered = Recovered {
        wal: manifest.first_wal,
        next_id: manifest.next_id,
        folder,
        version,
        keys,
        full: Vec::new(),
        notes: Notes::default(),
        torn: 0,
    };
    let wals = recovered.folder.wals()?;
    for (i, &wal) in wals.iter().enumerate() {
        recovered.replay(wal, i + 1 == wals.len())?;
    }
    Ok(recovered)
}

/// Removes what a crash left behind and nothing refers to.
fn tidy_up(folder: &Folder, first_wal: u64) -> Result<(), Error> {
    for number in folder.wals()?.into_iter().filter(|number| *number < first_wal) {
        folder.remove(&folder.wal(number))?;
    }
    let entries = fs::read_dir(folder.path()).map_err(|e| unavailable("can't list", folder.path(), &e))?;
    for entry in entries.flatten().filter(|entry| entry.path().extension().is_some_and(|e| e == "new")) {
        folder.remove(&entry.path())?;
    }
    Ok(())
}

impl Recovered {
    /// No line has this id or a higher one.
    pub(crate) fn next_id(&self) -> i64 {
        self.next_id
    }

    /// Rows that are on no shelf yet.
    pub(crate) fn rows(&self) -> u64 {
        self.version.in_memory().map(|batch| batch.num_rows() as u64).sum()
    }

    /// Where the last log ends.
    pub(crate) fn end(&self) -> Result<Place, Error> {
        let path = self.folder.wal(self.wal);
        match fs::metadata(&path) {
            Ok(found) => Ok(Place { log: self.wal, offset: found.len() }),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Place { log: self.wal, offset: 0 }),
            Err(e) => Err(unavailable("can't read", &path, &e)),
        }
    }

    fn replay(&mut self, wal: u64, is_last: bool) -> Result<(), Error> {
        let path = self.folder.wal(wal);
        let bytes = fs::read(&path).map_err(|e| unavailable("can't read", &path, &e))?;
        if !self.version.tail.is_empty() || !self.notes.is_empty() || self.wal != wal {
            self.fill_up();
        }
        self.wal = wal;
        let read = frame::read(&bytes, |sum, content| self.apply(sum, content));
        let corrupt = |what: &str| Error::Corrupt { reason: format!("{}: {what}", path.display()) };
        let (sound, end) = read.map_err(|_| corrupt("a frame can't be read"))?;
        match end {
            End::Whole => {}
            End::Torn if is_last => {
                self.torn = (bytes.len() - sound) as u64;
                let cut = File::options().write(true).open(&path).and_then(|file| {
                    file.set_len(sound as u64)?;
                    file.sync_all()
                });
                cut.map_err(|e| unavailable("can't cut", &path, &e))?;
            }
            End::Torn | End::Damaged => {
                return Err(corrupt(&format!("damaged after {sound} bytes, with more behind")));
            }
        }
        Ok(())
    }

    fn apply(&mut self, sum: u64, content: Content) -> Result<(), ArrowError> {
        self.version.changed(sum);
        match content {
            Content::Rows { key, batch } => {
                self.next_id = self.next_id.max(highest_id(&batch).saturating_add(1));
                if let Some(key) = key {
                    self.keys.insert(key.clone(), batch.num_rows() as u64);
                    self.notes.keys.push((key, batch.num_rows() as u64));
                }
                self.version.push(batch);
            }
            Content::Deleted(ids) => {
                Arc::make_mut(&mut self.version.dead).extend(&ids);
                self.notes.deleted.extend(ids);
            }
        }
        Ok(())
    }

    /// The log before this one was full.
    fn fill_up(&mut self) {
        let tail = std::mem::take(&mut self.version.tail);
        self.version.sealing.push((self.wal, tail));
        self.full.push(Job {
            wal: self.wal,
            notes: std::mem::take(&mut self.notes),
            changes: self.version.changes,
            chain: self.version.chain,
            next_id: self.next_id,
        });
    }
}

pub(crate) fn highest_id(batch: &RecordBatch) -> i64 {
    batch.column(ID).as_primitive::<Int64Type>().values().iter().max().copied().unwrap_or(0)
}
