//! Runs as clients read them.

use duru::store::{QueuedRun, RunStatus};
use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::run::{Command, RunPlan};
use super::words::{DurabilityWord, MultitaskStrategy, RunStatusWord, StreamMode};
use crate::time::iso;

/// A run.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Run)]
pub(crate) struct RunRecord {
    run_id: String,
    thread_id: String,
    /// None if what was asked for can't be read any more.
    #[schema(required)]
    assistant_id: Option<String>,
    metadata: Map<String, Value>,
    status: RunStatusWord,
    #[schema(required)]
    kwargs: Option<RunKwargs>,
    multitask_strategy: MultitaskStrategy,
    #[schema(format = DateTime)]
    created_at: String,
    #[schema(format = DateTime)]
    updated_at: String,
}

/// What a run was asked for.
#[derive(Debug, Serialize, ToSchema)]
struct RunKwargs {
    input: Value,
    #[schema(required)]
    command: Option<Command>,
    config: Map<String, Value>,
    context: Map<String, Value>,
    #[schema(value_type = Vec<StreamMode>)]
    stream_mode: Vec<String>,
    #[schema(required)]
    interrupt_before: Option<Vec<String>>,
    #[schema(required)]
    interrupt_after: Option<Vec<String>>,
    webhook: Value,
    feedback_keys: Value,
    temporary: bool,
    subgraphs: bool,
    resumable: bool,
    checkpoint_during: bool,
    durability: DurabilityWord,
}

impl RunStatusWord {
    fn of(status: RunStatus) -> Self {
        match status {
            RunStatus::Pending => Self::Pending,
            RunStatus::Running => Self::Running,
            RunStatus::Success => Self::Success,
            RunStatus::Error | RunStatus::Dead => Self::Error,
            RunStatus::Timeout => Self::Timeout,
            RunStatus::Cancelled => Self::Interrupted,
        }
    }

    /// The statuses that a client's word stands for.
    pub(crate) fn statuses(self) -> Vec<RunStatus> {
        RunStatus::ALL.into_iter().filter(|status| Self::of(*status) == self).collect()
    }
}

impl RunRecord {
    pub(crate) fn of(run: &QueuedRun) -> Self {
        let plan = RunPlan::of(run).ok();
        Self {
            run_id: run.id.to_string(),
            thread_id: run.thread.to_string(),
            assistant_id: plan.as_ref().map(|plan| plan.assistant_id.to_string()),
            metadata: run.metadata.clone(),
            status: RunStatusWord::of(run.status),
            multitask_strategy: plan
                .as_ref()
                .map_or(MultitaskStrategy::Enqueue, |plan| plan.multitask_strategy),
            kwargs: plan.map(|plan| RunKwargs::of(run, plan)),
            created_at: iso(run.created_ms),
            updated_at: iso(run.updated_ms),
        }
    }

    /// As it is shown to whoever asked for it a moment ago: it waits, whatever it does by now.
    pub(crate) fn pending(run: &QueuedRun) -> Self {
        Self { status: RunStatusWord::Pending, ..Self::of(run) }
    }
}

impl RunKwargs {
    fn of(run: &QueuedRun, plan: RunPlan) -> Self {
        let mut config = plan.config;
        let configurable = config.entry("configurable").or_insert_with(|| json!({}));
        if let Value::Object(configurable) = configurable {
            configurable.insert("run_id".into(), run.id.to_string().into());
            configurable.insert("thread_id".into(), run.thread.to_string().into());
            configurable.insert("graph_id".into(), plan.graph_id.into());
            configurable.insert("assistant_id".into(), plan.assistant_id.to_string().into());
        }
        config.insert("metadata".into(), Value::Object(run.metadata.clone()));
        let none_if_empty = |list: Vec<String>| Some(list).filter(|list| !list.is_empty());
        Self {
            input: plan.input.unwrap_or_default(),
            command: plan.command,
            config,
            context: plan.context,
            stream_mode: plan.stream_mode,
            interrupt_before: none_if_empty(plan.interrupt_before),
            interrupt_after: none_if_empty(plan.interrupt_after),
            webhook: Value::Null,
            feedback_keys: Value::Null,
            temporary: plan.temporary,
            subgraphs: plan.subgraphs,
            resumable: plan.resumable,
            checkpoint_during: true,
            durability: plan.durability.unwrap_or(DurabilityWord::Sync),
        }
    }
}
