//! The state of a thread as clients read it.

use duru::store::Entry;
use duru::{CheckpointId, Question, TaskState, ThreadId, ThreadState};
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

/// Where a state is from: its thread, and what is said about that.
pub(crate) struct Place<'a> {
    pub(crate) thread: &'a ThreadId,
    pub(crate) entry: Option<&'a Entry>,
    pub(crate) ns: &'a str,
}

impl Place<'_> {
    /// A state; `inner` are those of the subgraphs behind its tasks.
    pub(crate) fn state(&self, state: &ThreadState, inner: &[Option<Value>]) -> Value {
        let name = |id: CheckpointId| checkpoint(self.thread, self.ns, id);
        let tasks = state.tasks.iter().zip(inner.iter().map(Some).chain(std::iter::repeat(None)));
        let tasks: Vec<Value> =
            tasks.map(|(task, inner)| self.task(task, inner.cloned().flatten())).collect();
        json!({
            "values": values_of(state), "next": state.next(), "tasks": tasks,
            "metadata": state.checkpoint.map(|_| self.metadata(state)),
            "created_at": state.at_ms.map(iso),
            "checkpoint": state.checkpoint.map(name),
            "parent_checkpoint": state.parent.map(name),
            "interrupts": interrupts(&state.questions()),
            "checkpoint_id": state.checkpoint.map(|id| id.to_string()),
            "parent_checkpoint_id": state.parent.map(|id| id.to_string()),
        })
    }

    fn metadata(&self, state: &ThreadState) -> Value {
        let mut metadata = self.entry.map(|entry| entry.metadata.clone()).unwrap_or_default();
        let source = state.source.map(|source| match source {
            duru::Source::Input | duru::Source::Update | duru::Source::Fork => source.as_str(),
            _ => "loop",
        });
        metadata.insert("source".into(), json!(source));
        metadata.insert("step".into(), json!(state.step));
        metadata.insert("parents".into(), json!({}));
        metadata.insert("thread_id".into(), self.thread.to_string().into());
        if let Some(run) = state.run {
            metadata.insert("run_id".into(), run.to_string().into());
        }
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
            "state": inner, "result": task.result,
        })
    }
}
