//! What a worker was promised, written down at once in a file of its own. A
//! line is one write, so a kill leaves whole lines; and what the operating
//! system has outlives the process.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use async_trait::async_trait;
use duru::store::{Checkpoints, Commit, Error, Head, Row, RowQuery, Seq, Snapshot, ThreadSummary, Timer};
use duru::testkit::sweep::Shown;
use duru::{Event, Mode, Namespace, ThreadId};

use crate::work::hash;

pub(crate) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// One promise, or one complaint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ack {
    /// The store said that it has this.
    Commit { at_ms: u64, thread: String, incarnation: u64, version: u64, rows: Vec<(Seq, u64)> },
    /// A reader saw an event.
    Event { thread: String, seq: Seq, hash: u64 },
    /// Somebody reads a thread along from an event on, in one mode or in all.
    Watch { reader: u64, thread: String, mode: Option<Mode>, from: Seq },
    /// What they saw next.
    Seen { reader: u64, seq: Seq, hash: u64 },
    /// A thread shows something of one that was deleted before it was made.
    Back { thread: String, text: String },
    /// A run was done, and so many turns with it.
    Done { thread: String, turns: u64 },
    /// Somebody else was there first, or the database was away.
    Later { why: String },
    /// An error that nothing here explains.
    Wrong { thread: String, text: String },
}

impl Ack {
    pub(crate) fn event(thread: &str, event: &Event) -> Self {
        Self::Event { thread: thread.to_owned(), seq: event.seq, hash: hash(Shown::of(event).text) }
    }

    fn to_line(&self) -> String {
        match self {
            Self::Commit { at_ms, thread, incarnation, version, rows } => {
                let rows: Vec<String> = rows.iter().map(|(seq, sum)| format!("{seq}:{sum}")).collect();
                format!("commit {at_ms} {thread} {incarnation} {version} {}\n", rows.join(","))
            }
            Self::Watch { reader, thread, mode, from } => {
                format!("watch {reader} {thread} {} {from}\n", mode.map_or("all", Mode::as_str))
            }
            Self::Seen { reader, seq, hash } => format!("seen {reader} {seq} {hash}\n"),
            Self::Back { thread, text } => format!("back {thread} {}\n", text.replace('\n', " ")),
            Self::Event { thread, seq, hash } => format!("event {thread} {seq} {hash}\n"),
            Self::Done { thread, turns } => format!("done {thread} {turns}\n"),
            Self::Later { why } => format!("later {why}\n"),
            Self::Wrong { thread, text } => format!("wrong {thread} {}\n", text.replace('\n', " ")),
        }
    }

    fn from_line(line: &str) -> Option<Self> {
        let (kind, rest) = line.strip_suffix('\n')?.split_once(' ')?;
        let mut words = rest.split(' ');
        Some(match kind {
            "commit" => {
                let (at_ms, thread) = (words.next()?.parse().ok()?, words.next()?.to_owned());
                let (incarnation, version) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
                let pairs = words.next()?.split(',').filter(|pair| !pair.is_empty());
                let row = |pair: &str| {
                    let (seq, sum) = pair.split_once(':')?;
                    Some((seq.parse().ok()?, sum.parse().ok()?))
                };
                let rows = pairs.map(row).collect::<Option<_>>()?;
                Self::Commit { at_ms, thread, incarnation, version, rows }
            }
            "watch" => Self::Watch {
                reader: words.next()?.parse().ok()?,
                thread: words.next()?.to_owned(),
                mode: match words.next()? {
                    "all" => None,
                    mode => Some(mode.parse().ok()?),
                },
                from: words.next()?.parse().ok()?,
            },
            "seen" => Self::Seen {
                reader: words.next()?.parse().ok()?,
                seq: words.next()?.parse().ok()?,
                hash: words.next()?.parse().ok()?,
            },
            "back" => {
                let (thread, text) = rest.split_once(' ')?;
                Self::Back { thread: thread.to_owned(), text: text.to_owned() }
            }
            "event" => Self::Event {
                thread: words.next()?.to_owned(),
                seq: words.next()?.parse().ok()?,
                hash: words.next()?.parse().ok()?,
            },
            "done" => Self::Done { thread: words.next()?.to_owned(), turns: words.next()?.parse().ok()? },
            "later" => Self::Later { why: rest.to_owned() },
            "wrong" => {
                let (thread, text) = rest.split_once(' ')?;
                Self::Wrong { thread: thread.to_owned(), text: text.to_owned() }
            }
            _ => return None,
        })
    }
}

/// Everything that a worker wrote down.
pub(crate) fn read(path: &Path) -> Result<Vec<Ack>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    text.split_inclusive('\n')
        .map(|line| Ack::from_line(line).with_context(|| format!("{}: {line:?}", path.display())))
        .collect()
}

/// A worker's file.
#[derive(Clone)]
pub(crate) struct Acks(Arc<File>);

impl Acks {
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let file = File::options().create(true).append(true).open(path);
        Ok(Self(Arc::new(file.with_context(|| format!("cannot write {}", path.display()))?)))
    }

    /// A worker that can't write down what it was promised must not go on: the
    /// audit would take its silence for a promise never made.
    pub(crate) fn note(&self, ack: &Ack) {
        if let Err(error) = (&*self.0).write_all(ack.to_line().as_bytes()) {
            eprintln!("cannot note {ack:?}: {error}");
            std::process::abort();
        }
    }
}

/// A store that notes each commit which the store behind it has accepted.
pub(crate) struct Noted {
    pub(crate) inner: Arc<dyn Checkpoints>,
    pub(crate) acks: Acks,
}

#[async_trait]
impl Checkpoints for Noted {
    async fn head(&self, thread: &ThreadId) -> Result<Option<Head>, Error> {
        self.inner.head(thread).await
    }

    async fn commit(&self, commit: Commit) -> Result<Head, Error> {
        let thread = commit.thread.to_string();
        let rows = commit.rows.iter().map(|row| (row.seq, row.checksum)).collect();
        let head = self.inner.commit(commit).await?;
        let (incarnation, version) = (head.incarnation.as_u64(), head.version);
        self.acks.note(&Ack::Commit { at_ms: now_ms(), thread, incarnation, version, rows });
        Ok(head)
    }

    async fn rows(&self, thread: &ThreadId, query: RowQuery) -> Result<Vec<Row>, Error> {
        self.inner.rows(thread, query).await
    }

    async fn snapshot(
        &self,
        thread: &ThreadId,
        ns: &Namespace,
        until: Option<Seq>,
    ) -> Result<Option<Snapshot>, Error> {
        self.inner.snapshot(thread, ns, until).await
    }

    async fn due(&self, now_ms: u64, after: Option<&Timer>, limit: usize) -> Result<Vec<Timer>, Error> {
        self.inner.due(now_ms, after, limit).await
    }

    async fn threads(&self, offset: usize, limit: usize) -> Result<Vec<ThreadSummary>, Error> {
        self.inner.threads(offset, limit).await
    }

    async fn delete(&self, thread: &ThreadId) -> Result<bool, Error> {
        self.inner.delete(thread).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let thread = "t1".to_owned();
        for ack in [
            Ack::Commit {
                at_ms: 7,
                thread: thread.clone(),
                incarnation: 8,
                version: 3,
                rows: vec![(4, 5), (6, 7)],
            },
            Ack::Commit { at_ms: 7, thread: thread.clone(), incarnation: 8, version: 4, rows: vec![] },
            Ack::Watch { reader: 1, thread: thread.clone(), mode: None, from: 2 },
            Ack::Watch { reader: 1, thread: thread.clone(), mode: Some(Mode::Values), from: 0 },
            Ack::Seen { reader: 1, seq: 2, hash: 3 },
            Ack::Back { thread: thread.clone(), text: "it is another's".into() },
            Ack::Event { thread: thread.clone(), seq: 9, hash: u64::MAX },
            Ack::Done { thread: thread.clone(), turns: 2 },
            Ack::Later { why: "conflict".into() },
            Ack::Wrong { thread, text: "it is broken".into() },
        ] {
            assert_eq!(Ack::from_line(&ack.to_line()), Some(ack));
        }
        assert_eq!(Ack::from_line("done t1 2"), None, "half a line");
    }
}
