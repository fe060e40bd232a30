//! A conversation, page by page.

use std::sync::Arc;

use duru::store::MemoryStore;
use duru::{Cx, END, Graph, Result, State};
use duru_server::{Server, Stores};
use serde_json::{Value, json};

use crate::served::{Served, serve};

#[derive(State, Clone)]
struct Talk {
    topic: String,
    #[merge(append)]
    said: Vec<String>,
}

async fn reply(s: Arc<Talk>, cx: Cx) -> Result<TalkUpdate> {
    cx.emit(json!({ "type": "told", "node": cx.node() }))?;
    cx.emit(json!({ "type": "decision", "by": "rule" }))?;
    let topic = &s.topic;
    if topic.starts_with("ask") {
        let answer: String = cx.interrupt(format!("{}?", cx.node()))?;
        return Ok(TalkUpdate::new().said([format!("{} {answer}", cx.node())]));
    }
    Ok(TalkUpdate::new().said([format!("{} {topic}", cx.node())]))
}

async fn served() -> Served {
    let mut g = Graph::<Talk>::new("talk");
    for name in ["left", "right"] {
        let node = g.node(name, reply);
        g.start(node).edge(node, END);
    }
    let talk = g.compile().expect("the graph is whole").erased();
    serve(Server::new(Stores::of(Arc::new(MemoryStore::new()))).graph(talk)).await
}

struct Conversation<'a> {
    served: &'a Served,
    path: String,
}

impl<'a> Conversation<'a> {
    async fn begin(served: &'a Served) -> Self {
        let thread = served.client.post("/threads", json!({})).await.expect(200);
        Self { served, path: format!("/threads/{}", thread["thread_id"].as_str().unwrap()) }
    }

    /// Runs to its end, and gives the run's id.
    async fn run(&self, request: Value) -> String {
        let mut request = request;
        request["assistant_id"] = "talk".into();
        let client = &self.served.client;
        client.post(&format!("{}/runs/wait", self.path), request).await.expect(200);
        let runs = client.get(&format!("{}/runs?limit=1", self.path)).await.expect(200);
        runs[0]["run_id"].as_str().unwrap().to_owned()
    }

    async fn ask(&self, topic: &str) -> String {
        self.run(json!({ "input": { "topic": topic } })).await
    }

    async fn page(&self, query: &str) -> Value {
        self.served.client.get(&format!("{}/turns{query}", self.path)).await.expect(200)
    }
}

fn topics(page: &Value) -> Vec<&str> {
    page["turns"].as_array().unwrap().iter().map(|turn| turn["values"]["topic"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_page_has_all_that_its_turns_show_and_says_how_many_are_earlier() {
    let served = served().await;
    let talk = Conversation::begin(&served).await;
    for n in 0..7 {
        talk.ask(&format!("t{n}")).await;
    }
    let page = talk.page("?limit=3").await;
    assert_eq!((topics(&page), &page["earlier"]), (vec!["t4", "t5", "t6"], &json!(4)));
    let turn = &page["turns"][2];
    // What this turn said, not what all of them did; what its nodes told, but not who decided.
    assert_eq!(turn["values"]["said"], json!(["left t6", "right t6"]));
    assert_eq!(turn["custom"].as_array().unwrap().len(), 2);
    assert_eq!(turn["runs"].as_array().unwrap().len(), 1);
    assert_eq!(turn["runs"][0]["status"], "success");
    assert_eq!((&turn["waits"], &turn["error"]), (&json!(false), &Value::Null));
    // Nobody gave it a name: it is called by what was asked last, where no first question is kept.
    assert_eq!(page["thread"]["title"], "t6");
    let older =
        talk.page(&format!("?limit=3&before={}", page["turns"][0]["turn_id"].as_str().unwrap())).await;
    assert_eq!((topics(&older), &older["earlier"]), (vec!["t1", "t2", "t3"], &json!(1)));
    for wrong in ["?limit=0", "?limit=101", "?limit=x", "?branch=x"] {
        let answer = served.client.get(&format!("{}/turns{wrong}", talk.path)).await;
        assert_eq!(answer.status, 422, "{wrong}: {}", answer.text);
    }
    let nobody = "?before=00000000-0000-4000-8000-000000000000";
    assert_eq!(served.client.get(&format!("{}/turns{nobody}", talk.path)).await.status, 404);
    let nowhere = "/threads/00000000-0000-4000-8000-000000000000/turns";
    assert_eq!(served.client.get(nowhere).await.status, 404);
}

/// The form of a question vanished on reload when another one of the same step had been answered.
#[tokio::test]
async fn every_question_that_is_left_open_is_there_in_order() {
    let served = served().await;
    let talk = Conversation::begin(&served).await;
    talk.ask("ask").await;
    let page = talk.page("").await;
    let turn = &page["turns"][0];
    let asked = |turn: &Value| -> Vec<String> {
        let questions = turn["questions"].as_array().unwrap();
        questions.iter().map(|question| question["value"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!((asked(turn), &turn["waits"]), (vec!["left?".into(), "right?".into()], &json!(true)));
    assert_eq!(turn["questions"][0]["response_schema"]["type"], "string");
    let left = turn["questions"][0]["id"].as_str().unwrap();
    talk.run(json!({ "command": { "resume": { left: "yes" } } })).await;
    let page = talk.page("").await;
    let turn = &page["turns"][0];
    assert_eq!((asked(turn), &turn["waits"]), (vec!["right?".into()], &json!(true)), "{turn}");
    assert_eq!(turn["runs"].as_array().unwrap().len(), 2);
    // Whoever asks on gives the question up: it can't be answered any more.
    talk.ask("on").await;
    let page = talk.page("").await;
    assert_eq!(topics(&page), ["ask", "on"]);
    assert_eq!(
        (asked(&page["turns"][0]), &page["turns"][0]["waits"]),
        (vec!["right?".into()], &json!(false))
    );
}

#[tokio::test]
async fn branches_are_followed_to_their_newest_turn() {
    let served = served().await;
    let talk = Conversation::begin(&served).await;
    let asked = async |topic: &str, parent: Value| {
        talk.run(json!({ "input": { "topic": topic }, "metadata": { "parent_run": parent } })).await
    };
    let first = asked("first", Value::Null).await;
    let second = asked("second", first.clone().into()).await;
    asked("third", second.clone().into()).await;
    let other = asked("other", first.into()).await;
    let page = talk.page("").await;
    assert_eq!(topics(&page), ["first", "other"]);
    assert_eq!(page["turns"][1]["siblings"], json!([second, other]));
    let page = talk.page(&format!("?branch={second}")).await;
    assert_eq!(topics(&page), ["first", "second", "third"]);
    assert_eq!(page["turns"][2]["parent"], json!(second));
    assert_eq!(page["newest_run"], json!(other));
    let page = talk.page(&format!("?at={second}&limit=1")).await;
    assert_eq!((topics(&page), &page["earlier"]), (vec!["second"], &json!(1)));
    // Where its question was asked: another one may be asked there instead.
    let before = page["turns"][0]["before"]["checkpoint_id"].clone();
    let run = json!({
        "input": { "topic": "instead" }, "checkpoint": { "checkpoint_id": before },
        "metadata": { "parent_run": page["turns"][0]["parent"] },
    });
    talk.run(run).await;
    let page = talk.page("").await;
    assert_eq!(topics(&page), ["first", "instead"]);
    assert_eq!(page["turns"][1]["siblings"].as_array().unwrap().len(), 3);
    assert_eq!(
        page["turns"][1]["values"]["said"],
        json!(["left instead", "right instead"]),
        "its own, no more"
    );
    let state = served.client.get(&format!("{}/state", talk.path)).await.expect(200);
    assert_eq!(
        state["values"]["said"],
        json!(["left first", "right first", "left instead", "right instead"])
    );
}
