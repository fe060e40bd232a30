//! One call: what to begin with, how, and what came of it.

mod execute;
mod opening;
mod watch;

use std::collections::HashMap;
use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

pub(crate) use execute::rules;
pub use watch::RunStream;

use crate::app::{Desk, Switches};
use crate::compiled::{Finish, Kit};
use crate::error::Error;
use crate::options::{Durability, Options, Unfinished};
use crate::outcome::Outcome;
use crate::state::erased::AnyUpdate;
use crate::store::Checkpoints;
use crate::stream::{Feed, Mode};
use crate::{CheckpointId, InterruptId, RunId, ThreadId};

/// What a run begins with.
pub(crate) enum Start {
    Input(AnyUpdate),
    Goto(Option<AnyUpdate>, Vec<(String, Option<Value>)>),
    Answer(Result<Value, String>),
    Answers(Result<HashMap<InterruptId, Value>, String>),
    Continue,
    /// As `Continue`, because a deadline has passed: nobody asked for it.
    Overdue,
}

/// A run that is about to begin. Await it for its outcome, or watch it with
/// [`Run::stream`].
#[must_use = "a run does nothing until it is awaited or streamed"]
pub struct Run<O> {
    kit: Kit,
    finish: Finish<O>,
    on: Option<Home>,
    start: Start,
    setup: Setup,
}

/// The thread that a run is on.
#[derive(Clone)]
pub(crate) struct Home {
    pub(crate) store: Arc<dyn Checkpoints>,
    pub(crate) desk: Arc<Desk>,
    pub(crate) thread: ThreadId,
}

/// How a run is to be carried out, whatever its types.
#[derive(Default)]
struct Setup {
    options: Options,
    metadata: Map<String, Value>,
    /// What the run is called, where the caller says.
    id: Option<RunId>,
    switches: Switches,
    /// Where to show what happens and is in no store.
    feed: Option<Arc<Feed>>,
    /// Whether the thread is known to be new.
    new_thread: bool,
    /// Whether the run is in the queue of the store.
    queued: bool,
    /// The moment to begin at, if it is not the thread's last one.
    at: Option<CheckpointId>,
}

impl<O> Run<O> {
    pub(crate) fn new(kit: Kit, finish: Finish<O>, on: Option<Home>, start: Start) -> Self {
        Self { kit, finish, on, start, setup: Setup::default() }
    }

    /// When what the run has done becomes durable.
    pub fn durability(mut self, durability: Durability) -> Self {
        self.setup.options.durability = durability;
        self
    }

    /// What to do with a step that an earlier run left unfinished.
    pub fn on_unfinished(mut self, unfinished: Unfinished) -> Self {
        self.setup.options.unfinished = unfinished;
        self
    }

    /// How many steps the run may take; 10,000 by default. What was done until
    /// then is kept, and the run can be resumed.
    pub fn recursion_limit(mut self, steps: u64) -> Self {
        self.setup.options.recursion_limit = steps;
        self
    }

    /// How long one step may take, all of its tasks and their retries together.
    pub fn step_timeout(mut self, limit: Duration) -> Self {
        self.setup.options.step_timeout = Some(limit);
        self
    }

    /// How many tasks of a graph may run at once.
    pub fn max_concurrency(mut self, tasks: usize) -> Self {
        self.setup.options.max_concurrency = tasks.max(1);
        self
    }

    /// Pauses before these nodes; `*` for all.
    pub fn pause_before<N: Into<String>>(mut self, nodes: impl IntoIterator<Item = N>) -> Self {
        self.setup.options.pause_before.extend(nodes.into_iter().map(Into::into));
        self
    }

    /// Pauses after these nodes; `*` for all.
    pub fn pause_after<N: Into<String>>(mut self, nodes: impl IntoIterator<Item = N>) -> Self {
        self.setup.options.pause_after.extend(nodes.into_iter().map(Into::into));
        self
    }

    /// Gives the nodes of this run something to use, e.g. who asks.
    pub fn provide<T: Send + Sync + 'static>(mut self, service: T) -> Self {
        self.kit.services = self.kit.services.with(Arc::new(service));
        self
    }

    /// Notes something about the run, kept with it.
    pub fn metadata(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.setup.metadata.insert(key.into(), value.into());
        self
    }

    /// Gives the run an id that the caller has chosen, by which its rows are
    /// found again; see [`ThreadLog::run`](crate::ThreadLog::run). What an
    /// earlier run left unfinished, and this one does first, is a run of its own.
    pub fn id(mut self, id: RunId) -> Self {
        self.setup.id = Some(id);
        self
    }

    /// Begins at an earlier checkpoint, or at the moment before an input: the
    /// run's own input is taken in there, and what came after it stays in the
    /// log. Only for runs with an input; others begin with a
    /// [`fork`](crate::ThreadLog::fork).
    pub fn at(mut self, checkpoint: CheckpointId) -> Self {
        self.setup.at = Some(checkpoint);
        self
    }

    /// Takes the thread for a new one, without asking the store. If it is not,
    /// the run's first commit is a conflict, and nothing is written.
    pub fn on_new_thread(mut self) -> Self {
        self.setup.new_thread = true;
        self
    }

    /// Makes a thread that is not there yet only while the run, under its
    /// [`id`](Self::id), is in the queue of the same store. Removing a
    /// thread removes its runs there, too: one that was about to begin does not
    /// bring the thread back, but is a conflict.
    ///
    /// The run renews no lease of its own: its thread is covered by the lease of
    /// the worker that has claimed the run in the queue.
    pub fn while_queued(mut self) -> Self {
        self.setup.queued = true;
        self
    }

    /// Lets the run end its step and stop when this token is cancelled.
    pub fn drain_on(mut self, token: CancellationToken) -> Self {
        self.setup.switches.drain = Some(token);
        self
    }

    /// Stops the run when this token is cancelled.
    pub fn cancel_on(mut self, token: CancellationToken) -> Self {
        self.setup.switches.cancel = Some(token);
        self
    }
}

impl<O: Send + 'static> Run<O> {
    /// Watches the run, subgraphs included. The run goes on only while it is
    /// watched or its outcome awaited, and ends when the stream is dropped.
    ///
    /// ```
    /// # use duru::{Cx, END, Graph, Mode, Result, State}; use std::sync::Arc;
    /// # #[derive(State, Clone)] struct Count { n: u32 }
    /// # async fn add(s: Arc<Count>, _: Cx) -> Result<CountUpdate> { Ok(CountUpdate::new().n(s.n + 1)) }
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let mut g = Graph::<Count>::new("count"); let add = g.node("add", add); g.start(add).edge(add, END);
    /// # let graph = g.compile()?;
    /// let mut stream = graph.invoke(CountUpdate::new()).stream([Mode::Updates]).await?;
    /// while let Some(event) = stream.next().await? {
    ///     println!("{} {}", event.mode, event.data);
    /// }
    /// assert_eq!(stream.outcome().await?.done()?.n, 1);
    /// # Ok(()) }
    /// ```
    pub async fn stream(self, modes: impl IntoIterator<Item = Mode>) -> Result<RunStream<O>, Error> {
        watch::start(self, modes.into_iter().collect()).await
    }
}

impl<O: Send + 'static> IntoFuture for Run<O> {
    type Output = Result<Outcome<O>, Error>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        execute::execute(self)
    }
}
