//! From the engine's events to those of the protocol. What is remembered is of
//! one run: a reader may begin with any run and makes the same frames.

use std::collections::HashSet;

use duru::store::Seq;
use duru::{Event, Mode, Namespace, RunId};
use serde_json::{Map, Value, json};

use super::blocks;
use super::place::Place;
use super::said::Said;
use super::tools::ToolCalls;
use crate::stream::messages::messages;
use crate::stream::shapes;

/// One event of the protocol.
#[derive(Debug)]
pub(super) struct Out {
    pub(super) place: Place,
    pub(super) method: &'static str,
    pub(super) ns: Namespace,
    pub(super) node: Option<String>,
    pub(super) data: Value,
}

/// Makes frames of a thread's events.
#[derive(Default)]
pub(super) struct Mapper {
    run: Option<RunId>,
    /// What the graph of the run is called; none for a change from outside.
    graph: Option<String>,
    /// Subgraphs that have begun.
    inside: HashSet<Namespace>,
    said: Said,
    tools: ToolCalls,
    /// Values that wait for the name of their checkpoint.
    held: Option<Value>,
}

/// The frames of one event.
pub(super) struct Frames<'a> {
    pub(super) event: &'a Event,
    parts: usize,
    out: Vec<Out>,
}

impl Frames<'_> {
    pub(super) fn add(&mut self, method: &'static str, ns: &Namespace, node: Option<&str>, data: Value) {
        if let Some(place) = Place::new(self.event.seq, self.parts) {
            let node = node.map(str::to_owned);
            self.out.push(Out { place, method, ns: ns.clone(), node, data });
        }
        self.parts += 1;
    }

    pub(super) fn here(&mut self, method: &'static str, data: Value) {
        let ns = &self.event.ns;
        self.add(method, ns, None, data);
    }
}

impl Mapper {
    /// The frames of an event, in the order of their places.
    pub(super) fn map(&mut self, event: &Event) -> Vec<Out> {
        let mut frames = Frames { event, parts: 0, out: Vec::new() };
        // What is changed from outside begins nothing.
        if !event.ns.is_root() && self.graph.is_some() && !self.inside.contains(&event.ns) {
            self.enter(event, &mut frames);
        }
        match event.mode {
            Mode::Runs if event.ns.is_root() => self.run(&mut frames),
            Mode::Updates => self.update(&mut frames),
            Mode::Messages => self.said.piece(&mut frames),
            Mode::Custom => frames.here("custom", json!({ "payload": event.data })),
            Mode::Tools => self.tools.told(&mut frames),
            Mode::Tasks => self.task(&mut frames),
            // The protocol has the checkpoint before its values; the log's next
            // event is the checkpoint, unless the values are those of a question.
            Mode::Values if event.data.get("__interrupt__").is_none() => self.held = Some(event.data.clone()),
            Mode::Values => frames.here("values", blocks::values(&event.data)),
            Mode::Checkpoints => self.checkpoint(&mut frames),
            _ => {}
        }
        frames.out
    }

    /// A subgraph begins with the first that is heard of it in a run.
    fn enter(&mut self, event: &Event, frames: &mut Frames<'_>) {
        self.inside.insert(event.ns.clone());
        let Some((name, call)) = event.ns.path().last().and_then(|last| last.split_once(':')) else { return };
        let path: Vec<&str> = event.ns.path().collect();
        let data =
            json!({ "event": "started", "namespace": path, "graph_name": name, "trigger_call_id": call });
        // A reader without values hears of a new subgraph first by its first
        // task, three numbers after its first values: both call it by those.
        let first = event.mode == Mode::Tasks && event.data["type"] == "start";
        let seq: Seq = if first { event.seq.saturating_sub(3) } else { event.seq };
        let Some(place) = Place::new(seq, 0) else { return };
        frames.out.push(Out { place, method: "lifecycle", ns: event.ns.clone(), node: None, data });
        if !first {
            frames.parts += 1;
        }
    }

    fn run(&mut self, frames: &mut Frames<'_>) {
        let Event { data, run, .. } = frames.event;
        if data["type"] == "begin" {
            let goes_on = self.run == Some(*run) && self.graph.is_some();
            if goes_on {
                // Another worker took it up.
                return;
            }
            let changed = matches!(data["source"].as_str(), Some("update" | "fork"));
            let name = data["metadata"]["graph_id"].as_str().or_else(|| data["graph"].as_str());
            *self = Self {
                run: Some(*run),
                graph: name.filter(|_| !changed).map(str::to_owned),
                ..Self::default()
            };
            if let Some(graph) = &self.graph {
                frames.here("lifecycle", json!({ "event": "running", "graph_name": graph }));
            }
            return;
        }
        let (word, error) = match data["status"].as_str() {
            Some("done") => ("completed", None),
            Some("paused" | "cancelled") => ("interrupted", None),
            Some("failed") => ("failed", Some(data["error"]["cause"].as_str().unwrap_or_default())),
            // It goes on elsewhere.
            _ => return,
        };
        self.said.end(frames, error);
        let mut said = json!({ "event": word });
        if let Some(graph) = &self.graph {
            said["graph_name"] = graph.as_str().into();
        }
        if let Some(error) = error {
            said["error"] = error.into();
        }
        frames.here("lifecycle", said);
        *self = Self::default();
    }

    fn update(&mut self, frames: &mut Frames<'_>) {
        let event = frames.event;
        let Value::Object(by_node) = &event.data else { return };
        if let Some(questions) = by_node.get("__interrupt__") {
            // A subgraph's question is also its parent's, up to the root.
            let questions = questions.as_array().into_iter().flatten().filter(|_| event.ns.is_root());
            for question in questions {
                let asked = json!({ "interrupt_id": question["id"], "payload": question["value"] });
                frames.here("input.requested", asked);
            }
            return;
        }
        if by_node.contains_key("__error__") {
            return;
        }
        // The input is no node's work.
        let nodes = by_node.iter().filter(|(node, _)| !matches!(node.as_str(), "__metadata__" | "__start__"));
        for (node, update) in nodes {
            let values = match update {
                Value::Array(several) => several.iter().map(blocks::values).collect(),
                one => blocks::values(one),
            };
            frames.here("updates", json!({ "node": node, "values": values }));
            for message in messages(update) {
                if message["type"] == "ai" {
                    self.said.written(node, message, frames);
                }
                self.tools.written(node, message, frames);
            }
        }
    }

    fn task(&mut self, frames: &mut Frames<'_>) {
        let Event { ns, data, .. } = frames.event;
        if data["node"] == "__start__" {
            return;
        }
        frames.here("tasks", shapes::task(data, &Value::Null, &Map::new()));
        if data["type"] == "start" {
            return;
        }
        // The end of a task is the end of the subgraph that it is.
        let (Some(node), Some(id)) = (data["node"].as_str(), data["id"].as_str()) else { return };
        let before = if ns.is_root() { String::new() } else { format!("{ns}|") };
        let inner = Namespace::from_stored(&format!("{before}{node}:{id}"));
        if !self.inside.remove(&inner) {
            return;
        }
        let mut said = json!({ "event": "completed", "graph_name": node });
        if !data["error"].is_null() {
            said["event"] = "failed".into();
            said["error"] = data["error"]["message"].clone();
        } else if data["interrupts"].as_array().is_some_and(|questions| !questions.is_empty()) {
            said["event"] = "interrupted".into();
        }
        frames.add("lifecycle", &inner, None, said);
    }

    fn checkpoint(&mut self, frames: &mut Frames<'_>) {
        let data = &frames.event.data;
        let mut envelope = json!({ "id": data["id"], "step": data["step"], "source": shapes::source(data) });
        if !data["parent"].is_null() {
            envelope["parent_id"] = data["parent"].clone();
        }
        frames.here("checkpoints", envelope);
        if let Some(values) = self.held.take() {
            frames.here("values", blocks::values(&values));
        }
    }
}

#[cfg(test)]
#[path = "map_tests.rs"]
mod tests;
