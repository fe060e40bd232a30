//! Opening a database: settings, and the migrations that it still lacks.

use std::path::Path;

use duru::store::Error;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::{SqliteOptions, Synchronous};

/// The n-th migration (from 1) leads to `user_version` n.
const MIGRATIONS: [&str; 8] = [
    include_str!("../../migrations/0001_threads.sql"),
    include_str!("../../migrations/0002_log.sql"),
    include_str!("../../migrations/0003_timers.sql"),
    include_str!("../../migrations/0004_memories.sql"),
    include_str!("../../migrations/0005_leases.sql"),
    include_str!("../../migrations/0006_runs.sql"),
    include_str!("../../migrations/0007_incarnations.sql"),
    include_str!("../../migrations/0008_worker_leases.sql"),
];

/// The newest schema.
const KNOWN: u32 = MIGRATIONS.len() as u32;

/// "duru": tells our databases from those of other programs.
const APPLICATION_ID: i64 = 0x6475_7275;

/// SQLite's page size, which we leave as it is.
const PAGE: u64 = 4096;

/// How much of the file a connection keeps at hand: negative, so in KiB.
const CACHE_KIB: i64 = -8192;

/// After so many pages the write-ahead log goes into the database. With more of
/// them a page that grows row by row is copied less often; with too many,
/// SQLite's index of the log becomes slow for the pages that change most.
const CHECKPOINT_PAGES: i64 = 2000;

/// The connection of the writer, on a database of the newest schema.
pub(super) fn open_writer(path: Option<&Path>, options: &SqliteOptions) -> Result<Connection, Error> {
    let Some(path) = path else {
        let mut conn =
            Connection::open_in_memory().map_err(|e| Error::backend("open a database in memory", e))?;
        set_up(&mut conn, options).and_then(|()| migrate(&mut conn)).map_err(|e| e.at(":memory:"))?;
        return Ok(conn);
    };
    let place = path.display().to_string();
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty())
        && !folder.is_dir()
    {
        return Err(Refusal::from(format!("there is no folder {}", folder.display())).at(&place));
    }
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut conn = Connection::open_with_flags(path, flags).map_err(|e| Refusal::from(e).at(&place))?;
    set_up(&mut conn, options)
        .and_then(|()| keep_old(&conn, path))
        .and_then(|()| migrate(&mut conn))
        .map_err(|e| e.at(&place))?;
    Ok(conn)
}

/// Copies a database of an older schema before it is changed. Without the copy nothing is changed: whoever must
/// go back to the older program needs it.
fn keep_old(conn: &Connection, path: &Path) -> Result<(), Refusal> {
    let version = version(conn)?;
    if version == 0 || pending(conn)?.is_empty() {
        return Ok(());
    }
    let mut copy = path.as_os_str().to_owned();
    copy.push(format!(".before-{KNOWN}"));
    let copy = Path::new(&copy);
    // One that is there was made by an attempt that went no further, or by somebody who went back: it is older.
    if copy.exists() {
        return Ok(());
    }
    super::file::copy(conn, copy)
        .map_err(|e| Refusal::from(format!("it can't be copied before it is upgraded: {e}")))
}

/// A connection that only reads.
pub(super) fn open_reader(path: &Path, options: &SqliteOptions) -> Result<Connection, Error> {
    let open = || -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let conn = Connection::open_with_flags(path, flags)?;
        prepare(&conn, options)?;
        conn.pragma_update(None, "query_only", true)?;
        Ok(conn)
    };
    open().map_err(|e| Refusal::from(e).at(&path.display().to_string()))
}

/// What every connection needs.
fn prepare(conn: &Connection, options: &SqliteOptions) -> rusqlite::Result<()> {
    conn.busy_timeout(options.busy_timeout)?;
    conn.set_prepared_statement_cache_capacity(32);
    // Otherwise a range over the log is planned anew for every value bound to
    // it, which takes four times as long as reading it.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    conn.pragma_update(None, "cache_size", CACHE_KIB)
}

fn set_up(conn: &mut Connection, options: &SqliteOptions) -> Result<(), Refusal> {
    if conn.is_readonly("main")? {
        return Err("it may not be written to".to_owned().into());
    }
    prepare(conn, options)?;
    use_wal(conn, options)?;
    let synchronous = match options.synchronous {
        Synchronous::Full => "FULL",
        Synchronous::Normal => "NORMAL",
    };
    conn.pragma_update(None, "synchronous", synchronous)?;
    conn.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
    if let Some(bytes) = options.max_bytes {
        let pages = i64::try_from(bytes / PAGE).unwrap_or(i64::MAX).max(1);
        conn.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(()))?;
    }
    Ok(())
}

/// Changing to WAL needs the file alone and does not wait for it by itself:
/// a second process that opens a new file at the same moment has to try again.
fn use_wal(conn: &Connection, options: &SqliteOptions) -> rusqlite::Result<()> {
    let give_up = std::time::Instant::now() + options.busy_timeout;
    loop {
        match conn.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())) {
            Err(e) if is_busy(&e) && std::time::Instant::now() < give_up => {
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            other => return other,
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy)
}

/// Brings the schema to the newest version, in one transaction.
fn migrate(conn: &mut Connection) -> Result<(), Refusal> {
    if pending(conn)?.is_empty() {
        return Ok(());
    }
    let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Asked again: another process may have migrated while we waited.
    for migration in pending(&tx)? {
        tx.execute_batch(migration)?;
    }
    tx.pragma_update(None, "application_id", APPLICATION_ID)?;
    tx.pragma_update(None, "user_version", KNOWN)?;
    tx.commit()?;
    Ok(())
}

/// How many migrations a database has.
fn version(conn: &Connection) -> rusqlite::Result<i64> {
    conn.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// The migrations that a database lacks; a refusal if it is none of ours.
fn pending(conn: &Connection) -> Result<&'static [&'static str], Refusal> {
    let number = |sql| conn.query_row(sql, [], |row| row.get::<_, i64>(0));
    let version = version(conn)?;
    if version > i64::from(KNOWN) {
        return Err(Refusal::Newer { found: u32::try_from(version).unwrap_or(u32::MAX) });
    }
    let ours = number("PRAGMA application_id")? == APPLICATION_ID;
    if !ours && (version != 0 || number("SELECT count(*) FROM sqlite_schema")? != 0) {
        return Err("it is the database of another program".to_owned().into());
    }
    Ok(usize::try_from(version).ok().and_then(|version| MIGRATIONS.get(version..)).unwrap_or_default())
}

/// Why a database can't be used.
enum Refusal {
    Newer { found: u32 },
    Broken(Box<dyn std::error::Error + Send + Sync>),
}

impl Refusal {
    fn at(self, place: &str) -> Error {
        match self {
            Self::Newer { found } => {
                Error::Newer { what: format!("the database {place}"), found, known: KNOWN }
            }
            Self::Broken(source) => Error::backend(format_args!("open the database {place}"), source),
        }
    }
}

impl From<rusqlite::Error> for Refusal {
    fn from(error: rusqlite::Error) -> Self {
        Self::Broken(error.into())
    }
}

impl From<String> for Refusal {
    fn from(reason: String) -> Self {
        Self::Broken(reason.into())
    }
}
