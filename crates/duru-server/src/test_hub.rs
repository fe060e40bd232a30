//! What unit tests work with: a small graph, served without workers.

use std::sync::Arc;

use duru::store::MemoryStore;
use duru::{Cx, END, Graph, Result, State};

use crate::hub::{Shared, Stores};
use crate::server::Server;

/// Counts its runs, and keeps what it was told.
#[derive(State, Clone)]
struct Count {
    n: u32,
    topic: String,
}

async fn add(state: Arc<Count>, _: Cx) -> Result<CountUpdate> {
    Ok(CountUpdate::new().n(state.n + 1))
}

/// What a process on this store shares; its only graph is `count`, whose only node is `add`.
pub(crate) async fn hub(store: &Arc<MemoryStore>) -> Shared {
    let mut g = Graph::<Count>::new("count");
    let node = g.node("add", add);
    g.start(node).edge(node, END);
    let server = Server::new(Stores::of(Arc::clone(store))).graph(g.compile().unwrap().erased());
    server.start().await.unwrap()
}
