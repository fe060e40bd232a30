//! Questions: asked, answered, answered wrongly, and answered again.

use std::collections::HashMap;
use std::sync::Arc;

use duru::{Compiled, Cx, END, Error, FailureKind, Graph, Outcome, Question, Result, Thread};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::support::{Log, LogUpdate, Tally, by, failure, memory, reopened, sign};

#[derive(Serialize, Deserialize, JsonSchema, Debug, PartialEq)]
struct Verdict {
    ok: bool,
    why: Option<String>,
}

async fn approve(_: Arc<Log>, cx: Cx) -> Result<LogUpdate> {
    let verdict: Verdict = cx.interrupt(json!({ "ship": 7 }))?;
    Ok(by(format!("{} {}", verdict.ok, verdict.why.unwrap_or_default())))
}

/// Asks its own name.
async fn ask(_: Arc<Log>, cx: Cx) -> Result<LogUpdate> {
    cx.get::<Tally>()?.count(cx.node());
    let answer: String = cx.interrupt(cx.node())?;
    Ok(by(format!("{}={answer}", cx.node())))
}

fn one() -> Compiled<Log> {
    let mut g = Graph::<Log>::new("one");
    let node = g.node("approve", approve);
    g.start(node).edge(node, END);
    g.compile().unwrap()
}

/// `a`, `b` and `c` ask at once, `d` does not; then `z`.
fn three() -> Compiled<Log> {
    let mut g = Graph::<Log>::new("three");
    let z = g.node("z", sign);
    for name in ["a", "b", "c"] {
        let node = g.node(name, ask);
        g.start(node).edge(node, z);
    }
    let d = g.node("d", sign);
    g.start(d).edge(d, z).edge(z, END);
    g.compile().unwrap().provide(Tally::default())
}

fn asked(outcome: &Outcome<Arc<Log>>) -> Vec<String> {
    outcome.questions().iter().map(|question| question.get().unwrap()).collect()
}

fn find<'a>(outcome: &'a Outcome<Arc<Log>>, name: &str) -> &'a Question {
    outcome.questions().iter().find(|question| question.node == name).unwrap()
}

async fn paused(graph: &Compiled<Log>) -> (Thread<Log>, Outcome<Arc<Log>>) {
    let thread = graph.clone().on(memory()).thread("t").unwrap();
    let outcome = thread.invoke(LogUpdate::new()).await.unwrap();
    assert!(matches!(outcome, Outcome::Paused(_)));
    (thread, outcome)
}

#[tokio::test]
async fn an_answer_of_the_right_type_goes_on() {
    let (thread, outcome) = paused(&one()).await;
    let [question] = outcome.questions() else { panic!("{outcome:?}") };
    assert_eq!(question.get::<serde_json::Value>().unwrap(), json!({ "ship": 7 }));
    assert_eq!(question.node, "approve");
    assert!(question.schema.get().contains("\"ok\""), "{}", question.schema);
    let end = thread.resume(Verdict { ok: true, why: Some("fine".into()) }).await.unwrap().done().unwrap();
    assert_eq!(end.by, ["true fine"]);
    assert!(matches!(thread.resume(true).await.unwrap_err(), Error::NothingToResume { .. }));
}

#[tokio::test]
async fn what_does_not_fit_is_an_error_and_loses_nothing() {
    let (thread, outcome) = paused(&one()).await;
    let id = outcome.questions()[0].id;
    let version = |thread: Thread<Log>| async move { thread.state().await.unwrap().checkpoint };
    let before = version(thread.clone()).await;
    for (answer, place) in [(json!({ "ok": "yes" }), "/ok"), (json!({}), "\"ok\""), (json!("yes"), "object")]
    {
        let error = thread.resume(&answer).await.unwrap_err();
        let Error::UnfitAnswer { id: named, reason } = &error else { panic!("{error}") };
        assert_eq!(*named, id);
        assert!(reason.contains(place), "{reason}");
        assert!(matches!(thread.answer([(id, answer)]).await.unwrap_err(), Error::UnfitAnswer { .. }));
    }
    let stranger = "0123456789abcdef0123456789abcdef".parse().unwrap();
    let error = thread.answer([(stranger, json!({ "ok": true }))]).await.unwrap_err();
    let Error::UnknownInterrupt { id: named, pending, .. } = &error else { panic!("{error}") };
    assert_eq!((*named, pending[0].id), (stranger, id));
    assert!(error.to_string().contains(&stranger.to_string()) && error.to_string().contains(&id.to_string()));
    // One good and one bad answer together: neither is taken.
    let both = [(id, json!({ "ok": true })), (stranger, json!(1))];
    assert!(matches!(thread.answer(both).await.unwrap_err(), Error::UnknownInterrupt { .. }));
    assert_eq!(version(thread.clone()).await, before);
    assert_eq!(thread.resume(json!({ "ok": false })).await.unwrap().done().unwrap().by, ["false "]);
}

#[tokio::test]
async fn several_questions_need_their_ids() {
    let (thread, outcome) = paused(&three()).await;
    assert_eq!(asked(&outcome), ["a", "b", "c"]);
    let error = thread.resume("x").await.unwrap_err();
    let Error::Ambiguous { pending, .. } = &error else { panic!("{error}") };
    assert_eq!(pending.len(), 3);
    let error = thread.answer(HashMap::<_, String>::new()).await.unwrap_err();
    assert!(matches!(error, Error::NothingToResume { .. }));
    assert_eq!(thread.state().await.unwrap().questions().len(), 3);
}

#[tokio::test]
async fn several_questions_answered_one_by_one_by_other_processes() {
    let graph = three();
    let app = graph.clone().on(memory());
    let first = app.thread("t").unwrap().invoke(LogUpdate::new()).await.unwrap();
    let second = reopened(&graph, &app, "t").answer([(find(&first, "b").id, "B")]).await.unwrap();
    assert_eq!(asked(&second), ["a", "c"]);
    let error = reopened(&graph, &app, "t").answer([(find(&first, "b").id, "again")]).await.unwrap_err();
    assert!(matches!(error, Error::UnknownInterrupt { .. }), "{error}");
    let third = reopened(&graph, &app, "t").answer([(find(&first, "c").id, "C")]).await.unwrap();
    assert_eq!(asked(&third), ["a"]);
    let end = reopened(&graph, &app, "t").resume("A").await.unwrap().done().unwrap();
    assert_eq!(end.by, ["a=A", "b=B", "c=C", "d", "z"]);
}

#[tokio::test]
async fn several_questions_answered_by_a_map() {
    let tally = Tally::default();
    let (thread, outcome) = paused(&three().provide(tally.clone())).await;
    let answers: HashMap<_, _> = outcome.questions().iter().map(|q| (q.id, q.node.to_uppercase())).collect();
    let end = thread.answer(answers).await.unwrap().done().unwrap();
    assert_eq!(end.by, ["a=A", "b=B", "c=C", "d", "z"]);
    assert_eq!(["a", "b", "c"].map(|name| tally.of(name)), [2, 2, 2]);
}

#[tokio::test]
async fn going_on_while_questions_wait_is_an_error_that_names_them() {
    let (thread, outcome) = paused(&three()).await;
    for error in [thread.go_on().await.unwrap_err(), thread.invoke(by("new")).await.unwrap_err()] {
        let Error::Waiting { pending, finished, .. } = &error else { panic!("{error}") };
        assert_eq!(pending.len(), 3);
        assert_eq!(finished.as_slice(), ["d"]);
        assert!(error.to_string().contains(&outcome.questions()[0].id.to_string()), "{error}");
    }
}

#[tokio::test]
async fn a_node_asks_one_question_after_another() {
    let mut g = Graph::<Log>::new("g");
    let node = g.node("node", |_: Arc<Log>, cx: Cx| async move {
        let mut answers = Vec::new();
        for question in ["first", "second", "third"] {
            answers.push(cx.interrupt::<u32>(question)?);
        }
        Ok(by(format!("{answers:?}")))
    });
    g.start(node).edge(node, END);
    let graph = g.compile().unwrap();
    let app = graph.clone().on(memory());
    let mut outcome = app.thread("t").unwrap().invoke(LogUpdate::new()).await.unwrap();
    let mut ids = Vec::new();
    for (number, question) in ["first", "second", "third"].into_iter().enumerate() {
        assert_eq!(asked(&outcome), [question]);
        ids.push(outcome.questions()[0].id);
        outcome = reopened(&graph, &app, "t").resume(number).await.unwrap();
    }
    assert_eq!(outcome.done().unwrap().by, ["[0, 1, 2]"]);
    ids.dedup();
    assert_eq!(ids.len(), 3);
}

#[tokio::test]
async fn a_changed_question_is_a_mismatch() {
    let graph = |text: &'static str| {
        let mut g = Graph::<Log>::new("g");
        let node =
            g.node("node", move |_: Arc<Log>, cx: Cx| async move { Ok(by(cx.interrupt::<String>(text)?)) });
        g.start(node).edge(node, END);
        g.compile().unwrap()
    };
    let app = graph("Delete the draft?").on(memory());
    let outcome = app.thread("t").unwrap().invoke(LogUpdate::new()).await.unwrap();
    assert_eq!(asked(&outcome), ["Delete the draft?"]);
    let changed = graph("Delete everything?").on(Arc::clone(app.store())).thread("t").unwrap();
    let failure = failure(changed.resume("yes").await.unwrap());
    assert_eq!(failure.kind, FailureKind::Mismatch);
    assert!(failure.message.contains("Delete everything?"), "{}", failure.message);
    // Once the node asks what was answered, the answer still holds.
    assert_eq!(app.thread("t").unwrap().go_on().await.unwrap().done().unwrap().by, ["yes"]);
}

#[tokio::test]
async fn a_swallowed_question_still_pauses() {
    let mut g = Graph::<Log>::new("g");
    let node = g.node("node", |_: Arc<Log>, cx: Cx| async move {
        let one: Result<String> = cx.interrupt("one");
        let two: Result<String> = cx.interrupt("two");
        Ok(by(format!("{}{}", one.unwrap_or_default(), two.unwrap_or_default())))
    });
    g.start(node).edge(node, END);
    let (thread, outcome) = paused(&g.compile().unwrap()).await;
    assert_eq!(asked(&outcome), ["one", "two"]);
    // The second is answered first.
    let outcome = thread.answer([(outcome.questions()[1].id, "2")]).await.unwrap();
    assert_eq!(asked(&outcome), ["one"]);
    assert_eq!(thread.resume("1").await.unwrap().done().unwrap().by, ["12"]);
}

#[tokio::test]
async fn an_error_handler_may_ask() {
    let mut g = Graph::<Log>::new("g");
    let bad = g.node("bad", |_: Arc<Log>, cx: Cx| async move {
        cx.get::<Tally>()?.count("bad");
        Err::<(), _>(duru::NodeError::msg("broke"))
    });
    g.start(bad).edge(bad, END);
    g.on_error(bad, |_: Arc<Log>, failure, cx: Cx| async move {
        let answer: String = cx.interrupt(format!("{} {}: what now?", failure.node, failure.message))?;
        Ok(by(answer))
    });
    let tally = Tally::default();
    let graph = g.compile().unwrap().provide(tally.clone());
    let app = graph.clone().on(memory());
    let outcome = app.thread("t").unwrap().invoke(LogUpdate::new()).await.unwrap();
    assert_eq!(asked(&outcome), ["bad broke: what now?"]);
    let end = reopened(&graph, &app, "t").resume("skip it").await.unwrap().done().unwrap();
    assert_eq!((end.by.as_slice(), tally.of("bad")), (&["skip it".to_owned()][..], 1));
}

/// `pay` asks, and the bank refuses whatever was answered; its handler asks again.
fn refused(question: &'static str) -> Compiled<Log> {
    let mut g = Graph::<Log>::new("g");
    let pay = g.node("pay", |_: Arc<Log>, cx: Cx| async move {
        let yes: bool = cx.interrupt("approve?")?;
        Err::<LogUpdate, _>(duru::NodeError::msg(format!("told {yes}, the bank refused")))
    });
    g.on_error(pay, move |_: Arc<Log>, failure, cx: Cx| async move {
        let yes: bool = cx.interrupt(question)?;
        Ok(by(format!("{}; handler told {yes}", failure.message)))
    });
    g.start(pay).edge(pay, END);
    g.compile().unwrap()
}

#[tokio::test]
async fn an_error_handler_that_asks_does_not_get_the_nodes_answers() {
    for (question, around) in [("approve?", false), ("try another bank?", false), ("approve?", true)] {
        let mut graph = refused(question);
        if around {
            let mut g = Graph::<Log>::new("outer");
            let sub = g.embed("sub", &graph);
            g.start(sub).edge(sub, END);
            graph = g.compile().unwrap();
        }
        let app = graph.clone().on(memory());
        let thread = app.thread("t").unwrap();
        let first = thread.invoke(LogUpdate::new()).await.unwrap();
        let second = thread.resume(true).await.unwrap();
        assert_eq!(asked(&second), [question]);
        let (old, new) = (first.questions()[0].id, second.questions()[0].id);
        assert_ne!(old, new, "an answer that comes late must not be taken for another question's");
        let thread = reopened(&graph, &app, "t");
        assert!(matches!(thread.answer([(old, true)]).await, Err(Error::UnknownInterrupt { .. })));
        let end = thread.answer([(new, false)]).await.unwrap().done().unwrap();
        assert_eq!(end.by, ["told true, the bank refused; handler told false"]);
    }
}

#[tokio::test]
async fn without_a_store_nobody_can_be_asked() {
    let failure = failure(one().invoke(LogUpdate::new()).await.unwrap());
    assert!(failure.message.contains("without a store"), "{}", failure.message);
    assert_eq!(failure.node.as_deref(), Some("approve"));
}

/// A graph around `three`, twice, and a graph around that.
fn nested(depth: usize) -> Compiled<Log> {
    let mut inner = three();
    for level in 0..depth {
        let mut g = Graph::<Log>::new(format!("level{level}"));
        for name in ["left", "right"] {
            let leave = |end: Arc<Log>| by(format!("({})", end.by.join(",")));
            let node = g.subgraph(name, &inner, |_: &Log| LogUpdate::new(), leave);
            g.start(node).edge(node, END);
        }
        inner = g.compile().unwrap().provide(Tally::default());
    }
    inner
}

#[tokio::test]
async fn questions_in_parallel_and_nested_subgraphs() {
    for depth in [1, 2] {
        let tally = Tally::default();
        let graph = nested(depth).provide(tally.clone());
        let app = graph.clone().on(memory());
        let mut outcome = app.thread("t").unwrap().invoke(LogUpdate::new()).await.unwrap();
        let copies = 2usize.pow(depth as u32);
        assert_eq!(outcome.questions().len(), 3 * copies);
        assert!(outcome.questions().iter().all(|question| question.ns.path().count() == depth));
        // One by one, each from a new process, in an order that jumps around.
        for left in (1..=3 * copies).rev() {
            assert_eq!(outcome.questions().len(), left);
            let question = &outcome.questions()[(left * 7) % left];
            let answer = question.node.to_uppercase();
            outcome = reopened(&graph, &app, "t").answer([(question.id, answer)]).await.unwrap();
        }
        let leaf = "(a=A,b=B,c=C,d,z)".to_owned();
        let expected = if depth == 1 { vec![leaf; 2] } else { vec![format!("({leaf},{leaf})"); 2] };
        assert_eq!(outcome.done().unwrap().by, expected);
        assert_eq!(tally.of("a"), 2 * copies);
    }
}
