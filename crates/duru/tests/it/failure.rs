//! What happens when nodes, time or the store fail.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use duru::{
    Command, Compiled, Cx, END, Error, FailureKind, Graph, Node, NodeError, NodeFailure, Outcome, Policy,
    Result, Retry,
};
use tokio::time::{Instant, sleep};

use crate::support::{Log, LogUpdate, Probe, Tally, by, failure, flaky, memory, sign};

#[derive(Debug, thiserror::Error)]
#[error("the line is {0}")]
struct Line(&'static str);

/// `a`, then a node under test, then `z`.
fn around(build: impl FnOnce(&mut Graph<Log>) -> Node) -> Compiled<Log> {
    let mut g = Graph::<Log>::new("g");
    let [a, z] = ["a", "z"].map(|name| g.node(name, sign));
    let node = build(&mut g);
    g.start(a).edge(a, node).edge(node, z).edge(z, END);
    g.compile().unwrap()
}

async fn fails(graph: &Compiled<Log>) -> duru::Failure {
    let app = graph.clone().on(memory());
    failure(app.thread("t").unwrap().invoke(LogUpdate::new()).await.unwrap())
}

#[tokio::test]
async fn an_error_names_its_place_and_keeps_its_source() {
    let graph = around(|g| g.node("bad", |_: Arc<Log>, _: Cx| async { Err::<(), _>(Line("dead").into()) }));
    let failure = fails(&graph).await;
    assert_eq!(failure.kind, FailureKind::Node);
    assert_eq!(failure.to_string(), "graph g, node bad, step 2, thread t: the line is dead");
    assert_eq!(failure.source.as_ref().unwrap().downcast_ref::<Line>().unwrap().0, "dead");
    assert!(std::error::Error::source(&failure).unwrap().is::<Line>());
}

#[tokio::test]
async fn a_panic_is_a_failed_task() {
    async fn late(_: Arc<Log>, _: Cx) -> Result<()> {
        tokio::task::yield_now().await;
        panic!("oh no")
    }
    fn early(_: Arc<Log>, _: Cx) -> std::future::Ready<Result<()>> {
        panic!("oh no")
    }
    for graph in [around(|g| g.node("bad", late)), around(|g| g.node("bad", early))] {
        let failure = fails(&graph).await;
        assert_eq!((failure.kind, failure.node.as_deref()), (FailureKind::Panic, Some("bad")));
        assert_eq!(failure.message, "the node panicked: oh no");
    }
}

#[tokio::test]
async fn a_panic_beside_siblings_leaves_them_be() {
    let mut g = Graph::<Log>::new("g");
    let a = g.node("a", sign);
    let bad = g.node("bad", |_: Arc<Log>, _: Cx| async { if true { panic!("oh no") } else { Ok(()) } });
    g.start(a).start(bad).edge(a, END).edge(bad, END);
    let app = g.compile().unwrap().on(memory());
    let thread = app.thread("t").unwrap();
    assert_eq!(failure(thread.invoke(LogUpdate::new()).await.unwrap()).node.as_deref(), Some("bad"));
    let state = thread.state().await.unwrap();
    assert_eq!(state.next(), ["bad"]);
    assert_eq!(state.tasks[0].result, Some(serde_json::json!({ "by": ["a"] })));
    assert_eq!(state.tasks[1].error.as_deref(), Some("the node panicked: oh no"));
}

#[tokio::test]
async fn a_panic_in_a_route_fails_its_task() {
    let mut g = Graph::<Log>::new("g");
    let a = g.node("a", sign);
    g.start(a);
    g.route(a, [END], |s: &Log| if s.by.is_empty() { END } else { panic!("no way") });
    let failure = fails(&g.compile().unwrap()).await;
    assert_eq!((failure.kind, failure.node.as_deref()), (FailureKind::Panic, Some("a")));
    assert!(failure.message.contains("no way"), "{}", failure.message);
}

#[tokio::test]
async fn a_panic_in_a_view_a_start_route_or_a_subgraphs_ends_fails_the_run() {
    let inner = around(|g| g.node("inner", sign));
    let graphs = [
        around(|g| {
            g.node_with("bad", |_: &Log| -> u8 { panic!("no way") }, |_: u8, _: Cx| async { Ok(()) }).into()
        }),
        around(|g| g.subgraph("bad", &inner, |_: &Log| -> LogUpdate { panic!("no way") }, |_| ())),
        around(|g| g.subgraph("bad", &inner, |_: &Log| LogUpdate::new(), |_| -> () { panic!("no way") })),
    ];
    for graph in graphs {
        let failure = fails(&graph).await;
        assert_eq!((failure.kind, failure.node.as_deref()), (FailureKind::Panic, Some("bad")));
    }
    let mut g = Graph::<Log>::new("g");
    let a = g.node("a", sign);
    g.start_route([a], |_: &Log| -> Node { panic!("no way") }).edge(a, END);
    let failure = fails(&g.compile().unwrap()).await;
    assert_eq!(failure.kind, FailureKind::Panic);
    assert!(failure.message.contains("the input could not be taken in"), "{}", failure.message);
}

#[tokio::test(start_paused = true)]
async fn a_retry_waits_longer_every_time() {
    let graph = around(|g| {
        let bad = g.node("bad", |_: Arc<Log>, cx: Cx| async move { flaky(&cx, 3).await });
        let retry = Retry::times(4).first_wait(Duration::from_secs(1)).jitter(0.0);
        g.policy(bad, Policy::new().retry(retry));
        bad
    });
    let (start, tally) = (Instant::now(), Tally::default());
    let end = graph.invoke(LogUpdate::new()).provide(tally.clone()).await.unwrap().done().unwrap();
    assert_eq!(end.by, ["a", "bad", "z"]);
    assert_eq!(tally.of("bad"), 4);
    assert_eq!(start.elapsed().as_millis(), 1000 + 2000 + 4000);
}

#[tokio::test(start_paused = true)]
async fn only_errors_worth_it_are_tried_again() {
    type Make = fn() -> NodeError;
    let cases: [(Make, usize); 4] = [
        (|| Line("busy").into(), 3),
        (|| Line("dead").into(), 1),
        (|| NodeError::fatal("no use"), 1),
        (|| panic!("oh no"), 1),
    ];
    for (make, tries) in cases {
        let graph = around(|g| {
            let bad = g.node("bad", move |_: Arc<Log>, cx: Cx| async move {
                cx.get::<Tally>()?.count("bad");
                assert_eq!(cx.get::<Tally>()?.of("bad"), cx.attempt() as usize);
                Err::<(), _>(make())
            });
            let busy = |error: &NodeError| {
                error.is_retryable() && error.downcast_ref::<Line>().is_some_and(|line| line.0 == "busy")
            };
            g.policy(bad, Policy::new().retry(Retry::times(3).only_if(busy)));
            bad
        });
        let tally = Tally::default();
        let outcome = graph.invoke(LogUpdate::new()).provide(tally.clone()).await.unwrap();
        assert_eq!(failure(outcome).node.as_deref(), Some("bad"));
        assert_eq!(tally.of("bad"), tries);
    }
}

#[tokio::test(start_paused = true)]
async fn a_node_that_takes_too_long_is_ended_and_tried_again() {
    let graph = around(|g| {
        let slow = g.node("slow", |_: Arc<Log>, cx: Cx| async move {
            sleep(Duration::from_secs(if cx.attempt() == 1 { 60 } else { 1 })).await;
            Ok(by("slow"))
        });
        let retry = Retry::times(2).first_wait(Duration::from_secs(1)).jitter(0.0);
        g.policy(slow, Policy::new().timeout(Duration::from_secs(5)).retry(retry));
        slow
    });
    let start = Instant::now();
    assert_eq!(graph.invoke(LogUpdate::new()).await.unwrap().done().unwrap().by, ["a", "slow", "z"]);
    assert_eq!(start.elapsed().as_secs(), 5 + 1 + 1);
}

/// Panics when it is dropped.
struct Touchy;

impl Drop for Touchy {
    fn drop(&mut self) {
        assert!(std::thread::panicking(), "do not drop me");
    }
}

#[tokio::test(start_paused = true)]
async fn a_panic_while_a_late_node_is_ended_is_its_failure() {
    async fn nap(_: Arc<Log>, _: Cx) -> Result<()> {
        let _touchy = Touchy;
        sleep(Duration::from_secs(60)).await;
        Ok(())
    }
    for siblings in [false, true] {
        let graph = around(|g| {
            let node = g.node("nap", nap);
            g.policy(node, Policy::new().timeout(Duration::from_secs(5)));
            if siblings {
                let sibling = g.node("sibling", sign);
                g.start(node).start(sibling).edge(sibling, END);
            }
            node
        });
        let failure = fails(&graph).await;
        assert_eq!((failure.kind, failure.node.as_deref()), (FailureKind::Panic, Some("nap")));
    }
}

#[tokio::test(start_paused = true)]
async fn a_subgraph_has_a_time_limit_too() {
    let inner = around(|g| {
        g.node("nap", |_: Arc<Log>, _: Cx| async {
            sleep(Duration::from_secs(60)).await;
            Ok(())
        })
    });
    let graph = around(|g| {
        let sub = g.embed("sub", &inner);
        g.policy(sub, Policy::new().timeout(Duration::from_secs(5)));
        sub
    });
    let start = Instant::now();
    let failure = fails(&graph).await;
    assert_eq!((failure.kind, failure.node.as_deref()), (FailureKind::Timeout, Some("sub")));
    assert_eq!(start.elapsed().as_secs(), 5);
}

#[tokio::test(start_paused = true)]
async fn a_subgraph_that_shows_no_life_is_ended() {
    // The signs of life of a subgraph are those of its nodes, at any depth, and the ends of its tasks.
    for (naps, emits, seconds) in [(vec![4, 4, 4], false, 12), (vec![12], true, 12), (vec![4, 60], false, 9)]
    {
        let mut g = Graph::<Log>::new("inner");
        let mut before: Option<Node> = None;
        for (i, nap) in naps.iter().copied().enumerate() {
            let node = g.node(&format!("nap{i}"), move |_: Arc<Log>, cx: Cx| async move {
                for _ in 0..nap {
                    sleep(Duration::from_secs(1)).await;
                    if emits {
                        cx.heartbeat();
                    }
                }
                Ok(())
            });
            match before {
                None => g.start(node),
                Some(before) => g.edge(before, node),
            };
            before = Some(node);
        }
        g.edge(before.unwrap(), END);
        let inner = g.compile().unwrap();
        let middle = around(|g| g.embed("middle", &inner));
        let graph = around(|g| {
            let sub = g.embed("sub", &middle);
            g.policy(sub, Policy::new().idle_timeout(Duration::from_secs(5)));
            sub
        });
        let start = Instant::now();
        let outcome = graph.on(memory()).thread("t").unwrap().invoke(LogUpdate::new()).await.unwrap();
        assert_eq!(start.elapsed().as_secs(), seconds, "{naps:?}");
        match outcome.failure() {
            Some(failure) => {
                assert_eq!((failure.kind, failure.node.as_deref()), (FailureKind::Timeout, Some("sub")));
                assert_eq!(seconds, 9);
            }
            None => assert_eq!(seconds, 12),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn tries_before_a_crash_count() {
    let tries = Arc::new(std::sync::Mutex::new(Vec::new()));
    let seen = Arc::clone(&tries);
    let graph = around(|g| {
        let node = g.node("bad", move |_: Arc<Log>, cx: Cx| {
            seen.lock().unwrap().push(cx.attempt());
            async { Err::<(), _>(NodeError::msg("broke")) }
        });
        g.policy(node, Policy::new().retry(Retry::times(4).jitter(0.0).first_wait(Duration::from_secs(10))));
        node
    });
    let store = memory();
    for waits in [15, 25] {
        // The process dies while the node waits for another try.
        let thread = graph.clone().on(Arc::clone(&store)).thread("t").unwrap();
        let run =
            async { if waits == 15 { thread.invoke(LogUpdate::new()).await } else { thread.go_on().await } };
        assert!(tokio::time::timeout(Duration::from_secs(waits), run).await.is_err());
    }
    let thread = graph.on(store).thread("t").unwrap();
    assert_eq!(failure(thread.go_on().await.unwrap()).node.as_deref(), Some("bad"));
    assert_eq!(*tries.lock().unwrap(), [1, 2, 3, 4]);
    // Whoever goes on after it was given up wants it tried anew.
    let _ = failure(thread.go_on().await.unwrap());
    assert_eq!(*tries.lock().unwrap(), [1, 2, 3, 4, 1, 2, 3, 4]);
    // A try that is followed by another one is no end of the task.
    let shown = crate::support::told(&thread, duru::Mode::Tasks).await;
    assert_eq!(shown.iter().filter(|event| event["node"] == "bad" && !event["error"].is_null()).count(), 2);
}

#[tokio::test(start_paused = true)]
async fn signs_of_life_keep_a_node_from_being_idle() {
    for (alive, seconds) in [(true, 12), (false, 5)] {
        let graph = around(|g| {
            let node = g.node("node", move |_: Arc<Log>, cx: Cx| async move {
                for i in 0..3 {
                    sleep(Duration::from_secs(4)).await;
                    match i {
                        _ if !alive => {}
                        0 => cx.heartbeat(),
                        _ => cx.emit("still here")?,
                    }
                }
                Ok(())
            });
            g.policy(node, Policy::new().idle_timeout(Duration::from_secs(5)));
            node
        });
        let start = Instant::now();
        let outcome = graph.invoke(LogUpdate::new()).await.unwrap();
        assert_eq!(start.elapsed().as_secs(), seconds);
        assert_eq!(outcome.failure().is_none(), alive);
        if let Some(failure) = outcome.failure() {
            assert_eq!(failure.message, "the node showed no life for 5s");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_step_timeout_ends_the_step_and_keeps_what_finished() {
    let mut g = Graph::<Log>::new("g");
    let quick = g.node("quick", sign);
    let slow = g.node("slow", |_: Arc<Log>, cx: Cx| async move {
        if cx.get::<Tally>()?.count("slow") == 1 {
            sleep(Duration::from_secs(60)).await;
        }
        Ok(by("slow"))
    });
    g.start(quick).start(slow).edge(quick, END).edge(slow, END);
    let app = g.compile().unwrap().provide(Tally::default()).on(memory());
    let thread = app.thread("t").unwrap();
    let failure =
        failure(thread.invoke(LogUpdate::new()).step_timeout(Duration::from_secs(3)).await.unwrap());
    assert_eq!(failure.kind, FailureKind::StepTimeout);
    assert_eq!(failure.message, "the step took longer than 3s; not finished: slow");
    assert_eq!(thread.state().await.unwrap().next(), ["slow"]);
    assert_eq!(thread.go_on().await.unwrap().done().unwrap().by, ["quick", "slow"]);
}

#[tokio::test]
async fn an_error_handler_is_told_what_failed_and_says_where_to_go() {
    let mut g = Graph::<Log>::new("g");
    let bad = g.node("bad", |_: Arc<Log>, _: Cx| async { Err::<(), _>(Line("dead").into()) });
    let [never, then] = ["never", "then"].map(|name| g.node(name, sign));
    g.start(bad).edge(bad, never).edge(never, END).edge(then, END).may_go(bad, [then]);
    g.on_error(bad, move |_: Arc<Log>, failure: NodeFailure, _: Cx| async move {
        assert_eq!((failure.kind, failure.attempts), (FailureKind::Node, 1));
        Ok(Command::<Log>::update(by(format!("{}: {}", failure.node, failure.message))).goto(then))
    });
    let end = g.compile().unwrap().invoke(LogUpdate::new()).await.unwrap().done().unwrap();
    assert_eq!(end.by, ["bad: the line is dead", "then"]);
}

#[tokio::test]
async fn a_store_that_fails_stops_the_run() {
    let graph = around(|g| g.node("b", |_: Arc<Log>, cx: Cx| async move { flaky(&cx, 0).await }));
    for (from, ran) in [(0, 0), (1, 0), (2, 1), (3, 1)] {
        let (store, tally) = (Probe::shared(), Tally::default());
        *store.fail_from.lock().unwrap() = Some(from);
        let app = graph.clone().provide(tally.clone()).on(store.clone());
        let error = app.thread("t").unwrap().invoke(LogUpdate::new()).await.unwrap_err();
        assert!(matches!(error, Error::Store(duru::store::Error::Backend { .. })), "{error}");
        assert_eq!(error.to_string(), "the store failed to commit: the disk is full");
        assert_eq!(tally.of("b"), ran, "commits fail from {from}");
        *store.fail_from.lock().unwrap() = None;
        let thread = app.thread("t").unwrap();
        let end = if from == 0 { thread.invoke(LogUpdate::new()).await } else { thread.go_on().await };
        assert_eq!(end.unwrap().done().unwrap().by, ["a", "b", "z"]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_run_stops_at_once_and_can_go_on() {
    let graph = around(|g| {
        g.node("nap", |_: Arc<Log>, cx: Cx| async move {
            if cx.get::<Tally>()?.count("nap") == 1 {
                sleep(Duration::from_secs(3600)).await;
            }
            Ok(by("nap"))
        })
    });
    let app = graph.provide(Tally::default()).on(memory());
    let thread = app.thread("t").unwrap();
    let start = Instant::now();
    let stopper = thread.clone();
    let stop = async move {
        sleep(Duration::from_secs(1)).await;
        assert!(stopper.cancel());
    };
    let (outcome, ()) = tokio::join!(async { thread.invoke(LogUpdate::new()).await }, stop);
    assert!(matches!(outcome.unwrap(), Outcome::Cancelled));
    assert_eq!(start.elapsed().as_secs(), 1);
    assert!(!thread.cancel());
    assert_eq!(thread.go_on().await.unwrap().done().unwrap().by, ["a", "nap", "z"]);
}

#[tokio::test]
async fn a_thread_runs_one_thing_at_a_time() {
    let count = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&count);
    let graph = around(|g| {
        g.node("slow", move |_: Arc<Log>, _: Cx| {
            seen.fetch_add(1, Ordering::SeqCst);
            async {
                tokio::task::yield_now().await;
                Ok(())
            }
        })
    });
    let app = graph.on(memory());
    let thread = app.thread("t").unwrap();
    let (one, two) = tokio::join!(async { thread.invoke(LogUpdate::new()).await }, async {
        thread.invoke(LogUpdate::new()).await
    });
    assert!(one.is_ok());
    assert!(matches!(two.unwrap_err(), Error::Busy { thread } if thread.as_str() == "t"));
    assert_eq!(count.load(Ordering::SeqCst), 1);
}
