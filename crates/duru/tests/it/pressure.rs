//! A store that is slower than those who send events.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use duru::store::{
    Checkpoints, Commit, Error, Head, MemoryStore, Row, RowQuery, Seq, Snapshot, ThreadSummary, Timer,
};
use duru::{Compiled, Cx, END, Graph, Mode, Namespace, Policy, ThreadId};
use tokio::sync::Semaphore;

use crate::support::{Log, LogUpdate, by, failure, memory, sign, told};

/// A store whose commits wait until they are let through.
struct Stalled {
    inner: MemoryStore,
    through: Semaphore,
}

#[async_trait]
impl Checkpoints for Stalled {
    async fn head(&self, thread: &ThreadId) -> Result<Option<Head>, Error> {
        self.inner.head(thread).await
    }
    async fn commit(&self, commit: Commit) -> Result<Head, Error> {
        self.through.acquire().await.unwrap().forget();
        self.inner.commit(commit).await
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

/// How far a node has come that is held up.
async fn settled(sent: &AtomicUsize) -> usize {
    loop {
        let before = sent.load(Ordering::SeqCst);
        // Time stands still while anybody has something to do.
        tokio::time::sleep(Duration::from_secs(1)).await;
        if before > 0 && sent.load(Ordering::SeqCst) == before {
            return before;
        }
    }
}

/// What is sent, and how.
struct Sends {
    events: usize,
    bytes: usize,
    /// Tasks of a step of several run beside the run, not in it.
    alone: bool,
    policy: Policy,
}

fn sender(sends: Sends) -> (Compiled<Log>, Arc<AtomicUsize>) {
    let sent = Arc::new(AtomicUsize::new(0));
    let mut g = Graph::<Log>::new("sender");
    let (count, Sends { events, bytes, alone, policy }) = (Arc::clone(&sent), sends);
    let send = g.node("send", move |_: Arc<Log>, cx: Cx| {
        let count = Arc::clone(&count);
        async move {
            for i in 0..events {
                cx.emit((i, "x".repeat(bytes)))?;
                count.fetch_add(1, Ordering::SeqCst);
                if i % 16 == 0 {
                    tokio::task::yield_now().await;
                }
            }
            Ok(by("sent"))
        }
    });
    g.policy(send, policy);
    g.start(send).edge(send, END);
    if !alone {
        let other = g.node("other", sign);
        g.start(other).edge(other, END);
    }
    (g.compile().unwrap(), sent)
}

#[tokio::test(start_paused = true)]
async fn events_that_a_stalled_store_can_not_take_hold_their_sender_up() {
    let impatient = || Policy::new().idle_timeout(Duration::from_secs(5));
    for (sends, most) in [
        (Sends { events: 20_000, bytes: 1, alone: true, policy: Policy::new() }, 3_000),
        (Sends { events: 20_000, bytes: 1, alone: false, policy: impatient() }, 3_000),
        (Sends { events: 600, bytes: 20_000, alone: true, policy: impatient() }, 150),
    ] {
        let events = sends.events as u64;
        let (graph, sent) = sender(sends);
        let store = Arc::new(Stalled { inner: MemoryStore::new(), through: Semaphore::new(2) });
        let thread = graph.on(Arc::clone(&store) as _).thread("t").unwrap();
        let running = tokio::spawn({
            let thread = thread.clone();
            async move { thread.invoke(LogUpdate::new()).await }
        });
        let before = settled(&sent).await;
        assert!(before < most, "{before} events wait for a store that takes none");
        tokio::time::sleep(Duration::from_secs(60)).await;
        assert_eq!(sent.load(Ordering::SeqCst), before);
        store.through.add_permits(1_000_000);
        running.await.unwrap().unwrap().done().unwrap();
        // None was lost on the way, and none came twice.
        let told = told(&thread, Mode::Custom).await;
        let numbers: Vec<u64> = told.iter().map(|data| data[0].as_u64().unwrap()).collect();
        assert_eq!(numbers, (0..events).collect::<Vec<_>>());
    }
}

#[tokio::test(start_paused = true)]
async fn a_node_that_never_awaits_is_refused_more_events_than_there_is_room_for() {
    let mut g = Graph::<Log>::new("greedy");
    let send = g.node("send", |s: Arc<Log>, cx: Cx| async move {
        for i in 0..100_000_u32 {
            cx.emit(i)?;
            if s.last == "patient" && i % 100 == 0 {
                cx.ready().await;
            }
        }
        Ok(by("sent"))
    });
    g.start(send).edge(send, END);
    let app = g.compile().unwrap().on(memory());
    let refused = failure(app.thread("t").unwrap().invoke(LogUpdate::new()).await.unwrap());
    let said = refused.to_string();
    assert!(said.contains("too many events wait") && said.contains("cx.ready()"), "{said}");
    let patient = app.thread("u").unwrap();
    patient.invoke(LogUpdate::new().last("patient".to_owned())).await.unwrap().done().unwrap();
    assert_eq!(told(&patient, Mode::Custom).await.len(), 100_000);
}
