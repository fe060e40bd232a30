//! The state of a thread as clients read it.

use std::collections::HashMap;

use duru::store::Entry;
use duru::{CheckpointId, Question, RunId, Source, TaskState, ThreadId, ThreadState};
use serde_json::{Map, Value, json};

use super::before::id_before;
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

/// Where states are from: their thread, and what is said about that and its runs.
pub(crate) struct Place<'a> {
    pub(crate) thread: &'a ThreadId,
    pub(crate) entry: &'a Entry,
    pub(crate) ns: &'a str,
    pub(crate) runs: &'a HashMap<RunId, Map<String, Value>>,
}

/// What a state says of itself.
struct Facts {
    id: Option<CheckpointId>,
    parent: Option<CheckpointId>,
    source: &'static str,
    step: Option<i64>,
    run: Option<RunId>,
    at_ms: Option<u64>,
}

impl Place<'_> {
    /// A state; `inner` are those of the subgraphs behind its tasks.
    pub(crate) fn state(&self, state: &ThreadState, inner: &[Option<Value>]) -> Value {
        let tasks = state.tasks.iter().zip(inner.iter().map(Some).chain(std::iter::repeat(None)));
        let tasks = tasks.map(|(task, inner)| self.task(task, inner.cloned().flatten()));
        let (source, parent) = match (state.source, state.checkpoint) {
            // What an input made follows from the moment before it.
            (Some(Source::Input), Some(id)) => ("loop", Some(id_before(id))),
            (Some(Source::Update), _) => ("update", state.parent),
            (Some(Source::Fork), _) => ("fork", state.parent),
            _ => ("loop", state.parent),
        };
        let facts = Facts {
            id: state.checkpoint,
            parent,
            source,
            step: state.step,
            run: state.run,
            at_ms: state.at_ms,
        };
        json!({
            "values": values_of(state), "next": state.next(), "tasks": tasks.collect::<Vec<Value>>(),
            "interrupts": interrupts(&state.questions()),
        })
        .with(self.facts(&facts))
    }

    /// The moment before the input that made `at`.
    pub(crate) fn before_input(&self, at: &ThreadState, parent: Option<&ThreadState>) -> Value {
        let facts = Facts {
            id: at.checkpoint.map(id_before),
            parent: at.parent,
            source: "input",
            step: at.step.map(|step| step - 1),
            run: at.run,
            at_ms: at.at_ms,
        };
        let start = json!({
            "id": facts.id.map(|id| id.to_string()), "name": "__start__", "path": ["__pregel_pull", "__start__"],
            "error": null, "interrupts": [], "checkpoint": null, "state": null, "result": null,
        });
        let values = parent.map(values_of).unwrap_or_default();
        json!({ "values": values, "next": ["__start__"], "tasks": [start], "interrupts": [] })
            .with(self.facts(&facts))
    }

    fn facts(&self, facts: &Facts) -> Value {
        let name = |id: CheckpointId| checkpoint(self.thread, self.ns, id);
        json!({
            "metadata": facts.id.map(|_| self.metadata(facts)),
            "created_at": facts.at_ms.map(iso),
            "checkpoint": facts.id.map(name),
            "parent_checkpoint": facts.parent.map(name),
            "checkpoint_id": facts.id.map(|id| id.to_string()),
            "parent_checkpoint_id": facts.parent.map(|id| id.to_string()),
        })
    }

    fn metadata(&self, facts: &Facts) -> Value {
        let mut metadata = self.entry.metadata.clone();
        if let Some(run) = facts.run {
            metadata.extend(self.runs.get(&run).cloned().unwrap_or_default());
            metadata.insert("run_id".into(), run.to_string().into());
        }
        metadata.insert("source".into(), facts.source.into());
        metadata.insert("step".into(), json!(facts.step));
        metadata.insert("parents".into(), json!({}));
        metadata.insert("thread_id".into(), self.thread.to_string().into());
        Value::Object(metadata)
    }

    fn task(&self, task: &TaskState, inner: Option<Value>) -> Value {
        let questions: Vec<&Question> = task.questions.iter().collect();
        let ns = task.ns.child(&task.node, task.id);
        let inside = inner
            .as_ref()
            .map(|_| json!({ "thread_id": self.thread.to_string(), "checkpoint_ns": ns.as_str() }));
        json!({
            "id": task.id.to_string(), "name": task.node, "path": ["__pregel_pull", task.node],
            "error": task.error, "interrupts": interrupts(&questions), "checkpoint": inside,
            "state": inner, "result": task.result.as_ref().or(task.later.as_ref()),
        })
    }
}

/// Two objects in one.
trait With {
    fn with(self, other: Value) -> Value;
}

impl With for Value {
    fn with(mut self, other: Value) -> Value {
        if let (Value::Object(all), Value::Object(more)) = (&mut self, other) {
            all.extend(more);
        }
        self
    }
}
