//! A state rebuilt from stored writes without its Rust type.

use std::collections::HashMap;

use duru_messages::json as messages;
use serde_json::{Map, Value};

use super::{Entry, Op};

/// The channels of a thread as JSON, folded from the log.
///
/// Streams, history and tools read threads through this; a run decodes it into
/// its own type once, when it opens a thread.
#[derive(Debug, Clone, Default)]
pub struct JsonState {
    channels: Map<String, Value>,
    /// Where each message of a message channel stands, so that merging stays O(1).
    messages: HashMap<String, messages::Index>,
    /// Channels whose value ends with the next step, unless written again.
    ephemeral: Vec<String>,
}

/// A stored write that does not fit what it is applied to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("channel {channel:?}: {reason}")]
pub struct FoldError {
    /// The channel.
    pub channel: String,
    /// What does not fit.
    pub reason: String,
}

impl JsonState {
    /// A state of stored channel values.
    pub fn new(channels: Map<String, Value>) -> Self {
        Self { channels, ..Self::default() }
    }

    /// The state that a step begins with.
    pub(crate) fn starting_with(base: &[Entry]) -> Result<Self, FoldError> {
        let mut state = Self::default();
        state.apply_step([], base)?;
        Ok(state)
    }

    /// Applies one step: the writes of its tasks in order, then the values that
    /// were computed from them.
    pub fn apply_step<'a>(
        &mut self,
        writes: impl IntoIterator<Item = &'a Entry>,
        computed: &[Entry],
    ) -> Result<(), FoldError> {
        let fading = std::mem::take(&mut self.ephemeral);
        let mut written = Vec::new();
        for entry in writes {
            if computed.iter().any(|set| set.0 == entry.0) {
                continue;
            }
            self.apply(entry)?;
            if entry.1 == Op::Ephemeral {
                written.push(entry.0.to_string());
            }
        }
        for entry in computed {
            self.apply(entry)?;
            if entry.1 == Op::Ephemeral {
                written.push(entry.0.to_string());
            }
        }
        for channel in fading {
            if !written.contains(&channel) {
                self.channels.remove(&channel);
            }
        }
        self.ephemeral = written;
        Ok(())
    }

    fn apply(&mut self, Entry(channel, op, raw): &Entry) -> Result<(), FoldError> {
        let fail = |reason: String| FoldError { channel: channel.to_string(), reason };
        let value: Value = serde_json::from_str(raw.get()).map_err(|e| fail(e.to_string()))?;
        match op {
            Op::Set | Op::Ephemeral => {
                self.messages.remove(channel.as_ref());
                self.channels.insert(channel.to_string(), value);
            }
            Op::Append | Op::Messages => {
                let Value::Array(new) = value else {
                    return Err(fail("a list was expected".into()));
                };
                let slot = self.channels.entry(channel.as_ref()).or_insert_with(|| Value::Array(Vec::new()));
                let Value::Array(list) = slot else {
                    return Err(fail("the stored value is no list".into()));
                };
                if *op == Op::Append {
                    list.extend(new);
                } else {
                    let index = self.messages.entry(channel.to_string()).or_default();
                    messages::apply(list, index, new);
                }
            }
            Op::Computed | Op::Overwrite => {}
        }
        Ok(())
    }

    /// The channels' values.
    pub fn channels(&self) -> &Map<String, Value> {
        &self.channels
    }

    /// The channels' values, given up.
    pub fn into_channels(self) -> Map<String, Value> {
        self.channels
    }

    /// The channels whose values end with the next step.
    pub(crate) fn ephemeral(&self) -> &[String] {
        &self.ephemeral
    }

    /// Marks channels whose values end with the next step, as a snapshot had them.
    pub(crate) fn set_ephemeral(&mut self, channels: Vec<String>) {
        self.ephemeral = channels;
    }
}
