//! The frames of `/runs/stream`: a function of the run's events alone, so that
//! a reader who comes back sees the same ones again.

use std::collections::{HashMap, HashSet};

use duru::{Event, Mode, Namespace, RunId, ThreadId};
use serde_json::{Map, Value, json};

use super::messages::{Forms, Shown};
use super::shapes;
use super::sse::Frame;

/// Makes frames of one run's events.
pub(crate) struct Legacy {
    run: RunId,
    thread: ThreadId,
    attempt: u32,
    wanted: HashSet<String>,
    subgraphs: bool,
    /// What is said about the run.
    metadata: Map<String, Value>,
    shown: Shown,
    /// The latest values of each graph.
    values: HashMap<Namespace, Value>,
    begun: bool,
    asked: bool,
    failed: bool,
}

/// What a run's frames are to be like.
pub(crate) struct Wanted {
    pub(crate) modes: Vec<String>,
    pub(crate) subgraphs: bool,
    pub(crate) metadata: Map<String, Value>,
    pub(crate) attempt: u32,
}

impl Legacy {
    pub(crate) fn new(run: RunId, thread: ThreadId, wanted: Wanted) -> Self {
        let mut metadata = wanted.metadata;
        metadata.insert("run_id".into(), run.to_string().into());
        metadata.insert("thread_id".into(), thread.to_string().into());
        Self {
            run,
            thread,
            attempt: wanted.attempt.max(1),
            wanted: wanted.modes.into_iter().collect(),
            subgraphs: wanted.subgraphs,
            metadata,
            shown: Shown::default(),
            values: HashMap::new(),
            begun: false,
            asked: false,
            failed: false,
        }
    }

    fn wants(&self, mode: &str) -> bool {
        self.wanted.contains(mode)
    }

    /// The engine's modes that are needed for what is wanted.
    pub(crate) fn modes(&self) -> Vec<Mode> {
        let mut modes = vec![Mode::Runs, Mode::Updates];
        let any = |names: &[&str]| names.iter().any(|name| self.wants(name));
        for (mode, names) in [
            (Mode::Values, &["values", "tasks", "debug", "events"][..]),
            (Mode::Messages, &["messages", "messages-tuple", "events"]),
            (Mode::Custom, &["custom"]),
            (Mode::Tasks, &["tasks", "events"]),
            (Mode::Checkpoints, &["checkpoints"]),
            (Mode::Debug, &["debug"]),
        ] {
            if any(names) {
                modes.push(mode);
            }
        }
        modes
    }

    /// The frames of an event.
    pub(crate) fn frames(&mut self, event: &Event) -> Vec<Frame> {
        if event.mode == Mode::Runs {
            return if event.ns.is_root() { self.run_event(&event.data) } else { Vec::new() };
        }
        if event.mode == Mode::Values {
            self.values.insert(event.ns.clone(), event.data.clone());
        }
        if !event.ns.is_root() && !self.subgraphs {
            // Tokens of a subgraph are the run's tokens all the same.
            return match event.mode {
                Mode::Messages => self.of_event(event),
                _ => Vec::new(),
            };
        }
        let mut frames = self.of_event(event);
        if !event.ns.is_root() {
            for frame in &mut frames {
                frame.event = format!("{}|{}", frame.event, event.ns.as_str());
            }
        }
        frames
    }

    /// What is left to say when the run is over.
    pub(crate) fn last(&mut self, result: &Value) -> Vec<Frame> {
        let mut frames = Vec::new();
        if !self.begun {
            frames.extend(self.begin());
        }
        if let Some(error) = result.get("__error__")
            && !self.failed
        {
            frames.push(Frame::new("error", error.clone()));
        }
        frames
    }

    fn begin(&mut self) -> Option<Frame> {
        let new = !std::mem::replace(&mut self.begun, true);
        new.then(|| {
            Frame::new("metadata", json!({ "run_id": self.run.to_string(), "attempt": self.attempt }))
        })
    }

    fn run_event(&mut self, data: &Value) -> Vec<Frame> {
        if data["type"] == "begin" {
            return self.begin().into_iter().collect();
        }
        match data["status"].as_str() {
            Some("failed") => {
                self.failed = true;
                let error = &data["error"];
                vec![Frame::new("error", json!({ "error": error["name"], "message": error["cause"] }))]
            }
            // At a breakpoint nothing is asked, and clients look for that.
            Some("paused") if !self.asked => {
                let mut frames = Vec::new();
                if self.wants("updates") {
                    frames.push(Frame::new("updates", json!({ "__interrupt__": [] })));
                }
                if self.wants("values") {
                    let mut values =
                        self.values.get(&Namespace::root()).cloned().unwrap_or_else(|| json!({}));
                    values["__interrupt__"] = json!([]);
                    frames.push(Frame::new("values", values));
                }
                frames
            }
            _ => Vec::new(),
        }
    }

    fn of_event(&mut self, event: &Event) -> Vec<Frame> {
        let Event { ns, data, .. } = event;
        match event.mode {
            Mode::Values if self.wants("values") => vec![Frame::new("values", shapes::values(data))],
            Mode::Updates => self.update(ns, data),
            Mode::Messages => self.piece(ns, data),
            Mode::Custom => vec![Frame::new("custom", data.clone())],
            Mode::Checkpoints => vec![Frame::new("checkpoints", shapes::checkpoint(&self.thread, ns, data))],
            Mode::Tasks if self.wants("tasks") => {
                let input = self.values.get(ns).unwrap_or(&Value::Null);
                vec![Frame::new("tasks", shapes::task(data, input, &self.metadata))]
            }
            Mode::Debug => {
                let input = self.values.get(ns).unwrap_or(&Value::Null);
                let shape = shapes::debug(&self.thread, ns, data, input, &self.metadata);
                shape.map(|shape| Frame::new("debug", shape)).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    fn update(&mut self, ns: &Namespace, data: &Value) -> Vec<Frame> {
        let mut frames = Vec::new();
        let Value::Object(by_node) = data else { return frames };
        if let Some(questions) = by_node.get("__interrupt__") {
            self.asked = true;
            if self.wants("updates") {
                frames.push(Frame::new("updates", json!({ "__interrupt__": shapes::interrupts(questions) })));
            }
            return frames;
        }
        // A task that failed wrote nothing; the run's end says why.
        if by_node.contains_key("__error__") {
            return frames;
        }
        let forms = self.forms();
        for (node, update) in by_node.iter().filter(|(node, _)| *node != "__metadata__") {
            // What came in is no node's doing.
            if node == "__start__" {
                return frames;
            }
            let metadata = self.of_node(ns, node, None, None);
            if forms.tuple || forms.whole {
                frames.extend(self.shown.written(update, &metadata, forms));
            }
        }
        if self.wants("updates") {
            frames.push(Frame::new("updates", data.clone()));
        }
        frames
    }

    fn piece(&mut self, ns: &Namespace, data: &Value) -> Vec<Frame> {
        let (piece, from) = (&data[0], &data[1]);
        let node = from["node"].as_str().unwrap_or_default();
        let metadata = self.of_node(ns, node, from["task"].as_str(), from["step"].as_i64());
        let forms = self.forms();
        self.shown.piece(piece, metadata, forms)
    }

    fn forms(&self) -> Forms {
        Forms { tuple: self.wants("messages-tuple"), whole: self.wants("messages") }
    }

    /// What is said about a message: the run, and the node that it is from.
    fn of_node(
        &self,
        ns: &Namespace,
        node: &str,
        task: Option<&str>,
        step: Option<i64>,
    ) -> Map<String, Value> {
        let mut metadata = self.metadata.clone();
        let mut path = ns.as_str().to_owned();
        if let Some(task) = task {
            path += &format!("{}{node}:{task}", if path.is_empty() { "" } else { "|" });
        }
        let more = json!({
            "langgraph_node": node, "langgraph_step": step, "langgraph_triggers": [format!("branch:to:{node}")],
            "langgraph_path": ["__pregel_pull", node], "langgraph_checkpoint_ns": path, "checkpoint_ns": path,
        });
        if let Value::Object(more) = more {
            metadata.extend(more);
        }
        metadata
    }
}
