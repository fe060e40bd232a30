//! Defects of the original that must never exist here, one test each.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use duru::store::{Checkpoints, Kind, MemoryStore, RowQuery};
use duru::testkit::crash::{CrashStore, Death};
use duru::{App, Compiled, Cx, END, Error, Graph, Mode, NodeError, Outcome, State, ThreadId, Unfinished};
use tokio::sync::Barrier;

#[derive(State, Clone)]
struct Work {
    #[merge(append)]
    done: Vec<String>,
    #[merge(sum)]
    paid: u32,
}

fn memory() -> Arc<dyn Checkpoints> {
    Arc::new(MemoryStore::new())
}

/// Counts what was done to the world.
#[derive(Default)]
struct World(AtomicU32);

async fn rows(store: &Arc<dyn Checkpoints>, thread: &str) -> Vec<duru::store::Row> {
    store.rows(&ThreadId::new(thread).unwrap(), RowQuery::default()).await.unwrap()
}

/// The writes of a step and its checkpoint are one commit, so no crash can
/// come between them and make a finished step act on the world again.
#[tokio::test]
async fn write_order_is_enforced_so_a_crash_does_not_duplicate_side_effects() {
    fn graph(world: &Arc<World>) -> Compiled<Work> {
        let mut g = Graph::<Work>::new("pay");
        let world = Arc::clone(world);
        let pay = g.node("pay", move |_: Arc<Work>, _: Cx| {
            let world = Arc::clone(&world);
            async move {
                // Not through `effect`: only the engine's order keeps this from happening twice.
                world.0.fetch_add(1, Ordering::SeqCst);
                Ok(WorkUpdate::new().paid(1))
            }
        });
        let after = g
            .node("after", |_: Arc<Work>, _: Cx| async { Ok(WorkUpdate::new().done(["after".to_string()])) });
        g.start(pay).edge(pay, after).edge(after, END);
        g.compile().unwrap()
    }
    let mut crashes_after_pay = 0;
    for nth in 1.. {
        let store = memory();
        let world = Arc::new(World::default());
        let dying = Arc::new(CrashStore::new(Arc::clone(&store), nth, Death::Before));
        let first = graph(&world).on(Arc::clone(&dying) as Arc<dyn Checkpoints>);
        let crashed = first.thread("t").unwrap().invoke(WorkUpdate::new()).await;
        let stored = rows(&store, "t").await;
        let committed = stored.iter().filter(|row| row.kind == Kind::Checkpoint).count();
        if crashed.is_ok() {
            break;
        }
        let thread = graph(&world).on(store).thread("t").unwrap();
        let end = match committed {
            0 => thread.invoke(WorkUpdate::new()).await,
            _ => thread.go_on().await,
        };
        if committed >= 2 {
            // The step that paid is committed: its node must not have run again.
            crashes_after_pay += 1;
            assert_eq!(world.0.load(Ordering::SeqCst), 1, "crash at call {nth}");
        }
        assert_eq!(end.unwrap().done().unwrap().paid, 1, "crash at call {nth}");
    }
    assert!(crashes_after_pay > 0, "no crash came after the payment");
}

/// A hundred tasks end at the same moment beside one that fails: every one of
/// their writes is kept, and none of them runs again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_race_of_finishing_tasks_drops_no_pending_write() {
    const TASKS: u32 = 100;
    let (runs, broken) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicBool::new(true)));
    let together = Arc::new(Barrier::new(TASKS as usize));
    let mut g = Graph::<Work>::new("race");
    let (count, fails) = (Arc::clone(&runs), Arc::clone(&broken));
    let work = g.worker("work", move |i: u32, _: Cx| {
        let (count, fails, together) = (Arc::clone(&count), Arc::clone(&fails), Arc::clone(&together));
        async move {
            if fails.load(Ordering::SeqCst) {
                together.wait().await;
            }
            count.fetch_add(1, Ordering::SeqCst);
            if i == 0 && fails.load(Ordering::SeqCst) {
                return Err(NodeError::msg("broken"));
            }
            Ok(WorkUpdate::new().done([format!("{i:03}")]))
        }
    });
    g.start_route([work], move |_: &Work| (0..TASKS).map(|i| work.send(i)).collect::<Vec<_>>());
    g.edge(work, END);
    let thread = g.compile().unwrap().on(memory()).thread("t").unwrap();
    let failed = thread.invoke(WorkUpdate::new()).await.unwrap();
    assert!(matches!(failed, Outcome::Failed(_)));
    let kept = thread.state().await.unwrap().tasks.iter().filter(|task| task.result.is_some()).count();
    assert_eq!(kept, TASKS as usize - 1);
    broken.store(false, Ordering::SeqCst);
    let end = thread.go_on().await.unwrap().done().unwrap();
    assert_eq!(end.done, (0..TASKS).map(|i| format!("{i:03}")).collect::<Vec<_>>());
    assert_eq!(runs.load(Ordering::SeqCst), TASKS + 1, "a finished task ran again");
}

/// The same subgraph several times at once, and killed and resumed: each keeps
/// one chain of checkpoints of its own.
#[tokio::test]
async fn a_duplicate_subgraph_run_does_not_fork_the_chain() {
    fn app(store: Arc<dyn Checkpoints>) -> App<Work> {
        let mut inner = Graph::<Work>::new("inner");
        let a = inner.node("a", |_: Arc<Work>, _: Cx| async { Ok(WorkUpdate::new().paid(1)) });
        let b = inner.node("b", |_: Arc<Work>, _: Cx| async { Ok(WorkUpdate::new().paid(10)) });
        inner.start(a).edge(a, b).edge(b, END);
        let inner = inner.compile().unwrap();
        let mut g = Graph::<Work>::new("outer");
        let enter = |_: &Work| WorkUpdate::new();
        let leave = |end: Arc<Work>| WorkUpdate::new().paid(end.paid);
        let one = g.subgraph("one", &inner, enter, leave);
        let two = g.subgraph("two", &inner, enter, leave);
        g.start(one).start(two).edge(one, END).edge(two, END);
        g.compile().unwrap().on(store)
    }
    for nth in 1.. {
        let store = memory();
        let dying = Arc::new(CrashStore::new(Arc::clone(&store), nth, Death::After));
        let _ = app(Arc::clone(&dying) as Arc<dyn Checkpoints>)
            .thread("t")
            .unwrap()
            .invoke(WorkUpdate::new())
            .await;
        if !dying.died() {
            assert!(nth > 5, "the sweep ended at once");
            return;
        }
        let thread = app(Arc::clone(&store)).thread("t").unwrap();
        match thread.state().await.unwrap() {
            state if state.checkpoint.is_none() => {
                thread.invoke(WorkUpdate::new()).await.unwrap().done().unwrap().paid
            }
            state if !state.tasks.is_empty() => thread.go_on().await.unwrap().done().unwrap().paid,
            state => state.decode::<Work>().unwrap().paid,
        };
        assert_eq!(thread.state().await.unwrap().decode::<Work>().unwrap().paid, 22);
        let mut extended = BTreeSet::new();
        for row in rows(&store, "t").await.iter().filter(|row| row.kind == Kind::Checkpoint) {
            let checkpoint: serde_json::Value = serde_json::from_slice(&row.payload).unwrap();
            let place = (row.ns.clone(), checkpoint["parent"].as_str().map(str::to_owned));
            assert!(extended.insert(place), "two checkpoints extend the same one (crash at {nth})");
        }
    }
}

/// Two processes on one thread: one of them goes on, the other is told, and
/// the thread has one line of checkpoints.
#[tokio::test]
async fn two_writers_do_not_fork_one_thread() {
    let store = memory();
    let gate = Arc::new(Barrier::new(2));
    let app = |gate: Arc<Barrier>| {
        let mut g = Graph::<Work>::new("write");
        let node = g.node("node", move |_: Arc<Work>, _: Cx| {
            let gate = Arc::clone(&gate);
            async move {
                gate.wait().await;
                Ok(WorkUpdate::new().paid(1))
            }
        });
        g.start(node).edge(node, END);
        g.compile().unwrap().on(Arc::clone(&store))
    };
    let (one, two) =
        (app(Arc::clone(&gate)).thread("t").unwrap(), app(Arc::clone(&gate)).thread("t").unwrap());
    let first = tokio::spawn(async move { one.invoke(WorkUpdate::new()).await });
    while rows(&store, "t").await.is_empty() {
        tokio::task::yield_now().await;
    }
    // The second takes the thread over while the first is in the middle of its step.
    let second = two.go_on().await.unwrap().done().unwrap();
    assert_eq!(second.paid, 1);
    let fenced = first.await.unwrap();
    assert!(matches!(fenced, Err(Error::Store(duru::store::Error::Conflict { .. }))), "{:?}", fenced.err());
    let parents: Vec<_> = rows(&store, "t")
        .await
        .iter()
        .filter(|row| row.kind == Kind::Checkpoint)
        .map(|row| serde_json::from_slice::<serde_json::Value>(&row.payload).unwrap()["parent"].clone())
        .collect();
    assert_eq!(parents.len(), 2);
    assert_ne!(parents[0], parents[1]);
}

/// New input after a failed step: the finished work is used, or its loss is announced.
#[tokio::test]
async fn new_input_after_a_failed_step_does_not_silently_discard_finished_work() {
    let broken = Arc::new(AtomicBool::new(true));
    let good_runs = Arc::new(AtomicU32::new(0));
    let build = || {
        let mut g = Graph::<Work>::new("half");
        let (runs, fails) = (Arc::clone(&good_runs), Arc::clone(&broken));
        let good = g.node("good", move |_: Arc<Work>, _: Cx| {
            let runs = Arc::clone(&runs);
            async move {
                runs.fetch_add(1, Ordering::SeqCst);
                Ok(WorkUpdate::new().done(["good".to_string()]))
            }
        });
        let bad = g.node("bad", move |_: Arc<Work>, _: Cx| {
            let fails = Arc::clone(&fails);
            async move {
                match fails.load(Ordering::SeqCst) {
                    true => Err(NodeError::msg("broken")),
                    false => Ok(WorkUpdate::new().done(["bad".to_string()])),
                }
            }
        });
        g.start(good).start(bad).edge(good, END).edge(bad, END);
        g.compile().unwrap().on(memory())
    };
    // Kept: the unfinished step is finished first, without its finished part.
    let thread = build().thread("t").unwrap();
    assert!(matches!(thread.invoke(WorkUpdate::new()).await.unwrap(), Outcome::Failed(_)));
    broken.store(false, Ordering::SeqCst);
    let end = thread.invoke(WorkUpdate::new().paid(5)).await.unwrap().done().unwrap();
    assert_eq!(end.done, ["bad", "good", "bad", "good"]);
    assert_eq!(good_runs.load(Ordering::SeqCst), 2, "once for each input");
    // Given up: only when asked for, and announced.
    broken.store(true, Ordering::SeqCst);
    let thread = build().thread("t").unwrap();
    assert!(matches!(thread.invoke(WorkUpdate::new()).await.unwrap(), Outcome::Failed(_)));
    broken.store(false, Ordering::SeqCst);
    let run = thread.invoke(WorkUpdate::new()).on_unfinished(Unfinished::Discard);
    let mut stream = run.stream([Mode::Runs]).await.unwrap();
    let begin = stream.next().await.unwrap().unwrap();
    assert_eq!(begin.data["discarded"], serde_json::json!(["good"]));
    assert_eq!(stream.outcome().await.unwrap().done().unwrap().done, ["bad", "good"]);
}
