//! A server with two small graphs.

use std::sync::Arc;

use duru::store::MemoryStore;
use duru::{Cx, END, ErasedGraph, Graph, Result, State};
use duru_server::{Options, Server, Stores};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::client::Client;

#[derive(State, Clone)]
struct Count {
    n: u32,
}

/// What a run can be told.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Told {
    #[serde(default)]
    by: u32,
}

async fn add(state: Arc<Count>, _: Cx) -> Result<CountUpdate> {
    Ok(CountUpdate::new().n(state.n + 1))
}

/// `add` until three.
fn count() -> ErasedGraph {
    let mut g = Graph::<Count>::new("count");
    let node = g.node("add", add);
    g.start(node).route(node, [node.into(), END], move |s: &Count| if s.n < 3 { node.into() } else { END });
    g.compile().expect("the graph is whole").erased().context::<Told>()
}

/// `first`, then a graph with one node inside.
fn parent() -> ErasedGraph {
    let mut child = Graph::<Count>::new("inner");
    let step = child.node("step", add);
    child.start(step).edge(step, END);
    let child = child.compile().expect("the graph is whole");
    let mut g = Graph::<Count>::new("parent");
    let (first, child) = (g.node("first", add), g.embed("child", &child));
    g.start(first).edge(first, child).edge(child, END);
    g.compile().expect("the graph is whole").erased()
}

/// A running server. It stops when this is dropped.
pub(crate) struct Served {
    pub(crate) client: Client,
    _stop: DropGuard,
}

/// With the two graphs.
pub(crate) fn graphs(server: Server) -> Server {
    server.graph(count()).graph(parent())
}

pub(crate) async fn served() -> Served {
    served_with(Options::default()).await
}

/// The same, served in another way.
pub(crate) async fn served_with(options: Options) -> Served {
    serve(graphs(Server::new(Stores::of(Arc::new(MemoryStore::new())))).options(options)).await
}

/// Other graphs, on a store of their own.
pub(crate) async fn served_graphs(graphs: Vec<ErasedGraph>) -> Served {
    let server = Server::new(Stores::of(Arc::new(MemoryStore::new())));
    serve(graphs.into_iter().fold(server, Server::graph)).await
}

/// A server of a test's own.
pub(crate) async fn serve(server: Server) -> Served {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address").to_string();
    let stop = CancellationToken::new();
    tokio::spawn(server.serve(listener, stop.clone()));
    Served { client: Client::new(address), _stop: stop.drop_guard() }
}
