//! What runs left behind, read from their own rows.

use std::sync::Arc;

use duru::{Cx, EndStatus, Graph, Outcome, Result, RunId, Thread};
use serde_json::json;

use crate::support::{Log, LogUpdate, by, memory};

async fn ask(_: Arc<Log>, cx: Cx) -> Result<LogUpdate> {
    cx.emit(json!({ "asks": cx.node() }))?;
    let answer: String = cx.interrupt(cx.node())?;
    Ok(by(format!("{}={answer}", cx.node())))
}

/// `a` and `b` ask at once.
fn thread() -> Thread<Log> {
    let mut g = Graph::<Log>::new("two");
    for name in ["a", "b"] {
        let node = g.node(name, ask);
        g.start(node).edge(node, duru::END);
    }
    g.compile().unwrap().on(memory()).thread("t").unwrap()
}

fn asked(outcome: &Outcome<Arc<Log>>, node: &str) -> duru::InterruptId {
    outcome.questions().iter().find(|question| question.node == node).unwrap().id
}

/// One question and its two answers, as three runs.
async fn turn(thread: &Thread<Log>, word: &str, at: u128) -> Vec<RunId> {
    let runs: Vec<RunId> = (0..3).map(|n| RunId::from_u128(at + n)).collect();
    let input = by(word).last(word);
    let run = thread.invoke(input).on_unfinished(duru::Unfinished::Discard).id(runs[0]);
    let outcome = run.await.unwrap();
    let (a, b) = (asked(&outcome, "a"), asked(&outcome, "b"));
    let _ = thread.answer([(a, word)]).id(runs[1]).await.unwrap();
    let _ = thread.answer([(b, word)]).id(runs[2]).await.unwrap();
    runs
}

#[tokio::test]
async fn of_lists_that_grow_a_report_has_what_its_runs_added() {
    let thread = thread();
    let first = turn(&thread, "one", 10).await;
    let second = turn(&thread, "two", 20).await;
    let reports = thread.log().reports(&[first, second]).await.unwrap();
    assert_eq!(reports.len(), 2);
    assert_eq!(reports[0].values["by"], json!(["one", "a=one", "b=one"]));
    assert_eq!(reports[1].values["by"], json!(["two", "a=two", "b=two"]));
    assert_eq!(reports[1].values["last"], "two");
    // Each node is asked anew when its sibling's answer comes.
    assert_eq!(reports[1].custom.first(), Some(&json!({ "asks": "a" })));
    assert_eq!(reports[1].checkpoint, thread.state().await.unwrap().checkpoint);
    assert_eq!((reports[1].ended, reports[1].next.len()), (Some(EndStatus::Done), 0));
}

/// A run that answered one of two questions has written no checkpoint of its own.
#[tokio::test]
async fn the_question_that_is_left_open_stays_after_the_other_is_answered() {
    let thread = thread();
    let outcome = thread.invoke(by("one")).id(RunId::from_u128(1)).await.unwrap();
    let a = asked(&outcome, "a");
    let _ = thread.answer([(a, "yes")]).id(RunId::from_u128(2)).await.unwrap();
    let chain = vec![RunId::from_u128(1), RunId::from_u128(2)];
    let reports = thread.log().reports(&[chain]).await.unwrap();
    let open: Vec<&str> = reports[0].questions.iter().map(|question| question.node.as_str()).collect();
    assert_eq!((open, &reports[0].next), (vec!["b"], &vec!["b".to_owned()]));
    assert_eq!(reports[0].ended, Some(EndStatus::Paused));
}

#[tokio::test]
async fn a_run_that_goes_on_from_a_checkpoint_has_the_whole_state_and_an_unknown_one_nothing() {
    let thread = thread();
    turn(&thread, "one", 10).await;
    let middle = thread.history(100).await.unwrap().into_iter().find(|state| !state.tasks.is_empty());
    thread.fork(middle.unwrap().checkpoint.unwrap()).await.unwrap();
    let again = RunId::from_u128(30);
    let _ = thread.go_on().id(again).await.unwrap();
    let reports = thread.log().reports(&[vec![again], vec![RunId::from_u128(99)]]).await.unwrap();
    assert_eq!(reports[0].values["by"], json!(["one"]));
    assert_eq!(reports[0].questions.len(), 2);
    assert!(reports[1].values.is_empty() && reports[1].questions.is_empty());
}
