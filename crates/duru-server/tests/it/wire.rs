//! What clients see, where it was once otherwise than on the reference server.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Answer, Client};
use crate::compared::graphs;
use crate::served::{Served, served, served_graphs};

async fn new_thread(client: &Client) -> String {
    let thread = client.post("/threads", json!({})).await.expect(200);
    format!("/threads/{}", thread["thread_id"].as_str().unwrap())
}

async fn waited(client: &Client, thread: &str, run: Value) -> Value {
    client.post(&format!("{thread}/runs/wait"), run).await.expect(200)
}

async fn history(client: &Client, thread: &str, limit: usize) -> Vec<Value> {
    let all = client.post(&format!("{thread}/history"), json!({ "limit": limit })).await.expect(200);
    all.as_array().unwrap().clone()
}

async fn compared() -> Served {
    served_graphs(graphs::all()).await
}

#[tokio::test]
async fn a_question_asked_differently_leaves_no_fork_behind_and_has_a_parent() {
    let served = compared().await;
    let client = &served.client;
    let thread = new_thread(client).await;
    waited(client, &thread, json!({ "assistant_id": "three", "input": { "x": 1 } })).await;
    let root = history(client, &thread, 10).await.pop().unwrap();
    for x in [50, 60] {
        let run = json!({ "assistant_id": "three", "input": { "x": x }, "checkpoint": root["checkpoint"] });
        assert_eq!(waited(client, &thread, run).await["x"], x + 3);
    }
    let shown = history(client, &thread, 10).await;
    let sources: Vec<&str> =
        shown.iter().map(|state| state["metadata"]["source"].as_str().unwrap()).collect();
    assert!(!sources.contains(&"fork"), "{sources:?}");
    // Both ways are among the ten that pages ask for, each with its beginning.
    let inputs: Vec<&Value> = shown.iter().filter(|state| state["metadata"]["source"] == "input").collect();
    assert_eq!(inputs.len(), 2, "{sources:?}");
    assert!(inputs.iter().all(|state| state["parent_checkpoint_id"] == root["checkpoint_id"]), "{inputs:?}");
    assert_eq!(inputs[0]["values"], json!({ "log": [], "sum": 0 }));
}

#[tokio::test]
async fn unknown_breakpoints_are_ignored_and_said() {
    let served = compared().await;
    let client = &served.client;
    let thread = new_thread(client).await;
    let run = json!({
        "assistant_id": "three", "input": { "x": 1 }, "interrupt_before": ["zzz", "b"], "interrupt_after": ["없음"],
    });
    let said = "interrupt_before: no node zzz; interrupt_after: no node \\u{c5c6}\\u{c74c}";
    let answer = client.post(&format!("{thread}/runs/wait"), run.clone()).await;
    assert_eq!(answer.header("x-duru-ignored"), Some(said), "{:?}", answer.headers);
    assert_eq!(answer.expect(200), json!({ "x": 2, "log": ["a"], "sum": 0 }), "it stopped before b");
    for path in ["runs", "runs/stream"] {
        let thread = new_thread(client).await;
        let answer = client.post(&format!("{thread}/{path}"), run.clone()).await;
        assert_eq!((answer.status, answer.header("x-duru-ignored")), (200, Some(said)), "{path}");
    }
    let known = json!({ "assistant_id": "three", "input": { "x": 1 }, "interrupt_before": "*" });
    assert_eq!(client.post("/runs/wait", known).await.header("x-duru-ignored"), None);
}

#[tokio::test]
async fn a_thread_with_a_pending_run_is_not_changed() {
    let served = compared().await;
    let client = &served.client;
    let thread = new_thread(client).await;
    waited(client, &thread, json!({ "assistant_id": "three", "input": { "x": 1 } })).await;
    let later = json!({ "assistant_id": "three", "input": { "x": 5 }, "after_seconds": 3600 });
    let run = client.post(&format!("{thread}/runs"), later).await.expect(200);
    let edit = json!({ "values": { "x": 9 }, "as_node": "a" });
    let refused = client.post(&format!("{thread}/state"), edit.clone()).await.detail(409);
    assert!(refused.contains("in-flight"), "{refused}");
    let run = format!("{thread}/runs/{}", run["run_id"].as_str().unwrap());
    client.post(&format!("{run}/cancel?wait=1"), json!({})).await.expect(200);
    client.post(&format!("{thread}/state"), edit).await.expect(200);
}

async fn status_after_cancelling(client: &Client, thread: &str) -> String {
    let later = json!({ "assistant_id": "asking", "input": { "x": 5 }, "after_seconds": 3600 });
    let run = client.post(&format!("{thread}/runs"), later).await.expect(200);
    assert_eq!(client.get(thread).await.expect(200)["status"], "busy");
    let run = format!("{thread}/runs/{}", run["run_id"].as_str().unwrap());
    client.post(&format!("{run}/cancel"), json!({})).await;
    assert_eq!(client.get(&run).await.expect(200)["status"], "interrupted", "the run was stopped");
    client.get(thread).await.expect(200)["status"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn cancelling_a_run_that_never_began_leaves_the_thread_as_it_was() {
    let served = compared().await;
    let client = &served.client;
    let new = new_thread(client).await;
    assert_eq!(status_after_cancelling(client, &new).await, "idle");
    let done = new_thread(client).await;
    waited(client, &done, json!({ "assistant_id": "three", "input": { "x": 1 } })).await;
    assert_eq!(status_after_cancelling(client, &done).await, "idle");
    let asked = new_thread(client).await;
    waited(client, &asked, json!({ "assistant_id": "asking", "input": { "x": 1 } })).await;
    assert_eq!(status_after_cancelling(client, &asked).await, "interrupted", "its question still waits");
}

/// The events of a stream: their names and what they say.
fn events(answer: &Answer) -> Vec<(String, Value)> {
    let mut events = Vec::new();
    for frame in answer.text.replace("\r\n", "\n").split("\n\n") {
        let field = |name: &str| frame.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        if let (Some(event), Some(data)) = (field("event"), field("data")) {
            events.push((event.to_owned(), serde_json::from_str(data).unwrap()));
        }
    }
    events
}

#[tokio::test]
async fn what_is_before_the_first_input_has_its_empty_fields() {
    let served = compared().await;
    let client = &served.client;
    let thread = new_thread(client).await;
    let run =
        json!({ "assistant_id": "three", "input": { "x": 1 }, "stream_mode": ["checkpoints", "debug"] });
    let streamed = events(&client.post(&format!("{thread}/runs/stream"), run).await);
    let first = streamed.iter().find(|(event, _)| event == "checkpoints").unwrap();
    let empty = json!({ "log": [], "sum": 0 });
    assert_eq!((&first.1["values"], &first.1["metadata"]["step"]), (&empty, &json!(-1)));
    let first = streamed.iter().find(|(event, _)| event == "debug").unwrap();
    assert_eq!(first.1["payload"]["values"], empty);
    let all = history(client, &thread, 10).await;
    assert_eq!(all[4]["values"], empty);
    assert_eq!(all[4]["tasks"][0]["result"], json!({ "x": 1 }), "what is taken in is what the start does");
    assert_eq!(all[3]["values"], json!({ "x": 1, "log": [], "sum": 0 }));
    let at = client.get(&format!("{thread}/state/{}", all[4]["checkpoint_id"].as_str().unwrap())).await;
    assert_eq!(at.expect(200)["values"], empty);
}

#[tokio::test]
async fn crons_go_with_their_thread_and_their_assistant() {
    let served = served().await;
    let client = &served.client;
    let count = async |filter: Value| client.post("/runs/crons/count", filter).await.expect(200);
    let thread = new_thread(client).await;
    let cron = |assistant: &Value| json!({ "schedule": "0 0 1 1 *", "assistant_id": assistant, "input": { "n": 1 } });
    for _ in 0..3 {
        client.post(&format!("{thread}/runs/crons"), cron(&json!("count"))).await.expect(200);
    }
    let other = client.post("/runs/crons", cron(&json!("count"))).await.expect(200);
    assert_eq!(count(json!({})).await, 4);
    client.delete(&thread).await.expect(204);
    let left = client.post("/runs/crons/search", json!({})).await.expect(200);
    assert_eq!(left[0]["cron_id"], other["cron_id"], "{left}");
    assert_eq!(left.as_array().unwrap().len(), 1);

    let assistant = client.post("/assistants", json!({ "graph_id": "count" })).await.expect(200);
    client.post("/runs/crons", cron(&assistant["assistant_id"])).await.expect(200);
    assert_eq!(count(json!({})).await, 2);
    client.delete(&format!("/assistants/{}", assistant["assistant_id"].as_str().unwrap())).await.expect(204);
    let left = client.post("/runs/crons/search", json!({})).await.expect(200);
    assert_eq!((left.as_array().unwrap().len(), &left[0]["cron_id"]), (1, &other["cron_id"]));
}

#[tokio::test]
async fn context_beside_configurable_is_refused() {
    let served = served().await;
    let client = &served.client;
    let both = json!({
        "assistant_id": "count", "input": { "n": 1 }, "context": { "by": 1 }, "config": { "configurable": { "by": 2 } },
    });
    for path in ["/runs", "/runs/wait", "/runs/stream"] {
        let refused = client.post(path, both.clone()).await.detail(400);
        assert!(refused.contains("both configurable and context"), "{path}: {refused}");
    }
    let mut cron = both.clone();
    cron["schedule"] = "0 0 1 1 *".into();
    client.post("/runs/crons", cron).await.detail(400);
    for (context, configurable) in [(json!({}), json!({ "by": 2 })), (json!({ "by": 1 }), json!({}))] {
        let mut one = both.clone();
        (one["context"], one["config"]["configurable"]) = (context, configurable);
        client.post("/runs/wait", one).await.expect(200);
    }
    // A cron with a context is told its own name besides, by us.
    let cron = json!({ "schedule": "* * * * * *", "assistant_id": "count", "input": { "n": 1 },
                       "context": { "by": 1 }, "on_run_completed": "keep" });
    client.post("/runs/crons", cron).await.expect(200);
    let give_up = Instant::now() + Duration::from_secs(30);
    loop {
        let found =
            client.post("/threads/search", json!({ "metadata": { "graph_id": "count" } })).await.expect(200);
        if found.as_array().unwrap().iter().any(|thread| thread["values"]["n"] == 3) {
            break;
        }
        assert!(Instant::now() < give_up, "its run never came: {found}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn waiting_for_a_run_that_asked_nothing_shows_no_question() {
    let served = compared().await;
    let client = &served.client;
    let thread = new_thread(client).await;
    let run = json!({ "assistant_id": "three", "input": { "x": 1 }, "interrupt_before": ["b"] });
    let values = waited(client, &thread, run).await;
    assert_eq!(values, json!({ "x": 2, "log": ["a"], "sum": 0 }));
    assert_eq!(client.get(&thread).await.expect(200)["status"], "interrupted");
    let asked = waited(client, &thread, json!({ "assistant_id": "asking", "input": { "x": 1 } })).await;
    assert_eq!(asked["__interrupt__"][0]["value"], json!({ "x": 2 }));
}

#[tokio::test]
async fn crons_of_six_fields_are_taken() {
    let served = served().await;
    let cron = json!({ "schedule": "59 23 31 12 * 58", "assistant_id": "count", "input": { "n": 1 } });
    let made = served.client.post("/runs/crons", cron).await.expect(200);
    let next = made["next_run_date"].as_str().unwrap();
    assert!(next.ends_with("-12-31T23:59:58+00:00"), "{next}");
    let wrong = json!({ "schedule": "59 23 31 12 * 60", "assistant_id": "count" });
    assert!(served.client.post("/runs/crons", wrong).await.detail(422).contains("second"));
}
