//! The records of a thread's log: what the payload of a row says.
//!
//! Every number in the log is one event of one stream mode, see
//! [`Record::events`]; that is what makes a reader's place exact.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::cx::Question;
use crate::error::FailureKind;
use crate::state::{Entry, Json};
use crate::stepper::START_NAME;
use crate::store::{self, Kind, Row};
use crate::stream::Mode;
use crate::{CheckpointId, InterruptId, Namespace, TaskId, ThreadId};

/// A record and where in the tree of graphs it was made.
#[derive(Debug, Clone)]
pub(crate) struct Logged {
    pub(crate) ns: Namespace,
    pub(crate) record: Record,
}

#[derive(Debug, Clone)]
pub(crate) enum Record {
    Begin(Begin),
    Checkpoint(Checkpoint),
    Task(TaskRecord),
    Answer(Answer),
    Effect(Effect),
    Emit(Emit),
    End(End),
}

/// A run begins.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Begin {
    pub(crate) graph: String,
    /// What made it begin: input, answers, a deadline.
    pub(crate) source: Source,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub(crate) metadata: Map<String, Value>,
    /// Nodes whose finished work of an unfinished step this run gives up.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) discarded: Vec<String>,
    /// Tasks of an unfinished step that this run starts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) tasks: Vec<Planned>,
    /// The step before theirs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) step: Option<i64>,
    /// The task whose subgraph was changed from outside: it goes on with that,
    /// whatever it waited for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) changed: Option<TaskId>,
}

impl Begin {
    /// A run of a graph, or a change from outside.
    pub(crate) fn new(graph: impl Into<String>, source: Source) -> Self {
        Self {
            graph: graph.into(),
            source,
            metadata: Map::new(),
            discarded: Vec::new(),
            tasks: Vec::new(),
            step: None,
            changed: None,
        }
    }
}

/// What wrote a checkpoint or began a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Source {
    /// New input.
    Input,
    /// A step of a run.
    Loop,
    /// Answers to questions.
    Resume,
    /// Going on after a pause, a failure or a crash.
    Continue,
    /// A question's deadline.
    Deadline,
    /// A change from outside, as if a node had made it.
    Update,
    /// A way back to an earlier checkpoint.
    Fork,
}

impl Source {
    /// Every source.
    pub const ALL: [Self; 7] =
        [Self::Input, Self::Loop, Self::Resume, Self::Continue, Self::Deadline, Self::Update, Self::Fork];

    /// The number that stands for it in a store.
    pub fn code(self) -> u8 {
        match self {
            Self::Input => 1,
            Self::Loop => 2,
            Self::Resume => 3,
            Self::Continue => 4,
            Self::Deadline => 5,
            Self::Update => 6,
            Self::Fork => 7,
        }
    }

    /// The source of a number in a store.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|source| source.code() == code)
    }

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Loop => "loop",
            Self::Resume => "resume",
            Self::Continue => "continue",
            Self::Deadline => "deadline",
            Self::Update => "update",
            Self::Fork => "fork",
        }
    }
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A step ends.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Checkpoint {
    pub(crate) id: CheckpointId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) parent: Option<CheckpointId>,
    pub(crate) step: i64,
    pub(crate) source: Source,
    /// The tasks of the step whose writes are in no row of their own.
    pub(crate) results: Vec<TaskRecord>,
    /// The state that the step began with, where the row before it does not say:
    /// at a thread's first checkpoint, and where the thread went back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) base: Vec<Entry>,
    /// Values that the writes alone can't give.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) set: Vec<Entry>,
    /// Whether this checkpoint does not follow from the row before it: the state
    /// is `base`, the results and `set`, and nothing else.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(crate) reset: bool,
    pub(crate) plan: Plan,
}

/// What is to be done in the next step.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Plan {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) tasks: Vec<Planned>,
    /// Deferred nodes that wait for everything else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) parked: Vec<String>,
    /// Joins that have seen some of their sources.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) joins: Vec<(String, Vec<String>)>,
    /// Whether the run pauses here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) paused: Option<Breakpoint>,
}

impl Plan {
    /// To take an input in that was put down at a checkpoint: what it writes.
    pub(crate) fn of_input(at: CheckpointId, ns: &Namespace, input: Json) -> Self {
        let id = TaskId::derive(at, ns, START_NAME, 0);
        let task = Planned { id, node: START_NAME.into(), input: Some(input), timeout_ms: None };
        Self { tasks: vec![task], ..Self::default() }
    }

    /// Whether an input is to be taken in.
    pub(crate) fn has_input(&self) -> bool {
        self.tasks.iter().any(|task| &*task.node == START_NAME)
    }
}

/// A run paused at a breakpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Breakpoint {
    /// Before these nodes.
    Before(Vec<String>),
    /// After these nodes.
    After(Vec<String>),
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Planned {
    pub(crate) id: TaskId,
    pub(crate) node: Arc<str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) input: Option<Json>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) timeout_ms: Option<u64>,
}

impl Checkpoint {
    /// What the input wrote that made this checkpoint; none if something else
    /// did. Before such an input there is a moment to go back to.
    pub(crate) fn input(&self) -> Option<&Done> {
        if self.source != Source::Input {
            return None;
        }
        self.results.iter().find_map(|result| match &result.outcome {
            // A command is no input, and says itself where to go.
            TaskOutcome::Done(done) if &*result.node == START_NAME && !done.by_handler => Some(done),
            _ => None,
        })
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct TaskRecord {
    pub(crate) id: TaskId,
    pub(crate) node: Arc<str>,
    // Not flattened: serde would buffer it, and raw JSON can't be buffered.
    #[serde(rename = "o")]
    pub(crate) outcome: TaskOutcome,
}

impl TaskRecord {
    /// About how many bytes it takes.
    pub(crate) fn size(&self) -> usize {
        match &self.outcome {
            TaskOutcome::Done(done) => {
                done.writes.iter().flatten().map(|entry| entry.2.get().len() + 16).sum()
            }
            TaskOutcome::Failed(failed) | TaskOutcome::Retried(failed) => failed.message.len(),
            TaskOutcome::Paused(questions) => {
                questions.iter().map(|q| q.value.get().len() + q.schema.get().len()).sum()
            }
        }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TaskOutcome {
    /// It finished.
    Done(Done),
    /// It failed; `handled` when an error handler follows.
    Failed(Failed),
    /// A try failed and another one follows: how many there were, so that a crash does not start the count anew.
    Retried(Failed),
    /// It waits for answers.
    Paused(Vec<Question>),
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Done {
    /// What it wrote: a list of updates, each a list of entries.
    #[serde(rename = "w")]
    pub(crate) writes: Vec<Vec<Entry>>,
    /// Where its routes and commands go.
    #[serde(rename = "g", default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) goto: Vec<StoredGoto>,
    /// Whether the node's own edges are followed too.
    #[serde(rename = "h", default, skip_serializing_if = "is_false")]
    pub(crate) by_handler: bool,
    /// Whether the node was not run: its result was kept from before.
    #[serde(rename = "c", default, skip_serializing_if = "is_false")]
    pub(crate) cached: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_false(value: &bool) -> bool {
    !value
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct StoredGoto {
    pub(crate) node: Arc<str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) input: Option<Json>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) timeout_ms: Option<u64>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Failed {
    pub(crate) kind: FailureKind,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) name: String,
    pub(crate) message: String,
    pub(crate) attempts: u32,
    #[serde(default, skip_serializing_if = "is_false")]
    pub(crate) handled: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Answer {
    pub(crate) task: TaskId,
    pub(crate) id: InterruptId,
    pub(crate) index: usize,
    /// Of the question that was answered; none where the answer came first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) question_hash: Option<u64>,
    pub(crate) value: Json,
    /// Whether its deadline answered it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(crate) by_default: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Effect {
    pub(crate) task: TaskId,
    pub(crate) key: String,
    pub(crate) value: Json,
}

/// Tokens, custom events and calls of tools of a task, in the order in which it sent them.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Emit {
    pub(crate) task: TaskId,
    pub(crate) node: Arc<str>,
    pub(crate) step: i64,
    pub(crate) items: Vec<Item>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Item {
    #[serde(rename = "c")]
    Custom(Json),
    #[serde(rename = "m")]
    Message(Json),
    #[serde(rename = "t")]
    Tool(Json),
}

/// How a run ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct End {
    pub(crate) status: EndStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<RunError>,
}

/// How a run ended, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndStatus {
    /// Nothing was left to do.
    Done,
    /// It waits for answers or at a breakpoint.
    Paused,
    /// It failed.
    Failed,
    /// It was cancelled.
    Cancelled,
    /// It was asked to stop between two steps.
    Drained,
}

/// Why a run failed, as its log says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RunError {
    /// What kind of failure.
    pub kind: FailureKind,
    /// What the error is called.
    #[serde(default)]
    pub name: String,
    /// What happened, and where.
    pub message: String,
    /// What happened, in the error's own words.
    #[serde(default)]
    pub cause: String,
}

impl Record {
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Self::Begin(_) => Kind::Begin,
            Self::Checkpoint(_) => Kind::Checkpoint,
            Self::Task(_) => Kind::Task,
            Self::Answer(_) => Kind::Answer,
            Self::Effect(_) => Kind::Effect,
            Self::Emit(_) => Kind::Emit,
            Self::End(_) => Kind::End,
        }
    }

    /// The modes of the events that this record is, in order: one number each.
    /// [`crate::stream`] makes exactly these events of it.
    pub(crate) fn events(&self) -> Vec<Mode> {
        const RESULT: [Mode; 3] = [Mode::Updates, Mode::Tasks, Mode::Debug];
        match self {
            Self::End(_) => vec![Mode::Runs],
            Self::Begin(begin) => {
                let mut modes = vec![Mode::Runs];
                for _ in &begin.tasks {
                    modes.extend([Mode::Tasks, Mode::Debug]);
                }
                modes
            }
            Self::Checkpoint(checkpoint) => {
                let mut modes = Vec::with_capacity(8);
                for _ in &checkpoint.results {
                    modes.extend(RESULT);
                }
                modes.extend([Mode::Values, Mode::Checkpoints, Mode::Debug]);
                for _ in &checkpoint.plan.tasks {
                    modes.extend([Mode::Tasks, Mode::Debug]);
                }
                modes
            }
            Self::Task(task) => match task.outcome {
                // A question shows in the values too: some readers watch nothing else.
                TaskOutcome::Paused(_) => vec![Mode::Updates, Mode::Tasks, Mode::Debug, Mode::Values],
                // The task has not ended.
                TaskOutcome::Retried(_) => vec![Mode::Debug],
                _ => RESULT.to_vec(),
            },
            Self::Answer(_) | Self::Effect(_) => vec![Mode::Debug],
            Self::Emit(emit) => emit
                .items
                .iter()
                .map(|item| match item {
                    Item::Custom(_) => Mode::Custom,
                    Item::Message(_) => Mode::Messages,
                    Item::Tool(_) => Mode::Tools,
                })
                .collect(),
        }
    }

    /// [`Record::events`] counted, without making the list.
    pub(crate) fn event_count(&self) -> usize {
        match self {
            Self::End(_) | Self::Answer(_) | Self::Effect(_) => 1,
            Self::Begin(begin) => 1 + 2 * begin.tasks.len(),
            Self::Checkpoint(checkpoint) => {
                3 * checkpoint.results.len() + 3 + 2 * checkpoint.plan.tasks.len()
            }
            Self::Task(task) => match task.outcome {
                TaskOutcome::Paused(_) => 4,
                TaskOutcome::Retried(_) => 1,
                _ => 3,
            },
            Self::Emit(emit) => emit.items.len(),
        }
    }

    pub(crate) fn to_payload(&self) -> Result<Vec<u8>, serde_json::Error> {
        // A checkpoint of one small task; a task's own record is shorter.
        let mut payload = Vec::with_capacity(match self {
            Self::Checkpoint(_) => 512,
            _ => 192,
        });
        let to = &mut payload;
        match self {
            Self::Begin(record) => serde_json::to_writer(to, record),
            Self::Checkpoint(record) => serde_json::to_writer(to, record),
            Self::Task(record) => serde_json::to_writer(to, record),
            Self::Answer(record) => serde_json::to_writer(to, record),
            Self::Effect(record) => serde_json::to_writer(to, record),
            Self::Emit(record) => serde_json::to_writer(to, record),
            Self::End(record) => serde_json::to_writer(to, record),
        }?;
        Ok(payload)
    }

    /// Reads a row back, checked.
    pub(crate) fn from_row(thread: &ThreadId, row: &Row) -> Result<Self, store::Error> {
        row.verify(thread)?;
        let payload = row.payload.as_slice();
        let record = match row.kind {
            Kind::Begin => serde_json::from_slice(payload).map(Self::Begin),
            Kind::Checkpoint => serde_json::from_slice(payload).map(Self::Checkpoint),
            Kind::Task => serde_json::from_slice(payload).map(Self::Task),
            Kind::Answer => serde_json::from_slice(payload).map(Self::Answer),
            Kind::Effect => serde_json::from_slice(payload).map(Self::Effect),
            Kind::Emit => serde_json::from_slice(payload).map(Self::Emit),
            Kind::End => serde_json::from_slice(payload).map(Self::End),
        };
        record.map_err(|error| store::Error::Corrupt {
            what: format!("row {} of thread {thread}", row.seq),
            reason: error.to_string(),
        })
    }
}
