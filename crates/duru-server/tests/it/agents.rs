//! The Agent2Agent protocol, byte by byte; what clients make of it is in `clients`.

use std::sync::Arc;
use std::time::Duration;

use duru::store::MemoryStore;
use duru::{Cx, Deadline, END, ErasedGraph, Graph, Result, State};
use duru_server::mcp::Tool;
use duru_server::{Keys, NewKey, Server, Stores, a2a};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::client::{Client, PATIENCE};
use crate::fixture::Place;

#[derive(State, Clone)]
struct Talk {
    question: String,
    answer: Option<String>,
    problem: Option<String>,
}

/// Asks back what is a question, waits only for a moment if told to, and finds some questions too hard.
async fn reply(s: Arc<Talk>, cx: Cx) -> Result<TalkUpdate> {
    let options = json!([{ "label": "네", "value": "yes" }, { "label": "아니요", "value": "no" }]);
    let asked = json!({ "message": "정말요?", "options": options });
    let said: Value = match s.question.as_str() {
        "really?" => cx.interrupt(&asked)?,
        "soon?" => cx.interrupt_until(&asked, Deadline::after(Duration::from_millis(1), json!("nothing")))?,
        "hard" => {
            return Ok(TalkUpdate::new().answer("too hard".to_owned()).problem(Some("hard".to_owned())));
        }
        other => json!(other),
    };
    Ok(TalkUpdate::new().answer(said.as_str().unwrap_or_default().to_owned()))
}

fn talk() -> ErasedGraph {
    let mut g = Graph::<Talk>::new("talk");
    let reply = g.node("reply", reply);
    g.start(reply).edge(reply, END);
    g.compile().expect("the graph is whole").erased()
}

/// A server of agents, which stops when this is dropped.
struct Agents {
    client: Client,
    _stop: DropGuard,
}

async fn agents(store: &Arc<MemoryStore>) -> Agents {
    let told = vec![Tool::new("talk", "Talks.").troubled_by("problem")];
    let server =
        Server::new(Stores::of(Arc::clone(store))).graph(talk()).mount_with(|runs| a2a::routes(runs, told));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let stop = CancellationToken::new();
    tokio::spawn(server.serve(listener, stop.clone()));
    Agents { client: Client::new(address), _stop: stop.drop_guard() }
}

fn said(text: &str, known: Value) -> Value {
    let mut message =
        json!({ "messageId": "m1", "role": "user", "parts": [{ "kind": "text", "text": text }] });
    message.as_object_mut().unwrap().extend(known.as_object().unwrap().clone());
    json!({ "message": message })
}

impl Agents {
    /// What a call is answered, with somebody's key.
    async fn call(&self, key: &str, method: &str, params: Value) -> Value {
        let call = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
        let headers = format!("application/json\r\nx-api-key: {key}");
        let answer = self.client.raw("POST", "/a2a/talk", &headers, Some(&call.to_string())).await.unwrap();
        let json = answer.expect(200);
        assert_eq!((&json["jsonrpc"], &json["id"]), (&json!("2.0"), &json!(7)));
        json
    }

    async fn task(&self, key: &str, method: &str, params: Value) -> Value {
        let answer = self.call(key, method, params).await;
        assert_eq!(answer["result"]["kind"], "task", "{answer}");
        answer["result"].clone()
    }
}

fn state(task: &Value) -> &str {
    task["status"]["state"].as_str().unwrap_or_default()
}

async fn key(store: &Arc<MemoryStore>, name: &str) -> String {
    let new = NewKey { name: name.into(), ..NewKey::default() };
    Keys::new(store.clone()).add(new).await.unwrap().0
}

#[tokio::test]
async fn what_can_t_be_called_is_told_by_its_code() {
    let agents = agents(&Arc::new(MemoryStore::new())).await;
    let client = &agents.client;
    let call = |method: &str, params: Value| {
        json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string()
    };
    let message = |change: Value| {
        let mut params = said("hi", json!({}));
        params["message"].as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        params
    };
    let mode = |mode: &str| {
        let mut params = said("hi", json!({}));
        params["configuration"] = json!({ "acceptedOutputModes": [mode] });
        params
    };
    for (body, code) in [
        ("{".to_owned(), -32700),
        ("[]".to_owned(), -32600),
        (json!({ "id": 1, "method": "tasks/get", "params": {} }).to_string(), -32600),
        (json!({ "jsonrpc": "2.0", "method": "tasks/get", "params": {} }).to_string(), -32600),
        (json!({ "jsonrpc": "2.0", "id": 1 }).to_string(), -32600),
        (call("tasks/list", json!({})), -32601),
        (call("tasks/pushNotificationConfig/set", json!({})), -32003),
        (call("CreateTaskPushNotificationConfig", json!({})), -32003),
        (call("message/send", json!(null)), -32602),
        (call("message/send", json!({})), -32602),
        (call("message/stream", json!({})), -32602),
        (call("message/send", message(json!({ "messageId": null }))), -32602),
        (call("message/send", message(json!({ "messageId": 1 }))), -32602),
        (call("message/send", message(json!({ "role": "agent" }))), -32602),
        (call("message/send", message(json!({ "parts": [] }))), -32602),
        (call("message/send", message(json!({ "contextId": "x" }))), -32602),
        (call("message/send", message(json!({ "taskId": "x" }))), -32001),
        (
            call(
                "message/send",
                message(json!({ "parts": [{ "kind": "data", "data": { "question": 1 } }] })),
            ),
            -32602,
        ),
        (call("message/send", message(json!({ "parts": [{ "kind": "file", "file": {} }] }))), -32005),
        (call("message/send", mode("image/png")), -32005),
        (call("tasks/get", json!({})), -32602),
        (call("tasks/get", json!({ "id": "x", "historyLength": -1 })), -32602),
        (call("tasks/get", json!({ "id": "x" })), -32001),
        (call("tasks/cancel", json!({ "id": "x" })), -32001),
        (call("tasks/resubscribe", json!({ "id": "x" })), -32001),
    ] {
        let answer = client.raw("POST", "/a2a/talk", "application/json", Some(&body)).await.unwrap();
        let json = answer.expect(200);
        assert_eq!(json["error"]["code"], code, "{body}: {json}");
        assert!(json["error"]["message"].as_str().is_some_and(|why| why.len() > 10), "{json}");
    }
    assert_eq!(client.post("/threads/search", json!({})).await.expect(200), json!([]), "nothing was begun");
    let versioned = "application/json\r\na2a-version: 7.0";
    let get = call("tasks/get", json!({ "id": "x" }));
    let answer = client.raw("POST", "/a2a/talk", versioned, Some(&get)).await.unwrap();
    assert_eq!(answer.expect(200)["error"]["code"], -32009);
    let nobody = "00000000-0000-7000-8000-000000000000";
    for unknown in ["nobody", nobody] {
        let answer = client.raw("POST", &format!("/a2a/{unknown}"), "application/json", Some(&get)).await;
        assert_eq!(answer.unwrap().detail(404), format!("Assistant '{unknown}' not found"));
        let card = client.get(&format!("/.well-known/agent-card.json?assistant_id={unknown}")).await;
        assert_eq!(card.detail(404), format!("Assistant '{unknown}' not found"));
    }
}

#[tokio::test]
async fn a_task_is_its_owner_s_and_looks_to_others_as_if_it_were_not_there() {
    let store = Arc::new(MemoryStore::new());
    let (kim, lee) = (key(&store, "kim").await, key(&store, "lee").await);
    let agents = agents(&store).await;
    let nameless = |answer: Value, name: &str| answer.to_string().replace(name, "·");
    for question in ["hello", "really?"] {
        let task = agents.task(&kim, "message/send", said(question, json!({}))).await;
        let (id, context) = (task["id"].as_str().unwrap(), task["contextId"].as_str().unwrap());
        assert!(id.starts_with(&format!("{context}:")), "{task}");
        let nobody = format!("{0}:{0}", "00000000-0000-7000-8000-000000000000");
        for method in ["tasks/get", "tasks/cancel", "tasks/resubscribe"] {
            let theirs = agents.call(&lee, method, json!({ "id": id })).await;
            let unknown = agents.call(&lee, method, json!({ "id": nobody })).await;
            assert_eq!(theirs["error"]["code"], -32001, "{theirs}");
            assert_eq!(nameless(theirs, id), nameless(unknown, &nobody), "{method}");
        }
        for method in ["message/send", "message/stream"] {
            let theirs = agents.call(&lee, method, said("me too", json!({ "taskId": id }))).await;
            assert_eq!(theirs["error"]["code"], -32001, "{theirs}");
            let theirs = agents.call(&lee, method, said("me too", json!({ "contextId": context }))).await;
            assert_eq!(theirs["error"]["code"], -32602, "{theirs}");
        }
        assert_eq!(agents.task(&kim, "tasks/get", json!({ "id": id })).await, task, "nothing has happened");
    }
    let call = json!({ "jsonrpc": "2.0", "id": 7, "method": "tasks/get", "params": { "id": "x" } });
    assert_eq!(agents.client.post("/a2a/talk", call).await.status, 401);
    // A card is somebody's, too: assistants are.
    assert_eq!(agents.client.get("/.well-known/agent-card.json").await.status, 401);
    for (version, scheme) in [("0.3", "/apiKey/name"), ("1.0", "/apiKey/apiKeySecurityScheme/name")] {
        let headers = format!("text/plain\r\nx-api-key: {kim}\r\na2a-version: {version}");
        let card =
            agents.client.raw("GET", "/.well-known/agent-card.json", &headers, Some("")).await.unwrap();
        let card = card.expect(200);
        assert_eq!(card["securitySchemes"].pointer(scheme), Some(&json!("x-api-key")), "{card}");
        assert_eq!(card["url"], format!("http://{}/a2a/talk", agents.client.address()));
    }
}

#[tokio::test]
async fn a_question_waits_through_a_restart_and_options_are_answered_by_their_labels() {
    let store = Arc::new(MemoryStore::new());
    let first = agents(&store).await;
    let asks = first.task("", "message/send", said("really?", json!({}))).await;
    assert_eq!(state(&asks), "input-required");
    assert_eq!(asks["status"]["message"]["parts"][0]["text"], "정말요?\n- 네\n- 아니요");
    let (id, context) = (&asks["id"], &asks["contextId"]);
    drop(first);
    let second = agents(&store).await;
    assert_eq!(second.task("", "tasks/get", json!({ "id": id })).await, asks);
    let done = second.task("", "message/send", said("네", json!({ "contextId": context }))).await;
    assert_eq!((&done["id"], state(&done)), (id, "completed"));
    assert_eq!(done["artifacts"][0]["parts"], json!([{ "kind": "text", "text": "yes" }]));
    // What is asked in the same context later changes nothing of it.
    let next = second.task("", "message/send", said("hello", json!({ "contextId": context }))).await;
    assert_eq!(next["artifacts"][0]["parts"][0]["text"], "hello");
    assert_eq!(second.task("", "tasks/get", json!({ "id": id })).await, done);
}

#[tokio::test]
async fn a_question_that_something_else_was_asked_instead_of_is_canceled() {
    let agents = agents(&Arc::new(MemoryStore::new())).await;
    let asks = agents.task("", "message/send", said("really?", json!({}))).await;
    let (id, context) = (&asks["id"], asks["contextId"].as_str().unwrap());
    let run = json!({ "assistant_id": "talk", "input": { "question": "hello" } });
    agents.client.post(&format!("/threads/{context}/runs/wait"), run).await.expect(200);
    assert_eq!(state(&agents.task("", "tasks/get", json!({ "id": id })).await), "canceled");
    let late = agents.call("", "message/send", said("네", json!({ "taskId": id }))).await;
    assert_eq!(late["error"]["code"], -32004, "{late}");
}

#[tokio::test]
async fn a_question_with_a_deadline_goes_on_by_itself_as_its_owner_s() {
    let store = Arc::new(MemoryStore::new());
    let kim = key(&store, "kim").await;
    let agents = agents(&store).await;
    let asks = agents.task(&kim, "message/send", said("soon?", json!({}))).await;
    let give_up = std::time::Instant::now() + PATIENCE;
    loop {
        let task = agents.task(&kim, "tasks/get", json!({ "id": asks["id"] })).await;
        if state(&task) == "completed" {
            assert_eq!(task["artifacts"][0]["parts"][0]["text"], "nothing", "{task}");
            break;
        }
        assert!(std::time::Instant::now() < give_up, "{task}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn an_answer_that_is_none_is_a_failure_with_the_words() {
    let agents = agents(&Arc::new(MemoryStore::new())).await;
    let task = agents.task("", "message/send", said("hard", json!({}))).await;
    assert_eq!((state(&task), task.get("artifacts")), ("failed", None));
    assert_eq!(task["status"]["message"]["parts"][0]["text"], "too hard");
}

/// The frames are events called `message`, and the last one says so.
#[tokio::test]
async fn a_stream_is_as_the_protocol_says() {
    let agents = agents(&Arc::new(MemoryStore::new())).await;
    let call =
        json!({ "jsonrpc": "2.0", "id": "a", "method": "message/stream", "params": said("hi", json!({})) });
    let answer = agents.client.post("/a2a/talk", call).await;
    assert_eq!(answer.header("content-type"), Some("text/event-stream; charset=utf-8"));
    let frames: Vec<Value> = answer
        .text
        .split("\r\n\r\n")
        .filter(|frame| !frame.is_empty())
        .map(|frame| {
            let data = frame.strip_prefix("event: message\r\ndata: ").unwrap_or_else(|| panic!("{frame}"));
            serde_json::from_str(data).unwrap()
        })
        .collect();
    assert!(frames.iter().all(|frame| frame["id"] == "a" && frame["jsonrpc"] == "2.0"));
    let kinds: Vec<&str> = frames.iter().map(|frame| frame["result"]["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["task", "status-update", "artifact-update", "status-update"]);
    let last = &frames[3]["result"];
    assert_eq!((&last["final"], &last["status"]["state"]), (&json!(true), &json!("completed")));
    assert_eq!(frames[1]["result"]["final"], false);
}

/// A server that dies while a task is under way takes nothing along: the next one goes on with it.
#[tokio::test]
async fn a_task_outlives_its_server() {
    let place = Place::sqlite();
    let mut first = place.serve_with(&["--interfaces"]);
    let mut params = said("wait:300 done", json!({}));
    params["configuration"] = json!({ "blocking": false });
    let send = json!({ "jsonrpc": "2.0", "id": 1, "method": "message/send", "params": params });
    let begun = first.client().post("/a2a/guide", send).await.expect(200)["result"].clone();
    assert!(["submitted", "working"].contains(&state(&begun)), "{begun}");
    first.kill();
    let second = place.serve_with(&["--interfaces"]);
    let get = json!({ "jsonrpc": "2.0", "id": 1, "method": "tasks/get", "params": { "id": begun["id"] } });
    let give_up = std::time::Instant::now() + PATIENCE;
    loop {
        let task = second.client().post("/a2a/guide", get.clone()).await.expect(200)["result"].clone();
        if state(&task) == "completed" {
            assert_eq!(task["artifacts"][0]["parts"][0]["text"], "wait:300 done");
            return;
        }
        assert!(std::time::Instant::now() < give_up, "{task}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
