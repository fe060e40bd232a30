//! What a run is asked for.

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderValue};
use duru::store::Seq;
use duru::{RunId, ThreadId};
use serde_json::{Map, Value, json};

use crate::worker::Follower;

/// What to do where the thread has a run that waits or is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IfBusy {
    /// The new one waits for it.
    #[default]
    Wait,
    /// The new one is refused with 409.
    Reject,
    /// It is stopped.
    Stop,
}

/// A run to be started.
#[derive(Debug, Clone)]
#[must_use = "a run does nothing until it is started"]
pub struct Start {
    pub(super) graph: String,
    pub(super) thread: Option<ThreadId>,
    what: What,
    /// What the nodes can know: see [`Asked`](crate::Asked).
    modes: Vec<String>,
    metadata: Map<String, Value>,
    if_busy: IfBusy,
    key: Option<String>,
    lasting: bool,
}

#[derive(Debug, Clone)]
enum What {
    Input(Value),
    Answers(Value),
}

impl Start {
    /// A run of a graph or an assistant with this input, on a thread of its own.
    pub fn new(graph: impl Into<String>, input: Value) -> Self {
        Self::of(graph.into(), What::Input(input))
    }

    /// A run that goes on with answers.
    pub(super) fn answering(graph: String, answers: Value) -> Self {
        Self::of(graph, What::Answers(answers))
    }

    fn of(graph: String, what: What) -> Self {
        let modes = vec!["values".to_owned()];
        let (metadata, if_busy) = (Map::new(), IfBusy::default());
        Self { graph, thread: None, what, modes, metadata, if_busy, key: None, lasting: false }
    }

    /// On a thread.
    pub fn on(self, thread: ThreadId) -> Self {
        Self { thread: Some(thread), ..self }
    }

    /// What to do where the thread is busy.
    pub fn or(self, if_busy: IfBusy) -> Self {
        Self { if_busy, ..self }
    }

    /// Messages are watched piece by piece.
    pub fn streaming(mut self) -> Self {
        self.modes = ["values", "updates", "messages-tuple", "custom", "tasks"].map(str::to_owned).into();
        self
    }

    /// A note about the run.
    pub fn metadata(mut self, key: impl Into<String>, value: Value) -> Self {
        self.metadata.insert(key.into(), value);
        self
    }

    /// The same key and request again give the same run.
    pub fn key(self, key: Option<String>) -> Self {
        Self { key, ..self }
    }

    /// A thread of its own stays when the run is over.
    pub fn lasting(self) -> Self {
        Self { lasting: true, ..self }
    }

    pub(super) fn input(&self) -> Option<&Value> {
        match &self.what {
            What::Input(input) => Some(input),
            What::Answers(_) => None,
        }
    }

    /// As a client would ask for it.
    pub(super) fn request(self) -> (Value, HeaderMap) {
        let strategy = match self.if_busy {
            IfBusy::Wait => "enqueue",
            IfBusy::Reject => "reject",
            IfBusy::Stop => "interrupt",
        };
        let mut request = json!({
            "assistant_id": self.graph, "stream_mode": self.modes, "metadata": self.metadata,
            "stream_subgraphs": true, "stream_resumable": true, "if_not_exists": "create",
            "multitask_strategy": strategy, "on_completion": if self.lasting { "keep" } else { "delete" },
        });
        match self.what {
            What::Input(input) => request["input"] = input,
            What::Answers(answers) => request["command"] = json!({ "resume": answers }),
        }
        let mut headers = HeaderMap::new();
        if let Some(Ok(key)) = self.key.map(HeaderValue::try_from) {
            headers.insert("idempotency-key", key);
        }
        (request, headers)
    }
}

/// A run that was accepted. The thread of a run of its own stays as long as
/// somebody has this.
#[derive(Clone)]
pub struct Started {
    /// Its id.
    pub run: RunId,
    /// Its thread.
    pub thread: ThreadId,
    /// Where its events begin at the earliest.
    pub(super) from: Seq,
    /// Whether the thread goes when the run is over.
    pub(super) temporary: bool,
    /// A waiter gets its outcome, however soon it is over.
    pub(super) _reader: Option<Arc<Follower>>,
}
