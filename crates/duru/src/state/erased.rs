//! A state whose type is not in the signature: behind `compile`, graphs of
//! different states are driven by one stepper.

use std::any::Any;
use std::marker::PhantomData;
use std::sync::Arc;

use schemars::{SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value};

use super::entry::{computed, entries_of, update_of};
use super::{Channel, ChannelSet, Entry, FieldError, Merge, State, Update};
use crate::TaskId;

/// A shared state of some type.
pub(crate) type AnyState = Arc<dyn Any + Send + Sync>;
/// An update of some type.
pub(crate) type AnyUpdate = Box<dyn Any + Send>;

/// An update met a state of another type: a graph was put together wrongly,
/// e.g. a command to a parent with another state.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("an update of another state's type was given to state {state}")]
pub(crate) struct WrongType {
    pub(crate) state: &'static str,
}

/// What the stepper asks of a state type.
pub(crate) trait StateOps: Send + Sync {
    fn channels(&self) -> &'static [Channel];
    fn initial(&self) -> AnyState;
    /// The channels that an update writes, and those that it overwrites.
    fn reach(&self, update: &AnyUpdate) -> Result<(ChannelSet, ChannelSet), WrongType>;
    fn fold(&self, state: &mut AnyState, update: AnyUpdate, skip: ChannelSet) -> Result<(), WrongType>;
    fn copy_update(&self, update: &AnyUpdate) -> Result<AnyUpdate, WrongType>;
    /// Leaves channels out of an update.
    fn forget(&self, update: &mut AnyUpdate, channels: ChannelSet) -> Result<(), WrongType>;
    /// Gives ids to messages without one, the same for every try of a task.
    fn assign_ids(&self, update: &mut AnyUpdate, task: TaskId);
    fn reset(&self, state: &mut AnyState, channels: ChannelSet);
    fn entries(&self, update: &AnyUpdate) -> Result<Vec<Entry>, FieldError>;
    fn update(&self, entries: &[Entry]) -> Result<AnyUpdate, serde_json::Error>;
    fn computed(
        &self,
        state: &AnyState,
        written: ChannelSet,
        overwritten: ChannelSet,
    ) -> Result<Vec<Entry>, FieldError>;
    fn encode(&self, state: &AnyState) -> Result<Map<String, Value>, FieldError>;
    fn decode(&self, values: Map<String, Value>) -> Result<AnyState, FieldError>;
    /// What the state looks like, as a JSON schema.
    fn schema(&self) -> Value;
}

pub(crate) struct Ops<S>(PhantomData<fn() -> S>);

impl<S> Ops<S> {
    pub(crate) fn new() -> Self {
        Self(PhantomData)
    }
}

fn wrong<S>() -> WrongType {
    WrongType { state: std::any::type_name::<S>() }
}

/// The state as its type, copied only when somebody else still holds it: a
/// subscriber or a node's leftover may look at the old value for ever.
fn unique<S: State>(state: &mut AnyState) -> Option<&mut S> {
    if Arc::get_mut(state).is_none() {
        let copy = state.downcast_ref::<S>()?.clone();
        *state = Arc::new(copy);
    }
    Arc::get_mut(state)?.downcast_mut::<S>()
}

impl<S: State> StateOps for Ops<S> {
    fn channels(&self) -> &'static [Channel] {
        S::CHANNELS
    }

    fn initial(&self) -> AnyState {
        Arc::new(S::initial())
    }

    fn reach(&self, update: &AnyUpdate) -> Result<(ChannelSet, ChannelSet), WrongType> {
        let update = update.downcast_ref::<S::Update>().ok_or_else(wrong::<S>)?;
        Ok((update.written(), update.overwritten()))
    }

    fn fold(&self, state: &mut AnyState, update: AnyUpdate, skip: ChannelSet) -> Result<(), WrongType> {
        let update = update.downcast::<S::Update>().map_err(|_| wrong::<S>())?;
        unique::<S>(state).ok_or_else(wrong::<S>)?.fold(*update, skip);
        Ok(())
    }

    fn copy_update(&self, update: &AnyUpdate) -> Result<AnyUpdate, WrongType> {
        let update = update.downcast_ref::<S::Update>().ok_or_else(wrong::<S>)?;
        Ok(Box::new(update.clone()))
    }

    fn forget(&self, update: &mut AnyUpdate, channels: ChannelSet) -> Result<(), WrongType> {
        update.downcast_mut::<S::Update>().ok_or_else(wrong::<S>)?.forget(channels);
        Ok(())
    }

    fn assign_ids(&self, update: &mut AnyUpdate, task: TaskId) {
        let Some(update) = update.downcast_mut::<S::Update>() else { return };
        let mut count = 0u64;
        update.assign_ids(&mut || {
            count += 1;
            TaskId::message(task, count)
        });
    }

    fn reset(&self, state: &mut AnyState, channels: ChannelSet) {
        if let Some(state) = unique::<S>(state) {
            state.reset(channels);
        }
    }

    fn entries(&self, update: &AnyUpdate) -> Result<Vec<Entry>, FieldError> {
        match update.downcast_ref::<S::Update>() {
            Some(update) => entries_of::<S>(update),
            None => Ok(Vec::new()),
        }
    }

    fn update(&self, entries: &[Entry]) -> Result<AnyUpdate, serde_json::Error> {
        Ok(Box::new(update_of::<S>(entries)?))
    }

    fn computed(
        &self,
        state: &AnyState,
        written: ChannelSet,
        overwritten: ChannelSet,
    ) -> Result<Vec<Entry>, FieldError> {
        match state.downcast_ref::<S>() {
            Some(state) => computed(state, written, overwritten),
            None => Ok(Vec::new()),
        }
    }

    fn encode(&self, state: &AnyState) -> Result<Map<String, Value>, FieldError> {
        let mut values = Map::new();
        let Some(state) = state.downcast_ref::<S>() else { return Ok(values) };
        for (i, Channel { name, merge }) in S::CHANNELS.iter().enumerate() {
            if *merge == Merge::Untracked {
                continue;
            }
            let field = |source| FieldError { field: name, source };
            let json = state.encode(i).map_err(field)?;
            values.insert((*name).to_owned(), serde_json::from_str(json.get()).map_err(field)?);
        }
        Ok(values)
    }

    fn decode(&self, values: Map<String, Value>) -> Result<AnyState, FieldError> {
        Ok(Arc::new(S::decode(values)?))
    }

    fn schema(&self) -> Value {
        state_schema::<S>()
    }
}

/// The JSON schema of a state, with what it refers to.
pub(crate) fn state_schema<S: State>() -> Value {
    let mut generator: SchemaGenerator = SchemaSettings::draft2020_12().into_generator();
    let mut schema = S::schema(&mut generator).to_value();
    let definitions = generator.take_definitions(true);
    if let (Value::Object(schema), false) = (&mut schema, definitions.is_empty()) {
        schema.insert("$defs".into(), Value::Object(definitions));
    }
    schema
}
