//! A compiled graph: immutable, shared by all of its runs, without type
//! parameters, so that one stepper drives graphs of any state.

use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use super::command::Replied;
use super::node::{Goto, Input};
use super::policy::Policy;
use crate::cx::Cx;
use crate::error::{Error, NodeError};
use crate::outcome::NodeFailure;
use crate::state::erased::{AnyState, AnyUpdate, StateOps};

pub(crate) type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// What a task is given: the state, or an input of its own.
pub(crate) enum Given {
    State(AnyState),
    Own(Input),
}

pub(crate) type Function = Arc<dyn Fn(Given, Cx) -> BoxFuture<Result<Replied, NodeError>> + Send + Sync>;
pub(crate) type Handler =
    Arc<dyn Fn(AnyState, NodeFailure, Cx) -> BoxFuture<Result<Replied, NodeError>> + Send + Sync>;
pub(crate) type Decode = fn(&serde_json::value::RawValue) -> Result<Input, serde_json::Error>;

/// What a node does.
#[derive(Clone)]
pub(crate) enum Work {
    Function(Function),
    Subgraph(Subgraph),
}

/// A graph inside a node.
#[derive(Clone)]
pub(crate) struct Subgraph {
    pub(crate) topology: Arc<Topology>,
    pub(crate) sharing: Sharing,
}

/// What a subgraph has in common with the graph around it.
#[derive(Clone)]
pub(crate) enum Sharing {
    /// The same state: it starts with the parent's, and its updates are made to the parent's in order.
    Same,
    /// Nothing: an input is made from the parent's state, and a reply from its final state.
    Own { enter: Enter, leave: Leave },
}

pub(crate) type Enter = Arc<dyn Fn(&AnyState) -> Result<AnyUpdate, NodeError> + Send + Sync>;
pub(crate) type Leave = Arc<dyn Fn(AnyState) -> Result<Replied, NodeError> + Send + Sync>;

pub(crate) struct NodeSpec {
    pub(crate) name: Arc<str>,
    pub(crate) work: Work,
    pub(crate) exits: Exits,
    pub(crate) policy: Policy,
    pub(crate) deferred: bool,
    pub(crate) handler: Option<Handler>,
    /// Reads an input of its own; for nodes that see the state, a state.
    pub(crate) decode: Decode,
    /// Whether it can be reached by an edge, i.e. can make its input from the state.
    pub(crate) takes_state: bool,
    /// Where its commands may go.
    pub(crate) may_go: Vec<usize>,
    /// Whether they may also go to the end.
    pub(crate) may_end: bool,
    /// How its results are found again, if they are kept.
    pub(crate) cache: Option<CacheKey>,
}

/// Makes a key of what a task is given; none for an input of another type.
pub(crate) type KeyOf = Arc<dyn Fn(&Given) -> Option<String> + Send + Sync>;

/// How a node's results are found again.
#[derive(Clone)]
pub(crate) struct CacheKey {
    pub(crate) key: KeyOf,
    pub(crate) ttl: Option<Duration>,
}

/// What follows a node.
#[derive(Default, Clone)]
pub(crate) struct Exits {
    pub(crate) fixed: Vec<usize>,
    pub(crate) routes: Vec<Route>,
    /// Barriers that wait for it: which, and as which of their sources.
    pub(crate) barriers: Vec<(usize, usize)>,
}

pub(crate) type Pick = Arc<dyn Fn(&AnyState) -> Vec<Goto> + Send + Sync>;

#[derive(Clone)]
pub(crate) struct Route {
    pub(crate) targets: Vec<usize>,
    pub(crate) may_end: bool,
    pub(crate) pick: Pick,
}

/// An edge that waits for all of its sources.
pub(crate) struct Barrier {
    pub(crate) key: String,
    pub(crate) sources: Vec<usize>,
    pub(crate) target: usize,
}

/// Nodes before or after which runs pause.
#[derive(Debug, Clone, Default)]
pub(crate) struct Breakpoints {
    pub(crate) before: Vec<usize>,
    pub(crate) after: Vec<usize>,
}

pub(crate) struct Topology {
    /// Which builder's handles are of this graph.
    pub(crate) id: u64,
    pub(crate) name: Arc<str>,
    pub(crate) ops: Arc<dyn StateOps>,
    pub(crate) nodes: Vec<NodeSpec>,
    pub(crate) by_name: HashMap<Arc<str>, usize>,
    /// The position of each node in the order of names, in which tasks run and writes fold.
    pub(crate) rank: Vec<usize>,
    pub(crate) start: Exits,
    pub(crate) barriers: Vec<Barrier>,
    pub(crate) breakpoints: Breakpoints,
}

impl Topology {
    pub(crate) fn node(&self, index: usize) -> &NodeSpec {
        &self.nodes[index]
    }

    pub(crate) fn index_of(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The node of a name, or an error that lists those there are.
    pub(crate) fn find(&self, name: &str) -> Result<usize, Error> {
        self.index_of(name).ok_or_else(|| {
            let known: Vec<&str> = self.names().collect();
            let reason = format!("there is no node {name:?}; there are: {}", known.join(", "));
            Error::Input { graph: self.name.to_string(), reason }
        })
    }

    /// The nodes' names in task order, for messages to people.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let sorted: BTreeMap<&str, ()> = self.nodes.iter().map(|node| (&*node.name, ())).collect();
        sorted.into_keys()
    }
}
