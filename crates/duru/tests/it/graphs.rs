//! How graphs are put together and what runs when.

use std::sync::Arc;
use std::time::Duration;

use duru::{Command, Cx, END, Goto, Graph, Policy, Send, State};
use serde::{Deserialize, Serialize};

use crate::support::{Log, LogUpdate, by, failure, memory, sign};

async fn run(g: Graph<Log>) -> Vec<String> {
    g.compile().unwrap().invoke(LogUpdate::new()).await.unwrap().done().unwrap().by.clone()
}

#[tokio::test]
async fn edges_lead_to_the_next_step_once() {
    let mut g = Graph::<Log>::new("g");
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| g.node(name, sign));
    g.start(a).edge(a, b).edge(a, c).edge(b, d).edge(c, d).edge(d, END);
    assert_eq!(run(g).await, ["a", "b", "c", "d"]);
}

#[tokio::test]
async fn several_nodes_may_start() {
    let mut g = Graph::<Log>::new("g");
    let [b, a] = ["b", "a"].map(|name| g.node(name, sign));
    g.start(b).start(a).edge(a, END).edge(b, END);
    assert_eq!(run(g).await, ["a", "b"]);
}

#[tokio::test]
async fn a_start_route_sees_the_input() {
    let mut g = Graph::<Log>::new("g");
    let [a, b] = ["a", "b"].map(|name| g.node(name, sign));
    g.start_route([a, b], move |s: &Log| if s.last == "to b" { b } else { a });
    g.edge(a, END).edge(b, END);
    let end = g.compile().unwrap().invoke(LogUpdate::new().last("to b")).await.unwrap().done().unwrap();
    assert_eq!(end.by, ["b"]);
}

#[tokio::test]
async fn a_route_sees_its_own_tasks_writes_and_no_siblings() {
    let mut g = Graph::<Log>::new("g");
    let start = g.node("start", |_: Arc<Log>, _: Cx| async { Ok(()) });
    let [left, right] = ["left", "right"].map(|name| g.node(name, sign));
    let [seen, blind] = ["seen", "blind"].map(|name| g.node(name, sign));
    g.start(start).edge(start, left).edge(start, right).edge(seen, END).edge(blind, END);
    for node in [left, right] {
        let pick = move |s: &Log| if s.by.len() == 1 { seen } else { blind };
        g.route(node, [seen, blind], pick);
    }
    assert_eq!(run(g).await, ["left", "right", "seen"]);
}

#[tokio::test]
async fn a_route_may_go_to_several_and_to_the_end() {
    let mut g = Graph::<Log>::new("g");
    let [a, b, c] = ["a", "b", "c"].map(|name| g.node(name, sign));
    g.start(a).edge(b, END);
    g.route(a, [b, c], move |_: &Log| vec![c, b]);
    g.route(c, [END], |_: &Log| END);
    assert_eq!(run(g).await, ["a", "b", "c"]);
}

#[tokio::test]
async fn a_join_waits_for_all_of_its_sources() {
    let mut g = Graph::<Log>::new("g");
    let [a, b, c, d, e] = ["a", "b", "c", "d", "e"].map(|name| g.node(name, sign));
    g.start(a).edge(a, b).edge(a, c).edge(b, d).join([c, d], e).edge(e, END);
    assert_eq!(run(g).await, ["a", "b", "c", "d", "e"]);
}

#[tokio::test]
async fn a_deferred_node_waits_for_everything_else() {
    let mut g = Graph::<Log>::new("g");
    let [a, b, c, z] = ["a", "b", "c", "z"].map(|name| g.node(name, sign));
    g.start(a).edge(a, z).edge(a, b).edge(b, c).edge(c, END).edge(z, END).defer(z);
    assert_eq!(run(g).await, ["a", "b", "c", "z"]);
}

#[derive(Clone, Serialize, Deserialize)]
struct Page {
    number: u32,
}

#[tokio::test]
async fn sends_carry_inputs_of_their_own_and_fold_in_order() {
    let mut g = Graph::<Log>::new("g");
    let a = g.node("a", sign);
    let read = g.worker("read", |page: Page, cx: Cx| async move {
        // The first one is the slowest.
        tokio::time::sleep(Duration::from_millis(u64::from(10 - page.number))).await;
        Ok(by(format!("{}{}", cx.node(), page.number)))
    });
    let end = g.node("end", sign);
    g.start(a).edge(read, end).edge(end, END);
    g.route(a, [read], move |_: &Log| (0..3).map(|number| read.send(Page { number })).collect::<Vec<Send>>());
    assert_eq!(run(g).await, ["a", "read0", "read1", "read2", "end"]);
}

#[tokio::test(start_paused = true)]
async fn a_send_has_a_time_limit_of_its_own() {
    let mut g = Graph::<Log>::new("g");
    let a = g.node("a", sign);
    let nap = g.worker("nap", |seconds: u64, _: Cx| async move {
        tokio::time::sleep(Duration::from_secs(seconds)).await;
        Ok(by(format!("slept {seconds}")))
    });
    g.start(a).edge(nap, END).policy(nap, Policy::new().timeout(Duration::from_secs(10)));
    g.route(a, [nap], move |_: &Log| {
        [
            nap.send(5),
            nap.send(30).timeout(Duration::from_secs(60)),
            nap.send(7).timeout(Duration::from_secs(6)),
        ]
    });
    let failure = failure(g.compile().unwrap().invoke(LogUpdate::new()).await.unwrap());
    assert_eq!(failure.message, "the node took longer than 6s");
    assert_eq!(failure.kind, duru::FailureKind::Timeout);
}

#[tokio::test]
async fn a_node_with_a_view_takes_edges_and_sends() {
    let mut g = Graph::<Log>::new("g");
    let a = g.node("a", sign);
    let count =
        g.node_with("count", |s: &Log| s.by.len(), |n: usize, _: Cx| async move { Ok(by(format!("n={n}"))) });
    g.start(a).edge(a, count).edge(count, END);
    g.route(a, [count], move |_: &Log| count.send(7));
    assert_eq!(run(g).await, ["a", "n=1", "n=7"]);
}

#[tokio::test]
async fn a_command_goes_in_addition_to_edges_and_writes_several_times() {
    let mut g = Graph::<Log>::new("g");
    let [b, c] = ["b", "c"].map(|name| g.node(name, sign));
    let a = g.node("a", move |_: Arc<Log>, _: Cx| async move {
        Ok(Command::<Log>::update(by("a1")).and(by("a2")).goto(c))
    });
    g.start(a).edge(a, b).may_go(a, [c]).edge(b, END).edge(c, END);
    assert_eq!(run(g).await, ["a1", "a2", "b", "c"]);
}

#[tokio::test]
async fn a_command_may_send_and_may_end() {
    let mut g = Graph::<Log>::new("g");
    let w = g.worker("w", |word: String, _: Cx| async move { Ok(by(word)) });
    let a = g.node("a", move |_: Arc<Log>, _: Cx| async move {
        Ok(Command::<Log>::go(vec![
            Goto::from(w.send("x".into())),
            Goto::from(w.send("y".into())),
            Goto::End,
        ]))
    });
    g.start(a).may_go(a, [w]).edge(w, END);
    assert_eq!(run(g).await, ["x", "y"]);
}

#[tokio::test]
async fn a_command_to_an_undeclared_node_names_both() {
    let mut g = Graph::<Log>::new("g");
    let c = g.node("c", sign);
    let b = g.node("b", move |_: Arc<Log>, _: Cx| async move { Ok(Command::<Log>::go(c)) });
    let a = g.node("a", sign);
    g.start(a).edge(a, c).edge(c, b).edge(b, END);
    let failure = failure(g.compile().unwrap().invoke(LogUpdate::new()).await.unwrap());
    assert_eq!(failure.kind, duru::FailureKind::Target);
    assert_eq!(failure.node.as_deref(), Some("b"));
    assert!(failure.message.contains("the command of node b went to c"), "{}", failure.message);
}

#[tokio::test]
async fn a_route_with_another_graphs_handle_is_refused_even_if_the_place_is_right() {
    let mut other = Graph::<Log>::new("other");
    let _ = other.node("x", sign);
    let stranger = other.node("y", sign);
    let mut g = Graph::<Log>::new("g");
    let [a, b] = ["a", "b"].map(|name| g.node(name, sign));
    g.start(a).edge(b, END);
    g.route(a, [b], move |_: &Log| stranger);
    let failure = failure(g.compile().unwrap().invoke(LogUpdate::new()).await.unwrap());
    assert_eq!(failure.kind, duru::FailureKind::Target);
    assert!(failure.message.contains("of another graph"), "{}", failure.message);
}

#[tokio::test]
async fn a_graph_has_input_and_output_types_of_its_own() {
    let mut g = Graph::<Log>::new("g").input(|word: &'static str| by(word)).output(|s: &Log| s.by.join("+"));
    let a = g.node("a", sign);
    g.start(a).edge(a, END);
    let graph = g.compile().unwrap();
    let end: String = graph.invoke("hello").await.unwrap().done().unwrap();
    assert_eq!(end, "hello+a");
    let app = graph.on(memory());
    let thread = app.thread("t").unwrap();
    thread.invoke("one").await.unwrap().done().unwrap();
    assert_eq!(thread.invoke("two").await.unwrap().done().unwrap(), "one+a+two+a");
}

#[tokio::test]
async fn a_thread_can_be_told_where_to_go() {
    let mut g = Graph::<Log>::new("g");
    let [a, b, c] = ["a", "b", "c"].map(|name| g.node(name, sign));
    g.start(a).edge(a, b).edge(b, c).edge(c, END);
    let app = g.compile().unwrap().on(memory());
    let thread = app.thread("t").unwrap();
    let end = thread.goto(Some(by("in")), ["b"]).await.unwrap().done().unwrap();
    assert_eq!(end.by, ["in", "b", "c"]);
    let error = thread.goto(None, ["nope"]).await.unwrap_err().to_string();
    assert!(error.contains("there is no node \"nope\"") && error.contains("a, b, c"), "{error}");
}

#[tokio::test]
async fn the_recursion_limit_names_itself_and_the_thread_goes_on() {
    let mut g = Graph::<Log>::new("g");
    let a = g.node("a", sign);
    g.start(a);
    g.route(a, [a.into(), END], move |s: &Log| if s.by.len() < 5 { a.into() } else { END });
    let app = g.compile().unwrap().on(memory());
    let thread = app.thread("t").unwrap();
    let failure = failure(thread.invoke(LogUpdate::new()).recursion_limit(3).await.unwrap());
    assert_eq!(failure.kind, duru::FailureKind::RecursionLimit);
    assert!(failure.message.contains("took 3 steps"), "{}", failure.message);
    assert_eq!(thread.go_on().await.unwrap().done().unwrap().by.len(), 5);
}

#[derive(State, Clone)]
struct Peak {
    #[merge(max)]
    most: usize,
}

#[tokio::test(start_paused = true)]
async fn concurrency_is_limited_per_run_and_per_node() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    for (max, limit, expected) in [(None, None, 8), (Some(3), None, 3), (None, Some(2), 2)] {
        let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let mut g = Graph::<Peak>::new("g");
        let a = g.node("a", |_: Arc<Peak>, _: Cx| async { Ok(()) });
        let (running, peak) = (Arc::clone(&now), Arc::clone(&most));
        let w = g.worker("w", move |_: usize, _: Cx| {
            let (running, peak) = (Arc::clone(&running), Arc::clone(&peak));
            async move {
                let here = running.fetch_add(1, Ordering::SeqCst) + 1;
                peak.fetch_max(here, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_secs(1)).await;
                running.fetch_sub(1, Ordering::SeqCst);
                Ok(PeakUpdate::new().most(here))
            }
        });
        g.start(a).edge(w, END);
        if let Some(limit) = limit {
            g.policy(w, Policy::new().limit(limit));
        }
        g.route(a, [w], move |_: &Peak| (0..8).map(|i| w.send(i)).collect::<Vec<_>>());
        let mut run = g.compile().unwrap().invoke(PeakUpdate::new());
        if let Some(max) = max {
            run = run.max_concurrency(max);
        }
        let end = run.await.unwrap().done().unwrap();
        assert_eq!((end.most, most.load(Ordering::SeqCst)), (expected, expected));
        assert_eq!(now.load(Ordering::SeqCst), 0);
    }
}
