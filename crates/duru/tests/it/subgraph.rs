//! Graphs inside nodes.

use std::sync::Arc;
use std::time::Duration;

use duru::{
    Breakpoint, Command, Compiled, Cx, Durability, END, FailureKind, Graph, Outcome, Policy, Result, Retry,
    State,
};

use crate::support::{Log, LogUpdate, Probe, Tally, by, failure, flaky, memory, reopened, sign};

/// Adds one and signs.
async fn add(_: Arc<Log>, cx: Cx) -> Result<LogUpdate> {
    cx.get::<Tally>()?.count(cx.node());
    Ok(by(cx.node()).total(1u64))
}

/// Two nodes of the same state in a row.
fn pair(one: &str, two: &str) -> Compiled<Log> {
    let mut g = Graph::<Log>::new("pair");
    let [one, two] = [one, two].map(|name| g.node(name, add));
    g.start(one).edge(one, two).edge(two, END);
    g.compile().unwrap()
}

/// `before`, the inner graph embedded as `sub`, `after`.
fn outer(inner: &Compiled<Log>) -> Compiled<Log> {
    let mut g = Graph::<Log>::new("outer");
    let [before, after] = ["before", "after"].map(|name| g.node(name, add));
    let sub = g.embed("sub", inner);
    g.start(before).edge(before, sub).edge(sub, after).edge(after, END);
    g.compile().unwrap()
}

#[derive(State, Clone)]
struct Words {
    text: String,
    #[merge(append)]
    lengths: Vec<usize>,
}

#[tokio::test]
async fn a_subgraph_with_a_state_of_its_own() {
    let mut g = Graph::<Words>::new("words").output(|s: &Words| s.lengths.iter().sum::<usize>());
    let measure = g.node("measure", |s: Arc<Words>, _: Cx| async move {
        Ok(WordsUpdate::new().lengths(s.text.split(' ').map(str::len)))
    });
    g.start(measure).edge(measure, END);
    let words = g.compile().unwrap();
    let mut g = Graph::<Log>::new("outer");
    let enter = |s: &Log| WordsUpdate::new().text(s.by.join(" "));
    let count = g.subgraph("count", &words, enter, |sum: usize| by(format!("{sum} letters")));
    g.start(count).edge(count, END);
    let graph = g.compile().unwrap();
    let input = || LogUpdate::new().by(["ab".to_owned(), "cde".to_owned()]);
    assert_eq!(graph.invoke(input()).await.unwrap().done().unwrap().by, ["ab", "cde", "5 letters"]);
    let thread = graph.on(memory()).thread("t").unwrap();
    assert_eq!(thread.invoke(input()).await.unwrap().done().unwrap().by, ["ab", "cde", "5 letters"]);
    // Every visit starts afresh.
    assert_eq!(thread.invoke(by("f")).await.unwrap().done().unwrap().by[3..], ["f", "14 letters"]);
}

#[tokio::test]
async fn an_embedded_graph_sees_and_changes_the_state_once() {
    let graph = outer(&outer(&pair("one", "two"))).provide(Tally::default());
    let app = graph.clone().on(memory());
    let thread = app.thread("t").unwrap();
    let expected = ["in", "before", "before", "one", "two", "after", "after"];
    let bare = graph.invoke(by("in").total(10u64)).await.unwrap().done().unwrap();
    let stored = thread.invoke(by("in").total(10u64)).await.unwrap().done().unwrap();
    let read: Log = thread.state().await.unwrap().decode().unwrap();
    for end in [&*bare, &*stored, &read] {
        assert_eq!((end.by.as_slice(), end.total), (expected.map(str::to_owned).as_slice(), 16));
    }
}

#[tokio::test]
async fn embedded_graphs_in_parallel_add_up() {
    let mut g = Graph::<Log>::new("outer");
    for name in ["right", "left"] {
        let node = g.embed(name, &pair("one", "two"));
        g.start(node).edge(node, END);
    }
    let app = g.compile().unwrap().provide(Tally::default()).on(memory());
    let end = app.thread("t").unwrap().invoke(LogUpdate::new()).await.unwrap().done().unwrap();
    assert_eq!((end.by.join(" "), end.total), ("one two one two".into(), 4));
}

/// `x` appends or overwrites beside `y`, which does the other; then `last` breaks a number of times.
fn clash(overwriter: &'static str, times: usize) -> Compiled<Log> {
    let mut g = Graph::<Log>::new("clash");
    let last = g.node("last", move |_: Arc<Log>, cx: Cx| async move { flaky(&cx, times).await });
    for name in ["x", "y"] {
        let node = g.node(name, move |_: Arc<Log>, cx: Cx| async move {
            let update = by(cx.node());
            Ok(if name == overwriter {
                LogUpdate::new().overwrite_by([cx.node().to_owned()])
            } else {
                update
            })
        });
        g.start(node).join([node], last);
    }
    g.edge(last, END);
    g.compile().unwrap()
}

#[tokio::test]
async fn an_overwrite_in_an_embedded_graph_wins_outside_and_after_a_restart_too() {
    for (overwriter, breaks) in [("x", 0), ("y", 0), ("x", 1), ("y", 1)] {
        let graph = outer(&clash(overwriter, breaks)).provide(Tally::default());
        let app = graph.clone().on(memory());
        let mut outcome = app.thread("t").unwrap().invoke(by("in")).await.unwrap();
        let thread = reopened(&graph, &app, "t");
        if breaks > 0 {
            assert_eq!(failure(outcome).node.as_deref(), Some("sub"));
            outcome = thread.go_on().await.unwrap();
        }
        let end = outcome.done().unwrap();
        assert_eq!(end.by, [overwriter, "last", "after"]);
        assert_eq!(thread.state().await.unwrap().decode::<Log>().unwrap(), *end);
    }
}

/// The inner graph's second node breaks a number of times.
fn breaking(times: usize, policy: Policy) -> Compiled<Log> {
    let mut g = Graph::<Log>::new("inner");
    let first = g.node("first", add);
    let second =
        g.node("second", move |_: Arc<Log>, cx: Cx| async move { Ok(flaky(&cx, times).await?.total(1u64)) });
    g.start(first).edge(first, second).edge(second, END);
    let inner = g.compile().unwrap();
    let mut g = Graph::<Log>::new("outer");
    let before = g.node("before", add);
    let sub = g.embed("sub", &inner);
    g.start(before).edge(before, sub).edge(sub, END).policy(sub, policy);
    g.compile().unwrap()
}

#[tokio::test]
async fn a_subgraph_goes_on_inside_after_a_failure() {
    for restart in [true, false] {
        for durability in [Durability::EachStep, Durability::Background, Durability::AtEnd] {
            let tally = Tally::default();
            let graph = breaking(1, Policy::new()).provide(tally.clone());
            let app = graph.clone().on(memory());
            let thread = app.thread("t").unwrap();
            let failure = failure(thread.invoke(LogUpdate::new()).durability(durability).await.unwrap());
            assert_eq!((failure.kind, failure.node.as_deref()), (FailureKind::Node, Some("sub")));
            assert!(failure.message.contains("graph inner (sub:"), "{}", failure.message);
            assert!(
                failure.message.contains("node second, step 2, thread t: second broke"),
                "{}",
                failure.message
            );
            let thread = if restart { reopened(&graph, &app, "t") } else { thread };
            let end = thread.go_on().durability(durability).await.unwrap().done().unwrap();
            assert_eq!((end.by.join(" "), end.total), ("before first second".into(), 3));
            assert_eq!((tally.of("first"), tally.of("second")), (1, 2));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_retried_subgraph_goes_on_inside_whatever_is_durable() {
    for durability in [Durability::EachStep, Durability::Background, Durability::AtEnd] {
        let tally = Tally::default();
        let retry = Retry::times(3).first_wait(Duration::ZERO);
        let graph = breaking(2, Policy::new().retry(retry)).provide(tally.clone());
        let app = graph.clone().on(Probe::slow());
        let thread = app.thread("t").unwrap();
        let end = thread.invoke(LogUpdate::new()).durability(durability).await.unwrap().done().unwrap();
        assert_eq!((end.by.join(" "), end.total), ("before first second".into(), 3));
        assert_eq!((tally.of("first"), tally.of("second")), (1, 3), "{durability:?}");
        let read: Log = reopened(&graph, &app, "t").state().await.unwrap().decode().unwrap();
        assert_eq!(read, *end);
    }
}

#[tokio::test]
async fn questions_in_a_subgraph_are_answered_whatever_is_durable() {
    let mut g = Graph::<Log>::new("inner");
    let first = g.node("first", add);
    let ask = g.node("ask", |_: Arc<Log>, cx: Cx| async move { Ok(by(cx.interrupt::<String>("who?")?)) });
    g.start(first).edge(first, ask).edge(ask, END);
    let graph = outer(&g.compile().unwrap()).provide(Tally::default());
    for durability in [Durability::EachStep, Durability::Background, Durability::AtEnd] {
        let app = graph.clone().on(Probe::slow());
        let outcome = app.thread("t").unwrap().invoke(LogUpdate::new()).durability(durability).await.unwrap();
        assert_eq!(outcome.questions().len(), 1);
        let thread = reopened(&graph, &app, "t");
        let end = thread.resume("me").durability(durability).await.unwrap().done().unwrap();
        assert_eq!((end.by.join(" "), end.total), ("before first me after".into(), 3), "{durability:?}");
        assert_eq!(thread.state().await.unwrap().decode::<Log>().unwrap(), *end);
    }
}

#[derive(State, Clone)]
struct Hints {
    #[merge(ephemeral)]
    hint: String,
    #[merge(append)]
    seen: Vec<String>,
}

#[tokio::test]
async fn an_ephemeral_value_of_an_embedded_graph_does_not_come_back_after_a_restart() {
    let mut g = Graph::<Hints>::new("inner");
    let give = g.node("give", |_: Arc<Hints>, _: Cx| async { Ok(HintsUpdate::new().hint("psst")) });
    let pass =
        g.node("pass", |s: Arc<Hints>, _: Cx| async move { Ok(HintsUpdate::new().seen([s.hint.clone()])) });
    let ask = g.node("ask", |s: Arc<Hints>, cx: Cx| async move {
        let answer: String = cx.interrupt("go on?")?;
        Ok(HintsUpdate::new().seen([format!("{answer} {:?}", s.hint)]))
    });
    g.start(give).edge(give, pass).edge(pass, ask).edge(ask, END);
    let inner = g.compile().unwrap();
    let mut g = Graph::<Hints>::new("outer");
    let sub = g.embed("sub", &inner);
    g.start(sub).edge(sub, END);
    let graph = g.compile().unwrap();
    let app = graph.clone().on(memory());
    let outcome = app.thread("t").unwrap().invoke(HintsUpdate::new()).await.unwrap();
    assert_eq!(outcome.questions().len(), 1);
    let thread = graph.on(Arc::clone(app.store())).thread("t").unwrap();
    assert_eq!(thread.resume("yes").await.unwrap().done().unwrap().seen, ["psst", "yes \"\""]);
}

#[tokio::test]
async fn an_ephemeral_value_of_an_inner_step_does_not_show_outside() {
    let see = |s: Arc<Hints>, _: Cx| async move { Ok(HintsUpdate::new().seen([s.hint.clone()])) };
    // What the last inner step says is heard by the next step outside, and no longer; what an earlier one said is not.
    for (last, heard) in [(false, ["psst", ""]), (true, ["psst", "hush"])] {
        let mut g = Graph::<Hints>::new("inner");
        let give = g.node("give", |_: Arc<Hints>, _: Cx| async { Ok(HintsUpdate::new().hint("psst")) });
        let pass = g.node("pass", move |s: Arc<Hints>, _: Cx| async move {
            let update = HintsUpdate::new().seen([s.hint.clone()]);
            Ok(if last { update.hint("hush") } else { update })
        });
        g.start(give).edge(give, pass).edge(pass, END);
        let inner = g.compile().unwrap();
        let mut g = Graph::<Hints>::new("outer");
        let sub = g.embed("sub", &inner);
        let see = g.node("see", see);
        g.start(sub).edge(sub, see).edge(see, END);
        let thread = g.compile().unwrap().on(memory()).thread("t").unwrap();
        assert_eq!(thread.invoke(HintsUpdate::new()).await.unwrap().done().unwrap().seen, heard);
    }
}

/// An inner graph that ends with a command to the outer one.
fn commanding(goto: &'static str) -> Compiled<Log> {
    let mut g = Graph::<Log>::new("inner");
    let start = g.node("start", add);
    let slow = g.node("slow", |_: Arc<Log>, _: Cx| async {
        tokio::time::sleep(Duration::from_secs(60)).await;
        Ok(by("slow"))
    });
    let leave = g.node("leave", move |_: Arc<Log>, _: Cx| async move {
        Ok(Command::<Log>::to_parent::<Log>(by("up"), [goto]))
    });
    g.start(start).edge(start, leave).edge(start, slow).edge(leave, END).edge(slow, END);
    let inner = g.compile().unwrap();
    let mut g = Graph::<Log>::new("outer");
    let sub = g.embed("sub", &inner);
    let [next, there] = ["next", "there"].map(|name| g.node(name, sign));
    g.start(sub).edge(sub, next).edge(next, END).edge(there, END).may_go(sub, [there]);
    g.compile().unwrap().provide(Tally::default())
}

#[tokio::test(start_paused = true)]
async fn a_command_to_the_parent_acts_there_and_ends_the_subgraph() {
    let start = tokio::time::Instant::now();
    let app = commanding("there").on(memory());
    let end = app.thread("t").unwrap().invoke(LogUpdate::new()).await.unwrap().done().unwrap();
    // The subgraph's own writes are not the parent's: its node returned the command instead.
    assert_eq!(end.by, ["up", "next", "there"]);
    assert!(start.elapsed() < Duration::from_secs(1));
}

#[tokio::test(start_paused = true)]
async fn a_command_to_the_parent_must_be_declared_and_known() {
    for (goto, text) in
        [("next", ""), ("nowhere", "there are: next, sub, there"), ("sub", "does not declare")]
    {
        let app = commanding(goto).on(memory());
        let outcome = app.thread("t").unwrap().invoke(LogUpdate::new()).await.unwrap();
        if text.is_empty() {
            assert_eq!(outcome.done().unwrap().by, ["up", "next"]);
            continue;
        }
        let failure = failure(outcome);
        assert_eq!((failure.kind, failure.node.as_deref()), (FailureKind::Target, Some("sub")));
        assert!(failure.message.contains(text), "{}", failure.message);
    }
}

#[tokio::test]
async fn a_command_to_a_parent_that_is_not_there_fails_the_run_and_frees_the_thread() {
    let mut g = Graph::<Log>::new("g");
    let node = g.node("node", |_: Arc<Log>, _: Cx| async {
        Ok(Command::<Log>::to_parent::<Log>(by("up"), Vec::<String>::new()))
    });
    g.start(node).edge(node, END);
    let app = g.compile().unwrap().on(memory());
    let thread = app.thread("t").unwrap();
    let failure = failure(thread.invoke(LogUpdate::new()).await.unwrap());
    assert_eq!((failure.kind, failure.node.as_deref()), (FailureKind::Target, Some("node")));
    assert_eq!(thread.state().await.unwrap().ended, Some(duru::EndStatus::Failed));
}

#[tokio::test]
async fn breakpoints_inside_a_subgraph() {
    let mut g = Graph::<Log>::new("inner");
    let [one, two, three] = ["one", "two", "three"].map(|name| g.node(name, add));
    g.start(one).edge(one, two).edge(two, three).edge(three, END).pause_before(two).pause_after(two);
    let tally = Tally::default();
    let graph = outer(&g.compile().unwrap()).provide(tally.clone());
    let app = graph.clone().on(memory());
    let outcome = app.thread("t").unwrap().invoke(LogUpdate::new()).await.unwrap();
    assert!(
        matches!(&outcome, Outcome::Breakpoint(Breakpoint::Before(nodes)) if nodes == &["two"]),
        "{outcome:?}"
    );
    let outcome = reopened(&graph, &app, "t").go_on().await.unwrap();
    assert!(
        matches!(&outcome, Outcome::Breakpoint(Breakpoint::After(nodes)) if nodes == &["two"]),
        "{outcome:?}"
    );
    let end = reopened(&graph, &app, "t").go_on().await.unwrap().done().unwrap();
    assert_eq!(end.by.join(" "), "before one two three after");
    assert_eq!(["before", "one", "two", "three"].map(|name| tally.of(name)), [1, 1, 1, 1]);
}

#[tokio::test(start_paused = true)]
async fn a_drained_subgraph_goes_on_inside() {
    let mut g = Graph::<Log>::new("inner");
    let nap = g.node("nap", |_: Arc<Log>, _: Cx| async {
        tokio::time::sleep(Duration::from_secs(2)).await;
        Ok(by("nap"))
    });
    let next = g.node("next", add);
    g.start(nap).edge(nap, next).edge(next, END);
    let graph = outer(&g.compile().unwrap()).provide(Tally::default());
    let app = graph.clone().on(memory());
    let thread = app.thread("t").unwrap();
    let stopper = thread.clone();
    let stop = async move {
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert!(stopper.drain());
    };
    let (outcome, ()) = tokio::join!(async { thread.invoke(LogUpdate::new()).await }, stop);
    assert!(matches!(outcome.unwrap(), Outcome::Drained));
    let end = reopened(&graph, &app, "t").go_on().await.unwrap().done().unwrap();
    assert_eq!(end.by.join(" "), "before nap next after");
}

/// The innermost graph hears of it first; what it says of that must not pass for a failure.
#[tokio::test(start_paused = true)]
async fn a_run_that_is_cancelled_inside_a_subgraph_is_cancelled_and_can_go_on() {
    let nap = |_: Arc<Log>, cx: Cx| async move {
        if cx.get::<Tally>()?.count("nap") == 1 {
            tokio::time::sleep(Duration::from_secs(3600)).await;
        }
        Ok(by("nap"))
    };
    let mut g = Graph::<Log>::new("inner");
    let [first, nap] = [g.node("first", add), g.node("nap", nap)];
    g.start(first).edge(first, nap).edge(nap, END);
    let inner = g.compile().unwrap();
    let mut beside = Graph::<Log>::new("beside");
    let sub = beside.embed("sub", &inner);
    let other = beside.node("other", add);
    beside.start(sub).start(other).edge(sub, END).edge(other, END);
    let deep = ["before", "before", "first", "nap", "after", "after"];
    for (graph, ends) in
        [(outer(&outer(&inner)), &deep[..]), (beside.compile().unwrap(), &["other", "first", "nap"])]
    {
        let tally = Tally::default();
        let app = graph.provide(tally.clone()).on(memory());
        let thread = app.thread("t").unwrap();
        let stopper = thread.clone();
        let stop = async move {
            tokio::time::sleep(Duration::from_secs(1)).await;
            assert!(stopper.cancel());
        };
        let (outcome, ()) = tokio::join!(async { thread.invoke(LogUpdate::new()).await }, stop);
        let outcome = outcome.unwrap();
        assert!(matches!(outcome, Outcome::Cancelled), "{outcome:?}");
        assert_eq!(thread.go_on().await.unwrap().done().unwrap().by, ends);
        assert_eq!((tally.of("first"), tally.of("nap")), (1, 2), "what was finished is not done again");
    }
}
