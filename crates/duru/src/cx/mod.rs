//! What a node is given besides its input: who it is, what it may use, and how
//! it asks, acts and reports.

mod effect;
mod interrupt;
mod question;
mod services;
mod tool;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde_json::value::to_raw_value;
use tokio::sync::Notify;

pub use interrupt::Deadline;
pub use question::Question;
pub(crate) use question::question_hash;
pub(crate) use services::Services;
pub use services::{AskedBy, GrantedTables};
pub use tool::ToolCall;

use crate::driver::RunShared;
use crate::error::{NodeError, Result};
use crate::log::{Answer, Emit, Item, Logged, Record};
use crate::stepper::{EffectBook, Effects};
use crate::{InterruptId, Namespace, RunId, TaskId, ThreadId};

/// A node's context. Cheap to clone.
#[derive(Clone)]
pub struct Cx(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) run: Arc<RunShared>,
    pub(crate) ns: Namespace,
    pub(crate) node: Arc<str>,
    pub(crate) task: TaskId,
    pub(crate) step: i64,
    pub(crate) attempt: u32,
    pub(crate) steps_left: u64,
    /// Whether this is the handler of the node's failure.
    pub(crate) by_handler: bool,
    /// Answers given so far to what runs now, the node or its handler, by the question's index.
    pub(crate) answers: Vec<Answer>,
    pub(crate) desk: Mutex<Desk>,
    /// When questions of an earlier try answer themselves.
    pub(crate) deadlines: Vec<(InterruptId, u64)>,
    /// Recorded effects of all tries, where there can be several.
    pub(crate) effects: Option<Effects>,
    /// Signs of life, for idle timeouts.
    pub(crate) alive: Notify,
}

/// What a task has asked and done so far.
#[derive(Default)]
pub(crate) struct Desk {
    /// How many questions were asked in this try.
    pub(crate) asked: usize,
    /// Those without an answer.
    pub(crate) pending: Vec<Question>,
    /// Recorded effects of a task that has one try only.
    pub(crate) effects: EffectBook,
}

impl Cx {
    pub(crate) fn desk(&self) -> MutexGuard<'_, Desk> {
        // Every change of the desk is a single assignment or push.
        self.0.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A service, or the run's context, by its type; given with
    /// [`Compiled::provide`](crate::Compiled::provide) or
    /// [`Run::provide`](crate::Run::provide).
    pub fn get<T: Send + Sync + 'static>(&self) -> Result<Arc<T>> {
        self.0.run.services.get()
    }

    /// The thread, if the run has one.
    pub fn thread(&self) -> Option<&ThreadId> {
        self.0.run.thread.as_ref()
    }

    /// The run.
    pub fn run(&self) -> RunId {
        self.0.run.id
    }

    /// This task. It keeps its id over retries and restarts.
    pub fn task(&self) -> TaskId {
        self.0.task
    }

    /// The node's name.
    pub fn node(&self) -> &str {
        &self.0.node
    }

    /// Which graph of the tree this is.
    pub fn namespace(&self) -> &Namespace {
        &self.0.ns
    }

    /// The number of the step.
    pub fn step(&self) -> i64 {
        self.0.step
    }

    /// Which try this is, from 1.
    pub fn attempt(&self) -> u32 {
        self.0.attempt
    }

    /// How many steps may follow this one before the run's limit stops it.
    pub fn steps_left(&self) -> u64 {
        self.0.steps_left
    }

    /// Whether the run was cancelled; long work without `.await` should ask.
    pub fn is_cancelled(&self) -> bool {
        self.0.run.switches.is_cancelled()
    }

    /// Shows that the node is alive, for its idle timeout.
    pub fn heartbeat(&self) {
        self.0.alive.notify_one();
        self.0.run.beat();
    }

    /// Sends an event to readers of the `custom` stream. It is durable before it
    /// is shown, at most a few milliseconds later.
    ///
    /// When more events wait than the store can take, the node is held up at its
    /// next `.await` until it has. Only a node that never awaits can send so much
    /// that more is refused; see [`Cx::ready`].
    pub fn emit(&self, event: impl Serialize) -> Result<()> {
        self.push(Item::Custom(to_raw_value(&event).map_err(NodeError::fatal)?))
    }

    /// Sends a piece of a message to readers of the `messages` stream.
    /// Every piece carries the id of the message that it is part of.
    pub fn chunk(&self, chunk: &duru_messages::MessageChunk) -> Result<()> {
        self.push(Item::Message(to_raw_value(chunk).map_err(NodeError::fatal)?))
    }

    /// A context that outlives its run must not wait for a record that will never be written, nor act on the world
    /// without a record.
    pub(crate) fn ensure_running(&self) -> Result<()> {
        match &self.0.run.committer {
            Some(committer) if committer.is_closed() => Err(NodeError::fatal(format!(
                "node {} uses its context, but its run is over; wait for what it has begun before it returns",
                self.0.node
            ))),
            _ => Ok(()),
        }
    }

    /// Waits until more events can be sent. A node that sends very many of them
    /// without awaiting anything else awaits this now and then; so does a task
    /// that a node has started by itself.
    pub async fn ready(&self) {
        if let Some(committer) = &self.0.run.committer {
            committer.room().await;
        }
    }

    fn push(&self, item: Item) -> Result<()> {
        self.ensure_running()?;
        self.heartbeat();
        let Some(committer) = &self.0.run.committer else { return Ok(()) };
        let (Item::Custom(json) | Item::Message(json) | Item::Tool(json)) = &item;
        let bytes = json.get().len();
        let emit =
            Emit { task: self.0.task, node: Arc::clone(&self.0.node), step: self.0.step, items: vec![item] };
        let logged = Logged { ns: self.0.ns.clone(), record: Record::Emit(emit) };
        if committer.push_event(logged, bytes) {
            return Ok(());
        }
        Err(NodeError::msg(
            "too many events wait for the store; await something between them, for example cx.ready()",
        ))
    }
}
