//! The state of a thread as clients read it.

use std::collections::HashMap;

use duru::store::Entry;
use duru::{CheckpointId, ErasedGraph, Namespace, Question, RunId, Source, TaskState, ThreadId, ThreadState};
use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use crate::time::iso;

/// The values of a state.
pub(crate) fn values_of(state: &ThreadState) -> Map<String, Value> {
    state.values.clone()
}

/// Questions that wait, as clients know them.
pub(crate) fn interrupts(questions: &[&Question]) -> Vec<InterruptRecord> {
    let interrupt = |question: &&Question| InterruptRecord {
        value: question.get().unwrap_or_default(),
        id: question.id.to_string(),
    };
    questions.iter().map(interrupt).collect()
}

/// A question that waits.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Interrupt)]
pub(crate) struct InterruptRecord {
    value: Value,
    id: String,
}

/// A checkpoint as clients name it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Checkpoint)]
pub(crate) struct CheckpointRecord {
    checkpoint_id: String,
    thread_id: String,
    checkpoint_ns: String,
    /// Those of the graphs around this one, and its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    checkpoint_map: Option<Map<String, Value>>,
}

impl CheckpointRecord {
    pub(crate) fn of(thread: &ThreadId, ns: &str, id: CheckpointId) -> Self {
        Self {
            checkpoint_id: id.to_string(),
            thread_id: thread.to_string(),
            checkpoint_ns: ns.to_owned(),
            checkpoint_map: None,
        }
    }
}

/// The state of a thread, or of a graph inside it, at a checkpoint.
#[derive(Debug, Default, Serialize, ToSchema)]
#[schema(as = ThreadState)]
pub(crate) struct StateRecord {
    values: Map<String, Value>,
    /// The nodes that come next.
    next: Vec<String>,
    tasks: Vec<TaskRecord>,
    interrupts: Vec<InterruptRecord>,
    #[schema(required)]
    pub(crate) metadata: Option<Map<String, Value>>,
    #[schema(required, format = DateTime)]
    created_at: Option<String>,
    #[schema(required)]
    checkpoint: Option<CheckpointRecord>,
    #[schema(required)]
    parent_checkpoint: Option<CheckpointRecord>,
    #[schema(required)]
    checkpoint_id: Option<String>,
    #[schema(required)]
    parent_checkpoint_id: Option<String>,
}

/// A task that comes next, or waits.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Task)]
pub(crate) struct TaskRecord {
    id: String,
    name: String,
    path: Vec<String>,
    error: Value,
    interrupts: Vec<InterruptRecord>,
    /// The graph behind it, if there is one.
    #[schema(required)]
    checkpoint: Option<InnerCheckpoint>,
    /// The state of that graph, where it was asked for.
    #[schema(required, no_recursion)]
    state: Option<Box<StateRecord>>,
    result: Value,
}

/// A graph inside a thread.
#[derive(Debug, Serialize, ToSchema)]
struct InnerCheckpoint {
    thread_id: String,
    checkpoint_ns: String,
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
    pub(crate) fn state(&self, state: &ThreadState, inner: Vec<Option<StateRecord>>) -> StateRecord {
        let inner = inner.into_iter().chain(std::iter::repeat_with(|| None));
        let tasks = state.tasks.iter().zip(inner).map(|(task, inner)| self.task(task, inner)).collect();
        // What took an input in follows from the moment before that.
        let parent = match state.checkpoint {
            Some(id) if state.took_input => Some(id.before_input()),
            _ => state.parent,
        };
        StateRecord {
            values: values_of(state),
            next: state.next().into_iter().map(Into::into).collect(),
            tasks,
            interrupts: interrupts(&state.questions()),
            metadata: state.checkpoint.map(|_| self.metadata(state)),
            created_at: state.at_ms.map(iso),
            checkpoint: state.checkpoint.map(|id| self.name(id)),
            parent_checkpoint: parent.map(|id| self.name(id)),
            checkpoint_id: state.checkpoint.map(|id| id.to_string()),
            parent_checkpoint_id: parent.map(|id| id.to_string()),
        }
    }

    fn name(&self, id: CheckpointId) -> CheckpointRecord {
        let mut name = CheckpointRecord::of(self.thread, self.ns.as_str(), id);
        if !self.parents.is_empty() {
            let mut map = self.parents();
            map.insert(self.ns.as_str().to_owned(), id.to_string().into());
            name.checkpoint_map = Some(map);
        }
        name
    }

    fn parents(&self) -> Map<String, Value> {
        self.parents.iter().map(|(ns, id)| (ns.as_str().to_owned(), id.to_string().into())).collect()
    }

    fn metadata(&self, state: &ThreadState) -> Map<String, Value> {
        let mut metadata = self.entry.metadata.clone();
        if let Some(run) = state.run {
            metadata.extend(self.runs.get(&run).cloned().unwrap_or_default());
            metadata.insert("run_id".into(), run.to_string().into());
        }
        metadata.insert("source".into(), source(state).into());
        metadata.insert("step".into(), state.step.into());
        metadata.insert("parents".into(), Value::Object(self.parents()));
        metadata.insert("thread_id".into(), self.thread.to_string().into());
        metadata
    }

    /// The graph behind a task, if there is one.
    pub(crate) fn subgraph_of(&self, task: &TaskState) -> Option<Namespace> {
        let ns = task.ns.child(&task.node, task.id);
        let names: Vec<&str> = ns.path().filter_map(|part| part.split(':').next()).collect();
        self.graph?.nodes_within(&names).map(|_| ns)
    }

    fn task(&self, task: &TaskState, inner: Option<StateRecord>) -> TaskRecord {
        let questions: Vec<&Question> = task.questions.iter().collect();
        let inside = |ns: Namespace| InnerCheckpoint {
            thread_id: self.thread.to_string(),
            checkpoint_ns: ns.as_str().to_owned(),
        };
        TaskRecord {
            id: task.id.to_string(),
            name: task.node.to_string(),
            path: vec!["__pregel_pull".to_owned(), task.node.to_string()],
            error: json!(task.error),
            interrupts: interrupts(&questions),
            checkpoint: self.subgraph_of(task).map(inside),
            state: inner.map(Box::new),
            result: json!(task.result.as_ref().or(task.later.as_ref())),
        }
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
