//! Edits, ways back and histories, compared with what the LangGraph library does
//! with the same graphs. `scenarios.json` says what is done, `expected.json` what
//! came of it there: `tests/clients/library/record.py` wrote it.

pub(crate) mod graphs;

use std::collections::BTreeMap;
use std::process::Command;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::client::{Answer, Client};
use crate::served::served_graphs;
use crate::tools;

const SCENARIOS: &str = include_str!("scenarios.json");
const EXPECTED: &str = include_str!("expected.json");

#[derive(Deserialize)]
struct Scenario {
    graph: String,
    acts: Vec<Value>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Played {
    acts: Vec<String>,
    history: Vec<String>,
    #[serde(default)]
    inside: Vec<String>,
}

/// One thread of a scenario.
struct Thread<'a> {
    client: &'a Client,
    graph: &'a str,
    id: String,
}

/// The states of a history by number: the oldest is 0.
fn numbered(history: &Value) -> Vec<String> {
    let mut ids: Vec<String> = history
        .as_array()
        .unwrap()
        .iter()
        .map(|state| state["checkpoint_id"].as_str().unwrap().to_owned())
        .collect();
    ids.sort();
    ids
}

impl Thread<'_> {
    async fn post(&self, path: &str, body: Value) -> Answer {
        self.client.post(&format!("/threads/{}{path}", self.id), body).await
    }

    async fn history(&self, ns: &str) -> Value {
        self.post("/history", json!({ "limit": 100, "checkpoint": { "checkpoint_ns": ns } }))
            .await
            .expect(200)
    }

    /// The first subgraph that is to be run, or was run last.
    async fn inside(&self) -> Option<String> {
        let history = self.history("").await;
        let tasks = history.as_array()?.iter().flat_map(|state| state["tasks"].as_array().unwrap());
        let mut inside = tasks.filter_map(|task| task["checkpoint"]["checkpoint_ns"].as_str());
        inside.next().map(str::to_owned)
    }

    async fn checkpoint(&self, act: &Value) -> Value {
        let ns = match act["inside"] == true {
            true => self.inside().await.expect("a subgraph"),
            false => String::new(),
        };
        let Some(number) = act["at"].as_u64() else { return json!({ "checkpoint_ns": ns }) };
        let id = numbered(&self.history(&ns).await)[usize::try_from(number).unwrap()].clone();
        json!({ "checkpoint_ns": ns, "checkpoint_id": id })
    }

    /// Whether an act was done, and what is asked then.
    async fn seen(&mut self, act: &Value) -> String {
        let answer = if act.get("steps").is_some() {
            let update = |u: &Value| json!({ "values": u["values"], "as_node": u["as"] });
            let step = |step: &Value| json!({ "updates": step.as_array().unwrap().iter().map(update).collect::<Vec<_>>() });
            let steps: Vec<Value> = act["steps"].as_array().unwrap().iter().map(step).collect();
            let new = json!({ "metadata": { "graph_id": self.graph }, "supersteps": steps });
            let answer = self.client.post("/threads", new).await;
            if answer.status == 200 {
                answer.json()["thread_id"].as_str().unwrap().clone_into(&mut self.id);
            }
            answer
        } else if act.get("update").is_some() {
            let checkpoint = self.checkpoint(act).await;
            let body = json!({ "values": act["update"], "as_node": act["as"], "checkpoint": checkpoint });
            self.post("/state", body).await
        } else {
            let mut run = json!({ "assistant_id": self.graph, "input": act["run"] });
            if act.get("at").is_some() {
                run["checkpoint"] = self.checkpoint(act).await;
            }
            if let Some(resume) = act.get("resume") {
                run["command"] = json!({ "resume": resume });
            }
            if let Some(before) = act.get("before") {
                run["interrupt_before"] = before.clone();
            }
            self.post("/runs/wait", run).await
        };
        if answer.status >= 400 {
            return "refused".to_owned();
        }
        let failed = answer.json().get("__error__").cloned();
        assert_eq!(failed, None, "{act}");
        let state = self.client.get(&format!("/threads/{}/state", self.id)).await.expect(200);
        let asked: Vec<&Value> =
            state["interrupts"].as_array().unwrap().iter().map(|asked| &asked["value"]).collect();
        if asked.is_empty() { "done".to_owned() } else { format!("done, asks {}", told(&json!(asked))) }
    }

    /// One line for every checkpoint, as in the recording.
    async fn lines(&self, ns: &str) -> Vec<String> {
        let history = self.history(ns).await;
        let ids = numbered(&history);
        let number = |id: &Value| match id.as_str() {
            Some(id) => ids.iter().position(|known| known == id).map_or("?".to_owned(), |n| n.to_string()),
            None => "-".to_owned(),
        };
        let line = |state: &Value| {
            let names = state["next"].as_array().unwrap().iter().map(|name| name.as_str().unwrap());
            let names = names.collect::<Vec<_>>().join(",");
            let mut line = format!(
                "{} < {} {} {} {} next {}",
                number(&state["checkpoint_id"]),
                number(&state["parent_checkpoint_id"]),
                state["metadata"]["source"].as_str().unwrap(),
                state["metadata"]["step"],
                told(&state["values"]),
                if names.is_empty() { "-" } else { &names }
            );
            for task in state["tasks"].as_array().unwrap() {
                let graph = if task["checkpoint"].is_null() { "" } else { "()" };
                line += &format!(" {}{graph}={}", task["name"].as_str().unwrap(), told(&task["result"]));
            }
            line
        };
        history.as_array().unwrap().iter().map(line).collect()
    }
}

/// With the names in order, as the recording has them.
fn told(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let sorted: BTreeMap<&String, &Value> = fields.iter().collect();
            let fields: Vec<String> =
                sorted.into_iter().map(|(name, value)| format!("{}:{}", json!(name), told(value))).collect();
            format!("{{{}}}", fields.join(","))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(told).collect::<Vec<_>>().join(",")),
        other => other.to_string(),
    }
}

/// Without the spaces that Python puts between things.
fn expected() -> BTreeMap<String, Played> {
    let mut all: BTreeMap<String, Played> = serde_json::from_str(EXPECTED).unwrap();
    for played in all.values_mut() {
        for act in &mut played.acts {
            if let Some(asked) = act.strip_prefix("done, asks ") {
                let asked: Value = serde_json::from_str(asked).unwrap();
                *act = format!("done, asks {}", told(&asked));
            }
        }
    }
    all
}

#[tokio::test]
async fn edits_forks_and_histories_are_as_in_the_library() {
    let served = served_graphs(graphs::all()).await;
    let scenarios: BTreeMap<String, Scenario> = serde_json::from_str(SCENARIOS).unwrap();
    let expected = expected();
    assert_eq!(scenarios.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    let mut differing = Vec::new();
    for (name, scenario) in &scenarios {
        let new = json!({ "metadata": { "graph_id": scenario.graph } });
        let id =
            served.client.post("/threads", new).await.expect(200)["thread_id"].as_str().unwrap().to_owned();
        let mut thread = Thread { client: &served.client, graph: &scenario.graph, id };
        let mut acts = Vec::new();
        for act in &scenario.acts {
            acts.push(thread.seen(act).await);
        }
        let history = thread.lines("").await;
        let inside = match thread.inside().await {
            Some(ns) => thread.lines(&ns).await,
            None => Vec::new(),
        };
        let played = Played { acts, history, inside };
        if played != expected[name] {
            differing.push(format!("{name}:\n here {played:#?}\n there {:#?}", expected[name]));
        }
    }
    assert!(differing.is_empty(), "{} differ\n{}", differing.len(), differing.join("\n"));
}

#[test]
#[ignore = "gets the LangGraph library; see tests/clients/README.md"]
fn the_library_does_what_was_recorded() {
    let folder = tools::scripts().join("library");
    let wanted = std::fs::read_to_string(folder.join("requirements.txt")).unwrap();
    let Some(python) = tools::python("library", &wanted) else { return };
    let scenarios = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/compared/scenarios.json");
    let output =
        Command::new(python).arg("-B").arg(folder.join("record.py")).arg(scenarios).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), EXPECTED);
}
