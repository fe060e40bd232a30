//! A task that is a whole graph: it keeps its own place in the thread's log,
//! so that it goes on where it stopped.

use std::collections::HashMap;
use std::sync::Arc;

use super::{RunShared, drive};
use crate::error::{Cause, NodeError};
use crate::graph::Replied;
use crate::graph::topology::{BoxFuture, Sharing, Subgraph, Topology};
use crate::log::{Record, TaskOutcome, TaskRecord};
use crate::state::erased::{AnyState, AnyUpdate};
use crate::state::{ChannelSet, Entry, Merge, Op};
use crate::stepper::{End, Opening, Rules, Stepper, TaskResult};
use crate::store::Row;
use crate::view::View;
use crate::{CheckpointId, TaskId, ThreadId};

pub(super) fn run(
    subgraph: Subgraph,
    parent: &Stepper,
    index: usize,
    shared: &Arc<RunShared>,
) -> BoxFuture<Result<TaskResult, NodeError>> {
    let slot = &parent.slots[index];
    let rules = rules(&subgraph, parent, index);
    let visit = Visit {
        subgraph,
        rules,
        state: slot.given(&parent.state),
        resumed: slot.resumed,
        shared: Arc::clone(shared),
    };
    Box::pin(visit.run())
}

/// What a subgraph behind a task may do and must record.
pub(crate) fn rules(subgraph: &Subgraph, parent: &Stepper, index: usize) -> Rules {
    Rules {
        ns: parent.rules.ns.child(parent.node_name(index), parent.slots[index].id),
        steps: parent.rules.steps,
        collect: matches!(subgraph.sharing, Sharing::Same),
        // A subgraph that shares the state is rebuilt from its writes and the
        // parent's state: a snapshot would hold the whole state again.
        snapshots: parent.rules.snapshots && !matches!(subgraph.sharing, Sharing::Same),
        breakpoints: subgraph.topology.breakpoints.clone(),
        ..parent.rules.clone()
    }
}

/// A subgraph on its first step. `state` is what its task was given.
pub(crate) fn fresh(subgraph: &Subgraph, rules: Rules, state: &AnyState) -> Stepper {
    let topology = Arc::clone(&subgraph.topology);
    match subgraph.sharing {
        Sharing::Same => Stepper::with_state(topology, rules, Arc::clone(state)),
        Sharing::Own { .. } => Stepper::new(topology, rules),
    }
}

/// A subgraph as its log left it; `steps` are its rows. What does not fit, if it
/// can't be.
pub(crate) fn restored(
    subgraph: &Subgraph,
    rules: Rules,
    state: &AnyState,
    view: View,
    steps: &Steps<'_>,
) -> Result<Stepper, String> {
    let at = view.at.as_ref().map(|at| at.id);
    let mut stepper = Stepper::restore(Arc::clone(&subgraph.topology), rules, view)?;
    if matches!(subgraph.sharing, Sharing::Own { .. }) {
        return Ok(stepper);
    }
    let ops = Arc::clone(&stepper.topology.ops);
    let text = |error: &dyn std::error::Error| error.to_string();
    let updates = steps.updates(&subgraph.topology, at)?;
    stepper.state = Arc::clone(state);
    let mut written = ChannelSet::EMPTY;
    for update in &updates {
        let copy = ops.copy_update(update).map_err(|error| text(&error))?;
        written = written.union(ops.reach(update).map_err(|error| text(&error))?.0);
        ops.fold(&mut stepper.state, copy, ChannelSet::EMPTY).map_err(|error| text(&error))?;
    }
    // What lasts for one step only is gone but for the last step's.
    let faded = written.difference(stepper.ephemeral).iter();
    let faded = faded.filter(|channel| ops.channels()[*channel].merge == Merge::Ephemeral);
    ops.reset(&mut stepper.state, faded.fold(ChannelSet::EMPTY, |set, channel| set.with(channel, true)));
    stepper.collected = updates;
    Ok(stepper)
}

/// The rows of a subgraph that say what its steps wrote, in order.
pub(crate) struct Steps<'a> {
    pub(crate) thread: &'a ThreadId,
    pub(crate) rows: Vec<Row>,
}

impl Steps<'_> {
    /// What a subgraph with its parent's state has written in the finished steps
    /// that lead to a checkpoint.
    fn updates(&self, topology: &Topology, at: Option<CheckpointId>) -> Result<Vec<AnyUpdate>, String> {
        let mut view = View::default();
        let mut made: HashMap<CheckpointId, (Option<CheckpointId>, Vec<Vec<Entry>>)> = HashMap::new();
        for row in &self.rows {
            let record = Record::from_row(self.thread, row).map_err(|error| error.to_string())?;
            if let Record::Checkpoint(checkpoint) = &record {
                let results = view.results(checkpoint);
                let mut writes = Vec::new();
                for task in &results {
                    let TaskOutcome::Done(done) = &task.outcome else { continue };
                    for entries in &done.writes {
                        let kept = |entry: &&Entry| !is_overwritten(entry, task.id, &results);
                        writes.push(entries.iter().filter(kept).cloned().collect());
                    }
                }
                made.insert(checkpoint.id, (checkpoint.parent, writes));
            }
            view.apply(record).map_err(|error| error.to_string())?;
        }
        let mut updates: Vec<AnyUpdate> = Vec::new();
        let mut next = at;
        while let Some((parent, writes)) = next.and_then(|id| made.remove(&id)) {
            for entries in writes.iter().rev() {
                updates.push(topology.ops.update(entries).map_err(|error| error.to_string())?);
            }
            next = parent;
        }
        updates.reverse();
        Ok(updates)
    }
}

struct Visit {
    subgraph: Subgraph,
    rules: Rules,
    /// The parent's.
    state: AnyState,
    resumed: bool,
    shared: Arc<RunShared>,
}

impl Visit {
    async fn run(self) -> Result<TaskResult, NodeError> {
        let mut stepper = match self.restore().await? {
            Some(stepper) => stepper,
            None => fresh(&self.subgraph, self.rules.clone(), &self.state),
        };
        let opening = if stepper.checkpoint.is_some() {
            if stepper.slots.is_empty() && stepper.waiting.is_none() {
                // It had finished; only its parent never heard of it.
                return self.leave(stepper);
            }
            Opening::Continue { answers: Vec::new() }
        } else {
            Opening::Input { update: self.input()?, goto: None }
        };
        let end = drive(&mut stepper, opening, None, &self.shared).await.map_err(NodeError::fatal)?;
        match end {
            End::Done => self.leave(stepper),
            End::Paused(questions) => Ok(TaskResult::Asked(questions)),
            End::Breakpoint(breakpoint) => Ok(TaskResult::Stopped(breakpoint)),
            End::Failed(failure) => Err(NodeError(Cause::Nested(Arc::new(failure)))),
            End::ToParent(command) => Ok(TaskResult::ForParent(command)),
            End::Cancelled => Ok(TaskResult::Cancelled),
            End::Drained => Ok(TaskResult::Drained),
        }
    }

    fn input(&self) -> Result<Option<AnyUpdate>, NodeError> {
        match &self.subgraph.sharing {
            Sharing::Same => Ok(None),
            Sharing::Own { enter, .. } => enter(&self.state).map(Some),
        }
    }

    fn leave(&self, mut stepper: Stepper) -> Result<TaskResult, NodeError> {
        let replied = match &self.subgraph.sharing {
            Sharing::Same => {
                forget_faded(&mut stepper)?;
                Replied { updates: stepper.collected, ..Replied::default() }
            }
            Sharing::Own { leave, .. } => leave(stepper.state)?,
        };
        Ok(TaskResult::Done(replied))
    }

    /// The run that an earlier try or process left.
    async fn restore(&self) -> Result<Option<Stepper>, NodeError> {
        let Some(committer) = self.shared.committer.as_ref().filter(|_| self.resumed) else {
            return Ok(None);
        };
        let view = committer.view(&self.rules.ns).await.map_err(NodeError::fatal)?;
        if view.at.is_none() {
            return Ok(None);
        }
        let steps = match self.subgraph.sharing {
            Sharing::Same => committer.steps(&self.rules.ns).await.map_err(NodeError::fatal)?,
            Sharing::Own { .. } => Vec::new(),
        };
        let steps = Steps { thread: &committer.place.thread, rows: steps };
        let stepper = restored(&self.subgraph, self.rules.clone(), &self.state, view, &steps);
        let unfit = |reason: String| NodeError::fatal(format!("the subgraph can't be resumed: {reason}"));
        stepper.map(Some).map_err(unfit)
    }
}

/// Takes what lasted for an inner step only out of what the graph around is to write.
fn forget_faded(stepper: &mut Stepper) -> Result<(), NodeError> {
    let channels = stepper.topology.ops.channels().iter().enumerate();
    let ephemeral = channels.filter(|(_, channel)| channel.merge == Merge::Ephemeral);
    let ephemeral = ephemeral.fold(ChannelSet::EMPTY, |set, (channel, _)| set.with(channel, true));
    let faded = ephemeral.difference(stepper.ephemeral);
    if !faded.is_empty() {
        for update in &mut stepper.collected {
            stepper.topology.ops.forget(update, faded).map_err(NodeError::fatal)?;
        }
    }
    Ok(())
}

/// Whether another task of the step overwrote what this entry of `task` writes.
fn is_overwritten(entry: &Entry, task: TaskId, results: &[&TaskRecord]) -> bool {
    results.iter().filter(|other| other.id != task).any(|other| match &other.outcome {
        TaskOutcome::Done(done) => {
            let mut all = done.writes.iter().flatten();
            all.any(|other| other.1 == Op::Overwrite && other.channel() == entry.channel())
        }
        _ => false,
    })
}
