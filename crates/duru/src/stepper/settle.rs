//! The end of a step: fold, checkpoint, and on to the next.

use super::finished::guarded;
use super::plan::{START, START_NAME};
use super::slot::{Finished, Status};
use super::{Effect, End, Item, Stepper};
use crate::CheckpointId;
use crate::error::{Cause, Failure, FailureKind, NodeError};
use crate::log::{Breakpoint, Checkpoint, Record, Source};
use crate::state::erased::AnyUpdate;
use crate::state::{ChannelSet, Entry, Merge};
use crate::view::{ROW_OVERHEAD, snapshot_payload};

impl Stepper {
    /// Nothing runs any more. `last` is the task that ended last: its record
    /// goes into the same commit as the step's end.
    pub(super) fn settle(&mut self, last: usize, at_ms: u64, effects: &mut Vec<Effect>) {
        if let Some(failure) = self.first_failure() {
            return self.stop(End::Failed(failure), Some(last), effects);
        }
        let mut questions = Vec::new();
        let mut breakpoint = None;
        for slot in &self.slots {
            match &slot.status {
                Status::Paused(asked) => questions.extend(asked.iter().cloned()),
                Status::Stopped(at) => breakpoint = breakpoint.or(Some(at.clone())),
                _ => {}
            }
        }
        if !questions.is_empty() {
            return self.stop(End::Paused(questions), Some(last), effects);
        }
        if self.slots.iter().any(|slot| matches!(slot.status, Status::Drained)) {
            return self.stop(End::Drained, Some(last), effects);
        }
        if let Some(breakpoint) = breakpoint {
            return self.stop(End::Breakpoint(breakpoint), Some(last), effects);
        }
        self.complete(Source::Loop, at_ms, effects);
    }

    fn first_failure(&self) -> Option<Failure> {
        let failed = self.slots.iter().enumerate().find_map(|(i, slot)| match &slot.status {
            Status::Failed(failed, source) => Some((i, failed, source)),
            _ => None,
        });
        let (i, failed, source) = failed?;
        let mut failure = self.failure(failed.kind, failed.message.clone());
        failure.name.clone_from(&failed.name);
        failure.node = Some(self.node_name(i).to_string());
        failure.task = Some(self.slots[i].id);
        failure.source = source.clone();
        Some(failure)
    }

    /// Every task of the step has finished.
    pub(super) fn complete(&mut self, source: Source, at_ms: u64, effects: &mut Vec<Effect>) {
        let mut tasks = self.take_finished();
        let written = match self.fold(&mut tasks) {
            Ok(written) => written,
            Err((node, error)) => {
                let mut failure = self.failure(error.kind(), error.to_string());
                failure.node = node.map(|node| self.topology.node(node).name.to_string());
                return self.stuck(failure, tasks, effects);
            }
        };
        let set = match self.computed(&tasks, written) {
            Ok(set) => set,
            Err(error) => {
                let failure = self.failure(FailureKind::Encoding, error);
                return self.stuck(failure, tasks, effects);
            }
        };
        let next = self.next_nodes(&mut tasks);
        let ran: Vec<usize> = tasks.iter().map(|(node, _)| *node).collect();
        let parent = self.checkpoint;
        let id = self.next_checkpoint(at_ms);
        self.step += 1;
        self.dirty = false;
        self.plan(id, next);
        let paused = self.breakpoint(source, &ran);
        if self.rules.recording {
            let plan = match self.stored_plan(paused.clone()) {
                Ok(plan) => plan,
                Err(error) => {
                    self.dirty = true;
                    let failure = self.failure(FailureKind::Encoding, error.to_string());
                    return self.stop(End::Failed(failure), None, effects);
                }
            };
            let results =
                tasks.into_iter().filter_map(|(_, finished)| finished.record).map(|record| *record).collect();
            let base = std::mem::take(&mut self.base);
            let reset = std::mem::take(&mut self.detached);
            let checkpoint =
                Checkpoint { id, parent, step: self.step, source, results, base, set, reset, plan };
            let item = self.checkpoint_item(checkpoint);
            effects.push(Effect::Commit { records: vec![item], boundary: true });
        }
        self.go_on(paused, effects);
    }

    /// Every task has finished, but nothing can be made of what they wrote. What they did is kept: another
    /// version of the graph may be able to.
    fn stuck(&mut self, mut failure: Failure, tasks: Vec<(usize, Finished)>, effects: &mut Vec<Effect>) {
        self.dirty = true;
        let records = tasks.into_iter().filter_map(|(_, finished)| finished.record);
        let records: Vec<Item> = records.map(|record| self.item(Record::Task(*record))).collect();
        if !records.is_empty() {
            effects.push(Effect::Commit { records, boundary: false });
        }
        failure.stuck = true;
        failure.message.push_str(
            "; the tasks of this step have finished, so it can only end as it did: new input gives the step up, \
             `fork` goes back before it, and a graph that was changed can try again with `go_on`",
        );
        self.stop(End::Failed(failure), None, effects);
    }

    /// Ids grow along the thread, also where it went back to an earlier checkpoint.
    pub(super) fn next_checkpoint(&mut self, at_ms: u64) -> CheckpointId {
        let id = CheckpointId::after(self.checkpoint.max(self.newest), at_ms, self.rules.salt);
        self.checkpoint = Some(id);
        id
    }

    fn take_finished(&mut self) -> Vec<(usize, Finished)> {
        let slots = std::mem::take(&mut self.slots);
        let done = |status| match status {
            Status::Done(finished) => Some(finished),
            _ => None,
        };
        slots.into_iter().filter_map(|slot| Some((slot.node, done(slot.status)?))).collect()
    }

    /// Makes all writes of the step to the state, in task order. An error comes
    /// with the node whose write it was, if it was one node's.
    fn fold(&mut self, tasks: &mut [(usize, Finished)]) -> Result<ChannelSet, (Option<usize>, NodeError)> {
        let overwriters = self.conflicts(tasks).map_err(|error| (None, error))?;
        let mut written = ChannelSet::EMPTY;
        for (i, (node, finished)) in tasks.iter_mut().enumerate() {
            let here = |error| (Some(*node).filter(|node| *node != START), error);
            written = written.union(finished.written);
            if finished.folded {
                continue;
            }
            // What another task overwrites, this one's writes do not change.
            let skip = overwriters.iter().filter(|(task, _)| *task != i).map(|(_, channels)| *channels);
            let skip = skip.fold(ChannelSet::EMPTY, ChannelSet::union);
            for update in std::mem::take(&mut finished.updates) {
                self.collect(&update, skip).map_err(here)?;
                let (ops, state) = (&self.topology.ops, &mut self.state);
                guarded(|| ops.fold(state, update, skip))
                    .map_err(here)?
                    .map_err(|error| here(NodeError::fatal(error)))?;
            }
        }
        let channels = self.topology.ops.channels();
        let fresh = written.iter().filter(|c| channels[*c].merge == Merge::Ephemeral);
        let fresh = fresh.fold(ChannelSet::EMPTY, |set, channel| set.with(channel, true));
        let faded = self.ephemeral.difference(fresh);
        if !faded.is_empty() {
            self.topology.ops.reset(&mut self.state, faded);
        }
        self.ephemeral = fresh;
        self.touched = self.touched.union(written).difference(faded);
        Ok(written)
    }

    /// Keeps an update for a parent with the same state, less what a sibling overwrote.
    pub(super) fn collect(&mut self, update: &AnyUpdate, skip: ChannelSet) -> Result<(), NodeError> {
        if !self.rules.collect {
            return Ok(());
        }
        let ops = &self.topology.ops;
        let mut copy = ops.copy_update(update).map_err(NodeError::fatal)?;
        ops.forget(&mut copy, skip).map_err(NodeError::fatal)?;
        self.collected.push(copy);
        Ok(())
    }

    /// Refuses two tasks that write where only one may; gives the tasks that
    /// overwrite channels of others.
    fn conflicts(&self, tasks: &[(usize, Finished)]) -> Result<Vec<(usize, ChannelSet)>, NodeError> {
        let channels = self.topology.ops.channels();
        let mut single = ChannelSet::EMPTY;
        let mut overwritten = ChannelSet::EMPTY;
        let mut overwriters = Vec::new();
        for (i, (_, finished)) in tasks.iter().enumerate() {
            let alone = finished.written.iter().filter(|c| !channels[*c].merge.takes_many_writers());
            let alone = alone.fold(ChannelSet::EMPTY, |set, channel| set.with(channel, true));
            let clash = single.intersection(alone).union(overwritten.intersection(finished.overwritten));
            if let Some(channel) = clash.iter().next() {
                return Err(self.conflict(tasks, i, channel));
            }
            single = single.union(alone);
            overwritten = overwritten.union(finished.overwritten);
            if !finished.overwritten.is_empty() {
                overwriters.push((i, finished.overwritten));
            }
        }
        Ok(overwriters)
    }

    fn conflict(&self, tasks: &[(usize, Finished)], second: usize, channel: usize) -> NodeError {
        let name = |task: usize| match tasks[task].0 {
            START => START_NAME,
            node => self.topology.node(node).name.as_ref(),
        };
        let first = (0..second).find(|task| tasks[*task].1.written.contains(channel)).unwrap_or(0);
        let field = self.topology.ops.channels()[channel].name;
        NodeError(Cause::Conflict(format!(
            "nodes {} and {} both wrote field {field:?} in one step; let one of them write it, \
             or declare how its values merge",
            name(first),
            name(second)
        )))
    }

    /// The values that stored writes alone can't give.
    fn computed(&mut self, tasks: &[(usize, Finished)], written: ChannelSet) -> Result<Vec<Entry>, String> {
        if !self.rules.recording {
            return Ok(Vec::new());
        }
        let overwritten = tasks.iter().fold(ChannelSet::EMPTY, |set, (_, f)| set.union(f.overwritten));
        self.topology.ops.computed(&self.state, written, overwritten).map_err(|error| error.to_string())
    }

    fn checkpoint_item(&mut self, checkpoint: Checkpoint) -> Item {
        let writes = checkpoint.results.iter().map(|result| result.size()).sum::<usize>();
        let sent = checkpoint
            .plan
            .tasks
            .iter()
            .map(|task| 60 + task.input.as_ref().map_or(0, |json| json.get().len()));
        let set = checkpoint.base.iter().chain(&checkpoint.set);
        let set = set.map(|entry| entry.2.get().len()).sum::<usize>();
        self.growth.since += ROW_OVERHEAD + 160 + writes + set + sent.sum::<usize>();
        let mut item = self.item(Record::Checkpoint(checkpoint));
        if self.rules.snapshots && self.growth.is_due() {
            // A state that can't be snapshot is stored by its writes alone.
            if let Ok(payload) = self.snapshot() {
                self.growth.since = 0;
                self.growth.snapshot = payload.len();
                item.snapshot = Some(payload);
            }
        }
        item
    }

    fn snapshot(&self) -> Result<Vec<u8>, String> {
        let mut channels = self.topology.ops.encode(&self.state).map_err(|error| error.to_string())?;
        let names = self.topology.ops.channels();
        // The same as the log alone would give: defaults are not stored.
        let touched = |name: &String| self.touched.iter().any(|channel| names[channel].name == name);
        channels.retain(|name, _| touched(name));
        let ephemeral = self.ephemeral.iter().map(|channel| names[channel].name.to_owned()).collect();
        snapshot_payload(channels, ephemeral).map_err(|error| error.to_string())
    }

    /// Whether the run pauses between what ran and what is next.
    fn breakpoint(&self, source: Source, ran: &[usize]) -> Option<Breakpoint> {
        if self.slots.is_empty() {
            return None;
        }
        let points = &self.rules.breakpoints;
        let name = |node: usize| self.topology.node(node).name.to_string();
        let named = |nodes: &mut dyn Iterator<Item = usize>, at: &[usize]| -> Vec<String> {
            let mut hit: Vec<String> = nodes.filter(|node| at.contains(node)).map(name).collect();
            hit.dedup();
            hit
        };
        let after = named(&mut ran.iter().copied(), &points.after);
        if source == Source::Loop && !after.is_empty() {
            return Some(Breakpoint::After(after));
        }
        let before = named(&mut self.slots.iter().map(|slot| slot.node), &points.before);
        (!before.is_empty()).then_some(Breakpoint::Before(before))
    }

    /// After a checkpoint: stop, or start the next step's tasks.
    fn go_on(&mut self, paused: Option<Breakpoint>, effects: &mut Vec<Effect>) {
        let end = if self.slots.is_empty() {
            End::Done
        } else if let Some(breakpoint) = paused {
            End::Breakpoint(breakpoint)
        } else if self.draining {
            End::Drained
        } else if self.steps_left == 0 {
            let text = format!(
                "the run took {} steps and is not done; if that is no endless loop, raise its limit and resume it",
                self.rules.steps
            );
            End::Failed(self.failure(FailureKind::RecursionLimit, text))
        } else {
            self.steps_left -= 1;
            return self.start_ready(effects);
        };
        self.stop(end, None, effects);
    }
}
