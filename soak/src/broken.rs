//! Stores with a defect, to see the audit fail: an audit that can't fail shows nothing.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use async_trait::async_trait;
use duru::store::{Checkpoints, Commit, Error, Head, Row, RowQuery, Seq, Snapshot, ThreadSummary, Timer};
use duru::{Namespace, ThreadId};
use duru_store::SqliteStore;

/// A copy of the database for this process alone.
pub(crate) fn copy_of(path: &Path) -> Result<PathBuf> {
    let copy = path.with_extension(format!("{}.db", std::process::id()));
    if path.exists() {
        std::fs::copy(path, &copy).context("cannot copy the database")?;
    }
    Ok(copy)
}

/// What the copy has acknowledged reaches the database only some time later.
pub(crate) fn write_back_now_and_then(copy: PathBuf, path: PathBuf) {
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_millis(150));
            if let Err(error) = write_back(&copy, &path) {
                eprintln!("{error:#}");
            }
        }
    });
}

fn write_back(copy: &Path, path: &Path) -> Result<()> {
    let new = path.with_extension("new");
    drop(std::fs::remove_file(&new));
    let conn = rusqlite::Connection::open(copy)?;
    conn.execute("VACUUM INTO ?1", [new.display().to_string()])?;
    std::fs::rename(&new, path)?;
    Ok(())
}

/// A store without a fence: a commit of an owner who was overtaken is put behind
/// whatever others have written since.
pub(crate) struct Unfenced(pub(crate) SqliteStore);

#[async_trait]
impl Checkpoints for Unfenced {
    async fn head(&self, thread: &ThreadId) -> Result<Option<Head>, Error> {
        self.0.head(thread).await
    }

    async fn commit(&self, mut commit: Commit) -> Result<Head, Error> {
        loop {
            let error = match self.0.commit(commit.clone()).await {
                Err(error) if !matches!(error, Error::Backend { .. }) => error,
                other => return other,
            };
            if let Error::Owned { owner, .. } = &error {
                commit.lease.instead_of = Some(owner.clone());
            }
            let Some(head) = self.0.head(&commit.thread).await? else { return Err(error) };
            (commit.incarnation, commit.version, commit.epoch) = (head.incarnation, head.version, head.epoch);
            commit.snapshots.clear();
            let mut next = head.next_seq;
            for row in &mut commit.rows {
                row.seq = next;
                row.seal(&commit.thread);
                next = row.end();
            }
        }
    }

    async fn rows(&self, thread: &ThreadId, query: RowQuery) -> Result<Vec<Row>, Error> {
        self.0.rows(thread, query).await
    }

    async fn snapshot(
        &self,
        thread: &ThreadId,
        ns: &Namespace,
        until: Option<Seq>,
    ) -> Result<Option<Snapshot>, Error> {
        self.0.snapshot(thread, ns, until).await
    }

    async fn due(&self, now_ms: u64, after: Option<&Timer>, limit: usize) -> Result<Vec<Timer>, Error> {
        self.0.due(now_ms, after, limit).await
    }

    async fn threads(&self, offset: usize, limit: usize) -> Result<Vec<ThreadSummary>, Error> {
        self.0.threads(offset, limit).await
    }

    async fn delete(&self, thread: &ThreadId) -> Result<bool, Error> {
        self.0.delete(thread).await
    }
}
