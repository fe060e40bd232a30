//! Handles: what `Graph::node` gives back, and what edges are made of.

use std::any::Any;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::State;
use crate::state::erased::AnyState;
use crate::state::{Json, Merge};

/// A node of the graph that made this handle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Node {
    pub(crate) graph: u64,
    pub(crate) index: usize,
}

/// A node that takes an input of its own, for [`Worker::send`].
pub struct Worker<T> {
    pub(crate) node: Node,
    pub(crate) input: PhantomData<fn(T)>,
}

impl<T> Clone for Worker<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Worker<T> {}

impl<T> From<Worker<T>> for Node {
    fn from(worker: Worker<T>) -> Self {
        worker.node
    }
}

impl<T> Worker<T>
where
    T: Serialize + DeserializeOwned + Clone + std::marker::Send + Sync + 'static,
{
    /// A task for this node with the given input, in the next step.
    pub fn send(self, input: T) -> Send {
        Send { node: self.node, input: Input::new(input), timeout: None }
    }
}

/// Where an edge may lead: to a node, or to the [`END`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Target(pub(crate) Option<Node>);

/// The end: nothing follows on this branch.
pub const END: Target = Target(None);

impl From<Node> for Target {
    fn from(node: Node) -> Self {
        Self(Some(node))
    }
}

impl<T> From<Worker<T>> for Target {
    fn from(worker: Worker<T>) -> Self {
        Self(Some(worker.node))
    }
}

/// A task with an input of its own. See [`Worker::send`].
#[derive(Clone)]
pub struct Send {
    pub(crate) node: Node,
    pub(crate) input: Input,
    pub(crate) timeout: Option<Duration>,
}

impl Send {
    /// Limits this one task's time, whatever its node's limit is.
    #[must_use]
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.timeout = Some(limit);
        self
    }
}

/// Where a route or a command goes next.
#[derive(Clone)]
pub enum Goto {
    /// To a node, with the state.
    Node(Node),
    /// To a node, with an input of its own.
    Send(Send),
    /// Nowhere.
    End,
}

impl From<Target> for Goto {
    fn from(target: Target) -> Self {
        target.0.map_or(Self::End, Self::Node)
    }
}

impl From<Node> for Goto {
    fn from(node: Node) -> Self {
        Self::Node(node)
    }
}

impl From<Send> for Goto {
    fn from(send: Send) -> Self {
        Self::Send(send)
    }
}

/// What a route may return: one target or send, or several.
pub trait Targets {
    /// As a list.
    fn into_gotos(self) -> Vec<Goto>;
}

impl Targets for Target {
    fn into_gotos(self) -> Vec<Goto> {
        vec![self.into()]
    }
}

impl Targets for Node {
    fn into_gotos(self) -> Vec<Goto> {
        vec![self.into()]
    }
}

impl Targets for Send {
    fn into_gotos(self) -> Vec<Goto> {
        vec![self.into()]
    }
}

impl<T: Into<Goto>> Targets for Vec<T> {
    fn into_gotos(self) -> Vec<Goto> {
        self.into_iter().map(Into::into).collect()
    }
}

impl<T: Into<Goto>, const N: usize> Targets for [T; N] {
    fn into_gotos(self) -> Vec<Goto> {
        self.into_iter().map(Into::into).collect()
    }
}

type Encode = fn(&(dyn Any + std::marker::Send + Sync)) -> Result<Json, serde_json::Error>;

/// A task's own input, kept as its type until it must be stored.
#[derive(Clone)]
pub(crate) struct Input {
    value: Arc<dyn Any + std::marker::Send + Sync>,
    encode: Encode,
}

impl Input {
    pub(crate) fn new<T: Serialize + Clone + std::marker::Send + Sync + 'static>(value: T) -> Self {
        fn encode<T: Serialize + 'static>(
            value: &(dyn Any + std::marker::Send + Sync),
        ) -> Result<Json, serde_json::Error> {
            match value.downcast_ref::<T>() {
                Some(value) => serde_json::value::to_raw_value(value),
                None => serde_json::value::to_raw_value(&()),
            }
        }
        Self { value: Arc::new(value), encode: encode::<T> }
    }

    /// A whole state as an input: what a node that sees the graph's state sees instead of it.
    pub(crate) fn state<S: State>(state: S) -> Self {
        fn encode<S: State>(value: &(dyn Any + std::marker::Send + Sync)) -> Result<Json, serde_json::Error> {
            let mut fields: BTreeMap<&str, Json> = BTreeMap::new();
            if let Some(state) = value.downcast_ref::<S>() {
                for (position, channel) in S::CHANNELS.iter().enumerate() {
                    if channel.merge != Merge::Untracked {
                        fields.insert(channel.name, state.encode(position)?);
                    }
                }
            }
            serde_json::value::to_raw_value(&fields)
        }
        Self { value: Arc::new(state), encode: encode::<S> }
    }

    /// The input itself, whatever it is.
    pub(crate) fn shared(&self) -> AnyState {
        Arc::clone(&self.value)
    }

    pub(crate) fn get<T: Clone + 'static>(&self) -> Option<T> {
        self.value.downcast_ref::<T>().cloned()
    }

    pub(crate) fn to_json(&self) -> Result<Json, serde_json::Error> {
        (self.encode)(&*self.value)
    }
}
