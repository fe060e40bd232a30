//! One task of the step under way.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::cx::Question;
use crate::graph::{Goto, Input};
use crate::log::{Answer, Breakpoint, Failed, StoredGoto, TaskRecord};
use crate::outcome::NodeFailure;
use crate::state::erased::{AnyState, AnyUpdate};
use crate::state::{ChannelSet, Json};
use crate::{InterruptId, TaskId};

pub(crate) struct Slot {
    pub(crate) id: TaskId,
    pub(crate) node: usize,
    pub(crate) input: Option<Input>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) attempt: u32,
    pub(crate) status: Status,
    /// Whether the log may know something of this task already.
    pub(crate) resumed: bool,
    /// The node's failure, once its handler has taken over: after a pause or a
    /// crash the handler continues.
    pub(crate) handled: Option<Box<NodeFailure>>,
    /// To the questions of what runs now: the node or its handler.
    pub(crate) answers: Vec<Answer>,
    /// When the questions that it asked before answer themselves: asking again
    /// gives nobody more time.
    pub(crate) deadlines: Vec<(InterruptId, u64)>,
    /// Recorded effects, shared by all tries; none before they are needed.
    pub(crate) effects: Option<Effects>,
}

pub(crate) type Effects = Arc<Mutex<EffectBook>>;

/// What a task has done and made, by key.
#[derive(Default)]
pub(crate) struct EffectBook {
    pub(crate) all: HashMap<String, Json>,
    /// What the log need know only if the task asks.
    pub(crate) unrecorded: Vec<String>,
}

impl From<HashMap<String, Json>> for EffectBook {
    fn from(all: HashMap<String, Json>) -> Self {
        Self { all, unrecorded: Vec::new() }
    }
}

pub(crate) enum Status {
    Ready(Mode),
    Running(Mode),
    /// Waiting for another try.
    Waiting,
    Done(Finished),
    Paused(Vec<Question>),
    Stopped(Breakpoint),
    /// Stopped between two steps of a subgraph, as it was asked to.
    Drained,
    Failed(Box<Failed>, Option<Arc<dyn std::error::Error + Send + Sync>>),
}

/// Whether the node runs or the handler of its failure.
#[derive(Clone)]
pub(crate) enum Mode {
    Node,
    Handler(Box<NodeFailure>),
}

/// What a finished task leaves for the end of its step.
#[derive(Default)]
pub(crate) struct Finished {
    /// Not folded yet.
    pub(crate) updates: Vec<AnyUpdate>,
    pub(crate) written: ChannelSet,
    pub(crate) overwritten: ChannelSet,
    pub(crate) goto: Vec<Next>,
    /// Whether the node's own edges are followed.
    pub(crate) by_handler: bool,
    /// The updates are part of the state already.
    pub(crate) folded: bool,
    /// Its record, if it is not committed yet.
    pub(crate) record: Option<Box<TaskRecord>>,
}

/// Where a route or command goes.
#[derive(Clone)]
pub(crate) struct Next {
    pub(crate) node: usize,
    pub(crate) own: Option<(Input, Option<Duration>)>,
}

impl Next {
    /// None for the end.
    pub(crate) fn of(goto: Goto) -> Option<Self> {
        match goto {
            Goto::Node(node) => Some(Self { node: node.index, own: None }),
            Goto::Send(send) => Some(Self { node: send.node.index, own: Some((send.input, send.timeout)) }),
            Goto::End => None,
        }
    }

    pub(crate) fn stored(&self, name: &Arc<str>) -> Result<StoredGoto, serde_json::Error> {
        let (input, timeout) = match &self.own {
            Some((input, timeout)) => (Some(input.to_json()?), *timeout),
            None => (None, None),
        };
        Ok(StoredGoto { node: Arc::clone(name), input, timeout_ms: timeout.map(millis) })
    }
}

/// What a task that was just started is to run.
pub(crate) fn running_mode(slot: &Slot) -> Mode {
    match &slot.status {
        Status::Running(mode) | Status::Ready(mode) => mode.clone(),
        _ => Mode::Node,
    }
}

pub(crate) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl Slot {
    pub(crate) fn new(id: TaskId, node: usize) -> Self {
        Self {
            id,
            node,
            input: None,
            timeout: None,
            attempt: 0,
            status: Status::Ready(Mode::Node),
            resumed: false,
            handled: None,
            answers: Vec::new(),
            deadlines: Vec::new(),
            effects: None,
        }
    }

    /// Takes answers to a task in whose place this one is, since the thread was
    /// changed: its questions may say something else by now.
    pub(crate) fn take_over(&mut self, answers: impl Iterator<Item = Answer>) {
        self.answers.extend(answers.map(|answer| Answer { question_hash: None, ..answer }));
    }

    /// Whether the task has finished.
    pub(crate) fn is_done(&self) -> bool {
        matches!(self.status, Status::Done(_))
    }

    /// The state that the task is given: the graph's, or one of its own.
    pub(crate) fn given(&self, state: &AnyState) -> AnyState {
        self.input.as_ref().map_or_else(|| Arc::clone(state), Input::shared)
    }

    /// What another try is to run.
    pub(crate) fn mode(&self) -> Mode {
        self.handled.clone().map_or(Mode::Node, Mode::Handler)
    }
}
