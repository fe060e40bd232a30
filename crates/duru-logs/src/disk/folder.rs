//! The folder, its names, and the lock that one process holds.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use duru_sql::Error;

#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    /// Locked as long as this process has the store open, however it ends.
    _lock: File,
}

pub(super) fn unavailable(what: &str, path: &Path, e: &io::Error) -> Error {
    Error::Unavailable { reason: format!("{what} {}: {e}", path.display()) }
}

impl Folder {
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        Self::open_free(path)?.ok_or_else(|| {
            let reason = format!("another process has {} open; only one may at a time", path.display());
            Error::Unavailable { reason }
        })
    }

    /// None if another process has it open.
    pub(crate) fn open_free(path: &Path) -> Result<Option<Self>, Error> {
        fs::create_dir_all(path).map_err(|e| unavailable("can't make", path, &e))?;
        let lock_path = path.join("LOCK");
        let lock = File::options()
            .create(true)
            .append(true)
            .open(&lock_path)
            .map_err(|e| unavailable("can't open", &lock_path, &e))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(e)) => return Err(unavailable("can't lock", &lock_path, &e)),
        }
        let folder = Self { path: path.to_owned(), _lock: lock };
        let spill = folder.spill();
        if spill.exists() {
            fs::remove_dir_all(&spill).map_err(|e| unavailable("can't clear", &spill, &e))?;
        }
        fs::create_dir_all(&spill).map_err(|e| unavailable("can't make", &spill, &e))?;
        Ok(Some(folder))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn manifest(&self) -> PathBuf {
        self.path.join("MANIFEST")
    }

    /// Where queries that need more than their memory put the rest.
    pub(crate) fn spill(&self) -> PathBuf {
        self.path.join("spill")
    }

    pub(crate) fn wal(&self, number: u64) -> PathBuf {
        self.path.join(format!("wal-{number:08}"))
    }

    pub(crate) fn segment(&self, number: u64) -> PathBuf {
        self.path.join(format!("seg-{number:08}.parquet"))
    }

    /// Keys of batches and ids of deleted lines, of the log of this number.
    pub(crate) fn notes(&self, number: u64) -> PathBuf {
        self.path.join(format!("notes-{number:08}.json"))
    }

    /// The numbers of the logs that are there, lowest first.
    pub(crate) fn wals(&self) -> Result<Vec<u64>, Error> {
        let mut numbers = self.numbered("wal-", "")?;
        numbers.sort_unstable();
        Ok(numbers)
    }

    pub(super) fn segments(&self) -> Result<Vec<u64>, Error> {
        self.numbered("seg-", ".parquet")
    }

    pub(super) fn all_notes(&self) -> Result<Vec<u64>, Error> {
        self.numbered("notes-", ".json")
    }

    fn numbered(&self, before: &str, after: &str) -> Result<Vec<u64>, Error> {
        let mut numbers = Vec::new();
        let entries = fs::read_dir(&self.path).map_err(|e| unavailable("can't list", &self.path, &e))?;
        for entry in entries {
            let entry = entry.map_err(|e| unavailable("can't list", &self.path, &e))?;
            let name = entry.file_name();
            let number = name.to_str().and_then(|name| name.strip_prefix(before)?.strip_suffix(after));
            numbers.extend(number.and_then(|number| number.parse::<u64>().ok()));
        }
        Ok(numbers)
    }

    /// Makes names that were given, changed or taken away durable.
    pub(super) fn sync(&self) -> io::Result<()> {
        File::open(&self.path)?.sync_all()
    }

    /// A file that is there whole or not at all.
    pub(crate) fn put(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        let new = path.with_extension("new");
        let mut file = File::create(&new)?;
        file.write_all(content)?;
        file.sync_all()?;
        fs::rename(&new, path)?;
        self.sync()
    }

    pub(super) fn remove(&self, path: &Path) -> Result<(), Error> {
        match fs::remove_file(path) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => Err(unavailable("can't remove", path, &e)),
            _ => Ok(()),
        }
    }
}
