//! Questions that answer themselves in the end.

use std::sync::Arc;
use std::time::Duration;

use duru::store::Checkpoints;
use duru::{App, Compiled, Cx, Deadline, END, Error, Graph, Mode, Outcome, TokioClock, Unfinished};
use serde_json::json;

use crate::support::{Log, LogUpdate, Tally, by, memory, timers, told};

const START: u64 = 1_700_000_000_000;

/// Asks with a deadline of an hour, then without one.
fn graph(then_ask: bool) -> Compiled<Log> {
    let mut g = Graph::<Log>::new("g");
    let ask = g.node("ask", |_: Arc<Log>, cx: Cx| async move {
        let deadline = Deadline::after(Duration::from_secs(3600), "default".to_owned());
        let answer: String = cx.interrupt_until("in time?", deadline)?;
        Ok(by(answer))
    });
    let then = g.node("then", move |_: Arc<Log>, cx: Cx| async move {
        Ok(by(if then_ask { cx.interrupt::<String>("and now?")? } else { "then".into() }))
    });
    g.start(ask).edge(ask, then).edge(then, END);
    g.compile().unwrap().clock(TokioClock::starting_at(START))
}

/// A new process on the same store.
fn restart(graph: &Compiled<Log>, store: &Arc<dyn Checkpoints>) -> App<Log> {
    graph.clone().on(Arc::clone(store))
}

async fn hours(n: u64) {
    tokio::time::advance(Duration::from_secs(3600 * n)).await;
}

#[tokio::test(start_paused = true)]
async fn a_deadline_holds_over_a_restart() {
    let (graph, store) = (graph(false), memory());
    let outcome = restart(&graph, &store).thread("t").unwrap().invoke(LogUpdate::new()).await.unwrap();
    assert_eq!(outcome.questions()[0].deadline_ms, Some(START + 3_600_000));
    assert_eq!(timers(&*store).await, [outcome.questions()[0].id]);
    let app = restart(&graph, &store);
    assert_eq!(app.run_due().await.unwrap(), 0);
    hours(1).await;
    assert_eq!(app.run_due().await.unwrap(), 1);
    let thread = app.thread("t").unwrap();
    assert_eq!(thread.state().await.unwrap().decode::<Log>().unwrap().by, ["default", "then"]);
    assert_eq!(app.run_due().await.unwrap(), 0);
    assert!(timers(&*store).await.is_empty());
    let runs = told(&thread, Mode::Runs).await;
    assert_eq!(runs[2]["source"], "deadline");
    assert_eq!(runs[2]["metadata"], json!({ "created_by": "deadline" }));
}

#[tokio::test(start_paused = true)]
async fn an_answer_in_time_clears_the_timer() {
    let (graph, store) = (graph(false), memory());
    let thread = restart(&graph, &store).thread("t").unwrap();
    let _ = thread.invoke(LogUpdate::new()).await.unwrap();
    tokio::time::advance(Duration::from_secs(3599)).await;
    assert_eq!(thread.resume("mine").await.unwrap().done().unwrap().by, ["mine", "then"]);
    assert!(timers(&*store).await.is_empty());
    hours(2).await;
    assert_eq!(restart(&graph, &store).run_due().await.unwrap(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_late_answer_is_an_error_and_the_default_holds() {
    for by_id in [true, false] {
        let (graph, store) = (graph(false), memory());
        let thread = restart(&graph, &store).thread("t").unwrap();
        let outcome = thread.invoke(LogUpdate::new()).await.unwrap();
        hours(1).await;
        let thread = restart(&graph, &store).thread("t").unwrap();
        let late =
            if by_id { thread.answer([(outcome.questions()[0].id, "late")]) } else { thread.resume("late") };
        let error = late.await.unwrap_err();
        match &error {
            Error::UnknownInterrupt { .. } if by_id => {
                assert!(error.to_string().contains("deadline has passed"))
            }
            Error::NothingToResume { .. } if !by_id => {
                assert!(error.to_string().contains("deadline has passed"))
            }
            other => panic!("{other}"),
        }
        assert_eq!(thread.state().await.unwrap().decode::<Log>().unwrap().by, ["default", "then"]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_late_answer_is_not_taken_for_the_next_question() {
    let (graph, store) = (graph(true), memory());
    let thread = restart(&graph, &store).thread("t").unwrap();
    let outcome = thread.invoke(LogUpdate::new()).await.unwrap();
    hours(1).await;
    let error = thread.resume("late").await.unwrap_err();
    assert!(matches!(error, Error::NothingToResume { .. }), "{error}");
    let error = thread.answer([(outcome.questions()[0].id, "late")]).await.unwrap_err();
    assert!(matches!(error, Error::UnknownInterrupt { .. }), "{error}");
    let state = thread.state().await.unwrap();
    assert_eq!(state.decode::<Log>().unwrap().by, ["default"]);
    assert_eq!(state.questions()[0].get::<String>().unwrap(), "and now?");
    assert_eq!(thread.resume("now").await.unwrap().done().unwrap().by, ["default", "now"]);
}

#[tokio::test(start_paused = true)]
async fn new_input_past_a_deadline_applies_it_first() {
    let (graph, store) = (graph(false), memory());
    let _ = restart(&graph, &store).thread("t").unwrap().invoke(by("one")).await.unwrap();
    hours(1).await;
    let thread = restart(&graph, &store).thread("t").unwrap();
    let outcome = thread.invoke(by("two")).await.unwrap();
    assert_eq!(outcome.questions().len(), 1);
    let state = thread.state().await.unwrap();
    assert_eq!(state.decode::<Log>().unwrap().by, ["one", "default", "then", "two"]);
    let sources: Vec<_> =
        told(&thread, Mode::Runs).await.into_iter().map(|run| run["source"].clone()).collect();
    assert_eq!(
        sources,
        [json!("input"), json!(null), json!("deadline"), json!(null), json!("input"), json!(null)]
    );
}

#[tokio::test(start_paused = true)]
async fn giving_a_question_up_clears_its_timer() {
    let (graph, store) = (graph(false), memory());
    let thread = restart(&graph, &store).thread("t").unwrap();
    let first = thread.invoke(LogUpdate::new()).await.unwrap();
    let second = thread.invoke(LogUpdate::new()).on_unfinished(Unfinished::Discard).await.unwrap();
    assert_ne!(first.questions()[0].id, second.questions()[0].id);
    assert_eq!(timers(&*store).await, [second.questions()[0].id]);
}

#[tokio::test(start_paused = true)]
async fn several_due_threads_go_on_each_once() {
    let (graph, store) = (graph(true), memory());
    let app = restart(&graph, &store);
    for name in ["a", "b", "c"] {
        let _ = app.thread(name).unwrap().invoke(LogUpdate::new()).await.unwrap();
        tokio::time::advance(Duration::from_secs(60)).await;
    }
    hours(1).await;
    // Each of them stops at its next question; that is no error.
    assert_eq!(app.run_due().await.unwrap(), 3);
    assert_eq!(app.run_due().await.unwrap(), 0);
}

#[tokio::test(start_paused = true)]
async fn two_deadlines_of_one_thread_beside_another_thread() {
    let mut g = Graph::<Log>::new("g");
    for (name, minutes) in [("quick", 1), ("slow", 3), ("never", 0)] {
        let node = g.node(name, move |_: Arc<Log>, cx: Cx| async move {
            if minutes == 0 {
                return Ok(by(cx.interrupt::<String>("when?")?));
            }
            let deadline = Deadline::after(Duration::from_secs(60 * minutes), cx.node().to_owned());
            Ok(by(cx.interrupt_until::<String>("when?", deadline)?))
        });
        g.start(node).edge(node, END);
    }
    let graph = g.compile().unwrap().clock(TokioClock::starting_at(START));
    let store = memory();
    let app = restart(&graph, &store);
    let _ = app.thread("a").unwrap().invoke(LogUpdate::new()).await.unwrap();
    tokio::time::advance(Duration::from_secs(60)).await;
    let _ = app.thread("b").unwrap().invoke(LogUpdate::new()).await.unwrap();
    tokio::time::advance(Duration::from_secs(600)).await;
    // In order of time: a, b, a, b.
    assert_eq!(app.run_due().await.unwrap(), 2);
    for name in ["a", "b"] {
        let thread = app.thread(name).unwrap();
        assert_eq!(thread.state().await.unwrap().questions().len(), 1);
        let end = thread.resume("never").await.unwrap().done().unwrap();
        assert_eq!(end.by, ["never", "quick", "slow"]);
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_to_another_question_past_a_deadline_is_taken() {
    let mut g = Graph::<Log>::new("g");
    let timed = g.node("timed", |_: Arc<Log>, cx: Cx| async move {
        let deadline = Deadline::after(Duration::from_secs(60), "default".to_owned());
        Ok(by(cx.interrupt_until::<String>("timed", deadline)?))
    });
    let open = g.node("open", |_: Arc<Log>, cx: Cx| async move { Ok(by(cx.interrupt::<String>("open")?)) });
    g.start(timed).start(open).edge(timed, END).edge(open, END);
    let app = g.compile().unwrap().clock(TokioClock::starting_at(START)).on(memory());
    let thread = app.thread("t").unwrap();
    let outcome = thread.invoke(LogUpdate::new()).await.unwrap();
    let id = outcome.questions().iter().find(|question| question.node == "open").unwrap().id;
    hours(1).await;
    let outcome = thread.answer([(id, "mine")]).await.unwrap();
    assert_eq!(outcome.done().unwrap().by, ["mine", "default"]);
}

#[tokio::test(start_paused = true)]
async fn a_deadline_in_a_subgraph() {
    let inner = graph(false);
    let mut g = Graph::<Log>::new("outer");
    let sub = g.embed("sub", &inner);
    g.start(sub).edge(sub, END);
    let graph = g.compile().unwrap().clock(TokioClock::starting_at(START));
    let store = memory();
    let outcome = restart(&graph, &store).thread("t").unwrap().invoke(LogUpdate::new()).await.unwrap();
    assert!(matches!(&outcome, Outcome::Paused(questions) if !questions[0].ns.is_root()));
    hours(1).await;
    let app = restart(&graph, &store);
    assert_eq!(app.run_due().await.unwrap(), 1);
    let state = app.thread("t").unwrap().state().await.unwrap();
    assert_eq!(state.decode::<Log>().unwrap().by, ["default", "then"]);
    assert!(timers(&*store).await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn deadlines_of_a_graph_that_is_not_here_do_not_hold_up_others() {
    let store = memory();
    let mut g = Graph::<Log>::new("foreign");
    let ask = g.node("ask", |_: Arc<Log>, cx: Cx| async move {
        let deadline = Deadline::after(Duration::from_secs(60), "default".to_owned());
        Ok(by(cx.interrupt_until::<String>("in time?", deadline)?))
    });
    g.start(ask).edge(ask, END);
    let foreign = restart(&g.compile().unwrap().clock(TokioClock::starting_at(START)), &store);
    for i in 0..250 {
        let _ = foreign.thread(format!("foreign{i}")).unwrap().invoke(LogUpdate::new()).await.unwrap();
    }
    let app = restart(&graph(false), &store);
    let mine = app.thread("mine").unwrap();
    let _ = mine.invoke(LogUpdate::new()).await.unwrap();
    hours(2).await;
    assert_eq!(app.run_due().await.unwrap(), 1);
    assert_eq!(mine.state().await.unwrap().decode::<Log>().unwrap().by, ["default", "then"]);
    // Nobody has touched the others, and whoever has their graph goes on with them.
    assert_eq!(foreign.run_due().await.unwrap(), 250);
    assert_eq!(timers(&*store).await, []);
}

/// `timed` asks with a deadline of an hour while `nap` works for two.
fn cancellable() -> Compiled<Log> {
    let mut inner = Graph::<Log>::new("inner");
    let timed = inner.node("timed", |_: Arc<Log>, cx: Cx| async move {
        let deadline = Deadline::after(Duration::from_secs(3600), "default".to_owned());
        Ok(by(cx.interrupt_until::<String>("in time?", deadline)?))
    });
    let nap = inner.node("nap", |_: Arc<Log>, cx: Cx| async move {
        if cx.get::<Tally>()?.count("nap") == 1 {
            tokio::time::sleep(Duration::from_secs(7200)).await;
        }
        Ok(by("nap"))
    });
    inner.start(timed).start(nap).edge(timed, END).edge(nap, END);
    inner.compile().unwrap().clock(TokioClock::starting_at(START)).provide(Tally::default())
}

/// Runs a graph for a minute and cancels it.
async fn cancelled(graph: &Compiled<Log>, store: &Arc<dyn Checkpoints>) {
    let thread = restart(graph, store).thread("t").unwrap();
    let stopper = thread.clone();
    let stop = async move {
        tokio::time::sleep(Duration::from_secs(60)).await;
        assert!(stopper.cancel());
    };
    let (outcome, ()) = tokio::join!(async { thread.invoke(LogUpdate::new()).await }, stop);
    assert!(matches!(outcome.unwrap(), Outcome::Cancelled));
}

#[tokio::test(start_paused = true)]
async fn a_deadline_does_not_resume_a_cancelled_thread() {
    for nested in [false, true] {
        let (mut graph, store) = (cancellable(), memory());
        if nested {
            let mut g = Graph::<Log>::new("outer");
            let sub = g.embed("sub", &graph);
            g.start(sub).edge(sub, END);
            graph = g.compile().unwrap().clock(TokioClock::starting_at(START)).provide(Tally::default());
        }
        cancelled(&graph, &store).await;
        assert_eq!(timers(&*store).await, [], "nobody waits for an answer any more (nested: {nested})");
        hours(2).await;
        assert_eq!(restart(&graph, &store).run_due().await.unwrap(), 0);
        let thread = restart(&graph, &store).thread("t").unwrap();
        assert_eq!(thread.state().await.unwrap().decode::<Log>().unwrap().by, Vec::<String>::new());
        // Whoever wants it to go on says so; the deadline has passed by then.
        let end = match thread.go_on().await.unwrap() {
            Outcome::Paused(_) => thread.go_on().await.unwrap(),
            end => end,
        };
        assert_eq!(end.done().unwrap().by, ["nap", "default"]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_thread_that_goes_on_has_its_deadline_again() {
    let (graph, store) = (cancellable(), memory());
    cancelled(&graph, &store).await;
    let thread = restart(&graph, &store).thread("t").unwrap();
    let outcome = thread.go_on().await.unwrap();
    assert_eq!(outcome.questions()[0].deadline_ms, Some(START + 3_600_000));
    assert_eq!(timers(&*store).await, [outcome.questions()[0].id]);
    hours(1).await;
    let app = restart(&graph, &store);
    assert_eq!(app.run_due().await.unwrap(), 1);
    assert_eq!(thread.state().await.unwrap().decode::<Log>().unwrap().by, ["nap", "default"]);
}
