//! Files that are asked as they are, without a store: read once, kept as long as the process lives.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use duru_logs::{EmbeddedLogs, Options};
use duru_sql::guard::Checked;
use duru_sql::ingest::{Settings, find};
use duru_sql::{Answer, Asking, Batch, Catalog, Error, Knowledge, LogStore, Receipt, TableSource};
use jiff::Timestamp;

use super::meter::Meter;
use super::open::Opened;
use super::problem::Problem;
use super::{preview, take};
use crate::output::Output;

/// The log files that a path names: itself, or those of a folder that is no store. None for a store,
/// or for what may become one.
pub(super) fn files(path: &Path) -> Result<Option<Vec<PathBuf>>, Problem> {
    if path.is_file() {
        return Ok(Some(vec![path.to_owned()]));
    }
    if !path.is_dir() || path.join("LOCK").exists() {
        return Ok(None);
    }
    let bad = |error: std::io::Error| Problem::File { file: path.to_owned(), error: error.into() };
    let found = find(&[path.to_owned()]).map_err(bad)?;
    Ok((!found.files.is_empty()).then_some(found.files))
}

/// Reads the files. Rows that can't be read are counted aloud.
pub(super) async fn open(files: &[PathBuf], output: &Output) -> Result<Opened, Problem> {
    let cant = |error: std::io::Error| Problem::File { file: std::env::temp_dir(), error: error.into() };
    let folder = tempfile::tempdir().map_err(cant)?;
    let store = EmbeddedLogs::open(folder.path(), Options::default()).await.map_err(Problem::Store)?;
    let store: Arc<dyn LogStore> = Arc::new(store);
    let mut meter = Meter::new(output);
    let mut show = |progress: duru_sql::ingest::Progress| {
        let rows = progress.rows;
        meter.show(|| output.lang.pick(format!("{rows}행을 읽었습니다"), format!("{rows} rows read")));
    };
    let done = take::files(Some(Arc::clone(&store)), Arc::new(Settings::default()), files, &mut show).await;
    meter.clear();
    let summary = done.map_err(|(file, error)| match error {
        duru_sql::ingest::Error::Store(error) => Problem::Store(error),
        error => Problem::File { file, error },
    })?;
    preview::formats(&summary, output);
    if summary.bad > 0 {
        let bad = summary.bad;
        output.complain(&output.lang.pick(
            format!(
                "읽을 수 없는 행 {bad}개를 뺐습니다; `duru logs ingest --dry-run`이 그 행들을 보여 줍니다"
            ),
            format!("{bad} row(s) can't be read and are left out; `duru logs ingest --dry-run` lists them"),
        ));
    }
    Ok(Opened {
        store: Arc::new(Attached { store, _folder: folder }),
        catalog: Arc::new(Catalog::logs()),
        bucket: None,
    })
}

/// Nothing can be added to files of others.
struct Attached {
    store: Arc<dyn LogStore>,
    /// Removed at the end.
    _folder: tempfile::TempDir,
}

fn denied<T>() -> Result<T, Error> {
    Err(Error::Denied { reason: "these log files are only read".to_owned() })
}

#[async_trait]
impl TableSource for Attached {
    async fn query(&self, query: &Checked, asking: &Asking) -> Result<Answer, Error> {
        self.store.query(query, asking).await
    }

    async fn knowledge(&self) -> Result<Arc<Knowledge>, Error> {
        self.store.knowledge().await
    }

    async fn version(&self) -> Result<String, Error> {
        self.store.version().await
    }
}

#[async_trait]
impl LogStore for Attached {
    async fn append(&self, _: Batch) -> Result<Receipt, Error> {
        denied()
    }

    async fn delete(&self, _: &[i64]) -> Result<u64, Error> {
        denied()
    }

    async fn drop_before(&self, _: Timestamp, _: u64) -> Result<u64, Error> {
        denied()
    }

    async fn count_before(&self, before: Timestamp) -> Result<u64, Error> {
        self.store.count_before(before).await
    }

    async fn settle(&self) -> Result<(), Error> {
        self.store.settle().await
    }
}
