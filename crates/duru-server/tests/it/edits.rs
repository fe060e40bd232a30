//! Changing threads from outside, by their nodes, their subgraphs and their past.

use serde_json::{Value, json};

use crate::client::Client;
use crate::compared::graphs;
use crate::served::{Served, served_graphs};

struct Desk {
    served: Served,
}

impl Desk {
    async fn new() -> Self {
        Self { served: served_graphs(graphs::all()).await }
    }

    fn client(&self) -> &Client {
        &self.served.client
    }

    /// A thread on which a graph was run; what came of it.
    async fn ran(&self, graph: &str, input: Value) -> (String, Value) {
        let thread = self.client().post("/threads", json!({})).await.expect(200);
        let path = format!("/threads/{}", thread["thread_id"].as_str().unwrap());
        let run = json!({ "assistant_id": graph, "input": input });
        let values = self.client().post(&format!("{path}/runs/wait"), run).await.expect(200);
        (path, values)
    }

    async fn state(&self, thread: &str) -> Value {
        self.client().get(&format!("{thread}/state")).await.expect(200)
    }

    async fn go_on(&self, thread: &str, graph: &str, command: Value) -> Value {
        let run = json!({ "assistant_id": graph, "command": command });
        self.client().post(&format!("{thread}/runs/wait"), run).await.expect(200)
    }

    /// The checkpoint whose next node this is.
    async fn before(&self, thread: &str, node: &str) -> Value {
        let all = self.client().post(&format!("{thread}/history"), json!({ "limit": 100 })).await.expect(200);
        let found = all.as_array().unwrap().iter().rfind(|state| state["next"] == json!([node]));
        found.unwrap()["checkpoint"].clone()
    }
}

fn inside(state: &Value) -> String {
    state["tasks"][0]["checkpoint"]["checkpoint_ns"].as_str().expect("a subgraph").to_owned()
}

#[tokio::test]
async fn a_task_names_its_subgraph_without_being_asked_for_its_state() {
    let desk = Desk::new().await;
    let (thread, _) = desk.ran("nested", json!({ "x": 1 })).await;
    let state = desk.state(&thread).await;
    let task = &state["tasks"][0];
    let ns = format!("child:{}", task["id"].as_str().unwrap());
    assert_eq!(
        task["checkpoint"],
        json!({ "thread_id": state["checkpoint"]["thread_id"], "checkpoint_ns": ns })
    );
    assert_eq!(task["state"], Value::Null);
    let whole = desk.client().get(&format!("{thread}/state?subgraphs=true")).await.expect(200);
    assert_eq!(whole["tasks"][0]["state"]["values"]["log"], json!(["p", "s1"]), "{whole}");
    assert_eq!(whole["tasks"][0]["state"]["next"], json!(["s2"]));
    let (other, _) = desk.ran("three", json!({ "x": 1 })).await;
    let history = desk.client().post(&format!("{other}/history"), json!({ "limit": 9 })).await.expect(200);
    assert!(history.as_array().unwrap().iter().all(|state| state["tasks"][0]["checkpoint"].is_null()));
}

#[tokio::test]
async fn states_and_histories_by_checkpoint_ns_are_the_subgraphs() {
    let desk = Desk::new().await;
    let (thread, _) = desk.ran("nested", json!({ "x": 1 })).await;
    let root = desk.state(&thread).await;
    let ns = inside(&root);
    let at = json!({ "checkpoint": { "checkpoint_ns": ns } });
    let state = desk.client().post(&format!("{thread}/state/checkpoint"), at.clone()).await.expect(200);
    assert_eq!(
        (&state["values"], &state["next"]),
        (&json!({ "x": 3, "log": ["p", "s1"], "sum": 0 }), &json!(["s2"]))
    );
    assert_eq!(state["checkpoint"]["checkpoint_ns"], json!(ns));
    let root_id = &root["checkpoint_id"];
    assert_eq!(state["metadata"]["parents"], json!({ "": root_id }));
    assert_eq!(state["checkpoint"]["checkpoint_map"], json!({ "": root_id, &*ns: state["checkpoint_id"] }));
    let history = desk
        .client()
        .post(&format!("{thread}/history"), json!({ "limit": 10, "checkpoint": { "checkpoint_ns": ns } }))
        .await
        .expect(200);
    let nexts: Vec<&Value> = history.as_array().unwrap().iter().map(|state| &state["next"]).collect();
    assert_eq!(nexts, [&json!(["s2"]), &json!(["s1"]), &json!(["__start__"])]);
    for known in history.as_array().unwrap() {
        let at = json!({ "checkpoint": known["checkpoint"] });
        let again = desk.client().post(&format!("{thread}/state/checkpoint"), at).await.expect(200);
        assert_eq!((&again["values"], &again["next"]), (&known["values"], &known["next"]));
    }
    // It is still there when it has finished.
    desk.go_on(&thread, "nested", json!({ "resume": "yes" })).await;
    let state = desk.client().post(&format!("{thread}/state/checkpoint"), at).await.expect(200);
    assert_eq!(state["values"]["log"], json!(["p", "s1", "answer yes", "s3"]));
    for unknown in ["nobody:1", "p:1", "child"] {
        let at = json!({ "checkpoint": { "checkpoint_ns": unknown } });
        let answer = desk.client().post(&format!("{thread}/state/checkpoint"), at).await;
        match unknown {
            "child" => {
                assert_eq!(answer.expect(200)["values"], json!({}), "none was ever run under that name")
            }
            _ => assert!(answer.detail(404).contains("not found"), "{unknown}"),
        }
    }
}

#[tokio::test]
async fn an_edit_with_a_checkpoint_ns_changes_the_subgraph_and_not_the_root() {
    for graph in ["nested", "embedding"] {
        let desk = Desk::new().await;
        let (thread, _) = desk.ran(graph, json!({ "x": 1 })).await;
        let root = desk.state(&thread).await;
        let ns = inside(&root);
        let edit = json!({ "values": { "x": 100 }, "checkpoint": { "checkpoint_ns": ns } });
        let edited = desk.client().post(&format!("{thread}/state"), edit).await.expect(200);
        assert_eq!(edited["checkpoint"]["checkpoint_ns"], json!(ns));
        let after = desk.state(&thread).await;
        assert_eq!((&after["values"], &after["checkpoint_id"]), (&root["values"], &root["checkpoint_id"]));
        let at = json!({ "checkpoint": { "checkpoint_ns": ns } });
        let state = desk.client().post(&format!("{thread}/state/checkpoint"), at).await.expect(200);
        assert_eq!((&state["values"]["x"], &state["next"]), (&json!(100), &json!(["s2"])), "{graph}");
        assert_eq!(state["checkpoint_id"], edited["checkpoint_id"]);
        // Whoever answers what was asked before is heard, and what was changed counts.
        let values = desk.go_on(&thread, graph, json!({ "resume": "yes" })).await;
        assert_eq!(values["x"], 102, "{graph}: {values}");
        assert!(values["log"].as_array().unwrap().contains(&json!("answer yes")), "{graph}: {values}");
        // It has finished: nobody would hear of another change.
        let late = json!({ "values": { "x": 1 }, "checkpoint": { "checkpoint_ns": ns } });
        let refused = desk.client().post(&format!("{thread}/state"), late).await.detail(400);
        assert!(refused.contains("still to finish"), "{refused}");
    }
}

#[tokio::test]
async fn a_subgraph_with_its_parents_state_goes_back_without_what_came_after() {
    let desk = Desk::new().await;
    let (thread, _) = desk.ran("embedding", json!({ "x": 1 })).await;
    let ns = inside(&desk.state(&thread).await);
    let history = desk
        .client()
        .post(&format!("{thread}/history"), json!({ "limit": 10, "checkpoint": { "checkpoint_ns": ns } }))
        .await
        .expect(200);
    let first = history.as_array().unwrap().iter().find(|state| state["next"] == json!(["s1"])).unwrap();
    let edit = json!({ "values": { "log": ["mine"] }, "as_node": "s1", "checkpoint": first["checkpoint"] });
    desk.client().post(&format!("{thread}/state"), edit).await.expect(200);
    let values = desk.go_on(&thread, "embedding", json!({ "resume": "no" })).await;
    assert_eq!(values["log"], json!(["p", "mine", "answer no", "s3", "q"]), "{values}");
}

#[tokio::test]
async fn a_run_from_a_checkpoint_of_a_subgraph_begins_there() {
    let desk = Desk::new().await;
    let (thread, _) = desk.ran("nested", json!({ "x": 1 })).await;
    let ns = inside(&desk.state(&thread).await);
    let edit = json!({ "values": { "x": 50 }, "checkpoint": { "checkpoint_ns": ns } });
    let edited = desk.client().post(&format!("{thread}/state"), edit).await.expect(200);
    // Its last one: the run only goes on.
    let run = json!({ "assistant_id": "nested", "checkpoint": edited["checkpoint"] });
    let values = desk.client().post(&format!("{thread}/runs/wait"), run).await.expect(200);
    assert_eq!(values["__interrupt__"][0]["value"], json!({ "x": 50 }), "{values}");
    let history = desk
        .client()
        .post(&format!("{thread}/history"), json!({ "limit": 10, "checkpoint": { "checkpoint_ns": ns } }))
        .await
        .expect(200);
    let first = history.as_array().unwrap().iter().find(|state| state["next"] == json!(["s1"])).unwrap();
    let run = json!({ "assistant_id": "nested", "checkpoint": first["checkpoint"] });
    let values = desk.client().post(&format!("{thread}/runs/wait"), run).await.expect(200);
    assert_eq!(values["__interrupt__"][0]["value"], json!({ "x": 3 }), "{values}");
    let input = json!({ "assistant_id": "nested", "input": { "x": 9 }, "checkpoint": first["checkpoint"] });
    let refused = desk.client().post(&format!("{thread}/runs/wait"), input).await.expect(200);
    assert!(refused["__error__"]["message"].as_str().unwrap().contains("whole graph"), "{refused}");
}

#[tokio::test]
async fn an_edit_of_an_old_checkpoint_without_a_node_does_not_run_the_tool_again() {
    let desk = Desk::new().await;
    let (thread, values) = desk.ran("tools", json!({ "x": 0 })).await;
    assert_eq!(values["log"], json!(["agent", "tool", "agent"]));
    let history = desk.client().post(&format!("{thread}/history"), json!({ "limit": 9 })).await.expect(200);
    let after_tool = |state: &&Value| state["values"]["log"] == json!(["agent", "tool"]);
    let after_tool = history.as_array().unwrap().iter().find(after_tool).unwrap();
    let edit = json!({ "values": { "x": 50 }, "checkpoint": after_tool["checkpoint"] });
    desk.client().post(&format!("{thread}/state"), edit).await.expect(200);
    let state = desk.state(&thread).await;
    assert_eq!((&state["next"], &state["values"]["x"]), (&json!(["agent"]), &json!(50)), "{state}");
    let values = desk.go_on(&thread, "tools", Value::Null).await;
    assert_eq!(values["log"], json!(["agent", "tool", "agent"]), "the tool ran once");
}

#[tokio::test]
async fn nothing_can_be_written_and_as_the_start_the_input_and_the_end() {
    let desk = Desk::new().await;
    let (thread, _) = desk.ran("asking", json!({ "x": 1 })).await;
    let edit = async |body: Value| desk.client().post(&format!("{thread}/state"), body).await;
    edit(json!({ "values": null })).await.expect(200);
    assert_eq!(desk.state(&thread).await["next"], json!(["ask"]), "as whoever wrote last");
    edit(json!({ "values": null, "as_node": "ask" })).await.expect(200);
    assert_eq!(desk.state(&thread).await["next"], json!(["fin"]));
    edit(json!({ "values": { "x": 7 }, "as_node": "__start__" })).await.expect(200);
    let state = desk.state(&thread).await;
    assert_eq!((&state["next"], &state["values"]["x"]), (&json!(["pre"]), &json!(7)));
    edit(json!({ "values": { "x": 20 }, "as_node": "__input__" })).await.expect(200);
    let state = desk.state(&thread).await;
    assert_eq!((&state["next"], &state["values"]["x"]), (&json!(["__start__"]), &json!(7)), "{state}");
    assert_eq!(state["metadata"]["source"], "input");
    let values = desk.go_on(&thread, "asking", Value::Null).await;
    assert_eq!((&values["x"], &values["__interrupt__"][0]["value"]), (&json!(21), &json!({ "x": 21 })));
    let whole = desk.client().get(&thread).await.expect(200);
    assert_eq!(whole["status"], "interrupted");
    edit(json!({ "values": null, "as_node": "__end__" })).await.expect(200);
    let state = desk.state(&thread).await;
    assert_eq!((&state["next"], &state["interrupts"]), (&json!([]), &json!([])), "{state}");
    assert_eq!(
        desk.client().get(&thread).await.expect(200)["status"],
        "idle",
        "it waits for nothing any more"
    );
    for (wrong, says) in [
        (json!({ "values": { "x": 1 }, "as_node": "__end__" }), "__end__"),
        (json!({ "values": null, "as_node": "__input__" }), "no input"),
        (json!({ "values": { "x": 1 }, "as_node": "nobody" }), "Node nobody does not exist"),
        (json!({ "values": { "y": 1 }, "as_node": "pre" }), "y"),
        (json!({ "values": 3, "as_node": "pre" }), "object"),
    ] {
        let refused = edit(wrong.clone()).await.detail(400);
        assert!(refused.contains(says), "{wrong}: {refused}");
    }
    let empty =
        desk.client().post("/threads", json!({ "metadata": { "graph_id": "three" } })).await.expect(200);
    let path = format!("/threads/{}", empty["thread_id"].as_str().unwrap());
    let several = json!({ "values": [{ "log": ["one"] }, { "log": ["two"] }], "as_node": "a" });
    desk.client().post(&format!("{path}/state"), several).await.expect(200);
    assert_eq!(
        desk.state(&path).await["values"]["log"],
        json!(["one", "two"]),
        "a node may write several times"
    );
}

#[tokio::test]
async fn supersteps_take_an_input_in_once() {
    let desk = Desk::new().await;
    let (thread, values) = desk.ran("three", json!({ "x": 1, "log": ["i"] })).await;
    assert_eq!(values["log"], json!(["i", "a", "b", "c"]));
    // A thread is carried elsewhere as its history tells it: who wrote what, the oldest first.
    let history = desk.client().post(&format!("{thread}/history"), json!({ "limit": 99 })).await.expect(200);
    let mut steps = Vec::new();
    for state in history.as_array().unwrap().iter().rev() {
        if state["metadata"]["source"] == "input" {
            let input = &state["tasks"][0]["result"];
            steps.push(json!({ "updates": [{ "values": input, "as_node": "__input__" }] }));
        }
        let tasks = state["tasks"].as_array().unwrap();
        let updates: Vec<Value> =
            tasks.iter().map(|task| json!({ "values": task["result"], "as_node": task["name"] })).collect();
        if !updates.is_empty() {
            steps.push(json!({ "updates": updates }));
        }
    }
    let made = json!({ "metadata": { "graph_id": "three" }, "supersteps": steps });
    let copy = desk.client().post("/threads", made).await.expect(200);
    assert_eq!(copy["values"], values, "{steps:?}");
    let path = format!("/threads/{}", copy["thread_id"].as_str().unwrap());
    assert_eq!(desk.state(&path).await["next"], json!([]));
}

#[tokio::test]
async fn a_send_keeps_its_input() {
    let desk = Desk::new().await;
    let (thread, _) = desk.ran("fan", json!({ "x": 1 })).await;
    let sends = json!([{ "node": "w", "input": { "i": 7 } }, { "node": "w", "input": { "i": 8 } }]);
    let values = desk.go_on(&thread, "fan", json!({ "goto": sends })).await;
    assert_eq!(values["log"], json!(["plan", "w0", "w1", "join", "w7", "w8", "join"]));
    // A node that sees the state sees this instead, and writes to the thread's.
    let (thread, _) = desk.ran("three", json!({ "x": 1 })).await;
    let values = desk.go_on(&thread, "three", json!({ "goto": { "node": "b", "input": { "x": 40 } } })).await;
    assert_eq!(values, json!({ "x": 42, "log": ["a", "b", "c", "b", "c"], "sum": 0 }));
    let (thread, _) = desk.ran("nested", json!({ "x": 1 })).await;
    let send = json!({ "goto": { "node": "child", "input": { "x": 30, "log": ["sent"] } } });
    let asked = desk.go_on(&thread, "nested", send).await;
    assert_eq!(asked["__interrupt__"][0]["value"], json!({ "x": 31 }), "{asked}");
    let values = desk.go_on(&thread, "nested", json!({ "resume": "yes" })).await;
    assert_eq!(values["log"], json!(["p", "sent", "s1", "answer yes", "s3", "q"]), "{values}");
    for (wrong, says) in [
        (json!({ "node": "w", "input": { "i": "seven" } }), "does not fit"),
        (json!({ "node": "plan", "input": { "i": 7 } }), "no field \"i\""),
        (json!("w"), "input of its own"),
        (json!({ "node": "nobody", "input": {} }), "nobody"),
    ] {
        let (thread, _) = desk.ran("fan", json!({ "x": 1 })).await;
        let failed = desk.go_on(&thread, "fan", json!({ "goto": wrong })).await;
        let message = failed["__error__"]["message"].as_str().unwrap_or_default();
        assert!(message.contains(says), "{wrong}: {failed}");
    }
}

#[tokio::test]
async fn an_old_checkpoint_is_found_by_what_comes_next() {
    let desk = Desk::new().await;
    let (thread, _) = desk.ran("three", json!({ "x": 1 })).await;
    let at = desk.before(&thread, "c").await;
    let edit = json!({ "values": { "log": ["z"] }, "as_node": "__copy__", "checkpoint": at });
    desk.client().post(&format!("{thread}/state"), edit).await.detail(400);
    let copy = json!({ "values": null, "as_node": "__copy__", "checkpoint": at });
    desk.client().post(&format!("{thread}/state"), copy).await.expect(200);
    let state = desk.state(&thread).await;
    assert_eq!((&state["next"], &state["metadata"]["source"]), (&json!(["c"]), &json!("fork")));
}
