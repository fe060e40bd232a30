//! Building a graph: nodes give handles, edges connect handles.

mod command;
mod compile;
mod draw;
mod node;
mod policy;
pub(crate) mod topology;

use std::future::Future;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use command::{Command, Reply};
pub(crate) use command::{ParentCommand, Replied, replied};
pub(crate) use compile::breakpoints;
pub use compile::{CompileError, Problem};
pub(crate) use node::Input;
pub use node::{END, Goto, Node, Send, Target, Targets, Worker};
pub use policy::{Policy, Retry};
use topology::{Barrier, Breakpoints, Exits, Given, NodeSpec, Route, Sharing, Subgraph, Topology, Work};

use crate::State;
use crate::compiled::Compiled;
use crate::cx::Cx;
use crate::error::{NodeError, Result};
use crate::outcome::NodeFailure;
use crate::state::erased::{AnyState, Ops};

/// A graph under construction.
///
/// `I` is what a run is given (by default an update of the state), `O` what it
/// gives back (by default the whole state, shared).
///
/// ```
/// use duru::{Cx, END, Graph, Result, State};
/// use std::sync::Arc;
///
/// #[derive(State, Clone)]
/// struct Count { n: u32 }
///
/// async fn add(s: Arc<Count>, _: Cx) -> Result<CountUpdate> {
///     Ok(CountUpdate::new().n(s.n + 1))
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut g = Graph::<Count>::new("count");
/// let add = g.node("add", add);
/// g.start(add);
/// g.route(add, [add.into(), END], move |s: &Count| if s.n < 3 { add.into() } else { END });
/// let graph = g.compile()?;
/// let end = graph.invoke(CountUpdate::new()).await?.done()?;
/// assert_eq!(end.n, 3);
/// # Ok(()) }
/// ```
pub struct Graph<S: State, I = <S as State>::Update, O = Arc<S>> {
    id: u64,
    name: String,
    nodes: Vec<NodeSpec>,
    start: Exits,
    barriers: Vec<Barrier>,
    before: Vec<usize>,
    after: Vec<usize>,
    problems: Vec<Problem>,
    enter: Arc<dyn Fn(I) -> S::Update + std::marker::Send + Sync>,
    leave: Arc<dyn Fn(Arc<S>) -> O + std::marker::Send + Sync>,
    state: PhantomData<fn() -> S>,
}

impl<S: State> Graph<S> {
    /// An empty graph.
    pub fn new(name: impl Into<String>) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            name: name.into(),
            nodes: Vec::new(),
            start: Exits::default(),
            barriers: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
            problems: Vec::new(),
            enter: Arc::new(|update| update),
            leave: Arc::new(|state| state),
            state: PhantomData,
        }
    }
}

impl<S: State, I: 'static, O: 'static> Graph<S, I, O> {
    /// Gives the graph an input type of its own.
    pub fn input<J: 'static>(
        self,
        enter: impl Fn(J) -> S::Update + std::marker::Send + Sync + 'static,
    ) -> Graph<S, J, O> {
        self.with(Arc::new(enter), |leave| leave)
    }

    /// Gives the graph an output type of its own.
    pub fn output<P: 'static>(
        self,
        leave: impl Fn(&S) -> P + std::marker::Send + Sync + 'static,
    ) -> Graph<S, I, P> {
        let enter = Arc::clone(&self.enter);
        self.with(enter, |_| Arc::new(move |state: Arc<S>| leave(&state)))
    }

    #[allow(clippy::type_complexity)]
    fn with<J, P>(
        self,
        enter: Arc<dyn Fn(J) -> S::Update + std::marker::Send + Sync>,
        leave: impl FnOnce(
            Arc<dyn Fn(Arc<S>) -> O + std::marker::Send + Sync>,
        ) -> Arc<dyn Fn(Arc<S>) -> P + std::marker::Send + Sync>,
    ) -> Graph<S, J, P> {
        Graph {
            id: self.id,
            name: self.name,
            nodes: self.nodes,
            start: self.start,
            barriers: self.barriers,
            before: self.before,
            after: self.after,
            problems: self.problems,
            enter,
            leave: leave(self.leave),
            state: PhantomData,
        }
    }

    /// Adds a node: an async function from the state to what it changes.
    pub fn node<F, Fut, R>(&mut self, name: &str, function: F) -> Node
    where
        F: Fn(Arc<S>, Cx) -> Fut + std::marker::Send + Sync + 'static,
        Fut: Future<Output = Result<R>> + std::marker::Send + 'static,
        R: Reply<S> + 'static,
    {
        let function = Arc::new(move |given: Given, cx: Cx| -> topology::BoxFuture<Result<Replied>> {
            let Given::State(state) = given else { return wrong_input() };
            let Ok(state) = state.downcast::<S>() else { return wrong_input() };
            let future = function(state, cx);
            Box::pin(async move { Ok(replied(future.await?)) })
        });
        self.push(name, Work::Function(function), None, true)
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
        let node = self.push(name, Work::Function(function), Some(decode), takes_state);
        Worker { node, input: PhantomData }
    }

    /// Puts a graph of the same state into a node: it starts with this graph's
    /// state, and what its nodes wrote is written to this graph's state, in order.
    pub fn embed<J, P>(&mut self, name: &str, graph: &Compiled<S, J, P>) -> Node {
        let subgraph = Subgraph { topology: graph.topology(), sharing: Sharing::Same };
        self.push(name, Work::Subgraph(subgraph), None, true)
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
        self.push(name, Work::Subgraph(subgraph), None, true)
    }

    fn push(&mut self, name: &str, work: Work, decode: Option<topology::Decode>, takes_state: bool) -> Node {
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
        });
        Node { graph: self.id, index }
    }

    /// The handle's index, if it is of this graph.
    fn own(&mut self, node: Node, place: impl FnOnce() -> String) -> Option<usize> {
        if node.graph == self.id {
            return Some(node.index);
        }
        self.problems.push(Problem::ForeignHandle { place: place() });
        None
    }

    /// Runs a node first; of several, all at once.
    pub fn start(&mut self, node: impl Into<Node>) -> &mut Self {
        if let Some(index) = self.own(node.into(), || "start".into()) {
            self.start.fixed.push(index);
        }
        self
    }

    /// Chooses by the input what is run first.
    pub fn start_route<T: Into<Target>, R: Targets>(
        &mut self,
        targets: impl IntoIterator<Item = T>,
        pick: impl Fn(&S) -> R + std::marker::Send + Sync + 'static,
    ) -> &mut Self {
        if let Some(route) = self.make_route("start", targets, pick) {
            self.start.routes.push(route);
        }
        self
    }

    /// Runs `to` in the step after `from`.
    pub fn edge(&mut self, from: impl Into<Node>, to: impl Into<Target>) -> &mut Self {
        let (from, to) = (from.into(), to.into());
        let Some(source) = self.own(from, || "edge".into()) else { return self };
        // An edge to the end says what holds anyway, for whoever reads the code.
        let Some(to) = to.0 else { return self };
        let name = Arc::clone(&self.nodes[source].name);
        if let Some(target) = self.own(to, || format!("the edge from {name:?}")) {
            self.nodes[source].exits.fixed.push(target);
        }
        self
    }

    /// Chooses by the state, with `from`'s own changes made, what follows.
    /// Going anywhere but to the declared targets fails the task.
    pub fn route<T: Into<Target>, R: Targets>(
        &mut self,
        from: impl Into<Node>,
        targets: impl IntoIterator<Item = T>,
        pick: impl Fn(&S) -> R + std::marker::Send + Sync + 'static,
    ) -> &mut Self {
        let Some(source) = self.own(from.into(), || "route".into()) else { return self };
        let name = Arc::clone(&self.nodes[source].name);
        if let Some(route) = self.make_route(&name, targets, pick) {
            self.nodes[source].exits.routes.push(route);
        }
        self
    }

    fn make_route<T: Into<Target>, R: Targets>(
        &mut self,
        from: &str,
        targets: impl IntoIterator<Item = T>,
        pick: impl Fn(&S) -> R + std::marker::Send + Sync + 'static,
    ) -> Option<Route> {
        let place = || format!("the route from {from:?}");
        let mut route = Route {
            targets: Vec::new(),
            may_end: false,
            pick: Arc::new(move |state: &AnyState| {
                state.downcast_ref::<S>().map(|state| pick(state).into_gotos()).unwrap_or_default()
            }),
        };
        for target in targets {
            match target.into().0 {
                None => route.may_end = true,
                Some(node) => route.targets.push(self.own(node, place)?),
            }
        }
        if route.targets.is_empty() && !route.may_end {
            self.problems.push(Problem::NoTargets { place: place() });
            return None;
        }
        Some(route)
    }

    /// Runs `to` once all of `from` have run, however many steps that takes.
    pub fn join<N: Into<Node>>(
        &mut self,
        from: impl IntoIterator<Item = N>,
        to: impl Into<Node>,
    ) -> &mut Self {
        let Some(target) = self.own(to.into(), || "join".into()) else { return self };
        let barrier = self.barriers.len();
        let mut sources: Vec<usize> = Vec::new();
        for node in from {
            let Some(source) = self.own(node.into(), || "join".into()) else { return self };
            if !sources.contains(&source) {
                self.nodes[source].exits.barriers.push((barrier, sources.len()));
                sources.push(source);
            }
        }
        let names: Vec<&str> = sources.iter().map(|source| &*self.nodes[*source].name).collect();
        let key = format!("{}>{}", names.join("+"), self.nodes[target].name);
        self.barriers.push(Barrier { key, sources, target });
        self
    }

    /// Declares where a node's [`Command`]s may go.
    pub fn may_go<T: Into<Target>>(
        &mut self,
        from: impl Into<Node>,
        targets: impl IntoIterator<Item = T>,
    ) -> &mut Self {
        let Some(source) = self.own(from.into(), || "may_go".into()) else { return self };
        for target in targets {
            if let Some(node) = target.into().0
                && let Some(target) = self.own(node, || "may_go".into())
            {
                self.nodes[source].may_go.push(target);
            }
        }
        self
    }

    /// Holds a node back until nothing else is left to run.
    pub fn defer(&mut self, node: impl Into<Node>) -> &mut Self {
        if let Some(index) = self.own(node.into(), || "defer".into()) {
            self.nodes[index].deferred = true;
        }
        self
    }

    /// Sets how a node behaves when things go wrong or take long.
    pub fn policy(&mut self, node: impl Into<Node>, policy: Policy) -> &mut Self {
        if let Some(index) = self.own(node.into(), || "policy".into()) {
            self.nodes[index].policy = policy;
        }
        self
    }

    /// Runs `handler` when all tries of a node have failed. The node's own edges
    /// are not followed: the handler says with a [`Command`] where to go.
    pub fn on_error<F, Fut, R>(&mut self, node: impl Into<Node>, handler: F) -> &mut Self
    where
        F: Fn(Arc<S>, NodeFailure, Cx) -> Fut + std::marker::Send + Sync + 'static,
        Fut: Future<Output = Result<R>> + std::marker::Send + 'static,
        R: Reply<S> + 'static,
    {
        if let Some(index) = self.own(node.into(), || "on_error".into()) {
            self.nodes[index].handler =
                Some(Arc::new(move |state: AnyState, failure, cx| -> topology::BoxFuture<Result<Replied>> {
                    let Ok(state) = state.downcast::<S>() else { return wrong_input() };
                    let future = handler(state, failure, cx);
                    Box::pin(async move { Ok(replied(future.await?)) })
                }));
        }
        self
    }

    /// Pauses every run before a node.
    pub fn pause_before(&mut self, node: impl Into<Node>) -> &mut Self {
        if let Some(index) = self.own(node.into(), || "pause_before".into()) {
            self.before.push(index);
        }
        self
    }

    /// Pauses every run after a node.
    pub fn pause_after(&mut self, node: impl Into<Node>) -> &mut Self {
        if let Some(index) = self.own(node.into(), || "pause_after".into()) {
            self.after.push(index);
        }
        self
    }

    /// Checks the graph and makes it ready to run.
    pub fn compile(self) -> Result<Compiled<S, I, O>, CompileError> {
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by(|a, b| self.nodes[*a].name.cmp(&self.nodes[*b].name));
        let mut rank = vec![0; order.len()];
        for (position, index) in order.into_iter().enumerate() {
            rank[index] = position;
        }
        let by_name =
            self.nodes.iter().enumerate().map(|(index, node)| (Arc::clone(&node.name), index)).collect();
        let topology = Topology {
            id: self.id,
            name: self.name.as_str().into(),
            ops: Arc::new(Ops::<S>::new()),
            nodes: self.nodes,
            by_name,
            rank,
            start: self.start,
            barriers: self.barriers,
            breakpoints: Breakpoints { before: self.before, after: self.after },
        };
        let mut problems = self.problems;
        problems.extend(compile::problems(&topology));
        if !problems.is_empty() {
            return Err(CompileError { graph: self.name, problems });
        }
        Ok(Compiled::new(Arc::new(topology), self.enter, self.leave))
    }
}

/// A task was given what its node can't take. The builder's types rule it out;
/// a stored plan of another graph's version could still do it.
fn wrong_input() -> topology::BoxFuture<Result<Replied>> {
    Box::pin(async { Err(NodeError::fatal("the node was given an input of another type")) })
}
