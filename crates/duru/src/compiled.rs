//! A graph that is ready to run.

use std::sync::Arc;

use crate::State;
use crate::app::App;
use crate::clock::{Clock, SystemClock};
use crate::cx::Services;
use crate::error::Error;
use crate::graph::topology::Topology;
use crate::run::{Home, Run, Start};
use crate::state::erased::{AnyState, AnyUpdate};
use crate::store::Checkpoints;

pub(crate) type Entrance<S, I> = Arc<dyn Fn(I) -> <S as State>::Update + Send + Sync>;
pub(crate) type Exit<S, O> = Arc<dyn Fn(Arc<S>) -> O + Send + Sync>;

/// A graph that is ready to run: immutable, cheap to clone, used by any number
/// of runs at once. Without a store it keeps nothing; [`Compiled::on`] gives it one.
pub struct Compiled<S: State, I = <S as State>::Update, O = Arc<S>> {
    pub(crate) kit: Kit,
    enter: Entrance<S, I>,
    leave: Exit<S, O>,
    finish: Finish<O>,
}

/// What it takes to run a graph, whatever its types.
#[derive(Clone)]
pub(crate) struct Kit {
    pub(crate) topology: Arc<Topology>,
    pub(crate) services: Services,
    pub(crate) clock: Arc<dyn Clock>,
}

/// Makes a run's output of its final state.
pub(crate) type Finish<O> = Arc<dyn Fn(AnyState) -> Result<O, Error> + Send + Sync>;

impl<S: State, I, O> Clone for Compiled<S, I, O> {
    fn clone(&self) -> Self {
        Self {
            kit: self.kit.clone(),
            enter: Arc::clone(&self.enter),
            leave: Arc::clone(&self.leave),
            finish: Arc::clone(&self.finish),
        }
    }
}

impl<S: State, I, O: 'static> Compiled<S, I, O> {
    pub(crate) fn new(topology: Arc<Topology>, enter: Entrance<S, I>, leave: Exit<S, O>) -> Self {
        let (graph, exit) = (Arc::clone(&topology.name), Arc::clone(&leave));
        let finish: Finish<O> = Arc::new(move |state: AnyState| match state.downcast::<S>() {
            Ok(state) => Ok(exit(state)),
            Err(_) => {
                let reason = "the state is of another type".to_owned();
                Err(Error::Input { graph: graph.to_string(), reason })
            }
        });
        let kit = Kit { topology, services: Services::default(), clock: Arc::new(SystemClock) };
        Self { kit, enter, leave, finish }
    }
}

impl<S: State, I, O> Compiled<S, I, O> {
    pub(crate) fn topology(&self) -> Arc<Topology> {
        Arc::clone(&self.kit.topology)
    }

    pub(crate) fn entrance(&self) -> Entrance<S, I> {
        Arc::clone(&self.enter)
    }

    pub(crate) fn exit(&self) -> Exit<S, O> {
        Arc::clone(&self.leave)
    }

    /// The graph's name.
    pub fn name(&self) -> &str {
        &self.kit.topology.name
    }

    /// Gives nodes something to use; they get it by its type with
    /// [`Cx::get`](crate::Cx::get). Of two of one type, the later one counts.
    #[must_use]
    pub fn provide<T: Send + Sync + 'static>(mut self, service: T) -> Self {
        self.kit.services = self.kit.services.with(Arc::new(service));
        self
    }

    /// Takes the time from another clock.
    #[must_use]
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.kit.clock = Arc::new(clock);
        self
    }

    /// Runs the graph once, keeping nothing. Await it, set options on it, or
    /// watch it with [`Run::stream`].
    pub fn invoke(&self, input: I) -> Run<O> {
        self.run(None, Start::Input(self.update_of(input)))
    }

    pub(crate) fn run(&self, on: Option<Home>, start: Start) -> Run<O> {
        Run::new(self.kit.clone(), Arc::clone(&self.finish), on, start)
    }

    /// The output of a final state.
    pub(crate) fn output_of(&self, state: AnyState) -> Result<O, Error> {
        (self.finish)(state)
    }

    /// The input as the update that it means.
    pub(crate) fn update_of(&self, input: I) -> AnyUpdate {
        Box::new((self.enter)(input))
    }

    /// Gives the graph a store, so that its threads survive.
    ///
    /// ```
    /// # use duru::{Cx, END, Graph, Result, State, store::MemoryStore}; use std::sync::Arc;
    /// # #[derive(State, Clone)] struct Chat { #[merge(append)] said: Vec<String> }
    /// # async fn echo(s: Arc<Chat>, _: Cx) -> Result<ChatUpdate> { Ok(ChatUpdate::new().said([format!("{} turns", s.said.len())])) }
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let mut g = Graph::<Chat>::new("chat"); let echo = g.node("echo", echo); g.start(echo).edge(echo, END);
    /// let app = g.compile()?.on(Arc::new(MemoryStore::new()));
    /// let thread = app.thread("kim")?;
    /// thread.invoke(ChatUpdate::new().said(["hi".to_string()])).await?.done()?;
    /// let end = thread.invoke(ChatUpdate::new().said(["again".to_string()])).await?.done()?;
    /// assert_eq!(end.said, ["hi", "1 turns", "again", "3 turns"]);
    /// # Ok(()) }
    /// ```
    pub fn on(self, store: Arc<dyn Checkpoints>) -> App<S, I, O> {
        App::new(self, store)
    }
}
