//! The state of a thread as clients read it.

use std::collections::HashMap;

use duru::store::Entry;
use duru::{CheckpointId, ErasedGraph, Namespace, Question, RunId, Source, TaskState, ThreadId, ThreadState};
use serde_json::{Map, Value, json};

use crate::time::iso;

/// The values of a state.
pub(crate) fn values_of(state: &ThreadState) -> Map<String, Value> {
    state.values.clone()
}

/// Questions that wait, as clients know them.
pub(crate) fn interrupts(questions: &[&Question]) -> Value {
    questions.iter().map(|question| interrupt(question)).collect()
}

fn interrupt(question: &Question) -> Value {
    let value: Value = question.get().unwrap_or_default();
    json!({ "value": value, "id": question.id.to_string() })
}

/// A checkpoint as clients name it.
pub(crate) fn checkpoint(thread: &ThreadId, ns: &str, id: CheckpointId) -> Value {
    json!({ "checkpoint_id": id.to_string(), "thread_id": thread.to_string(), "checkpoint_ns": ns })
}

/// Where states are from: their thread and graph, and what is said about those and the runs.
pub(crate) struct Place<'a> {
    pub(crate) thread: &'a ThreadId,
    pub(crate) entry: &'a Entry,
    /// The thread's graph, if it is served here.
    pub(crate) graph: Option<&'a ErasedGraph>,
    pub(crate) ns: &'a Namespace,
    /// The checkpoints of the graphs around this one.
    pub(crate) parents: &'a [(Namespace, CheckpointId)],
    pub(crate) runs: &'a HashMap<RunId, Map<String, Value>>,
}

impl Place<'_> {
    /// A state; `inner` are those of the subgraphs behind its tasks.
    pub(crate) fn state(&self, state: &ThreadState, inner: &[Option<Value>]) -> Value {
        let tasks = state.tasks.iter().zip(inner.iter().map(Some).chain(std::iter::repeat(None)));
        let tasks = tasks.map(|(task, inner)| self.task(task, inner.cloned().flatten()));
        let name = |id: CheckpointId| self.name(id);
        // What took an input in follows from the moment before that.
        let parent = match state.checkpoint {
            Some(id) if state.took_input => Some(id.before_input()),
            _ => state.parent,
        };
        json!({
            "values": values_of(state), "next": state.next(), "tasks": tasks.collect::<Vec<Value>>(),
            "interrupts": interrupts(&state.questions()),
            "metadata": state.checkpoint.map(|_| self.metadata(state)),
            "created_at": state.at_ms.map(iso),
            "checkpoint": state.checkpoint.map(name),
            "parent_checkpoint": parent.map(name),
            "checkpoint_id": state.checkpoint.map(|id| id.to_string()),
            "parent_checkpoint_id": parent.map(|id| id.to_string()),
        })
    }

    fn name(&self, id: CheckpointId) -> Value {
        let mut name = checkpoint(self.thread, self.ns.as_str(), id);
        if !self.parents.is_empty() {
            let mut map = self.parents();
            map.insert(self.ns.as_str().to_owned(), id.to_string().into());
            name["checkpoint_map"] = Value::Object(map);
        }
        name
    }

    fn parents(&self) -> Map<String, Value> {
        self.parents.iter().map(|(ns, id)| (ns.as_str().to_owned(), id.to_string().into())).collect()
    }

    fn metadata(&self, state: &ThreadState) -> Value {
        let mut metadata = self.entry.metadata.clone();
        if let Some(run) = state.run {
            metadata.extend(self.runs.get(&run).cloned().unwrap_or_default());
            metadata.insert("run_id".into(), run.to_string().into());
        }
        metadata.insert("source".into(), source(state).into());
        metadata.insert("step".into(), json!(state.step));
        metadata.insert("parents".into(), Value::Object(self.parents()));
        metadata.insert("thread_id".into(), self.thread.to_string().into());
        Value::Object(metadata)
    }

    /// The graph behind a task, if there is one.
    pub(crate) fn subgraph_of(&self, task: &TaskState) -> Option<Namespace> {
        let ns = task.ns.child(&task.node, task.id);
        let names: Vec<&str> = ns.path().filter_map(|part| part.split(':').next()).collect();
        self.graph?.nodes_within(&names).map(|_| ns)
    }

    fn task(&self, task: &TaskState, inner: Option<Value>) -> Value {
        let questions: Vec<&Question> = task.questions.iter().collect();
        let inside = self
            .subgraph_of(task)
            .map(|ns| json!({ "thread_id": self.thread.to_string(), "checkpoint_ns": ns.as_str() }));
        json!({
            "id": task.id.to_string(), "name": task.node, "path": ["__pregel_pull", task.node],
            "error": task.error, "interrupts": interrupts(&questions), "checkpoint": inside,
            "state": inner, "result": task.result.as_ref().or(task.later.as_ref()),
        })
    }
}

/// What made a state, in the few words that clients know.
fn source(state: &ThreadState) -> &'static str {
    match state.source {
        Some(Source::Input) if state.next() == ["__start__"] => "input",
        Some(Source::Update) => "update",
        Some(Source::Fork) => "fork",
        _ => "loop",
    }
}
