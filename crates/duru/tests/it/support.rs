//! What several topics need: a state that says who wrote, stores that count or
//! fail, and readers that read everything.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use duru::store::{
    Checkpoints, Commit, Error, Head, MemoryStore, Row, RowQuery, Seq, Snapshot, ThreadSummary, Timer,
};
use duru::{App, Compiled, Cx, Event, Mode, NodeError, Outcome, Reader, Result, RunStream, State, Thread};
use duru::{InterruptId, Namespace, ThreadId};

/// The log of who wrote what.
#[derive(State, Clone, Debug, PartialEq)]
pub(crate) struct Log {
    #[merge(append)]
    pub(crate) by: Vec<String>,
    pub(crate) last: String,
    #[merge(sum)]
    pub(crate) total: u64,
}

/// An update that appends one word.
pub(crate) fn by(word: impl Into<String>) -> LogUpdate {
    LogUpdate::new().by([word.into()])
}

/// A node that writes its own name.
pub(crate) async fn sign(_: Arc<Log>, cx: Cx) -> Result<LogUpdate> {
    Ok(by(cx.node()))
}

pub(crate) fn memory() -> Arc<dyn Checkpoints> {
    Arc::new(MemoryStore::new())
}

/// The same thread as another process would see it.
pub(crate) fn reopened(graph: &Compiled<Log>, app: &App<Log>, thread: &str) -> Thread<Log> {
    graph.clone().on(Arc::clone(app.store())).thread(thread).unwrap()
}

/// How often things happened, by name; a service for nodes.
#[derive(Clone, Default)]
pub(crate) struct Tally(Arc<Mutex<HashMap<String, usize>>>);

impl Tally {
    /// Counts one more and gives the count.
    pub(crate) fn count(&self, name: &str) -> usize {
        let mut counts = self.0.lock().unwrap();
        let count = counts.entry(name.to_owned()).or_default();
        *count += 1;
        *count
    }

    pub(crate) fn of(&self, name: &str) -> usize {
        self.0.lock().unwrap().get(name).copied().unwrap_or_default()
    }
}

/// A node that signs and counts itself, and fails the first `times` times.
pub(crate) async fn flaky(cx: &Cx, times: usize) -> Result<LogUpdate> {
    let count = cx.get::<Tally>()?.count(cx.node());
    if count <= times {
        return Err(NodeError::msg(format!("{} broke", cx.node())));
    }
    Ok(by(cx.node()))
}

pub(crate) fn failure<O: std::fmt::Debug>(outcome: Outcome<O>) -> duru::Failure {
    match outcome {
        Outcome::Failed(failure) => failure,
        other => panic!("did not fail: {other:?}"),
    }
}

/// All events of a run, and its outcome.
pub(crate) async fn watched<O>(mut stream: RunStream<O>) -> (Vec<Event>, Outcome<O>) {
    let mut events = Vec::new();
    while let Some(event) = stream.next().await.unwrap() {
        events.push(event);
    }
    (events, stream.outcome().await.unwrap())
}

/// What a reader has ready.
pub(crate) async fn rest(mut reader: Reader) -> Vec<Event> {
    let mut events = Vec::new();
    while let Some(event) = reader.next_ready().await.unwrap() {
        events.push(event);
    }
    events
}

/// What happened on a thread, in some modes.
pub(crate) async fn told(thread: &Thread<Log>, mode: Mode) -> Vec<serde_json::Value> {
    let events = rest(thread.events(0, [mode]).await.unwrap()).await;
    events.into_iter().map(|event| event.data).collect()
}

/// A memory store that counts what it is asked for, that can be told to fail,
/// and that takes its time.
#[derive(Default)]
pub(crate) struct Probe {
    inner: MemoryStore,
    /// Rows and bytes that were read.
    pub(crate) rows_read: AtomicUsize,
    pub(crate) bytes_read: AtomicUsize,
    /// Every commit, as it was.
    pub(crate) commits: Mutex<Vec<Commit>>,
    /// Commits fail from this one on.
    pub(crate) fail_from: Mutex<Option<usize>>,
    /// Yields in the middle of every read.
    slow: bool,
    /// Changes rows and snapshots on their way out.
    #[allow(clippy::type_complexity)]
    pub(crate) spoil: Mutex<Option<Box<dyn Fn(&mut Row) + Send>>>,
    #[allow(clippy::type_complexity)]
    pub(crate) spoil_snapshot: Mutex<Option<Box<dyn Fn(&mut Snapshot) + Send>>>,
}

impl Probe {
    pub(crate) fn shared() -> Arc<Self> {
        Arc::new(Self::default())
    }

    /// One that yields in the middle of everything.
    pub(crate) fn slow() -> Arc<Self> {
        Arc::new(Self { slow: true, ..Self::default() })
    }

    pub(crate) fn forget(&self) {
        self.rows_read.store(0, Ordering::SeqCst);
        self.bytes_read.store(0, Ordering::SeqCst);
        self.commits.lock().unwrap().clear();
    }

    /// Bytes of everything that was committed.
    pub(crate) fn bytes_committed(&self) -> usize {
        let commits = self.commits.lock().unwrap();
        let rows = commits.iter().flat_map(|commit| &commit.rows).map(|row| row.payload.len()).sum::<usize>();
        rows + commits.iter().flat_map(|commit| &commit.snapshots).map(|s| s.payload.len()).sum::<usize>()
    }

    async fn pause(&self) {
        if self.slow {
            tokio::task::yield_now().await;
        }
    }
}

#[async_trait]
impl Checkpoints for Probe {
    async fn head(&self, thread: &ThreadId) -> Result<Option<Head>, Error> {
        let head = self.inner.head(thread).await;
        // By the time that it is heard of, it may be past.
        self.pause().await;
        head
    }

    async fn commit(&self, commit: Commit) -> Result<Head, Error> {
        // Writes are slower than reads: whoever does not wait for them reads the past.
        for _ in 0..50 {
            self.pause().await;
        }
        let count = self.commits.lock().unwrap().len();
        if self.fail_from.lock().unwrap().is_some_and(|from| count >= from) {
            return Err(Error::backend("commit", "the disk is full"));
        }
        self.commits.lock().unwrap().push(commit.clone());
        self.inner.commit(commit).await
    }

    async fn rows(&self, thread: &ThreadId, query: RowQuery) -> Result<Vec<Row>, Error> {
        self.pause().await;
        let mut rows = self.inner.rows(thread, query).await?;
        self.rows_read.fetch_add(rows.len(), Ordering::SeqCst);
        self.bytes_read.fetch_add(rows.iter().map(|row| row.payload.len()).sum(), Ordering::SeqCst);
        if let Some(spoil) = &*self.spoil.lock().unwrap() {
            rows.iter_mut().for_each(spoil);
        }
        Ok(rows)
    }

    async fn snapshot(
        &self,
        thread: &ThreadId,
        ns: &Namespace,
        until: Option<Seq>,
    ) -> Result<Option<Snapshot>, Error> {
        self.pause().await;
        let mut snapshot = self.inner.snapshot(thread, ns, until).await?;
        self.bytes_read.fetch_add(snapshot.as_ref().map_or(0, |s| s.payload.len()), Ordering::SeqCst);
        if let (Some(snapshot), Some(spoil)) = (&mut snapshot, &*self.spoil_snapshot.lock().unwrap()) {
            spoil(snapshot);
        }
        Ok(snapshot)
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

/// The timers that wait, however far off.
pub(crate) async fn timers(store: &dyn Checkpoints) -> Vec<InterruptId> {
    store.due(u64::MAX, None, 100).await.unwrap().into_iter().map(|timer| timer.interrupt).collect()
}
