//! A graph under construction: what it is made of, and how it is finished.

use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::compile;
use super::topology::{Barrier, Breakpoints, Exits, Handler, NodeSpec, Topology};
use super::{CompileError, Node, Policy, Problem};
use crate::State;
use crate::compiled::Compiled;
use crate::state::erased::Ops;

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
    pub(super) id: u64,
    pub(super) name: String,
    pub(super) nodes: Vec<NodeSpec>,
    pub(super) start: Exits,
    pub(super) barriers: Vec<Barrier>,
    pub(super) before: Vec<usize>,
    pub(super) after: Vec<usize>,
    pub(super) defaults: Policy,
    pub(super) default_handler: Option<Handler>,
    pub(super) problems: Vec<Problem>,
    pub(super) enter: Arc<dyn Fn(I) -> S::Update + Send + Sync>,
    pub(super) leave: Arc<dyn Fn(Arc<S>) -> O + Send + Sync>,
    pub(super) state: PhantomData<fn() -> S>,
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
            defaults: Policy::default(),
            default_handler: None,
            problems: Vec::new(),
            enter: Arc::new(|update| update),
            leave: Arc::new(|state| state),
            state: PhantomData,
        }
    }
}

impl<S: State, I: 'static, O: 'static> Graph<S, I, O> {
    /// Gives the graph an input type of its own.
    pub fn input<J: 'static>(self, enter: impl Fn(J) -> S::Update + Send + Sync + 'static) -> Graph<S, J, O> {
        self.with(Arc::new(enter), |leave| leave)
    }

    /// Gives the graph an output type of its own.
    pub fn output<P: 'static>(self, leave: impl Fn(&S) -> P + Send + Sync + 'static) -> Graph<S, I, P> {
        let enter = Arc::clone(&self.enter);
        self.with(enter, |_| Arc::new(move |state: Arc<S>| leave(&state)))
    }

    #[allow(clippy::type_complexity)]
    fn with<J, P>(
        self,
        enter: Arc<dyn Fn(J) -> S::Update + Send + Sync>,
        leave: impl FnOnce(Arc<dyn Fn(Arc<S>) -> O + Send + Sync>) -> Arc<dyn Fn(Arc<S>) -> P + Send + Sync>,
    ) -> Graph<S, J, P> {
        Graph {
            id: self.id,
            name: self.name,
            nodes: self.nodes,
            start: self.start,
            barriers: self.barriers,
            before: self.before,
            after: self.after,
            defaults: self.defaults,
            default_handler: self.default_handler,
            problems: self.problems,
            enter,
            leave: leave(self.leave),
            state: PhantomData,
        }
    }

    /// The handle's index, if it is of this graph.
    pub(super) fn own(&mut self, node: Node, place: impl FnOnce() -> String) -> Option<usize> {
        if node.graph == self.id {
            return Some(node.index);
        }
        self.problems.push(Problem::ForeignHandle { place: place() });
        None
    }

    /// Checks the graph and makes it ready to run.
    pub fn compile(self) -> Result<Compiled<S, I, O>, CompileError> {
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by(|a, b| self.nodes[*a].name.cmp(&self.nodes[*b].name));
        let mut rank = vec![0; order.len()];
        for (position, index) in order.into_iter().enumerate() {
            rank[index] = position;
        }
        let mut nodes = self.nodes;
        for node in &mut nodes {
            node.policy = std::mem::take(&mut node.policy).or(&self.defaults);
            node.handler = node.handler.take().or_else(|| self.default_handler.clone());
        }
        let by_name = nodes.iter().enumerate().map(|(index, node)| (Arc::clone(&node.name), index)).collect();
        let topology = Topology {
            id: self.id,
            name: self.name.as_str().into(),
            ops: Arc::new(Ops::<S>::new()),
            nodes,
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
