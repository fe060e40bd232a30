//! A state is a struct whose fields are channels; each declares how it merges.

mod channel;
mod entry;
pub(crate) mod erased;
mod json;

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

pub use channel::{Channel, ChannelSet, Merge};
pub use entry::{Entry, Op};
pub(crate) use entry::{entries_of_json, update_json};
pub use json::{FoldError, JsonState};

/// A JSON text that was checked when it was made.
pub type Json = Box<RawValue>;

/// The state of a graph. Implemented by `#[derive(State)]`, never by hand.
///
/// ```
/// use duru::State;
///
/// #[derive(State, Clone)]
/// struct Review {
///     #[merge(append)]
///     notes: Vec<String>,
///     sure: bool,
/// }
///
/// let mut review = <Review as State>::initial();
/// review.fold(ReviewUpdate { notes: vec!["short".into()], ..Default::default() }, Default::default());
/// review.fold(ReviewUpdate::new().notes(vec!["good".to_string()]).sure(true), Default::default());
/// assert_eq!(review.notes, ["short", "good"]);
/// assert!(review.sure);
/// ```
pub trait State: Clone + Send + Sync + 'static {
    /// What a node returns: only the fields that it changes.
    type Update: Update;

    /// The fields, in order of declaration.
    const CHANNELS: &'static [Channel];

    /// The state before anything was written: every field's default.
    fn initial() -> Self;

    /// Merges one update. Channels in `skip` are left alone (another task of the
    /// same step overwrote them). Infallible: conflicts were refused before.
    fn fold(&mut self, update: Self::Update, skip: ChannelSet);

    /// Sets the given channels back to their defaults.
    fn reset(&mut self, channels: ChannelSet);

    /// One channel's value as JSON.
    fn encode(&self, channel: usize) -> Result<Json, serde_json::Error>;

    /// The state of stored channel values. A field without a value gets its default;
    /// values of fields that no longer exist are passed over.
    fn decode(values: serde_json::Map<String, serde_json::Value>) -> Result<Self, FieldError>;

    /// The JSON schema of the whole state.
    fn schema(generator: &mut SchemaGenerator) -> Schema;
}

/// A change of some fields of a state. Implemented by `#[derive(State)]`.
///
/// As JSON: an object; an absent field is untouched, `null` sets it back to its
/// default, and `{"__overwrite__": v}` bypasses the way the field merges.
pub trait Update:
    Default + Clone + Send + Sync + Serialize + DeserializeOwned + JsonSchema + 'static
{
    /// The channels that this update writes.
    fn written(&self) -> ChannelSet;

    /// Those of them whose value replaces the old one whatever their merge.
    fn overwritten(&self) -> ChannelSet;

    /// Gives an id to every message that has none, so that it can be replaced
    /// or removed later.
    fn assign_ids(&mut self, new_id: &mut dyn FnMut() -> String);

    /// Leaves these channels out, as if they had never been written.
    fn forget(&mut self, channels: ChannelSet);

    /// What it writes to a channel, as JSON; [`Update::written`] says which.
    fn encode(&self, channel: usize) -> Result<Json, serde_json::Error>;
}

/// A stored value that does not fit its field any more.
#[derive(Debug)]
pub struct FieldError {
    /// The field.
    pub field: &'static str,
    /// What did not fit.
    pub source: serde_json::Error,
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "field {:?} can't be read: {}", self.field, self.source)
    }
}

impl std::error::Error for FieldError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

/// Which fields of an update bypass their merge; a field of every derived update.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Overwrites(pub(crate) ChannelSet);

impl Overwrites {
    /// Marks a channel.
    pub fn mark(&mut self, channel: usize) {
        self.0.insert(channel);
    }

    /// Takes marks away.
    pub fn forget(&mut self, channels: ChannelSet) {
        self.0 = self.0.difference(channels);
    }

    /// The marked channels.
    pub fn channels(self) -> ChannelSet {
        self.0
    }
}
