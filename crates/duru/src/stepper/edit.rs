//! Changes from outside: as if nodes had written, as input that waits, or as the
//! end of what was planned. Each ends in a new checkpoint and starts nothing.

use super::plan::{START, START_NAME};
use super::slot::{Next, Slot, Status};
use super::{Effect, End, Item, Stepper};
use crate::error::{Cause, NodeError};
use crate::graph::Replied;
use crate::log::{Checkpoint, EndStatus, Plan, Record, Source, TaskRecord};
use crate::state::erased::AnyUpdate;
use crate::state::update_json;
use crate::{CheckpointId, TaskId, log};

/// What one node is taken to have done.
pub(crate) struct Write {
    /// The node; none for the input.
    pub(crate) node: Option<usize>,
    /// What it wrote: nothing, something, or several things one after the other.
    pub(crate) updates: Vec<AnyUpdate>,
    /// Where it is taken to have gone, besides its edges.
    pub(crate) goto: Vec<Next>,
}

impl Stepper {
    /// One step of these writes, and the plan of what follows from it. What was
    /// planned before is given up.
    pub(crate) fn edit(&mut self, writes: Vec<Write>, at_ms: u64) -> Result<Vec<Item>, NodeError> {
        self.note_base()?;
        let at = self.checkpoint.unwrap_or(CheckpointId::from_u128(0));
        // A task in whose place somebody writes has its result by that.
        let mut planned: Vec<(usize, TaskId)> = self.slots.iter().map(|slot| (slot.node, slot.id)).collect();
        if let Some(waiting) = self.waiting.take() {
            planned.push((START, waiting.id));
        }
        let slot = |(index, write): (usize, &Write)| {
            let node = write.node.unwrap_or(START);
            let name = write.node.map_or(START_NAME, |node| &*self.topology.node(node).name);
            Slot::new(TaskId::derive(at, &self.rules.ns, name, usize::MAX - index), node)
        };
        self.slots = writes.iter().enumerate().map(slot).collect();
        for (index, write) in writes.into_iter().enumerate() {
            let Slot { id, node, .. } = self.slots[index];
            let mut finished = if node == START {
                self.accept_input(id, write.updates, None)?
            } else {
                let replied = Replied { updates: write.updates, ..Replied::default() };
                self.accept(index, replied, false)?
            };
            // An edit may go to any node.
            finished.goto.extend(write.goto);
            let stands_for = planned.iter().position(|(planned, _)| *planned == node);
            if let (Some(record), Some(place)) = (&mut finished.record, stands_for) {
                record.id = planned.remove(place).1;
            }
            self.slots[index].status = Status::Done(finished);
        }
        self.written(at_ms)
    }

    /// Ends what was planned: what has finished of it counts, the rest is given up.
    pub(crate) fn end_here(
        &mut self,
        mut finished: Vec<TaskRecord>,
        at_ms: u64,
    ) -> Result<Vec<Item>, NodeError> {
        self.note_base()?;
        self.waiting = None;
        self.parked.clear();
        self.slots.retain(|slot| matches!(slot.status, Status::Done(_)));
        for slot in &mut self.slots {
            // No row between the two checkpoints holds it for readers of the new one.
            let record = finished.iter().position(|record| record.id == slot.id);
            if let (Status::Done(done), Some(record)) = (&mut slot.status, record) {
                done.record = Some(Box::new(finished.swap_remove(record)));
            }
        }
        self.written(at_ms)
    }

    /// Stores an input that the next run applies.
    pub(crate) fn put_down(&mut self, update: &AnyUpdate, at_ms: u64) -> Result<Vec<Item>, NodeError> {
        self.note_base()?;
        let parent = self.checkpoint;
        let id = self.next_checkpoint(at_ms);
        if parent.is_some() {
            self.step += 1;
        }
        let unfit = |error: &dyn std::error::Error| NodeError(Cause::Encoding(error.to_string()));
        let entries = self.topology.ops.entries(update).map_err(|error| unfit(&error))?;
        let input = update_json(&entries).map_err(|error| unfit(&error))?;
        let checkpoint = Checkpoint {
            id,
            parent,
            step: self.step,
            source: Source::Input,
            results: Vec::new(),
            base: std::mem::take(&mut self.base),
            set: Vec::new(),
            reset: std::mem::take(&mut self.detached),
            plan: Plan::of_input(id, &self.rules.ns, input),
        };
        let mut items = vec![self.item(Record::Checkpoint(checkpoint))];
        if self.rules.ns.is_root() {
            items.push(self.item(Record::End(log::End { status: EndStatus::Drained, error: None })));
        }
        Ok(items)
    }

    /// The records of the step that the slots have made.
    fn written(&mut self, at_ms: u64) -> Result<Vec<Item>, NodeError> {
        // Nothing is started: the caller decides when to continue.
        self.draining = true;
        let mut effects = Vec::new();
        self.complete(Source::Update, at_ms, &mut effects);
        let mut items = Vec::new();
        for effect in effects {
            match effect {
                Effect::Commit { records, .. } => items.extend(records),
                Effect::Finish(end) => {
                    if let End::Failed(failure) = *end {
                        return Err(NodeError::msg(failure.message));
                    }
                }
                Effect::Start { .. } | Effect::Wait { .. } | Effect::Abort => {}
            }
        }
        Ok(items)
    }
}
