//! A write as it is stored: which channel, how to apply it without the Rust
//! type, and the value. A store file can be read by tools that know no graph.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{ChannelSet, Json, Merge, State, Update};

/// How a stored write changes a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Op {
    /// Replace the value.
    #[serde(rename = "=")]
    Set,
    /// Append the items.
    #[serde(rename = "+")]
    Append,
    /// Merge the messages by id.
    #[serde(rename = "m")]
    Messages,
    /// Replace the value until the next step ends.
    #[serde(rename = "e")]
    Ephemeral,
    /// Shown to people only: the resulting value is stored with the checkpoint.
    #[serde(rename = "~")]
    Computed,
    /// Like [`Op::Computed`], and the write bypassed the channel's merge.
    #[serde(rename = "!")]
    Overwrite,
}

/// One write of one task to one channel.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Entry(pub Cow<'static, str>, pub Op, pub Json);

impl Entry {
    /// The channel.
    pub fn channel(&self) -> &str {
        &self.0
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 && self.1 == other.1 && self.2.get() == other.2.get()
    }
}

/// What an update writes, less what is never stored.
pub(crate) fn entries_of<S: State>(update: &S::Update) -> Result<Vec<Entry>, super::FieldError> {
    let overwritten = update.overwritten();
    let mut entries = Vec::with_capacity(2);
    for channel in update.written().iter() {
        let Channel { name, merge } = S::CHANNELS[channel];
        let op = match merge {
            Merge::Untracked => continue,
            _ if overwritten.contains(channel) => Op::Overwrite,
            Merge::Last | Merge::Overwrite => Op::Set,
            Merge::Append => Op::Append,
            Merge::Messages => Op::Messages,
            Merge::Ephemeral => Op::Ephemeral,
            Merge::Computed => Op::Computed,
        };
        let value = update.encode(channel).map_err(|source| super::FieldError { field: name, source })?;
        entries.push(Entry(Cow::Borrowed(name), op, value));
    }
    Ok(entries)
}

/// The update that [`entries_of`] was made from.
pub(crate) fn update_of<S: State>(entries: &[Entry]) -> Result<S::Update, serde_json::Error> {
    serde_json::from_str(update_json(entries)?.get())
}

/// The same as JSON.
pub(crate) fn update_json(entries: &[Entry]) -> Result<Json, serde_json::Error> {
    let mut text = String::from("{");
    for Entry(channel, op, value) in entries {
        if text.len() > 1 {
            text.push(',');
        }
        text.push_str(&serde_json::to_string(channel)?);
        text.push(':');
        match op {
            Op::Overwrite => {
                text.push_str("{\"__overwrite__\":");
                text.push_str(value.get());
                text.push('}');
            }
            _ => text.push_str(value.get()),
        }
    }
    text.push('}');
    RawValue::from_string(text)
}

/// The writes that [`update_json`] was made from, as far as an update needs them:
/// how each is applied is the field's to say.
pub(crate) fn entries_of_json(json: &str) -> Result<Vec<Entry>, serde_json::Error> {
    let written: BTreeMap<String, Json> = serde_json::from_str(json)?;
    Ok(written.into_iter().map(|(channel, value)| Entry(Cow::Owned(channel), Op::Set, value)).collect())
}

/// The values that entries alone can't give: computed and overwritten channels.
pub(crate) fn computed<S: State>(
    state: &S,
    written: ChannelSet,
    overwritten: ChannelSet,
) -> Result<Vec<Entry>, super::FieldError> {
    let mut entries = Vec::new();
    for channel in written.iter() {
        let Channel { name, merge } = S::CHANNELS[channel];
        if merge == Merge::Computed || (overwritten.contains(channel) && merge != Merge::Untracked) {
            let value = state.encode(channel).map_err(|source| super::FieldError { field: name, source })?;
            entries.push(Entry(Cow::Borrowed(name), Op::Set, value));
        }
    }
    Ok(entries)
}

use super::Channel;
