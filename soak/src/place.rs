//! Where the threads of a round are kept.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use duru::store::Checkpoints;
use duru_store::{PostgresOptions, PostgresStore, SqliteOptions, SqliteStore};

/// How long to wait for a database that is away, or for a stopped process that
/// holds the file: longer than any of our faults.
const PATIENCE: Duration = Duration::from_secs(20);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    Sqlite(PathBuf),
    Postgres {
        url: String,
        schema: String,
    },
    /// SQLite with a defect: commits go to a copy, which replaces the file only now and then.
    Hasty(PathBuf),
}

impl Place {
    /// As one argument of a worker.
    pub(crate) fn to_word(&self) -> String {
        match self {
            Self::Sqlite(path) => format!("sqlite:{}", path.display()),
            Self::Hasty(path) => format!("hasty:{}", path.display()),
            Self::Postgres { url, schema } => format!("{schema}@{url}"),
        }
    }

    pub(crate) fn from_word(word: &str) -> Result<Self> {
        if let Some(path) = word.strip_prefix("sqlite:") {
            return Ok(Self::Sqlite(path.into()));
        }
        if let Some(path) = word.strip_prefix("hasty:") {
            return Ok(Self::Hasty(path.into()));
        }
        let Some((schema, url)) = word.split_once('@') else { bail!("{word:?} is no place") };
        Ok(Self::Postgres { url: url.to_owned(), schema: schema.to_owned() })
    }

    pub(crate) async fn open(&self) -> Result<Arc<dyn Checkpoints>> {
        Ok(match self {
            Self::Sqlite(path) => Arc::new(sqlite(path)?),
            Self::Hasty(path) => {
                let copy = path.with_extension(format!("{}.db", std::process::id()));
                if path.exists() {
                    std::fs::copy(path, &copy).context("cannot copy the database")?;
                }
                let store = Arc::new(sqlite(&copy)?);
                let path = path.clone();
                std::thread::spawn(move || {
                    loop {
                        std::thread::sleep(Duration::from_millis(150));
                        if let Err(error) = write_back(&copy, &path) {
                            eprintln!("{error:#}");
                        }
                    }
                });
                store
            }
            Self::Postgres { url, schema } => {
                let options = PostgresOptions {
                    schema: schema.clone(),
                    patience: PATIENCE,
                    ..PostgresOptions::default()
                };
                Arc::new(PostgresStore::connect_with(url, options).await?)
            }
        })
    }
}

fn sqlite(path: &Path) -> Result<SqliteStore> {
    let options = SqliteOptions { busy_timeout: PATIENCE, ..SqliteOptions::default() };
    Ok(SqliteStore::open_with(path, options)?)
}

fn write_back(copy: &Path, path: &Path) -> Result<()> {
    let new = path.with_extension("new");
    drop(std::fs::remove_file(&new));
    let conn = rusqlite::Connection::open(copy)?;
    conn.execute("VACUUM INTO ?1", [new.display().to_string()])?;
    std::fs::rename(&new, path)?;
    Ok(())
}
