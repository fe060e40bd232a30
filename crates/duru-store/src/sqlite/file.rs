//! A database as a file: copied while others use it, checked, made smaller.

use std::path::{Path, PathBuf};
use std::time::Duration;

use duru::store::Error;
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};

/// How long to wait for a writer.
const PATIENCE: Duration = Duration::from_secs(10);

/// A database that a store may have open, here or in another process.
#[derive(Debug, Clone)]
pub struct SqliteFile {
    path: PathBuf,
}

impl SqliteFile {
    /// The database in this file.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Copies it as it is at one moment into a new file, with SQLite's online backup: it stays in use.
    ///
    /// # Errors
    /// If it can't be read, or the copy not written; then there is no copy.
    pub fn copy_to(&self, to: &Path) -> Result<(), Error> {
        let conn = self.open(OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        copy(&conn, to).map_err(|e| self.failed("copy", e))
    }

    /// Whether every page of it can be read and fits the others. It must be in use by nobody.
    ///
    /// # Errors
    /// If it can't be read, or is damaged.
    pub fn check(&self) -> Result<(), Error> {
        let conn = self.open(OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        let found: String = conn
            .query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))
            .map_err(|e| self.failed("check", e))?;
        if found == "ok" {
            return Ok(());
        }
        Err(Error::Corrupt { what: format!("the database {}", self.path.display()), reason: found })
    }

    /// Whether a store has it open, in whatever process.
    ///
    /// # Errors
    /// If that can't be found out.
    pub fn is_open(&self) -> Result<bool, Error> {
        let conn = self.open(OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        conn.busy_timeout(Duration::ZERO).map_err(|e| self.failed("ask", e))?;
        // Only a sole user may leave the write-ahead log. A store goes back to it when it opens the file.
        match conn.query_row("PRAGMA journal_mode = DELETE", [], |row| row.get::<_, String>(0)) {
            Ok(mode) => Ok(!mode.eq_ignore_ascii_case("delete")),
            Err(e) if e.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy) => Ok(true),
            Err(e) => Err(self.failed("ask", e)),
        }
    }

    /// Writes it anew without what was deleted: until then, the bytes of that may still lie in the file.
    ///
    /// # Errors
    /// If it can't be written, or somebody else writes all the time.
    pub fn scrub(&self) -> Result<(), Error> {
        let conn = self.open(OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        conn.execute_batch("VACUUM").map_err(|e| self.failed("scrub", e))?;
        // Readers may keep the log from being emptied; then the next commit that finds it done begins it anew.
        conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).map_err(|e| self.failed("scrub", e))
    }

    fn open(&self, flags: OpenFlags) -> Result<Connection, Error> {
        let open = || {
            let conn = Connection::open_with_flags(&self.path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
            conn.busy_timeout(PATIENCE)?;
            Ok(conn)
        };
        open().map_err(|e| self.failed("open", e))
    }

    fn failed(&self, what: &str, error: rusqlite::Error) -> Error {
        Error::backend(format_args!("{what} the database {}", self.path.display()), error)
    }
}

/// Copies a database into a new file, which is there whole or not at all.
pub(super) fn copy(from: &Connection, to: &Path) -> rusqlite::Result<()> {
    let mut new = to.as_os_str().to_owned();
    new.push(".new");
    let new = Path::new(&new);
    // What an attempt that was cut off left behind would be copied into, not replaced.
    let _ = std::fs::remove_file(new);
    let copied = copy_all(from, new);
    let named = copied.and_then(|()| {
        let io = |e: std::io::Error| rusqlite::Error::ToSqlConversionFailure(Box::new(e));
        std::fs::File::open(new).and_then(|file| file.sync_all()).map_err(io)?;
        std::fs::rename(new, to).map_err(io)
    });
    if named.is_err() {
        let _ = std::fs::remove_file(new);
    }
    named
}

fn copy_all(from: &Connection, to: &Path) -> rusqlite::Result<()> {
    let mut copy = Connection::open(to)?;
    {
        let backup = Backup::new(from, &mut copy)?;
        let give_up = std::time::Instant::now() + PATIENCE;
        // In one step, so that it is one moment's and nobody's commit makes it begin again.
        loop {
            match backup.step(-1)? {
                StepResult::Done => break,
                StepResult::Busy | StepResult::Locked if std::time::Instant::now() > give_up => {
                    return Err(rusqlite::Error::SqliteFailure(
                        rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY),
                        None,
                    ));
                }
                _ => std::thread::sleep(Duration::from_millis(5)),
            }
        }
    }
    // A copy is one file; a store that opens it goes back to the write-ahead log.
    copy.query_row("PRAGMA journal_mode = DELETE", [], |_| Ok(()))?;
    copy.close().map_err(|(_, e)| e)
}
