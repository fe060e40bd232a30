//! A fresh, empty place to keep threads, one per measured run.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use duru::store::{Checkpoints, MemoryStore};
use duru_store::SqliteStore;
use rusqlite::Connection;
use tempfile::TempDir;

use crate::postgres::{self, Postgres};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    None,
    Memory,
    /// In a file; write-ahead log, synchronous FULL, as in the Python original.
    Sqlite,
    /// At this URL, with the server's own settings.
    Postgres(Arc<str>),
}

/// A folder for a database, removed at the end. `BENCH_DATA_DIR` puts ours and the Python scripts' on one disk.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Result<Self> {
        let base = std::env::var_os("BENCH_DATA_DIR").map_or_else(std::env::temp_dir, PathBuf::from);
        std::fs::create_dir_all(&base).with_context(|| format!("cannot make {}", base.display()))?;
        Ok(Self(tempfile::tempdir_in(base)?))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.0.path().join("threads.db")
    }

    /// The database file's size when everything has been moved into it.
    pub(crate) fn stored_bytes(&self) -> Result<u64> {
        let conn = Connection::open(self.database())?;
        conn.query_row("pragma wal_checkpoint(truncate)", [], |_| Ok(()))?;
        Ok(std::fs::metadata(self.database())?.len())
    }
}

/// Where the store keeps its rows, which must outlive it.
enum Place {
    Memory,
    Folder(Folder),
    Postgres(Postgres),
}

pub(crate) struct Opened {
    pub(crate) store: Arc<dyn Checkpoints>,
    place: Place,
}

impl Opened {
    /// What the store takes on disk, if that is where it is.
    pub(crate) async fn stored_bytes(self) -> Result<Option<u64>> {
        drop(self.store);
        Ok(match self.place {
            Place::Memory => None,
            Place::Folder(folder) => Some(folder.stored_bytes()?),
            Place::Postgres(postgres) => Some(postgres.stored_bytes().await?),
        })
    }
}

/// None for runs without a store.
pub(crate) async fn open(kind: Kind) -> Result<Option<Opened>> {
    Ok(match kind {
        Kind::None => None,
        Kind::Memory => Some(Opened { store: Arc::new(MemoryStore::new()), place: Place::Memory }),
        Kind::Sqlite => {
            let folder = Folder::new()?;
            let store = Arc::new(SqliteStore::open(folder.database())?);
            Some(Opened { store, place: Place::Folder(folder) })
        }
        Kind::Postgres(url) => {
            let (store, postgres) = postgres::open(&url).await?;
            Some(Opened { store: Arc::new(store), place: Place::Postgres(postgres) })
        }
    })
}
