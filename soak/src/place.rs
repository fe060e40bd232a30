//! Where the threads of a round are kept.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};
use duru::store::Checkpoints;
use duru_store::{PostgresOptions, PostgresStore, SqliteOptions, SqliteStore};

use crate::broken;
use crate::defective::{Defect, Defective};

/// How long to wait for a database that is away, or for a stopped process that
/// holds the file: longer than any of our faults.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    Sqlite(PathBuf),
    Postgres {
        url: String,
        schema: String,
    },
    /// SQLite with a defect: it acknowledges what it has in a copy, and writes
    /// that back only now and then.
    Hasty(PathBuf),
    /// SQLite with a defect: who was overtaken may still write.
    Unfenced(PathBuf),
    /// SQLite with one of the defects that readers suffer from.
    Defective(Defect, PathBuf),
}

impl Place {
    /// As one argument of a worker.
    pub(crate) fn to_word(&self) -> String {
        match self {
            Self::Sqlite(path) => format!("sqlite:{}", path.display()),
            Self::Hasty(path) => format!("hasty:{}", path.display()),
            Self::Unfenced(path) => format!("unfenced:{}", path.display()),
            Self::Defective(defect, path) => format!("{}:{}", defect.as_str(), path.display()),
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
        if let Some(path) = word.strip_prefix("unfenced:") {
            return Ok(Self::Unfenced(path.into()));
        }
        for defect in Defect::ALL {
            if let Some(path) = word.strip_prefix(defect.as_str()).and_then(|rest| rest.strip_prefix(':')) {
                return Ok(Self::Defective(defect, path.into()));
            }
        }
        let Some((schema, url)) = word.split_once('@') else { bail!("{word:?} is no place") };
        Ok(Self::Postgres { url: url.to_owned(), schema: schema.to_owned() })
    }

    pub(crate) async fn open(&self, patience: Duration) -> Result<Arc<dyn Checkpoints>> {
        Ok(match self {
            Self::Sqlite(path) => Arc::new(sqlite(path)?),
            Self::Unfenced(path) => Arc::new(broken::Unfenced(sqlite(path)?)),
            Self::Defective(defect, path) => Arc::new(Defective(*defect, sqlite(path)?)),
            Self::Hasty(path) => {
                let copy = broken::copy_of(path)?;
                let store = sqlite(&copy)?;
                broken::write_back_now_and_then(copy, path.clone());
                Arc::new(store)
            }
            Self::Postgres { url, schema } => {
                let options =
                    PostgresOptions { schema: schema.clone(), patience, ..PostgresOptions::default() };
                Arc::new(PostgresStore::connect_with(url, options).await?)
            }
        })
    }

    /// A store that writes behind our back gets the time to.
    pub(crate) async fn settle(&self) {
        if matches!(self, Self::Hasty(_)) {
            tokio::time::sleep(Duration::from_millis(600)).await;
        }
    }
}

fn sqlite(path: &Path) -> Result<SqliteStore> {
    let options = SqliteOptions { busy_timeout: PATIENCE, ..SqliteOptions::default() };
    Ok(SqliteStore::open_with(path, options)?)
}
