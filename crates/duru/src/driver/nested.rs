//! A task that is a whole graph: it keeps its own place in the thread's log,
//! so that it goes on where it stopped.

use std::sync::Arc;

use super::{Committer, RunShared, drive};
use crate::TaskId;
use crate::error::{Cause, NodeError};
use crate::graph::Replied;
use crate::graph::topology::{BoxFuture, Sharing, Subgraph};
use crate::log::{Record, TaskOutcome, TaskRecord};
use crate::state::erased::{AnyState, AnyUpdate};
use crate::state::{ChannelSet, Entry, Merge, Op};
use crate::stepper::{End, Opening, Rules, Stepper, TaskResult};
use crate::view::View;

pub(super) fn run(
    subgraph: Subgraph,
    parent: &Stepper,
    index: usize,
    shared: &Arc<RunShared>,
) -> BoxFuture<Result<TaskResult, NodeError>> {
    let slot = &parent.slots[index];
    let rules = Rules {
        ns: parent.rules.ns.child(parent.node_name(index), slot.id),
        steps: parent.rules.steps,
        collect: matches!(subgraph.sharing, Sharing::Same),
        // A subgraph that shares the state is rebuilt from its writes and the
        // parent's state: a snapshot would hold the whole state again.
        snapshots: parent.rules.snapshots && !matches!(subgraph.sharing, Sharing::Same),
        breakpoints: subgraph.topology.breakpoints.clone(),
        ..parent.rules.clone()
    };
    let visit = Visit {
        subgraph,
        rules,
        state: Arc::clone(&parent.state),
        resumed: slot.resumed,
        shared: Arc::clone(shared),
    };
    Box::pin(visit.run())
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
            None => self.fresh(),
        };
        let opening = if stepper.checkpoint.is_some() {
            if stepper.slots.is_empty() {
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

    fn fresh(&self) -> Stepper {
        let topology = Arc::clone(&self.subgraph.topology);
        match self.subgraph.sharing {
            Sharing::Same => Stepper::with_state(topology, self.rules.clone(), Arc::clone(&self.state)),
            Sharing::Own { .. } => Stepper::new(topology, self.rules.clone()),
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
        let unfit = |reason: String| NodeError::fatal(format!("the subgraph can't be resumed: {reason}"));
        let mut stepper =
            Stepper::restore(Arc::clone(&self.subgraph.topology), self.rules.clone(), view).map_err(unfit)?;
        if matches!(self.subgraph.sharing, Sharing::Same) {
            let updates = self.collected(committer).await?;
            stepper.state = Arc::clone(&self.state);
            let ops = Arc::clone(&stepper.topology.ops);
            let mut written = ChannelSet::EMPTY;
            for update in &updates {
                let copy = ops.copy_update(update).map_err(NodeError::fatal)?;
                written = written.union(ops.reach(update).map_err(NodeError::fatal)?.0);
                ops.fold(&mut stepper.state, copy, ChannelSet::EMPTY).map_err(NodeError::fatal)?;
            }
            // What lasts for one step only is gone but for the last step's.
            let faded = written.difference(stepper.ephemeral).iter();
            let faded = faded.filter(|channel| ops.channels()[*channel].merge == Merge::Ephemeral);
            ops.reset(
                &mut stepper.state,
                faded.fold(ChannelSet::EMPTY, |set, channel| set.with(channel, true)),
            );
            stepper.collected = updates;
        }
        Ok(Some(stepper))
    }

    /// What a subgraph with the parent's state has written in finished steps, in order.
    async fn collected(&self, committer: &Arc<Committer>) -> Result<Vec<AnyUpdate>, NodeError> {
        let mut view = View::default();
        let mut updates = Vec::new();
        for row in committer.steps(&self.rules.ns).await.map_err(NodeError::fatal)? {
            let record = Record::from_row(&committer.place.thread, &row).map_err(NodeError::fatal)?;
            if let Record::Checkpoint(checkpoint) = &record {
                if checkpoint.parent.is_none() {
                    updates.clear();
                }
                let results = view.results(checkpoint);
                for task in &results {
                    let TaskOutcome::Done(done) = &task.outcome else { continue };
                    for entries in &done.writes {
                        let mut entries = entries.clone();
                        entries.retain(|entry| !is_overwritten(entry, task.id, &results));
                        updates.push(self.subgraph.topology.ops.update(&entries).map_err(NodeError::fatal)?);
                    }
                }
            }
            view.apply(record).map_err(NodeError::fatal)?;
        }
        Ok(updates)
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
