//! A fresh, empty place to keep threads, one per measured run.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use duru::store::{Checkpoints, MemoryStore};
use duru_store::SqliteStore;
use tempfile::TempDir;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    None,
    Memory,
    /// In a file; write-ahead log, synchronous FULL, as in the Python original.
    Sqlite,
}

/// A folder for a database, removed at the end. `BENCH_DATA_DIR` puts ours and the Python scripts' on one disk.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Result<Self> {
        let base = std::env::var_os("BENCH_DATA_DIR").map_or_else(std::env::temp_dir, PathBuf::from);
        std::fs::create_dir_all(&base).with_context(|| format!("cannot make {}", base.display()))?;
        Ok(Self(tempfile::tempdir_in(base)?))
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.0.path().join("threads.db")
    }
}

/// The store, and the folder that must outlive it.
pub(crate) struct Opened {
    pub(crate) store: Arc<dyn Checkpoints>,
    pub(crate) folder: Option<Folder>,
}

/// None for runs without a store.
pub(crate) fn open(kind: Kind) -> Result<Option<Opened>> {
    Ok(match kind {
        Kind::None => None,
        Kind::Memory => Some(Opened { store: Arc::new(MemoryStore::new()), folder: None }),
        Kind::Sqlite => {
            let folder = Folder::new()?;
            Some(Opened { store: Arc::new(SqliteStore::open(folder.database())?), folder: Some(folder) })
        }
    })
}
