//! The state machine of a run: events in, effects out. It does no IO and reads
//! no clock and no random source; times, random numbers and node results
//! arrive in events.
//!
//! One file per transition: `begin` (input, resume), `base` (what a step begins with), `start` (which tasks may
//! run), `finished` (a task's result), `settle` (a step's end), `plan` (what is
//! next), `end` (how a run stops), `edit` (changes from outside).

mod base;
mod begin;
mod edit;
mod end;
mod finished;
mod plan;
mod restore;
#[cfg(test)]
mod scripts;
mod settle;
mod slot;
mod start;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

pub(crate) use begin::Opening;
pub(crate) use edit::Write;
pub(crate) use finished::panic_text;
pub(crate) use plan::START_NAME;
pub(crate) use slot::{EffectBook, Effects, Mode as SlotMode, Next, Slot, running_mode};

use crate::cx::Question;
use crate::error::{Failure, NodeError};
use crate::graph::topology::{Breakpoints, Topology};
use crate::graph::{ParentCommand, Replied};
use crate::log::{Breakpoint, Logged};
use crate::state::erased::{AnyState, AnyUpdate};
use crate::state::{ChannelSet, Entry};
use crate::view::Growth;
use crate::{CheckpointId, Namespace, TaskId, ThreadId};

/// Something that happened.
pub(crate) enum Event {
    /// A try of a task ended.
    Finished { slot: usize, result: TaskResult, at_ms: u64, random: f64 },
    /// The wait before another try is over.
    Retry { slot: usize },
    /// The run is to stop now.
    Cancel { at_ms: u64 },
    /// The step took too long.
    StepTimeout { at_ms: u64, limit: Duration },
    /// The run is to stop after this step.
    Drain,
}

/// How a try of a task ended.
pub(crate) enum TaskResult {
    Done(Replied),
    Asked(Vec<Question>),
    /// A subgraph stopped at a breakpoint.
    Stopped(Breakpoint),
    /// A subgraph stopped between two steps, as it was asked to.
    Drained,
    /// A subgraph was cancelled before this graph was: the run is cancelled.
    Cancelled,
    /// A subgraph ended with a command for this graph.
    ForParent(ParentCommand),
    Failed(NodeError),
}

/// Something to be done, in order.
pub(crate) enum Effect {
    /// Run a task.
    Start { slot: usize },
    /// Run a task again after a while.
    Wait { slot: usize, time: Duration },
    /// Make records durable. At a step's boundary nothing may go on before
    /// that, if the run's durability says so.
    Commit { records: Vec<Item>, boundary: bool },
    /// Stop all running tasks.
    Abort,
    /// The run is over. Boxed: it comes once, the others at every step.
    Finish(Box<End>),
}

/// A record, with a snapshot of the state if it is time for one.
pub(crate) struct Item {
    pub(crate) logged: Logged,
    pub(crate) snapshot: Option<Vec<u8>>,
}

/// How a run is over.
pub(crate) enum End {
    Done,
    Paused(Vec<Question>),
    Breakpoint(Breakpoint),
    Failed(Failure),
    /// A command for the graph around this one.
    ToParent(ParentCommand),
    Cancelled,
    Drained,
}

/// What a run may do and what it must record.
#[derive(Clone)]
pub(crate) struct Rules {
    pub(crate) thread: Option<ThreadId>,
    pub(crate) ns: Namespace,
    /// Makes this thread's checkpoint ids differ from others'.
    pub(crate) salt: u64,
    pub(crate) steps: u64,
    pub(crate) max_concurrency: usize,
    /// Whether anybody keeps or reads the log.
    pub(crate) recording: bool,
    /// Whether snapshots are worth their cost: somebody stores them.
    pub(crate) snapshots: bool,
    /// Whether updates are handed on to a parent with the same state.
    pub(crate) collect: bool,
    pub(crate) breakpoints: Breakpoints,
}

/// A stored input that the next run applies.
pub(crate) struct Waiting {
    /// The task that stands for it.
    pub(crate) id: TaskId,
    pub(crate) update: AnyUpdate,
}

/// A run of one graph.
pub(crate) struct Stepper {
    pub(crate) topology: Arc<Topology>,
    pub(crate) rules: Rules,
    pub(crate) state: AnyState,
    /// Updates made so far, for a parent that shares the state.
    pub(crate) collected: Vec<AnyUpdate>,
    pub(crate) step: i64,
    pub(crate) checkpoint: Option<CheckpointId>,
    /// The thread's last checkpoint, where the run goes back to an earlier one.
    pub(crate) newest: Option<CheckpointId>,
    /// Whether the state is not that of the thread's last row.
    pub(crate) detached: bool,
    /// What the next checkpoint begins with, if that is for it to say.
    pub(crate) base: Vec<Entry>,
    /// An input that is still to be taken in.
    pub(crate) waiting: Option<Waiting>,
    pub(crate) slots: Vec<Slot>,
    /// Deferred nodes that wait for everything else.
    pub(crate) parked: Vec<usize>,
    /// For each join, which of its sources have run.
    pub(crate) joins: Vec<Vec<bool>>,
    /// Channels that hold a value, as the log would tell.
    pub(crate) touched: ChannelSet,
    /// Ephemeral channels that hold a value.
    pub(crate) ephemeral: ChannelSet,
    pub(crate) growth: Growth,
    pub(crate) steps_left: u64,
    /// How many tasks run or wait for another try.
    pub(crate) active: usize,
    /// How many tasks run right now.
    pub(crate) running: usize,
    /// The first task that may not have been started yet.
    pub(crate) next: usize,
    /// Running tasks by node, for nodes with a limit.
    pub(crate) per_node: Vec<usize>,
    /// A task failed: what runs may finish, nothing else is started.
    pub(crate) stopping: bool,
    pub(crate) draining: bool,
    /// The state in memory is not that of the last checkpoint.
    pub(crate) dirty: bool,
    pub(crate) over: bool,
}

impl Stepper {
    pub(crate) fn handle(&mut self, event: Event) -> Vec<Effect> {
        if self.over {
            return Vec::new();
        }
        match event {
            Event::Finished { slot, result, at_ms, random } => self.finished(slot, result, at_ms, random),
            Event::Retry { slot } => self.retry(slot),
            Event::Cancel { at_ms } => self.cancel(at_ms),
            Event::StepTimeout { at_ms, limit } => self.step_timeout(at_ms, limit),
            Event::Drain => {
                self.draining = true;
                Vec::new()
            }
        }
    }

    pub(crate) fn node_name(&self, slot: usize) -> &Arc<str> {
        &self.topology.node(self.slots[slot].node).name
    }
}
