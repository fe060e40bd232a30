//! One owner per thread: who may run it, and what becomes of whoever lost it.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use duru::store::{
    self, Checkpoints, Commit, Head, Kind, MemoryStore, Owner, Row, RowQuery, Seq, Snapshot, ThreadSummary,
    Timer,
};
use duru::testkit::runs_contract::{self, Seams};
use duru::{App, Compiled, Cx, END, Error, Graph, Namespace, ThreadId};
use tokio::sync::Notify;

use crate::counts::{tell, times};
use crate::support::{Log, LogUpdate, by, memory, sign};

const LEASE: Duration = Duration::from_secs(15);

/// `wait` goes on when it is told to; then `sign`.
#[derive(Clone, Default)]
struct Gate {
    inside: Arc<Notify>,
    open: Arc<Notify>,
}

fn gated(gate: &Gate) -> Compiled<Log> {
    let mut g = Graph::<Log>::new("gated");
    let gate = gate.clone();
    let wait = g.node("wait", move |_: Arc<Log>, _: Cx| {
        let gate = gate.clone();
        async move {
            gate.inside.notify_one();
            gate.open.notified().await;
            Ok(by("waited"))
        }
    });
    let last = g.node("sign", sign);
    g.start(wait).edge(wait, last).edge(last, END);
    g.compile().unwrap()
}

fn owned(graph: &Compiled<Log>, store: &Arc<dyn Checkpoints>, name: &str) -> App<Log> {
    graph.clone().on(Arc::clone(store)).owned_by(Owner::named(name), LEASE)
}

fn owner_in_the_way<T: std::fmt::Debug>(result: Result<T, Error>) -> String {
    match result {
        Err(Error::Store(store::Error::Owned { owner, .. })) => owner.to_string(),
        other => panic!("not owned: {other:?}"),
    }
}

#[tokio::test]
async fn the_queue_and_the_catalog_in_memory_keep_the_contract() {
    runs_contract::check(async || Seams::of(Arc::new(MemoryStore::new()))).await;
}

#[tokio::test(start_paused = true)]
async fn another_owner_is_refused_until_the_run_ends_however_slow_a_task_is() {
    let (store, gate) = (memory(), Gate::default());
    let graph = gated(&gate);
    let mine = owned(&graph, &store, "mine").thread("t").unwrap();
    let theirs = owned(&graph, &store, "theirs").thread("t").unwrap();
    let run = tokio::spawn({
        let mine = mine.clone();
        async move { mine.invoke(LogUpdate::new()).await }
    });
    gate.inside.notified().await;
    for _ in 0..5 {
        assert_eq!(owner_in_the_way(theirs.invoke(by("intruder")).await), "mine");
        assert_eq!(owner_in_the_way(theirs.go_on().await), "mine");
        assert_eq!(owner_in_the_way(theirs.edit("sign", by("intruder")).await), "mine");
        // Longer than a lease, in all: the run gives signs of life.
        tokio::time::sleep(LEASE).await;
    }
    // Looking is free.
    assert_eq!(theirs.state().await.unwrap().next(), ["wait"]);
    gate.open.notify_one();
    let state = run.await.unwrap().unwrap().done().unwrap();
    assert_eq!(state.by, ["waited", "sign"]);
    // Its end gave the thread back.
    gate.open.notify_one();
    let state = theirs.invoke(by("next")).await.unwrap().done().unwrap();
    assert_eq!(state.by, ["waited", "sign", "next", "waited", "sign"]);
}

#[tokio::test(start_paused = true)]
async fn a_thread_whose_owner_went_silent_goes_on_elsewhere_after_its_lease() {
    let (store, gate) = (memory(), Gate::default());
    let graph = gated(&gate);
    let mine = owned(&graph, &store, "mine").thread("t").unwrap();
    let theirs = owned(&graph, &store, "theirs").thread("t").unwrap();
    let run = tokio::spawn({
        let mine = mine.clone();
        async move { mine.invoke(LogUpdate::new()).await }
    });
    gate.inside.notified().await;
    run.abort();
    assert!(run.await.unwrap_err().is_cancelled());
    assert_eq!(owner_in_the_way(theirs.go_on().await), "mine");
    tokio::time::sleep(LEASE).await;
    gate.open.notify_one();
    assert_eq!(theirs.go_on().await.unwrap().done().unwrap().by, ["waited", "sign"]);
}

/// Two owners, of whom the first is asleep for longer than its lease: what the
/// thread looks like after both are through.
async fn zombie(store: Arc<dyn Checkpoints>) -> (Result<(), Error>, Vec<Row>) {
    let gate = Gate::default();
    let graph = gated(&gate);
    // Without a sign of life: as good as stopped.
    let asleep = graph.clone().on(Arc::clone(&store)).owned_by(Owner::named("asleep"), Duration::ZERO);
    let run = tokio::spawn({
        let thread = asleep.thread("t").unwrap();
        async move { thread.invoke(LogUpdate::new()).await.map(drop) }
    });
    gate.inside.notified().await;
    let other = owned(&graph, &store, "awake").thread("t").unwrap();
    let second = tokio::spawn(async move { other.go_on().await.map(drop) });
    gate.inside.notified().await;
    gate.open.notify_one();
    gate.open.notify_one();
    let first = run.await.unwrap();
    // It may have been the first to wake up, but then it is the one that is refused.
    second.await.unwrap().unwrap();
    let rows = store.rows(&ThreadId::new("t").unwrap(), RowQuery::default()).await.unwrap();
    (first, rows)
}

/// Checkpoints that are the parent of more than one.
fn forks(rows: &[Row]) -> usize {
    let checkpoints = rows.iter().filter(|row| row.kind == Kind::Checkpoint);
    let mut parents: Vec<serde_json::Value> = checkpoints
        .map(|row| serde_json::from_slice::<serde_json::Value>(&row.payload).unwrap()["parent"].clone())
        .collect();
    let all = parents.len();
    parents.sort_by_key(ToString::to_string);
    parents.dedup();
    all - parents.len()
}

#[tokio::test]
async fn a_zombie_writes_nothing_and_stops() {
    let rounds = times(1, 5000);
    for _ in 0..rounds {
        let (zombie, rows) = zombie(memory()).await;
        assert!(matches!(zombie, Err(Error::Store(store::Error::Conflict { .. }))), "{zombie:?}");
        assert_eq!(forks(&rows), 0);
    }
    tell("F12", format_args!("{rounds} owners woke up after another had taken over: all refused, 0 forks"));
}

/// Takes the fence away: every commit is moved to wherever the thread is.
struct Unfenced(MemoryStore);

#[async_trait]
impl Checkpoints for Unfenced {
    async fn commit(&self, mut commit: Commit) -> Result<Head, store::Error> {
        if let Some(head) = self.0.head(&commit.thread).await? {
            (commit.incarnation, commit.version, commit.epoch) = (head.incarnation, head.version, head.epoch);
            let mut seq = head.next_seq;
            for row in &mut commit.rows {
                row.seq = seq;
                row.seal(&commit.thread);
                seq = row.end();
            }
        }
        self.0.commit(commit).await
    }

    async fn head(&self, thread: &ThreadId) -> Result<Option<Head>, store::Error> {
        self.0.head(thread).await
    }

    async fn rows(&self, thread: &ThreadId, query: RowQuery) -> Result<Vec<Row>, store::Error> {
        self.0.rows(thread, query).await
    }

    async fn snapshot(
        &self,
        thread: &ThreadId,
        ns: &Namespace,
        until: Option<Seq>,
    ) -> Result<Option<Snapshot>, store::Error> {
        self.0.snapshot(thread, ns, until).await
    }

    async fn due(
        &self,
        now_ms: u64,
        after: Option<&Timer>,
        limit: usize,
    ) -> Result<Vec<Timer>, store::Error> {
        self.0.due(now_ms, after, limit).await
    }

    async fn threads(&self, offset: usize, limit: usize) -> Result<Vec<ThreadSummary>, store::Error> {
        self.0.threads(offset, limit).await
    }

    async fn delete(&self, thread: &ThreadId) -> Result<bool, store::Error> {
        self.0.delete(thread).await
    }
}

#[tokio::test]
async fn without_the_fence_the_same_zombie_forks_the_thread() {
    let (zombie, rows) = zombie(Arc::new(Unfenced(MemoryStore::new()))).await;
    assert!(zombie.is_ok(), "{zombie:?}");
    assert!(forks(&rows) > 0, "the check above can't fail");
}

/// A node that keeps its thread of the machine until it is told to go on, as one does that only calculates.
fn calculating(began: Arc<Notify>, go_on: Arc<std::sync::Barrier>, alone: bool) -> Compiled<Log> {
    let mut g = Graph::<Log>::new("calculating");
    let node = g.node("calculate", move |_: Arc<Log>, cx: Cx| {
        let (began, go_on) = (Arc::clone(&began), Arc::clone(&go_on));
        async move {
            // So that a commit is under way when it begins.
            cx.emit("acted")?;
            tokio::task::yield_now().await;
            began.notify_one();
            go_on.wait();
            Ok(by("calculated"))
        }
    });
    g.start(node).edge(node, END);
    if !alone {
        let beside = g.node("beside", sign);
        g.start(beside).edge(beside, END);
    }
    g.compile().unwrap()
}

#[tokio::test]
async fn a_node_that_only_calculates_keeps_its_lease() {
    const SHORT: Duration = Duration::from_secs(2);
    for alone in [true, false] {
        let (began, open) = (Arc::new(Notify::new()), Arc::new(std::sync::Barrier::new(2)));
        let (graph, store) = (calculating(Arc::clone(&began), Arc::clone(&open), alone), memory());
        let mine = graph.clone().on(Arc::clone(&store)).owned_by(Owner::named("mine"), SHORT);
        let theirs = graph.on(store).owned_by(Owner::named("theirs"), SHORT).thread("t").unwrap();
        // A machine with one thread, all of which the node keeps to itself.
        let busy = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async move { mine.thread("t").unwrap().invoke(LogUpdate::new()).await })
        });
        began.notified().await;
        let until = tokio::time::Instant::now() + 5 * SHORT / 2;
        while tokio::time::Instant::now() < until {
            assert_eq!(owner_in_the_way(theirs.go_on().await), "mine", "alone: {alone}");
            tokio::time::sleep(SHORT / 10).await;
        }
        open.wait();
        let end = tokio::task::spawn_blocking(move || busy.join().unwrap()).await.unwrap();
        let written = end.unwrap().done().unwrap();
        assert!(written.by.contains(&"calculated".to_owned()), "{written:?}");
    }
}
