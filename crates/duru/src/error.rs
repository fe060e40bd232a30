//! What goes wrong: in a node, in a run, in a call.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::cx::Question;
use crate::{CheckpointId, InterruptId, InvalidThreadId, RunId, TaskId, ThreadId, store};

/// What a node returns.
pub type Result<T = (), E = NodeError> = std::result::Result<T, E>;

/// Why a node did not finish. Made from any error by `?`.
pub struct NodeError(pub(crate) Cause);

pub(crate) enum Cause {
    /// The node asked something; not a failure.
    Interrupted,
    Failed {
        source: Arc<dyn std::error::Error + Send + Sync>,
        /// What the error's type is called.
        name: &'static str,
        fatal: bool,
    },
    Panicked(String),
    TimedOut {
        idle: bool,
        limit: Duration,
    },
    /// The process was told to die here (tests).
    Crashed(crate::failpoint::Crash),
    /// A subgraph failed; its failure names the place.
    Nested(Arc<Failure>),
    /// An answer came for another question than the one the node asks now.
    Mismatch(String),
    /// A route or command went where it was not declared to.
    Target(String),
    /// A value could not be written as JSON.
    Encoding(String),
    /// Two tasks of one step wrote one field.
    Conflict(String),
}

impl NodeError {
    /// An error with this text.
    pub fn msg(text: impl fmt::Display) -> Self {
        let source: Box<dyn std::error::Error + Send + Sync> = text.to_string().into();
        Self(Cause::Failed { source: source.into(), name: "Error", fatal: false })
    }

    /// An error that no retry can help.
    pub fn fatal(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self(Cause::Failed { source: source.into().into(), name: "Error", fatal: true })
    }

    /// Whether the node asked something instead of failing.
    pub fn is_interrupt(&self) -> bool {
        matches!(self.0, Cause::Interrupted)
    }

    /// Whether another try could help: not after a panic, a fatal error or a cancellation.
    pub fn is_retryable(&self) -> bool {
        match &self.0 {
            Cause::Failed { fatal, .. } => !fatal,
            Cause::TimedOut { .. } => true,
            Cause::Nested(failure) => matches!(failure.kind, FailureKind::Node | FailureKind::Timeout),
            _ => false,
        }
    }

    /// Whether the whole run is over with this task: no retry, no handler.
    pub(crate) fn is_over(&self) -> bool {
        matches!(self.0, Cause::Crashed(_))
    }

    /// Whether the node took too long.
    pub fn is_timeout(&self) -> bool {
        matches!(self.0, Cause::TimedOut { .. })
    }

    /// The error as the type that the node returned it as.
    pub fn downcast_ref<E: std::error::Error + 'static>(&self) -> Option<&E> {
        match &self.0 {
            Cause::Failed { source, .. } => source.downcast_ref::<E>(),
            _ => None,
        }
    }

    /// What the error is called: its type's name without path and parameters.
    pub(crate) fn name(&self) -> String {
        match &self.0 {
            Cause::Failed { name, .. } => (*name).to_owned(),
            Cause::Nested(failure) => failure.name.clone(),
            _ => self.kind().name().to_owned(),
        }
    }

    pub(crate) fn kind(&self) -> FailureKind {
        match &self.0 {
            Cause::Failed { .. } | Cause::Interrupted => FailureKind::Node,
            Cause::Panicked(_) => FailureKind::Panic,
            Cause::TimedOut { .. } => FailureKind::Timeout,
            Cause::Crashed(_) => FailureKind::Cancelled,
            Cause::Nested(failure) => failure.kind,
            Cause::Mismatch(_) => FailureKind::Mismatch,
            Cause::Target(_) => FailureKind::Target,
            Cause::Encoding(_) => FailureKind::Encoding,
            Cause::Conflict(_) => FailureKind::Conflict,
        }
    }

    pub(crate) fn source_arc(&self) -> Option<Arc<dyn std::error::Error + Send + Sync>> {
        match &self.0 {
            Cause::Failed { source, .. } => Some(Arc::clone(source)),
            Cause::Nested(failure) => Some(Arc::clone(failure) as Arc<dyn std::error::Error + Send + Sync>),
            _ => None,
        }
    }
}

impl fmt::Display for NodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Cause::Interrupted => f.write_str("the node waits for an answer; pass this error on with `?`"),
            Cause::Failed { source, .. } => chain(f, source.as_ref()),
            Cause::Panicked(text) => write!(f, "the node panicked: {text}"),
            Cause::TimedOut { idle: false, limit } => write!(f, "the node took longer than {limit:?}"),
            Cause::TimedOut { idle: true, limit } => write!(f, "the node showed no life for {limit:?}"),
            Cause::Crashed(crash) => write!(f, "{crash}"),
            Cause::Nested(failure) => write!(f, "{failure}"),
            Cause::Mismatch(text) | Cause::Target(text) | Cause::Encoding(text) | Cause::Conflict(text) => {
                f.write_str(text)
            }
        }
    }
}

/// An error and its sources on one line.
fn chain(f: &mut fmt::Formatter<'_>, error: &(dyn std::error::Error + 'static)) -> fmt::Result {
    write!(f, "{error}")?;
    let mut source = error.source();
    while let Some(error) = source {
        write!(f, ": {error}")?;
        source = error.source();
    }
    Ok(())
}

impl fmt::Debug for NodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NodeError({self})")
    }
}

impl<E: std::error::Error + Send + Sync + 'static> From<E> for NodeError {
    fn from(error: E) -> Self {
        Self(Cause::Failed {
            source: Arc::new(error),
            name: short_name(std::any::type_name::<E>()),
            fatal: false,
        })
    }
}

/// What kind of failure ended a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FailureKind {
    /// A node returned an error.
    Node,
    /// A node, route or reducer panicked.
    Panic,
    /// A node took too long.
    Timeout,
    /// A step took too long.
    StepTimeout,
    /// The run took more steps than it may.
    RecursionLimit,
    /// Two tasks of one step wrote one field.
    Conflict,
    /// A route or command went where it was not declared to.
    Target,
    /// An answer came for another question than the one the node asks now.
    Mismatch,
    /// A value could not be written as JSON.
    Encoding,
    /// The task was cancelled.
    Cancelled,
}

impl FailureKind {
    /// What such a failure is called where its error has no name of its own.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Node => "Error",
            Self::Panic => "Panic",
            Self::Timeout => "NodeTimeoutError",
            Self::StepTimeout => "StepTimeoutError",
            Self::RecursionLimit => "GraphRecursionError",
            Self::Conflict => "InvalidUpdateError",
            Self::Target => "InvalidTargetError",
            Self::Mismatch => "InterruptMismatchError",
            Self::Encoding => "EncodingError",
            Self::Cancelled => "CancelledError",
        }
    }
}

/// The last part of a type's path, without its parameters.
fn short_name(path: &'static str) -> &'static str {
    let path = path.split('<').next().unwrap_or(path);
    path.rsplit("::").next().unwrap_or(path)
}

/// How a run failed: what, and where.
#[derive(Debug, Clone)]
pub struct Failure {
    /// What kind of failure.
    pub kind: FailureKind,
    /// What the error is called: the name of its type, where it has one.
    pub name: String,
    /// What happened.
    pub message: String,
    /// The graph; for a subgraph with its path.
    pub graph: String,
    /// The node, where one failed.
    pub node: Option<String>,
    /// The step.
    pub step: i64,
    /// The thread, if the run has one.
    pub thread: Option<ThreadId>,
    /// The task, where one failed.
    pub task: Option<TaskId>,
    /// The error that the node returned, if it failed in this process.
    pub source: Option<Arc<dyn std::error::Error + Send + Sync>>,
    /// Whether all tasks of the step have finished and nothing can be made of what they wrote. Going on gives the
    /// same failure as long as the graph is the same; new input gives the step up.
    pub stuck: bool,
}

impl Failure {
    /// Whether its step, or one inside it, can never end.
    pub(crate) fn is_stuck(&self) -> bool {
        let inner = self.source.as_ref().and_then(|source| source.downcast_ref::<Self>());
        self.stuck || inner.is_some_and(Self::is_stuck)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "graph {}", self.graph)?;
        if let Some(node) = &self.node {
            write!(f, ", node {node}")?;
        }
        write!(f, ", step {}", self.step)?;
        if let Some(thread) = &self.thread {
            write!(f, ", thread {thread}")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|source| source.as_ref() as _)
    }
}

/// Why a call on a graph or thread could not be carried out. Nothing was lost.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The store failed, or somebody else owns the thread.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// Not a thread's name.
    #[error(transparent)]
    ThreadId(#[from] InvalidThreadId),
    /// Another run of this program is under way on the thread.
    #[error("thread {thread} is busy with another run; wait for it, or cancel it first")]
    Busy {
        /// The thread.
        thread: ThreadId,
    },
    /// There is nothing to go on with.
    #[error("thread {thread} has nothing to resume: {reason}")]
    NothingToResume {
        /// The thread.
        thread: ThreadId,
        /// Why.
        reason: String,
    },
    /// One answer was given, but several questions wait.
    #[error("thread {thread} waits for {} answers; answer by id: {}", .pending.len(), ids(.pending))]
    Ambiguous {
        /// The thread.
        thread: ThreadId,
        /// What waits.
        pending: Vec<Question>,
    },
    /// No question of this id waits.
    #[error("no question {id} waits in thread {thread}: it was answered, its deadline has passed, or it never existed; waiting: {}", ids(.pending))]
    UnknownInterrupt {
        /// The thread.
        thread: ThreadId,
        /// The id.
        id: InterruptId,
        /// What waits.
        pending: Vec<Question>,
    },
    /// An answer does not fit its question.
    #[error("the answer to question {id} does not fit: {reason}")]
    UnfitAnswer {
        /// The question.
        id: InterruptId,
        /// What does not fit.
        reason: String,
    },
    /// New input came while questions wait.
    #[error("thread {thread} waits for answers ({}); answer them, or start anew with `on_unfinished(Unfinished::Discard)`, which gives up: {}", ids(.pending), .finished.join(", "))]
    Waiting {
        /// The thread.
        thread: ThreadId,
        /// What waits.
        pending: Vec<Question>,
        /// Nodes whose finished work would be discarded.
        finished: Vec<String>,
    },
    /// There is no such checkpoint.
    #[error("thread {thread} has no checkpoint {checkpoint}; its history lists those that it has")]
    UnknownCheckpoint {
        /// The thread.
        thread: ThreadId,
        /// The checkpoint.
        checkpoint: CheckpointId,
    },
    /// An edit without a node, where several nodes wrote last.
    #[error("several nodes of thread {thread} wrote last: say as which node it is to be changed")]
    AmbiguousWriter {
        /// The thread.
        thread: ThreadId,
    },
    /// A subgraph was to be changed that is not under way.
    #[error(
        "thread {thread} has no subgraph {task} that is still to finish: its state names those there are, and one \
         that has finished is changed in the graph around it"
    )]
    NoSubgraph {
        /// The thread.
        thread: ThreadId,
        /// The node and the task that were named.
        task: String,
    },
    /// There is no such run.
    #[error("thread {thread} has no run {run}")]
    UnknownRun {
        /// The thread.
        thread: ThreadId,
        /// The run.
        run: RunId,
    },
    /// Something came after the run.
    #[error(
        "run {run} is not the last one of thread {thread}: undo those after it first, or fork an earlier checkpoint"
    )]
    NotLast {
        /// The thread.
        thread: ThreadId,
        /// The run.
        run: RunId,
    },
    /// A thread of this name is there already.
    #[error("there is a thread {thread} already; choose another name, or delete it first")]
    Exists {
        /// The thread.
        thread: ThreadId,
    },
    /// An input could not be used.
    #[error("the input does not fit graph {graph}: {reason}")]
    Input {
        /// The graph.
        graph: String,
        /// Why.
        reason: String,
    },
    /// The thread is in the middle of another graph's step.
    #[error(
        "thread {thread} is in the middle of a step of graph {found:?}, not of {graph:?}; resume it with that graph, or give the step up with `on_unfinished(Unfinished::Discard)`"
    )]
    OtherGraph {
        /// The thread.
        thread: ThreadId,
        /// The graph that was to run.
        graph: String,
        /// The graph that began the step.
        found: String,
    },
    /// What is stored does not fit the graph as it is now.
    #[error("thread {thread} does not fit graph {graph} as it is now: {reason}")]
    Incompatible {
        /// The thread.
        thread: ThreadId,
        /// The graph.
        graph: String,
        /// What does not fit.
        reason: String,
    },
    /// The process was told to die (tests).
    #[error(transparent)]
    Crashed(#[from] crate::failpoint::Crash),
}

fn ids(pending: &[Question]) -> String {
    if pending.is_empty() {
        return "nothing".into();
    }
    pending.iter().map(|question| question.id.to_string()).collect::<Vec<_>>().join(", ")
}
