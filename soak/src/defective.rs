//! Stores that lose nothing and yet show readers something else than what is there.

use async_trait::async_trait;
use duru::store::{
    Checkpoints, Commit, Error, Head, Kind, Row, RowQuery, Seq, Snapshot, ThreadSummary, Timer,
};
use duru::{Incarnation, Namespace, ThreadId};
use duru_store::SqliteStore;
use serde_json::Value;

/// What is wrong with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Defect {
    /// It knows threads by their names alone.
    Nameless,
    /// It leaves out a row now and then.
    Gappy,
    /// It gives rows that say something else now and then.
    Lying,
}

impl Defect {
    pub(crate) const ALL: [Self; 3] = [Self::Nameless, Self::Gappy, Self::Lying];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Nameless => "nameless",
            Self::Gappy => "gappy",
            Self::Lying => "lying",
        }
    }
}

pub(crate) struct Defective(pub(crate) Defect, pub(crate) SqliteStore);

impl Defective {
    fn shown(&self, head: Head) -> Head {
        if self.0 == Defect::Nameless { Head { incarnation: Incarnation::NONE, ..head } } else { head }
    }
}

/// Another step than the one that the checkpoint ends.
fn lie(thread: &ThreadId, row: &mut Row) -> Option<()> {
    let mut said: Value = serde_json::from_slice(&row.payload).ok()?;
    let step = said["step"].as_i64()?;
    said["step"] = (step + 1000).into();
    row.payload = serde_json::to_vec(&said).ok()?;
    row.seal(thread);
    Some(())
}

#[async_trait]
impl Checkpoints for Defective {
    async fn head(&self, thread: &ThreadId) -> Result<Option<Head>, Error> {
        Ok(self.1.head(thread).await?.map(|head| self.shown(head)))
    }

    async fn commit(&self, mut commit: Commit) -> Result<Head, Error> {
        if self.0 == Defect::Nameless
            && commit.version > 0
            && let Some(head) = self.1.head(&commit.thread).await?
        {
            commit.incarnation = head.incarnation;
        }
        Ok(self.shown(self.1.commit(commit).await?))
    }

    async fn rows(&self, thread: &ThreadId, mut query: RowQuery) -> Result<Vec<Row>, Error> {
        if self.0 == Defect::Nameless {
            query.incarnation = None;
        }
        // Who reads along asks for all kinds; runs that need a state do not.
        let reads_along = query.kinds.is_empty() && query.limit.is_some() && query.run.is_none();
        let mut rows = self.1.rows(thread, query).await?;
        if reads_along && rows.len() > 2 && fastrand::u8(..4) == 0 {
            let index = fastrand::usize(1..rows.len() - 1);
            match self.0 {
                Defect::Nameless => {}
                Defect::Gappy => drop(rows.remove(index)),
                Defect::Lying => rows.iter_mut().filter(|row| row.kind == Kind::Checkpoint).for_each(|row| {
                    lie(thread, row);
                }),
            }
        }
        Ok(rows)
    }

    async fn snapshot(
        &self,
        thread: &ThreadId,
        ns: &Namespace,
        until: Option<Seq>,
    ) -> Result<Option<Snapshot>, Error> {
        self.1.snapshot(thread, ns, until).await
    }

    async fn due(&self, now_ms: u64, after: Option<&Timer>, limit: usize) -> Result<Vec<Timer>, Error> {
        self.1.due(now_ms, after, limit).await
    }

    async fn threads(&self, offset: usize, limit: usize) -> Result<Vec<ThreadSummary>, Error> {
        self.1.threads(offset, limit).await
    }

    async fn delete(&self, thread: &ThreadId) -> Result<bool, Error> {
        self.1.delete(thread).await
    }
}
