//! Where sealed logs are kept: in the folder of the log itself, or in a bucket.

use std::fs::{self, File};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use datafusion::object_store::path::Path as Key;
use duru_sql::Error;

use super::folder::{Folder, unavailable};
use super::manifest::{Manifest, Meta, Notes};
use super::segment::Segment;

/// Changes a manifest; false: not at all.
pub(crate) type Change = Box<dyn FnMut(&mut Manifest) -> bool + Send>;

/// Nothing on it ever changes, except for the manifest, which is replaced as a whole.
pub(crate) trait Shelf: Send + Sync {
    /// As it was last read or replaced.
    fn manifest(&self) -> Manifest;

    /// Replaces the manifest by a changed one. The change is made anew where somebody else has replaced it
    /// meanwhile, and given up where it returns false. Whether it was made.
    fn change(&self, change: Change) -> Result<bool, Error>;

    /// What belongs to the log of this number is kept under this one.
    fn number(&self, log: u64) -> u64;

    /// The turn of the next merge, where so many are known of: what was written in a turn of which nobody knows what
    /// came of it must not be written over.
    fn turn(&self, known: u64) -> u64;

    /// Keeps a file that was written for it, and takes it away.
    fn keep_segment(&self, written: &Path, number: u64) -> Result<(), Error>;

    /// A segment that the manifest names.
    fn segment(&self, meta: Meta) -> Segment;

    /// A file with a segment's rows.
    fn rows(&self, segment: &Segment) -> Result<File, Error>;

    fn save_notes(&self, notes: &Notes, number: u64) -> Result<(), Error>;

    fn notes(&self, number: u64) -> Result<Notes, Error>;
}

/// The folder itself.
pub(crate) struct FolderShelf {
    folder: Arc<Folder>,
    manifest: Mutex<Manifest>,
}

impl FolderShelf {
    /// # Errors
    /// If the manifest can't be read, or a segment that it names is not there whole.
    pub(crate) fn open(folder: Arc<Folder>) -> Result<Self, Error> {
        let manifest = Manifest::load(&folder)?;
        for meta in &manifest.segments {
            let path = folder.segment(meta.number);
            let found = fs::metadata(&path).map(|found| found.len());
            if found.as_ref().ok() != Some(&meta.bytes) {
                let found = found.map_or_else(|e| e.to_string(), |bytes| format!("{bytes} bytes"));
                let reason = format!("{} should have {} bytes: {found}", path.display(), meta.bytes);
                return Err(Error::Corrupt { reason });
            }
        }
        tidy_up(&folder, &manifest)?;
        Ok(Self { folder, manifest: Mutex::new(manifest) })
    }

    fn lock(&self) -> MutexGuard<'_, Manifest> {
        // It is replaced whole, so a panic elsewhere leaves a sound one.
        self.manifest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Removes what a crash left behind and nothing refers to.
fn tidy_up(folder: &Folder, manifest: &Manifest) -> Result<(), Error> {
    for number in folder.segments()? {
        if !manifest.segments.iter().any(|meta| meta.number == number) {
            folder.remove(&folder.segment(number))?;
        }
    }
    for number in folder.all_notes()? {
        if !manifest.notes.contains(&number) {
            folder.remove(&folder.notes(number))?;
        }
    }
    Ok(())
}

impl Shelf for FolderShelf {
    fn manifest(&self) -> Manifest {
        self.lock().clone()
    }

    fn change(&self, mut change: Change) -> Result<bool, Error> {
        let mut now = self.lock();
        let mut next = now.clone();
        if !change(&mut next) {
            return Ok(false);
        }
        next.save(&self.folder)?;
        super::step();
        let gone: Vec<u64> =
            now.notes.iter().filter(|number| !next.notes.contains(number)).copied().collect();
        *now = next;
        for number in gone {
            self.folder.remove(&self.folder.notes(number))?;
        }
        Ok(true)
    }

    fn number(&self, log: u64) -> u64 {
        log
    }

    /// Another name would leave what failed lying about until the next start.
    fn turn(&self, known: u64) -> u64 {
        known
    }

    fn keep_segment(&self, written: &Path, number: u64) -> Result<(), Error> {
        let path = self.folder.segment(number);
        fs::rename(written, &path)
            .and_then(|()| self.folder.sync())
            .map_err(|e| unavailable("can't write", &path, &e))
    }

    fn segment(&self, meta: Meta) -> Segment {
        let file = self.folder.segment(meta.number);
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        Segment::new(meta, Key::from(name.as_ref()), Some(file.clone()))
    }

    fn rows(&self, segment: &Segment) -> Result<File, Error> {
        let path = self.folder.segment(segment.meta.number);
        File::open(&path).map_err(|e| Error::Corrupt { reason: format!("{}: {e}", path.display()) })
    }

    fn save_notes(&self, notes: &Notes, number: u64) -> Result<(), Error> {
        notes.save(&self.folder, number)
    }

    fn notes(&self, number: u64) -> Result<Notes, Error> {
        Notes::load(&self.folder, number)
    }
}
