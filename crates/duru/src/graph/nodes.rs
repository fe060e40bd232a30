//! Adding nodes: functions, workers and whole graphs.

use std::future::Future;
use std::marker::PhantomData;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::builder::Graph;
use super::topology::{self, Exits, Given, NodeSpec, Sharing, Subgraph, Work};
use super::{Input, Node, Policy, Replied, Reply, Worker, replied};
use crate::State;
use crate::compiled::Compiled;
use crate::cx::Cx;
use crate::error::{NodeError, Result};
use crate::state::erased::AnyState;

impl<S: State, I: 'static, O: 'static> Graph<S, I, O> {
    /// Adds a node: an async function from the state to what it changes.
    pub fn node<F, Fut, R>(&mut self, name: &str, function: F) -> Node
    where
        F: Fn(Arc<S>, Cx) -> Fut + std::marker::Send + Sync + 'static,
        Fut: Future<Output = Result<R>> + std::marker::Send + 'static,
        R: Reply<S> + 'static,
    {
        let function = Arc::new(move |given: Given, cx: Cx| -> topology::BoxFuture<Result<Replied>> {
            let state = match given {
                Given::State(state) => state,
                Given::Own(input) => input.shared(),
            };
            let Ok(state) = state.downcast::<S>() else { return wrong_input() };
            let future = function(state, cx);
            Box::pin(async move { Ok(replied(future.await?)) })
        });
        self.push(name, Work::Function(function), own_state::<S>, true)
    }

    /// Adds a node that sees the state through a view of its own type, and that
    /// can be sent inputs of that type too.
    pub fn node_with<T, F, Fut, R>(
        &mut self,
        name: &str,
        view: impl Fn(&S) -> T + std::marker::Send + Sync + 'static,
        function: F,
    ) -> Worker<T>
    where
        T: Serialize + DeserializeOwned + Clone + std::marker::Send + Sync + 'static,
        F: Fn(T, Cx) -> Fut + std::marker::Send + Sync + 'static,
        Fut: Future<Output = Result<R>> + std::marker::Send + 'static,
        R: Reply<S> + 'static,
    {
        self.push_worker(name, Some(Box::new(view)), function)
    }

    /// Adds a node that is only run by [`Worker::send`], with an input of its own.
    pub fn worker<T, F, Fut, R>(&mut self, name: &str, function: F) -> Worker<T>
    where
        T: Serialize + DeserializeOwned + Clone + std::marker::Send + Sync + 'static,
        F: Fn(T, Cx) -> Fut + std::marker::Send + Sync + 'static,
        Fut: Future<Output = Result<R>> + std::marker::Send + 'static,
        R: Reply<S> + 'static,
    {
        self.push_worker(name, None, function)
    }

    #[allow(clippy::type_complexity)]
    fn push_worker<T, F, Fut, R>(
        &mut self,
        name: &str,
        view: Option<Box<dyn Fn(&S) -> T + std::marker::Send + Sync>>,
        function: F,
    ) -> Worker<T>
    where
        T: Serialize + DeserializeOwned + Clone + std::marker::Send + Sync + 'static,
        F: Fn(T, Cx) -> Fut + std::marker::Send + Sync + 'static,
        Fut: Future<Output = Result<R>> + std::marker::Send + 'static,
        R: Reply<S> + 'static,
    {
        let takes_state = view.is_some();
        let function = Arc::new(move |given: Given, cx: Cx| -> topology::BoxFuture<Result<Replied>> {
            let input = match (given, &view) {
                (Given::Own(input), _) => input.get::<T>(),
                (Given::State(state), Some(view)) => state.downcast_ref::<S>().map(view),
                (Given::State(_), None) => None,
            };
            let Some(input) = input else { return wrong_input() };
            let future = function(input, cx);
            Box::pin(async move { Ok(replied(future.await?)) })
        });
        let decode: topology::Decode = |raw| serde_json::from_str::<T>(raw.get()).map(Input::new);
        let node = self.push(name, Work::Function(function), decode, takes_state);
        Worker { node, input: PhantomData }
    }

    /// Puts a graph of the same state into a node: it starts with this graph's
    /// state, and what its nodes wrote is written to this graph's state, in order.
    pub fn embed<J, P>(&mut self, name: &str, graph: &Compiled<S, J, P>) -> Node {
        let subgraph = Subgraph { topology: graph.topology(), sharing: Sharing::Same };
        self.push(name, Work::Subgraph(subgraph), own_state::<S>, true)
    }

    /// Puts a graph of another state into a node: `enter` makes its input from
    /// this graph's state, `leave` makes what the node returns from its output.
    pub fn subgraph<C, J, P, R>(
        &mut self,
        name: &str,
        graph: &Compiled<C, J, P>,
        enter: impl Fn(&S) -> J + std::marker::Send + Sync + 'static,
        leave: impl Fn(P) -> R + std::marker::Send + Sync + 'static,
    ) -> Node
    where
        C: State,
        J: 'static,
        P: 'static,
        R: Reply<S>,
    {
        let (open, close) = (graph.entrance(), graph.exit());
        let enter: topology::Enter = Arc::new(move |state: &AnyState| match state.downcast_ref::<S>() {
            Some(state) => Ok(Box::new(open(enter(state)))),
            None => Err(NodeError::msg("the state is of another type")),
        });
        let leave: topology::Leave = Arc::new(move |state: AnyState| match state.downcast::<C>() {
            Ok(state) => Ok(replied(leave(close(state)))),
            Err(_) => Err(NodeError::msg("the subgraph's state is of another type")),
        });
        let subgraph = Subgraph { topology: graph.topology(), sharing: Sharing::Own { enter, leave } };
        self.push(name, Work::Subgraph(subgraph), own_state::<S>, true)
    }

    fn push(&mut self, name: &str, work: Work, decode: topology::Decode, takes_state: bool) -> Node {
        let index = self.nodes.len();
        self.nodes.push(NodeSpec {
            name: name.into(),
            work,
            exits: Exits::default(),
            policy: Policy::default(),
            deferred: false,
            handler: None,
            decode,
            takes_state,
            may_go: Vec::new(),
            may_end: false,
            cache: None,
        });
        Node { graph: self.id, index }
    }
}

/// A state for a node that sees the graph's state otherwise: what is not said is
/// as it is at the start.
fn own_state<S: State>(json: &RawValue) -> Result<Input, serde_json::Error> {
    let fields: serde_json::Map<String, serde_json::Value> = serde_json::from_str(json.get())?;
    let known = |name: &&str| S::CHANNELS.iter().any(|channel| channel.name == *name);
    if let Some(unknown) = fields.keys().map(String::as_str).find(|name| !known(name)) {
        let names: Vec<&str> = S::CHANNELS.iter().map(|channel| channel.name).collect();
        let text = format!("the state has no field {unknown:?}; there are: {}", names.join(", "));
        return Err(serde::de::Error::custom(text));
    }
    S::decode(fields).map(Input::state).map_err(serde::de::Error::custom)
}

/// A task was given what its node can't take. The builder's types rule it out;
/// a stored plan of another graph's version could still do it.
pub(super) fn wrong_input() -> topology::BoxFuture<Result<Replied>> {
    Box::pin(async { Err(NodeError::fatal("the node was given an input of another type")) })
}
