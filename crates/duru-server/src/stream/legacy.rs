//! The frames of `/runs/stream`: a function of the run's events alone, so that
//! a reader who comes back sees the same ones again.

use std::collections::{HashMap, HashSet};

use duru::{Event, Mode, Namespace, RunId, ThreadId};
use serde_json::{Map, Value, json};

use super::chronicle::Chronicle;
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
    /// The latest values of each graph, and those before.
    values: HashMap<Namespace, (Value, Value)>,
    /// The step that each task is of.
    steps: HashMap<String, i64>,
    chronicle: Chronicle,
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
            steps: HashMap::new(),
            chronicle: Chronicle::default(),
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
            (Mode::Values, &["values", "tasks", "debug", "checkpoints", "events"][..]),
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

    /// Whether the state before this event is needed for its frames: a run that
    /// goes on shows first where it goes on from.
    pub(crate) fn needs_state_before(&self, event: &Event) -> bool {
        let stateful = ["values", "tasks", "debug", "checkpoints"].iter().any(|mode| self.wants(mode));
        stateful && event.mode == Mode::Runs && event.ns.is_root() && goes_on(&event.data)
    }

    pub(crate) fn state_before(&mut self, values: Map<String, Value>) {
        self.values.insert(Namespace::root(), (Value::Object(values), json!({})));
    }

    /// The frames of an event.
    pub(crate) fn frames(&mut self, event: &Event) -> Vec<Frame> {
        if event.mode == Mode::Runs {
            return if event.ns.is_root() { self.run_event(&event.data) } else { Vec::new() };
        }
        if event.mode == Mode::Values {
            let values = self.values.entry(event.ns.clone()).or_insert_with(|| (json!({}), json!({})));
            values.1 = std::mem::replace(&mut values.0, event.data.clone());
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
            frames.push(Frame::new("error", error));
        }
        frames
    }

    fn begin(&mut self) -> Option<Frame> {
        let new = !std::mem::replace(&mut self.begun, true);
        new.then(|| Frame {
            event: "metadata".into(),
            // In the order that clients have always seen.
            data: format!("{{\"run_id\":\"{}\",\"attempt\":{}}}", self.run, self.attempt),
            id: None,
        })
    }

    fn run_event(&mut self, data: &Value) -> Vec<Frame> {
        if data["type"] == "begin" {
            let mut frames: Vec<Frame> = self.begin().into_iter().collect();
            if let Some((values, _)) = self.values.get(&Namespace::root())
                && goes_on(data)
                && self.wants("values")
            {
                frames.push(Frame::new("values", values));
            }
            if self.wants("events") {
                frames.extend(self.chronicle.begin(&self.metadata, data));
            }
            return frames;
        }
        let mut frames = Vec::new();
        if self.wants("events") {
            let output = self.values.get(&Namespace::root()).map(|(now, _)| now);
            frames.extend(self.chronicle.end(&self.metadata, output));
        }
        match data["status"].as_str() {
            Some("failed") => {
                self.failed = true;
                let error = &data["error"];
                frames
                    .push(Frame::new("error", &json!({ "error": error["name"], "message": error["cause"] })));
            }
            // At a breakpoint nothing is asked, and clients look for that.
            Some("paused") if !self.asked && self.wants("updates") => {
                frames.push(Frame::new("updates", &json!({ "__interrupt__": [] })));
            }
            _ => {}
        }
        frames
    }

    fn of_event(&mut self, event: &Event) -> Vec<Frame> {
        let Event { ns, data, .. } = event;
        match event.mode {
            Mode::Values if self.wants("values") => vec![Frame::new("values", &shapes::values(data))],
            Mode::Updates => self.update(ns, data),
            Mode::Messages => self.piece(ns, data),
            Mode::Custom => vec![Frame::new("custom", data)],
            Mode::Checkpoints => {
                let before = shapes::before_input(&self.thread, ns, data, self.previous(ns));
                let shape = shapes::checkpoint(&self.thread, ns, data);
                before.iter().chain([&shape]).map(|shape| Frame::new("checkpoints", shape)).collect()
            }
            Mode::Tasks => self.task(ns, data),
            Mode::Debug => self.debug(event),
            _ => Vec::new(),
        }
    }

    fn previous(&self, ns: &Namespace) -> &Value {
        self.values.get(ns).map_or(&Value::Null, |(_, before)| before)
    }

    fn current(&self, ns: &Namespace) -> &Value {
        self.values.get(ns).map_or(&Value::Null, |(now, _)| now)
    }

    fn task(&mut self, ns: &Namespace, data: &Value) -> Vec<Frame> {
        // What takes the input in is no task of anybody's.
        if data["node"] == "__start__" {
            return Vec::new();
        }
        let mut frames = Vec::new();
        if self.wants("events") {
            frames.extend(self.chronicle.task(&self.metadata, data));
        }
        if self.wants("tasks") {
            frames.push(Frame::new("tasks", &shapes::task(data, self.current(ns), &self.metadata)));
        }
        frames
    }

    fn debug(&mut self, event: &Event) -> Vec<Frame> {
        let Event { ns, data, at_ms, .. } = event;
        let (kind, payload) = (data["type"].as_str().unwrap_or_default(), &data["payload"]);
        let id = payload["id"].as_str().unwrap_or_default();
        let show = |step, payload| Frame::new("debug", &shapes::debug(kind, step, *at_ms, &payload));
        match kind {
            "checkpoint" => {
                let mut frames = Vec::new();
                let step = payload["step"].as_i64();
                if let Some(before) = shapes::before_input(&self.thread, ns, payload, self.previous(ns)) {
                    frames.push(show(step.map(|step| step - 1), shapes::named_twice(before)));
                }
                let shape = shapes::checkpoint(&self.thread, ns, payload);
                frames.push(show(step, shapes::named_twice(shape)));
                frames
            }
            _ if payload["node"] == "__start__" => Vec::new(),
            "task" => {
                let step = payload["step"].as_i64();
                self.steps.extend(step.map(|step| (id.to_owned(), step)));
                vec![show(step, shapes::task(payload, self.current(ns), &self.metadata))]
            }
            "task_result" => {
                let step = self.steps.get(id).copied();
                vec![show(step, shapes::task(payload, self.current(ns), &self.metadata))]
            }
            // Answers and effects are ours alone.
            _ => Vec::new(),
        }
    }

    fn update(&mut self, ns: &Namespace, data: &Value) -> Vec<Frame> {
        let mut frames = Vec::new();
        let Value::Object(by_node) = data else { return frames };
        if let Some(questions) = by_node.get("__interrupt__") {
            self.asked = true;
            if self.wants("updates") {
                frames
                    .push(Frame::new("updates", &json!({ "__interrupt__": shapes::interrupts(questions) })));
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
            frames.push(Frame::new("updates", data));
        }
        frames
    }

    fn piece(&mut self, ns: &Namespace, data: &Value) -> Vec<Frame> {
        let (piece, from) = (&data[0], &data[1]);
        let node = from["node"].as_str().unwrap_or_default();
        let metadata = self.of_node(ns, node, from["task"].as_str(), from["step"].as_i64());
        let forms = self.forms();
        let mut frames = Vec::new();
        if self.wants("events") {
            frames.extend(self.chronicle.piece(&metadata, piece));
        }
        frames.extend(self.shown.piece(piece, metadata, forms));
        frames
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

/// Whether this is the beginning of a run that goes on with something.
fn goes_on(run_event: &Value) -> bool {
    run_event["type"] == "begin" && run_event["source"] != "input"
}
