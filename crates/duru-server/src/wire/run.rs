//! Runs: what clients ask for, what the queue keeps of it, and what they read.

use std::collections::HashMap;

use duru::store::{Cancel, IfBusy, QueuedRun};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use super::assistant::{Assistant, BOTH_TOLD};
use super::words::{
    DurabilityWord, IfNotExists, MultitaskStrategy, OnCompletion, OnDisconnect, StreamMode, StreamModes,
};
use crate::error::{ApiError, ApiResult};

/// What a client sends to start a run. Unknown fields are let pass.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[schema(as = RunCreate)]
pub(crate) struct RunRequest {
    /// The id of an assistant, or the name of a graph.
    #[schema(value_type = String, required)]
    pub(crate) assistant_id: Option<String>,
    /// What the graph starts with; nothing to go on where its thread stopped.
    #[serde(default)]
    pub(crate) input: Option<Value>,
    #[serde(default)]
    pub(crate) command: Option<Command>,
    #[serde(default, deserialize_with = "nullable")]
    #[schema(nullable)]
    pub(crate) metadata: Map<String, Value>,
    #[serde(default, deserialize_with = "nullable")]
    #[schema(nullable)]
    pub(crate) config: Map<String, Value>,
    #[serde(default, deserialize_with = "nullable")]
    #[schema(nullable)]
    pub(crate) context: Map<String, Value>,
    #[serde(default)]
    pub(crate) checkpoint: Option<CheckpointRef>,
    #[serde(default)]
    pub(crate) checkpoint_id: Option<String>,
    /// Nodes before which it stops; `*` stands for all.
    #[serde(default)]
    pub(crate) interrupt_before: Option<OneOrMany>,
    #[serde(default)]
    pub(crate) interrupt_after: Option<OneOrMany>,
    /// What streams of it show; its values unless told.
    #[serde(default)]
    #[schema(value_type = Option<StreamModes>)]
    pub(crate) stream_mode: Option<OneOrMany>,
    #[serde(default, deserialize_with = "nullable")]
    #[schema(nullable)]
    pub(crate) stream_subgraphs: bool,
    #[serde(default, deserialize_with = "nullable")]
    #[schema(nullable)]
    pub(crate) stream_resumable: bool,
    #[serde(default)]
    pub(crate) multitask_strategy: Option<MultitaskStrategy>,
    #[serde(default)]
    pub(crate) if_not_exists: Option<IfNotExists>,
    #[serde(default)]
    pub(crate) on_disconnect: Option<OnDisconnect>,
    #[serde(default)]
    pub(crate) on_completion: Option<OnCompletion>,
    /// In how many seconds it begins.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 3200000000.0)]
    pub(crate) after_seconds: Option<f64>,
    #[serde(default)]
    pub(crate) durability: Option<DurabilityWord>,
    /// Not served yet: naming one is refused.
    #[serde(default)]
    pub(crate) webhook: Option<String>,
}

/// `null` where a client means nothing.
fn nullable<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(d: D) -> Result<T, D::Error> {
    Ok(Option::deserialize(d)?.unwrap_or_default())
}

/// A word or a list of them.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl OneOrMany {
    pub(crate) fn into_list(self) -> Vec<String> {
        match self {
            Self::One(one) => vec![one],
            Self::Many(many) => many,
        }
    }
}

/// What a run does instead of taking input.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct Command {
    #[serde(default)]
    pub(crate) update: Option<Value>,
    #[serde(default)]
    pub(crate) resume: Option<Value>,
    #[serde(default)]
    pub(crate) goto: Option<Goto>,
}

/// Where a command goes.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum Goto {
    Node(String),
    Send {
        node: String,
        /// What the node is given instead of the state.
        #[serde(default)]
        input: Value,
    },
    #[schema(no_recursion)]
    Many(Vec<Goto>),
}

impl Goto {
    /// Where it goes, and with what; without anything it is the state.
    pub(crate) fn targets(&self) -> Vec<(String, Option<Value>)> {
        match self {
            Self::Node(node) => vec![(node.clone(), None)],
            Self::Send { node, input } => {
                vec![(node.clone(), Some(input.clone()).filter(|it| !it.is_null()))]
            }
            Self::Many(many) => many.iter().flat_map(Self::targets).collect(),
        }
    }
}

/// A checkpoint as clients name it.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub(crate) struct CheckpointRef {
    #[serde(default)]
    pub(crate) checkpoint_id: Option<String>,
    #[serde(default)]
    pub(crate) checkpoint_ns: Option<String>,
}

/// What the queue keeps of a request: everything that a worker needs.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct RunPlan {
    pub(crate) assistant_id: Uuid,
    pub(crate) graph_id: String,
    pub(crate) input: Option<Value>,
    pub(crate) command: Option<Command>,
    pub(crate) config: Map<String, Value>,
    pub(crate) context: Map<String, Value>,
    pub(crate) checkpoint: Option<String>,
    /// Which graph of the thread the checkpoint is of.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) checkpoint_ns: String,
    pub(crate) interrupt_before: Vec<String>,
    pub(crate) interrupt_after: Vec<String>,
    pub(crate) stream_mode: Vec<String>,
    pub(crate) subgraphs: bool,
    pub(crate) resumable: bool,
    pub(crate) multitask_strategy: MultitaskStrategy,
    pub(crate) durability: Option<DurabilityWord>,
    /// Whether the thread goes when the run is over.
    pub(crate) temporary: bool,
    /// The span of the request, so that the run belongs to its trace wherever it is carried out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) trace: Option<String>,
    /// Whether only a deadline asks for it: then it leaves a thread alone that was cancelled.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) overdue: bool,
}

/// What kinds of thread a run is asked for on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum On {
    Thread,
    /// A thread of its own, which nobody has named.
    Nothing,
}

impl RunRequest {
    /// `context` and `config.configurable` are two names of one thing: giving both is a mistake.
    pub(crate) fn check_told(&self) -> ApiResult<()> {
        let configurable = self.config.get("configurable").and_then(Value::as_object);
        if !self.context.is_empty() && configurable.is_some_and(|configurable| !configurable.is_empty()) {
            return Err(ApiError::bad_request(BOTH_TOLD));
        }
        Ok(())
    }

    /// What a run of an assistant does, and the notes about it. The assistant's
    /// settings hold unless the request says otherwise.
    pub(crate) fn for_assistant(
        mut self,
        assistant: &Assistant,
        on: On,
    ) -> ApiResult<(RunPlan, Map<String, Value>)> {
        let mut metadata = Map::from_iter([("created_by".to_owned(), "system".into())]);
        metadata.extend(assistant.entry.metadata.clone());
        metadata.append(&mut self.metadata);
        metadata.extend(assistant.names());
        let mut plan = self.plan((assistant.id, assistant.graph.clone()), on)?;
        // `context` and `configurable` are two names of one thing.
        let mut told = assistant.context();
        told.extend(plan.told());
        let mut config = assistant.config();
        config.append(&mut plan.config);
        config.insert("configurable".into(), Value::Object(told.clone()));
        (plan.config, plan.context) = (config, told);
        Ok((plan, metadata))
    }

    /// The words of a request, checked.
    fn plan(self, assistant: (Uuid, String), on: On) -> ApiResult<RunPlan> {
        let asked = self.stream_mode.map(OneOrMany::into_list).filter(|modes| !modes.is_empty());
        let stream_mode = asked.unwrap_or_else(|| vec!["values".to_owned()]);
        let known: Vec<&str> = StreamMode::ALL.iter().map(|mode| mode.word()).collect();
        if let Some(unknown) = stream_mode.iter().find(|mode| !known.contains(&mode.as_str())) {
            return Err(ApiError::invalid(format!(
                "{unknown:?} is not a stream mode; there are: {}",
                known.join(", ")
            )));
        }
        if self.webhook.is_some() {
            return Err(ApiError::invalid(
                "webhook: this server calls nobody back yet; join the run instead",
            ));
        }
        if self.after_seconds.is_some_and(|after| !(0.0..=3.2e9).contains(&after)) {
            return Err(ApiError::invalid("after_seconds must be a number of seconds from now"));
        }
        let CheckpointRef { checkpoint_id, checkpoint_ns } = self.checkpoint.unwrap_or_default();
        let checkpoint = checkpoint_id.or(self.checkpoint_id);
        Ok(RunPlan {
            assistant_id: assistant.0,
            graph_id: assistant.1,
            input: self.input,
            command: self.command,
            config: self.config,
            context: self.context,
            checkpoint,
            checkpoint_ns: checkpoint_ns.unwrap_or_default(),
            interrupt_before: self.interrupt_before.map(OneOrMany::into_list).unwrap_or_default(),
            interrupt_after: self.interrupt_after.map(OneOrMany::into_list).unwrap_or_default(),
            stream_mode,
            subgraphs: self.stream_subgraphs,
            resumable: self.stream_resumable,
            multitask_strategy: self.multitask_strategy.unwrap_or(MultitaskStrategy::Enqueue),
            durability: self.durability,
            temporary: on == On::Nothing && self.on_completion != Some(OnCompletion::Keep),
            trace: None,
            overdue: false,
        })
    }
}

impl RunPlan {
    pub(crate) fn of(run: &QueuedRun) -> Result<Self, serde_json::Error> {
        Self::deserialize(&run.payload)
    }

    pub(crate) fn if_busy(&self) -> IfBusy {
        match self.multitask_strategy {
            MultitaskStrategy::Enqueue => IfBusy::Enqueue,
            MultitaskStrategy::Reject => IfBusy::Reject,
            MultitaskStrategy::Interrupt => IfBusy::Cancel(Cancel::Interrupt),
            MultitaskStrategy::Rollback => IfBusy::Cancel(Cancel::Rollback),
        }
    }

    /// Whether it only goes on with what its thread was asked before: with answers, or after a deadline.
    pub(crate) fn goes_on(&self) -> bool {
        let is_new = |command: &Command| command.update.is_some() || command.goto.is_some();
        self.input.as_ref().is_none_or(Value::is_null) && !self.command.as_ref().is_some_and(is_new)
    }

    /// What the run is told besides its input: both names mean the same.
    pub(crate) fn told(&self) -> Map<String, Value> {
        let mut told =
            self.config.get("configurable").and_then(Value::as_object).cloned().unwrap_or_default();
        told.extend(self.context.clone());
        told
    }

    /// The answers of a command, by question; none if it answers the only one.
    pub(crate) fn answers(resume: &Value) -> Option<HashMap<duru::InterruptId, Value>> {
        let object = resume.as_object().filter(|object| !object.is_empty())?;
        object.iter().map(|(id, answer)| Some((id.parse().ok()?, answer.clone()))).collect()
    }
}
