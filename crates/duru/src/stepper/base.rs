//! The state that a step begins with, where no row before it says so: at the
//! first checkpoint of a graph, and where a thread went back to an earlier one.

use std::borrow::Cow;

use serde_json::Value;
use serde_json::value::to_raw_value;

use super::Stepper;
use crate::CheckpointId;
use crate::error::{Cause, NodeError};
use crate::state::{ChannelSet, Entry, Merge, Op};

impl Stepper {
    /// Lets the run go on from a checkpoint that is not the thread's last one,
    /// which is `newest`: the next checkpoint comes after that too.
    pub(crate) fn go_back_from(&mut self, newest: Option<CheckpointId>) {
        self.newest = self.newest.max(newest);
        self.detached = true;
    }

    /// Notes what the next checkpoint begins with. To be called before anything
    /// is written to the state.
    pub(super) fn note_base(&mut self) -> Result<(), NodeError> {
        self.base.clear();
        if !self.rules.recording || (self.checkpoint.is_some() && !self.detached) {
            return Ok(());
        }
        let held = if self.detached { self.touched } else { ChannelSet::EMPTY };
        let unfit = |error: &dyn std::error::Error| NodeError(Cause::Encoding(error.to_string()));
        let mut values = self.topology.ops.encode(&self.state).map_err(|error| unfit(&error))?;
        for (position, channel) in self.topology.ops.channels().iter().enumerate() {
            let Some(value) = values.remove(channel.name) else { continue };
            if !held.contains(position) && !is_there_from_the_start(channel.merge, &value) {
                continue;
            }
            let op = if self.ephemeral.contains(position) { Op::Ephemeral } else { Op::Set };
            let value = to_raw_value(&value).map_err(|error| unfit(&error))?;
            self.base.push(Entry(Cow::Borrowed(channel.name), op, value));
            self.touched.insert(position);
        }
        Ok(())
    }
}

/// Whether a field holds a value though nobody has written to it: one whose
/// writes are merged has something to merge them with, and an empty list says
/// more than nothing.
fn is_there_from_the_start(merge: Merge, value: &Value) -> bool {
    match merge {
        Merge::Append | Merge::Messages => true,
        Merge::Computed => !value.is_null(),
        Merge::Last | Merge::Overwrite | Merge::Ephemeral | Merge::Untracked => false,
    }
}
