//! A graph without its types, as a server holds it.

use std::collections::HashMap;
use std::sync::Arc;

use duru::store::MemoryStore;
use duru::{Cx, END, Edit, ErasedApp, Error, Graph, Mode, Outcome, Result, State, ThreadId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(State, Clone)]
struct Review {
    #[merge(append)]
    notes: Vec<String>,
    sure: bool,
}

#[derive(Deserialize, JsonSchema)]
struct Reviewer {
    name: String,
}

#[derive(Deserialize, JsonSchema)]
struct Draft {
    text: String,
}

#[derive(Serialize, JsonSchema)]
struct Verdict {
    count: usize,
}

async fn ask(_: Arc<Review>, cx: Cx) -> Result<ReviewUpdate> {
    let sure: bool = cx.interrupt("sure?")?;
    let name = cx.get::<Reviewer>().map_or_else(|_| "nobody".to_owned(), |reviewer| reviewer.name.clone());
    Ok(ReviewUpdate::new().sure(sure).notes([format!("by {name}")]))
}

fn app() -> ErasedApp {
    let mut g = Graph::<Review>::new("review");
    let ask = g.node("ask", ask);
    g.start(ask).edge(ask, END);
    g.compile().unwrap().erased().context::<Reviewer>().on(Arc::new(MemoryStore::new()))
}

fn id(name: &str) -> ThreadId {
    ThreadId::new(name).unwrap()
}

#[tokio::test]
async fn a_thread_runs_pauses_and_goes_on_in_json() {
    let app = app();
    let thread = app.thread(id("t"));
    let run = thread.invoke(json!({"notes": ["a"]})).unwrap();
    let Outcome::Paused(questions) = run.await.unwrap() else { panic!("it should ask") };
    assert!(matches!(thread.resume(json!("yes")).await, Err(Error::UnfitAnswer { .. })));
    let run = thread.answer(HashMap::from([(questions[0].id, json!(true))]));
    let run = app.graph().with_context(run, json!({"name": "kim"})).unwrap();
    let mut stream = run.stream([Mode::Updates]).await.unwrap();
    let update = stream.next().await.unwrap().unwrap().data;
    assert_eq!(update, json!({"ask": {"notes": ["by kim"], "sure": true}}));
    let end = stream.outcome().await.unwrap().done().unwrap();
    assert_eq!(end, json!({"notes": ["a", "by kim"], "sure": true}));
    assert_eq!(thread.log().state().await.unwrap().values["notes"], json!(["a", "by kim"]));
}

#[tokio::test]
async fn what_does_not_fit_is_refused_before_anything_happens() {
    let app = app();
    let graph = app.graph();
    assert!(graph.check_input(&json!({"notes": ["a"], "sure": null})).is_ok());
    for (input, named) in
        [(json!({"notes": "a"}), "notes"), (json!({"note": []}), "note"), (json!(7), "review")]
    {
        let text = graph.check_input(&input).unwrap_err().to_string();
        assert!(text.contains(named), "{text}");
        assert!(app.thread(id("t")).invoke(input).is_err());
    }
    let text = graph.check_update("nobody", &json!({})).unwrap_err().to_string();
    assert!(text.contains("there are: ask"), "{text}");
    assert!(graph.check_update("ask", &json!({"sure": 3})).is_err());
    let run = app.thread(id("t")).go_on();
    assert!(graph.with_context(run, json!({"nom": "kim"})).is_err());
    assert!(app.store().threads(0, 10).await.unwrap().is_empty(), "nothing was written");
}

#[tokio::test]
async fn an_edit_in_json_is_as_if_the_node_had_written() {
    let app = app();
    let thread = app.thread(id("t"));
    let _ = thread.invoke(json!({})).unwrap().await.unwrap();
    let edit = Edit::of(Some(json!({"notes": ["edited"], "sure": true}))).as_node("ask");
    thread.edit(edit).await.unwrap();
    let state = thread.log().state().await.unwrap();
    assert_eq!(Value::Object(state.values), json!({"notes": ["edited"], "sure": true}));
    assert!(state.tasks.is_empty(), "nothing follows that node");
}

#[tokio::test]
async fn schemas_say_what_goes_in_and_comes_out() {
    let mut g = Graph::<Review>::new("review")
        .input(|draft: Draft| ReviewUpdate::new().notes([draft.text]))
        .output(|s: &Review| Verdict { count: s.notes.len() });
    let note =
        g.node("note", |_: Arc<Review>, _: Cx| async { Ok(ReviewUpdate::new().notes(["n".to_string()])) });
    g.start(note);
    let graph = g.compile().unwrap().erased_output();
    let schemas = graph.schemas();
    assert_eq!(schemas.input["required"], json!(["text"]));
    assert_eq!(schemas.output["properties"]["count"]["type"], "integer");
    assert_eq!(schemas.state["properties"]["notes"]["type"], "array");
    assert!(schemas.update["properties"].get("sure").is_some());
    assert_eq!(schemas.context, None);
    assert_eq!(app().graph().schemas().context.as_ref().unwrap()["required"], json!(["name"]));
    let end = graph.invoke(json!({"text": "x"})).unwrap().await.unwrap().done().unwrap();
    assert_eq!(end, json!({"count": 2}));
}
