//! New input on a thread whose last step never finished.

use std::sync::Arc;

use duru::{Compiled, Cx, END, Error, Graph, Mode, Outcome, State, Unfinished};
use serde_json::json;

use crate::support::{Log, Tally, by, failure, flaky, memory, reopened, rest, told};

/// `good` and `bad` at once, then `end`. `bad` breaks so many times.
fn graph(times: usize) -> (Compiled<Log>, Tally) {
    let mut g = Graph::<Log>::new("g");
    let good = g.node("good", |_: Arc<Log>, cx: Cx| async move { flaky(&cx, 0).await });
    let bad = g.node("bad", move |_: Arc<Log>, cx: Cx| async move { flaky(&cx, times).await });
    let end = g.node("end", |_: Arc<Log>, cx: Cx| async move { flaky(&cx, 0).await });
    g.start(good).start(bad).edge(good, end).edge(bad, end).edge(end, END);
    let tally = Tally::default();
    (g.compile().unwrap().provide(tally.clone()), tally)
}

#[tokio::test]
async fn new_input_resumes_first() {
    let (graph, tally) = graph(1);
    let app = graph.clone().on(memory());
    assert_eq!(
        failure(app.thread("t").unwrap().invoke(by("one")).await.unwrap()).node.as_deref(),
        Some("bad")
    );
    let thread = reopened(&graph, &app, "t");
    let end = thread.invoke(by("two")).await.unwrap().done().unwrap();
    assert_eq!(end.by.join(" "), "one bad good end two bad good end");
    assert_eq!((tally.of("good"), tally.of("bad"), tally.of("end")), (2, 3, 2));
    let runs = told(&thread, Mode::Runs).await;
    let begins: Vec<_> = runs.iter().filter(|run| run["type"] == "begin").collect();
    assert_eq!(begins.iter().map(|run| &run["source"]).collect::<Vec<_>>(), ["input", "continue", "input"]);
    assert!(begins.iter().all(|run| run["discarded"] == json!([])), "{begins:?}");
}

#[tokio::test]
async fn new_input_is_not_taken_while_the_old_step_still_fails() {
    let (graph, _) = graph(2);
    let app = graph.clone().on(memory());
    let thread = app.thread("t").unwrap();
    for input in ["one", "two"] {
        assert_eq!(failure(thread.invoke(by(input)).await.unwrap()).node.as_deref(), Some("bad"));
    }
    let state = thread.state().await.unwrap();
    assert_eq!((state.decode::<Log>().unwrap().by, state.next()), (vec!["one".to_owned()], vec!["bad"]));
    assert_eq!(thread.go_on().await.unwrap().done().unwrap().by.join(" "), "one bad good end");
}

#[tokio::test]
async fn giving_up_says_what_is_given_up() {
    let (graph, tally) = graph(1);
    let app = graph.clone().on(memory());
    let _ = app.thread("t").unwrap().invoke(by("one")).await.unwrap();
    let thread = reopened(&graph, &app, "t");
    let end = thread.invoke(by("two")).on_unfinished(Unfinished::Discard).await.unwrap().done().unwrap();
    assert_eq!(end.by.join(" "), "one two bad good end");
    assert_eq!(tally.of("good"), 2);
    let runs = told(&thread, Mode::Runs).await;
    assert_eq!(runs[2]["discarded"], json!(["good"]));
    // Nothing is given up on a thread that has finished.
    let _ = thread.invoke(by("three")).on_unfinished(Unfinished::Discard).await.unwrap();
    assert_eq!(told(&thread, Mode::Runs).await[4]["discarded"], json!([]));
}

#[tokio::test]
async fn questions_must_be_answered_or_given_up() {
    let mut g = Graph::<Log>::new("g");
    let ask = g.node("ask", |_: Arc<Log>, cx: Cx| async move { Ok(by(cx.interrupt::<String>("who?")?)) });
    let good = g.node("good", |_: Arc<Log>, cx: Cx| async move { flaky(&cx, 0).await });
    g.start(ask).start(good).edge(ask, END).edge(good, END);
    let app = g.compile().unwrap().provide(Tally::default()).on(memory());
    let thread = app.thread("t").unwrap();
    let first = thread.invoke(by("one")).await.unwrap();
    let error = thread.invoke(by("two")).await.unwrap_err();
    assert!(matches!(&error, Error::Waiting { finished, .. } if finished == &["good"]), "{error}");
    assert!(error.to_string().contains("gives up: good"), "{error}");
    let second = thread.invoke(by("two")).on_unfinished(Unfinished::Discard).await.unwrap();
    assert_ne!(first.questions()[0].id, second.questions()[0].id);
    assert!(matches!(
        thread.answer([(first.questions()[0].id, "me")]).await.unwrap_err(),
        Error::UnknownInterrupt { .. }
    ));
    assert_eq!(thread.resume("me").await.unwrap().done().unwrap().by.join(" "), "one two me good");
}

#[tokio::test]
async fn new_input_goes_on_from_a_breakpoint_first() {
    let (graph, _) = graph(0);
    let app = graph.clone().on(memory());
    let thread = app.thread("t").unwrap();
    let outcome = thread.invoke(by("one")).pause_before(["end"]).await.unwrap();
    assert!(matches!(outcome, Outcome::Breakpoint(_)));
    let end = reopened(&graph, &app, "t").invoke(by("two")).await.unwrap().done().unwrap();
    assert_eq!(end.by.join(" "), "one bad good end two bad good end");
}

#[tokio::test]
async fn there_is_nothing_to_resume_on_a_new_or_finished_thread() {
    let (graph, _) = graph(0);
    let app = graph.on(memory());
    let thread = app.thread("t").unwrap();
    let error = thread.go_on().await.unwrap_err().to_string();
    assert_eq!(error, "thread t has nothing to resume: it was never run");
    thread.invoke(by("one")).await.unwrap().done().unwrap();
    let error = thread.go_on().await.unwrap_err().to_string();
    assert_eq!(error, "thread t has nothing to resume: its last run is done");
}

#[tokio::test(start_paused = true)]
async fn the_last_end_is_forgotten_when_a_run_begins_and_dies() {
    let mut g = Graph::<Log>::new("g");
    let node = g.node("node", |_: Arc<Log>, cx: Cx| async move {
        match cx.get::<Tally>()?.count("node") {
            1 => Err(duru::NodeError::msg("broke")),
            2 => std::future::pending().await,
            _ => Ok(by("node")),
        }
    });
    g.start(node).edge(node, END);
    let graph = g.compile().unwrap().provide(Tally::default());
    let app = graph.clone().on(memory());
    let thread = app.thread("t").unwrap();
    let _ = failure(thread.invoke(by("one")).await.unwrap());
    assert_eq!(thread.state().await.unwrap().ended, Some(duru::EndStatus::Failed));
    // The run is dropped when its time is over: as if the process had died.
    let run = async { thread.go_on().await };
    assert!(tokio::time::timeout(std::time::Duration::from_secs(1), run).await.is_err());
    assert_eq!(reopened(&graph, &app, "t").state().await.unwrap().ended, None);
}

#[derive(State, Clone, Debug)]
struct Odd {
    one: String,
    #[merge(append)]
    said: Vec<String>,
    #[merge(with = unlucky)]
    digits: u32,
}

fn unlucky(old: &mut u32, new: u32) {
    assert_ne!(new, 13, "thirteen");
    *old += new;
}

fn says(word: &str) -> OddUpdate {
    OddUpdate::new().said([word.to_owned()])
}

/// `x` and `y` at once: both write one field when they are told to clash, and one of them a bad number.
fn odd() -> Compiled<Odd> {
    let mut g = Graph::<Odd>::new("g");
    for name in ["x", "y"] {
        let node = g.node(name, move |s: Arc<Odd>, _: Cx| async move {
            let word = s.said.last().map_or("", String::as_str);
            Ok(match word {
                "clash" => OddUpdate::new().one(name),
                "thirteen" if name == "x" => OddUpdate::new().digits(13u32),
                _ => OddUpdate::new().digits(1u32),
            })
        });
        g.start(node).edge(node, END);
    }
    g.compile().unwrap()
}

#[tokio::test]
async fn a_step_whose_writes_can_not_be_put_together_does_not_hold_up_the_next_turn() {
    let mut g = Graph::<Odd>::new("outer");
    let sub = g.embed("sub", &odd());
    g.start(sub).edge(sub, END);
    let nested = g.compile().unwrap();
    for (graph, finished) in [(odd(), json!(["x", "y"])), (nested, json!([]))] {
        for (word, said) in [("clash", "both wrote field \"one\""), ("thirteen", "thirteen")] {
            let app = graph.clone().on(memory());
            let thread = app.thread("t").unwrap();
            let _ = thread.invoke(says("fine")).await.unwrap().done().unwrap();
            let first = failure(thread.invoke(says(word)).await.unwrap());
            assert!(first.message.contains(said), "{first}");
            // The way out is named, and it is one.
            for way in ["new input", "go_on", "fork"] {
                assert!(first.message.contains(way), "{first}");
            }
            // Whoever goes on hears the same: nothing has changed.
            assert_eq!(failure(thread.go_on().await.unwrap()).kind, first.kind);
            for thread in [thread, graph.clone().on(Arc::clone(app.store())).thread("t").unwrap()] {
                let state = thread.invoke(says("fine again")).await.unwrap().done().unwrap();
                assert_eq!(state.said.last().unwrap(), "fine again");
                assert!(state.said.contains(&word.to_owned()), "its input had been taken: {state:?}");
            }
            let events = rest(app.thread("t").unwrap().events(0, [Mode::Runs]).await.unwrap()).await;
            let given_up: Vec<_> = events.iter().map(|event| &event.data["discarded"]).collect();
            assert!(given_up.contains(&&finished), "{given_up:?}");
        }
    }
}
