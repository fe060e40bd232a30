//! A thread is deleted and made again by somebody else in the middle of whatever is done to it, before every single call
//! of the store. Nothing of the old one may come back in the new one, nor may the two be mixed.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use duru::store::{Checkpoints, Commit, Error, Head, Row, RowQuery, Seq, Snapshot, ThreadSummary, Timer};
use duru::{
    CheckpointId, Compiled, END, Graph, HistoryQuery, Keep, Mode, Namespace, RunId, Thread, ThreadId,
};

use crate::support::{Log, LogUpdate, by, memory, sign};

const OLD: &str = "KIM-SECRET";
const NEW: &str = "PARK-LINE";

/// A store that swaps the thread before one of its calls.
struct Swapped {
    inner: Arc<dyn Checkpoints>,
    graph: Compiled<Log>,
    /// How many calls come before it.
    left: AtomicUsize,
}

impl Swapped {
    async fn call(&self) {
        if self.left.fetch_sub(1, Ordering::SeqCst) == 0 {
            self.inner.delete(&name()).await.unwrap();
            turns(&self.graph, &self.inner, NEW).await;
        }
    }
}

fn name() -> ThreadId {
    ThreadId::new("t").unwrap()
}

#[async_trait]
impl Checkpoints for Swapped {
    async fn head(&self, thread: &ThreadId) -> Result<Option<Head>, Error> {
        self.call().await;
        self.inner.head(thread).await
    }
    async fn commit(&self, commit: Commit) -> Result<Head, Error> {
        self.call().await;
        self.inner.commit(commit).await
    }
    async fn rows(&self, thread: &ThreadId, query: RowQuery) -> Result<Vec<Row>, Error> {
        self.call().await;
        self.inner.rows(thread, query).await
    }
    async fn snapshot(
        &self,
        thread: &ThreadId,
        ns: &Namespace,
        until: Option<Seq>,
    ) -> Result<Option<Snapshot>, Error> {
        self.call().await;
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

fn graph() -> Compiled<Log> {
    let mut g = Graph::<Log>::new("swapped");
    let [first, second] = ["first", "second"].map(|name| g.node(name, sign));
    g.start(first).edge(first, second).edge(second, END);
    g.compile().unwrap()
}

/// Three turns, so that every thread has come equally far.
async fn turns(graph: &Compiled<Log>, store: &Arc<dyn Checkpoints>, word: &str) {
    let thread = graph.clone().on(Arc::clone(store)).thread("t").unwrap();
    for _ in 0..3 {
        thread.invoke(by(word).last(word.to_owned())).await.unwrap().done().unwrap();
    }
}

/// A moment in the middle of the old thread, and its last run.
#[derive(Clone, Copy)]
struct Known {
    middle: CheckpointId,
    run: RunId,
}

/// Does something to the thread; everything that is shown of it meanwhile, each answer by itself.
type Act = fn(Thread<Log>, Known) -> Pin<Box<dyn Future<Output = Vec<String>> + Send>>;

fn said(answer: impl std::fmt::Debug) -> Vec<String> {
    vec![format!("{answer:?}")]
}

const ACTS: &[(&str, Act)] = &[
    ("invoke", |t, _| Box::pin(async move { said(t.invoke(by("more")).await) })),
    ("invoke at", |t, k| Box::pin(async move { said(t.invoke(by("more")).at(k.middle).await) })),
    ("fork", |t, k| Box::pin(async move { said(t.fork(k.middle).await) })),
    ("edit", |t, _| Box::pin(async move { said(t.edit("first", by("edit")).await) })),
    ("edit at", |t, k| Box::pin(async move { said(t.edit_at(k.middle, "first", by("edit")).await) })),
    ("rollback", |t, k| Box::pin(async move { said(t.rollback(k.run).await) })),
    ("prune", |t, _| Box::pin(async move { said(t.prune(Keep::Latest).await) })),
    ("copy", |t, _| {
        Box::pin(async move {
            let copied = t.copy_to(&ThreadId::new("u").unwrap()).await.map(drop);
            said(copied)
        })
    }),
    ("state", |t, _| Box::pin(async move { said(t.state().await) })),
    ("state at", |t, k| Box::pin(async move { said(t.state_at(k.middle).await) })),
    ("history", |t, _| {
        Box::pin(async move { said(t.history(HistoryQuery::new().limit(50).with_inputs()).await) })
    }),
    ("events", |t, _| {
        Box::pin(async move {
            let Ok(mut reader) = t.events(0, Mode::ALL).await else { return Vec::new() };
            let mut all = String::new();
            while let Ok(Some(event)) = reader.next_ready().await {
                all += &format!("{event:?}");
            }
            vec![all]
        })
    }),
];

/// Everything that there is of a thread.
async fn everything(store: &Arc<dyn Checkpoints>, thread: &str) -> String {
    let id = ThreadId::new(thread).unwrap();
    let rows = store.rows(&id, RowQuery::default()).await.unwrap();
    let mut all: String = rows.iter().map(|row| String::from_utf8_lossy(&row.payload).into_owned()).collect();
    let snapshot = store.snapshot(&id, &Namespace::root(), None).await.unwrap();
    all.extend(snapshot.map(|snapshot| String::from_utf8_lossy(&snapshot.payload).into_owned()));
    all
}

#[tokio::test]
async fn whatever_is_done_to_a_thread_that_is_made_again_meanwhile_brings_nothing_back() {
    for (act, run) in ACTS {
        for before in 0.. {
            let (graph, inner) = (graph(), memory());
            turns(&graph, &inner, OLD).await;
            let old = graph.clone().on(Arc::clone(&inner)).thread("t").unwrap();
            let history = old.history(50).await.unwrap();
            let known = Known { middle: history[4].checkpoint.unwrap(), run: history[0].run.unwrap() };
            let left = AtomicUsize::new(usize::MAX);
            let store = Arc::new(Swapped { inner: Arc::clone(&inner), graph: graph.clone(), left });
            let thread = graph.clone().on(Arc::clone(&store) as _).thread("t").unwrap();
            // It is at hand, as it is where it was run last.
            thread.invoke(LogUpdate::new().last(OLD.to_owned())).await.unwrap().done().unwrap();
            store.left.store(before, Ordering::SeqCst);
            let shown = run(thread, known).await;
            let swapped = store.left.load(Ordering::SeqCst) > before;
            for answer in &shown {
                assert!(!(answer.contains(OLD) && answer.contains(NEW)), "{act}, {before}: {answer}");
            }
            if !swapped {
                assert!(before > 0, "{act} calls nothing");
                break;
            }
            let left = everything(&inner, "t").await;
            assert!(left.contains(NEW), "{act}, {before}: the new thread is gone");
            assert!(!left.contains(OLD), "{act}, before call {before}: {left}");
            let copied = everything(&inner, "u").await;
            assert!(!(copied.contains(OLD) && copied.contains(NEW)), "{act}, {before}: {copied}");
            // And it is well.
            turns(&graph, &inner, NEW).await;
            let well = graph.on(inner).thread("t").unwrap().history(100).await.unwrap();
            assert!(!format!("{well:?}").contains(OLD), "{act}, {before}");
        }
    }
}
