//! A change from outside, as if a node had written. It ends in a new checkpoint
//! and starts nothing.

use std::borrow::Cow;

use super::slot::{Slot, Status};
use super::{Effect, Item, Stepper};
use crate::error::NodeError;
use crate::graph::Replied;
use crate::log::{Begin, Record, Source};
use crate::state::erased::AnyUpdate;
use crate::state::{Entry, Op};
use crate::{CheckpointId, TaskId};

/// A change from outside.
pub(crate) struct Change {
    /// Who changes what; its first record.
    pub(crate) begin: Begin,
    /// Whether the checkpoint that the run stands at is not the thread's last one.
    pub(crate) goes_back: bool,
    pub(crate) at_ms: u64,
}

impl Stepper {
    /// Writes as if `node` had, and plans what follows from it. What was
    /// planned before is given up.
    pub(crate) fn edit(
        &mut self,
        node: usize,
        update: AnyUpdate,
        change: Change,
    ) -> Result<Vec<Item>, NodeError> {
        let id = self.checkpoint.unwrap_or(CheckpointId::from_u128(0));
        let task = TaskId::derive(id, &self.rules.ns, &self.topology.node(node).name, usize::MAX);
        self.slots = vec![Slot::new(task, node)];
        let finished = self.accept(0, Replied { updates: vec![update], ..Replied::default() }, false)?;
        self.slots[0].status = Status::Done(finished);
        let mut effects = Vec::new();
        // Nothing is started: whoever edits decides when to go on.
        self.draining = true;
        self.complete(Source::Update, change.at_ms, &mut effects);
        let mut items = vec![self.item(Record::Begin(change.begin))];
        items.extend(records(effects));
        if change.goes_back {
            self.make_whole(&mut items)?;
        }
        Ok(items)
    }

    /// Lets a checkpoint say the whole state, for those who read the log past
    /// the rows that it does not follow from.
    fn make_whole(&mut self, items: &mut [Item]) -> Result<(), NodeError> {
        let ops = &self.topology.ops;
        let mut values = ops.encode(&self.state)?;
        let mut set = Vec::new();
        for (position, channel) in ops.channels().iter().enumerate() {
            let value = values.remove(channel.name).filter(|_| self.touched.contains(position));
            let Some(value) = value else { continue };
            let op = if self.ephemeral.contains(position) { Op::Ephemeral } else { Op::Set };
            set.push(Entry(Cow::Borrowed(channel.name), op, serde_json::value::to_raw_value(&value)?));
        }
        for item in items {
            if let Record::Checkpoint(checkpoint) = &mut item.logged.record {
                checkpoint.reset = true;
                checkpoint.set = std::mem::take(&mut set);
            }
        }
        Ok(())
    }
}

impl Stepper {
    /// Lets the next checkpoint be greater than this one too.
    pub(crate) fn not_before(&mut self, newest: Option<CheckpointId>) {
        self.newest = self.newest.max(newest);
    }
}

fn records(effects: Vec<Effect>) -> Vec<Item> {
    let commits = effects.into_iter().filter_map(|effect| match effect {
        Effect::Commit { records, .. } => Some(records),
        _ => None,
    });
    commits.flatten().collect()
}
