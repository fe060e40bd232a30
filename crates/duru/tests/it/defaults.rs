//! Behaviour for all nodes of a graph, unless a node says otherwise.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use duru::{Command, Cx, END, Graph, NodeError, Policy, Retry, State};

#[derive(State, Clone)]
struct Tries {
    #[merge(append)]
    seen: Vec<String>,
}

/// Fails always; counts how often it was tried.
fn failing(g: &mut Graph<Tries>, name: &str) -> (duru::Node, Arc<AtomicU32>) {
    let tries = Arc::new(AtomicU32::new(0));
    let count = Arc::clone(&tries);
    let node = g.node(name, move |_: Arc<Tries>, _: Cx| {
        count.fetch_add(1, Ordering::SeqCst);
        async { Err::<(), _>(NodeError::msg("no")) }
    });
    (node, tries)
}

#[tokio::test(start_paused = true)]
async fn a_node_behaves_as_its_graph_says_unless_it_says_itself() {
    let mut g = Graph::<Tries>::new("defaults");
    let (common, common_tries) = failing(&mut g, "common");
    let (own, own_tries) = failing(&mut g, "own");
    g.defaults(Policy::new().retry(Retry::times(3)));
    g.policy(own, Policy::new().retry(Retry::times(2)).timeout(Duration::from_secs(9)));
    g.on_any_error(|_: Arc<Tries>, failure, _: Cx| async move {
        Ok(Command::<Tries>::update(TriesUpdate::new().seen([format!("{} for all", failure.node)])))
    });
    g.on_error(own, |_: Arc<Tries>, failure, _: Cx| async move {
        Ok(TriesUpdate::new().seen([format!("{} by itself", failure.node)]))
    });
    g.start(common).start(own).edge(common, END).edge(own, END);
    let end = g.compile().unwrap().invoke(TriesUpdate::new()).await.unwrap().done().unwrap();
    assert_eq!(end.seen, ["common for all", "own by itself"]);
    assert_eq!((common_tries.load(Ordering::SeqCst), own_tries.load(Ordering::SeqCst)), (3, 2));
}
