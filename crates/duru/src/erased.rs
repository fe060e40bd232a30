//! A graph whose types are out of sight: what a server holds.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::app::Desk;
use crate::compiled::{Compiled, Finish, Kit};
use crate::draw::Drawing;
use crate::error::Error;
use crate::graph::topology::{Topology, Work};
use crate::past::{Change, Edit, Edited, ThreadLog};
use crate::run::{Home, Run, Start};
use crate::state::erased::{AnyState, AnyUpdate, state_schema};
use crate::store::{Checkpoints, Owner};
use crate::{InterruptId, Namespace, State, ThreadId};

type Parse = Arc<dyn Fn(Value) -> Result<AnyUpdate, serde_json::Error> + Send + Sync>;
type Context = Arc<dyn Fn(Value, Run<Value>) -> Result<Run<Value>, serde_json::Error> + Send + Sync>;

/// What goes into a graph and comes out, as JSON schemas.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Schemas {
    /// What a run is given.
    pub input: Value,
    /// What a run gives back.
    pub output: Value,
    /// The whole state.
    pub state: Value,
    /// A change of the state, as a node returns it.
    pub update: Value,
    /// What a run can be told besides its input; see [`ErasedGraph::context`].
    pub context: Option<Value>,
}

/// A compiled graph without its types: input, output and state are JSON.
///
/// ```
/// # use duru::{Cx, END, Graph, Outcome, Result, State, ThreadId, store::MemoryStore}; use std::sync::Arc;
/// # #[derive(State, Clone)] struct Count { n: u32 }
/// # async fn add(s: Arc<Count>, _: Cx) -> Result<CountUpdate> { Ok(CountUpdate::new().n(s.n + 1)) }
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let mut g = Graph::<Count>::new("count"); let add = g.node("add", add); g.start(add).edge(add, END);
/// let graph = g.compile()?.erased();
/// assert!(graph.check_input(&serde_json::json!({"n": "three"})).is_err());
/// let thread = graph.on(Arc::new(MemoryStore::new())).thread(ThreadId::new("kim")?);
/// let end = thread.invoke(serde_json::json!({"n": 3}))?.await?.done()?;
/// assert_eq!(end, serde_json::json!({"n": 4}));
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct ErasedGraph {
    kit: Kit,
    schemas: Arc<Schemas>,
    input: Parse,
    update: Parse,
    context: Option<Context>,
    finish: Finish<Value>,
}

impl<S, I> Compiled<S, I, Arc<S>>
where
    S: State,
    I: DeserializeOwned + JsonSchema + 'static,
{
    /// The graph without its types; its output is the whole state.
    pub fn erased(&self) -> ErasedGraph {
        let graph = self.clone();
        let finish: Finish<Value> = Arc::new(move |state: AnyState| {
            let ops = &graph.kit.topology.ops;
            let values = ops.encode(&state).map_err(|error| unfit(&graph.kit, &error))?;
            Ok(Value::Object(values))
        });
        self.erase(finish, state_schema::<S>())
    }
}

impl<S, I, O> Compiled<S, I, O>
where
    S: State,
    I: DeserializeOwned + JsonSchema + 'static,
    O: 'static,
{
    /// The graph without its types, with its own output type.
    pub fn erased_output(&self) -> ErasedGraph
    where
        O: Serialize + JsonSchema,
    {
        let graph = self.clone();
        let finish: Finish<Value> = Arc::new(move |state: AnyState| {
            let output = graph.output_of(state)?;
            serde_json::to_value(output).map_err(|error| unfit(&graph.kit, &error))
        });
        self.erase(finish, schema::<O>())
    }

    fn erase(&self, finish: Finish<Value>, output: Value) -> ErasedGraph {
        let graph = self.clone();
        let schemas = Schemas {
            input: schema::<I>(),
            output,
            state: state_schema::<S>(),
            update: schema::<S::Update>(),
            context: None,
        };
        ErasedGraph {
            kit: self.kit.clone(),
            schemas: Arc::new(schemas),
            input: Arc::new(move |value| Ok(graph.update_of(serde_json::from_value::<I>(value)?))),
            update: Arc::new(|value| Ok(Box::new(serde_json::from_value::<S::Update>(value)?))),
            context: None,
            finish,
        }
    }
}

impl ErasedGraph {
    /// Lets runs be told something of this type besides their input; nodes get it
    /// with [`Cx::get`](crate::Cx::get).
    #[must_use]
    pub fn context<C: DeserializeOwned + JsonSchema + Send + Sync + 'static>(mut self) -> Self {
        Arc::make_mut(&mut self.schemas).context = Some(schema::<C>());
        self.context = Some(Arc::new(|value, run| Ok(run.provide(serde_json::from_value::<C>(value)?))));
        self
    }

    /// The graph's name.
    pub fn name(&self) -> &str {
        &self.kit.topology.name
    }

    /// The names of its nodes.
    pub fn node_names(&self) -> Vec<String> {
        self.kit.topology.names().map(str::to_owned).collect()
    }

    /// The schemas of what goes in and comes out.
    pub fn schemas(&self) -> &Schemas {
        &self.schemas
    }

    /// The graph as a drawing, subgraphs opened.
    pub fn drawing(&self) -> Drawing {
        Drawing::of(&self.kit.topology)
    }

    /// The graphs inside, at any depth, and the schemas of their states. Each is
    /// named by the nodes that lead to it, joined by `|`.
    pub fn subgraphs(&self) -> Vec<(String, Value)> {
        let mut found = Vec::new();
        add_subgraphs(&self.kit.topology, "", &mut found);
        found
    }

    /// Whether an input fits. Nothing is run.
    pub fn check_input(&self, input: &Value) -> Result<(), Error> {
        (self.input)(input.clone()).map(drop).map_err(|error| unfit(&self.kit, &error))
    }

    /// Whether there is such a node and an update fits. Nothing is changed.
    pub fn check_update(&self, as_node: &str, update: &Value) -> Result<(), Error> {
        self.kit.topology.find(as_node)?;
        (self.update)(update.clone()).map(drop).map_err(|error| unfit(&self.kit, &error))
    }

    /// The node at the end of a path of subgraphs, from the root down; none if
    /// there is no such one, and the nodes of that graph.
    pub fn nodes_within(&self, path: &[&str]) -> Option<Vec<String>> {
        let mut topology = &self.kit.topology;
        for name in path {
            match &topology.node(topology.index_of(name)?).work {
                Work::Subgraph(inner) => topology = &inner.topology,
                Work::Function(_) => return None,
            }
        }
        Some(topology.names().map(str::to_owned).collect())
    }

    /// Gives a run what its context type asks for.
    pub fn with_context(&self, run: Run<Value>, context: Value) -> Result<Run<Value>, Error> {
        match &self.context {
            Some(give) => give(context, run).map_err(|error| unfit(&self.kit, &error)),
            None => Ok(run),
        }
    }

    /// Runs the graph once, keeping nothing.
    pub fn invoke(&self, input: Value) -> Result<Run<Value>, Error> {
        Ok(self.run(None, Start::Input(self.parse(input)?)))
    }

    /// Gives the graph a store.
    pub fn on(self, store: Arc<dyn Checkpoints>) -> ErasedApp {
        ErasedApp { graph: self, store, desk: Arc::default() }
    }

    fn parse(&self, input: Value) -> Result<AnyUpdate, Error> {
        (self.input)(input).map_err(|error| unfit(&self.kit, &error))
    }

    fn run(&self, on: Option<Home>, start: Start) -> Run<Value> {
        Run::new(self.kit.clone(), Arc::clone(&self.finish), on, start)
    }
}

/// An [`ErasedGraph`] on a store.
#[derive(Clone)]
pub struct ErasedApp {
    graph: ErasedGraph,
    store: Arc<dyn Checkpoints>,
    desk: Arc<Desk>,
}

impl ErasedApp {
    /// A thread; it need not exist yet.
    pub fn thread(&self, id: ThreadId) -> ErasedThread {
        ErasedThread { app: self.clone(), id }
    }

    /// The same app, running threads as this owner; see [`App::owned_by`](crate::App::owned_by).
    #[must_use]
    pub fn owned_by(&self, owner: Owner, lease: Duration) -> Self {
        Self {
            graph: self.graph.clone(),
            store: Arc::clone(&self.store),
            desk: Arc::new(Desk::of(owner, lease)),
        }
    }

    /// Another graph on the same store, beside this one: both know of each
    /// other's runs, and a thread can go from one to the other.
    #[must_use]
    pub fn beside(&self, graph: ErasedGraph) -> Self {
        Self { graph, ..self.clone() }
    }

    /// The idle threads whose states are cached in memory. A thread that another
    /// process deleted is never continued from the cache;
    /// [`ThreadLog::forget`] also removes it from there.
    pub fn warm_threads(&self) -> Vec<ThreadId> {
        self.desk.warm_threads()
    }

    /// The graph.
    pub fn graph(&self) -> &ErasedGraph {
        &self.graph
    }

    /// The store.
    pub fn store(&self) -> &Arc<dyn Checkpoints> {
        &self.store
    }
}

/// A thread of an [`ErasedApp`].
#[derive(Clone)]
pub struct ErasedThread {
    app: ErasedApp,
    id: ThreadId,
}

impl ErasedThread {
    /// Its name.
    pub fn id(&self) -> &ThreadId {
        &self.id
    }

    /// Runs the graph with new input.
    pub fn invoke(&self, input: Value) -> Result<Run<Value>, Error> {
        Ok(self.start(Start::Input(self.app.graph.parse(input)?)))
    }

    /// Answers the only question that waits, and goes on.
    pub fn resume(&self, answer: Value) -> Run<Value> {
        self.start(Start::Answer(Ok(answer)))
    }

    /// Answers some of the questions that wait, and goes on as far as that allows.
    pub fn answer(&self, answers: HashMap<InterruptId, Value>) -> Run<Value> {
        self.start(Start::Answers(Ok(answers)))
    }

    /// Goes on after a breakpoint, a failure, a cancellation or a crash.
    pub fn go_on(&self) -> Run<Value> {
        self.start(Start::Continue)
    }

    /// Goes on because a deadline of it has passed, with the default answers.
    /// Unlike [`ErasedThread::go_on`] it leaves a thread alone that was cancelled.
    pub fn answer_overdue(&self) -> Run<Value> {
        self.start(Start::Overdue)
    }

    /// Changes the state, if there is an input, and runs the named nodes instead
    /// of the graph's start: on the state, or each on an input of its own.
    pub fn goto(
        &self,
        input: Option<Value>,
        nodes: Vec<(String, Option<Value>)>,
    ) -> Result<Run<Value>, Error> {
        let update = input.map(|input| self.app.graph.parse(input)).transpose()?;
        Ok(self.start(Start::Goto(update, nodes)))
    }

    /// Changes the thread as if its nodes had.
    pub async fn edit(&self, edit: Edit) -> Result<Edited, Error> {
        let graph = &self.app.graph;
        let known = graph.schemas.input.get("properties").and_then(Value::as_object);
        let fits = |values: &Value| match (values, known) {
            (Value::Object(fields), Some(known)) => fields.keys().all(|name| known.contains_key(name)),
            _ => true,
        };
        let change = Change::of(edit, |values| fits(values).then(|| graph.parse(values.clone()).ok())?);
        self.log().change(&graph.kit.topology, change).await
    }

    /// The thread without its graph: its past, and what can be done with it.
    pub fn log(&self) -> ThreadLog {
        ThreadLog {
            store: Arc::clone(&self.app.store),
            id: self.id.clone(),
            clock: Arc::clone(&self.app.graph.kit.clock),
            ns: Namespace::root(),
            desk: Arc::clone(&self.app.desk),
        }
    }

    /// Stops the run that is under way in this process. Whether there was one.
    pub fn cancel(&self) -> bool {
        self.app.desk.cancel(&self.id)
    }

    fn start(&self, start: Start) -> Run<Value> {
        let ErasedApp { graph, store, desk } = &self.app;
        let home = Home { store: Arc::clone(store), desk: Arc::clone(desk), thread: self.id.clone() };
        graph.run(Some(home), start)
    }
}

fn unfit(kit: &Kit, error: &dyn std::error::Error) -> Error {
    Error::Input { graph: kit.topology.name.to_string(), reason: error.to_string() }
}

fn schema<T: JsonSchema>() -> Value {
    schemars::schema_for!(T).to_value()
}

fn add_subgraphs(topology: &Topology, prefix: &str, found: &mut Vec<(String, Value)>) {
    for node in &topology.nodes {
        if let Work::Subgraph(inner) = &node.work {
            let name = format!("{prefix}{}", node.name);
            found.push((name.clone(), inner.topology.ops.schema()));
            add_subgraphs(&inner.topology, &format!("{name}|"), found);
        }
    }
}
