//! What a step costs: one message to the server and one answer.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use duru::{END, Graph, State};

use crate::pg_proxy::Proxy;
use crate::pg_server::{self, open_store};

#[derive(State, Clone)]
struct Count {
    steps: u32,
}

/// Round trips of a run of so many steps, each of one task.
async fn round_trips(url: &str, schema: &str, steps: u32) -> u64 {
    let proxy = Proxy::start(url).await;
    let store = Arc::new(open_store(&proxy.url, schema).await);
    let mut g = Graph::new("count");
    let step = g.node("step", |s: Arc<Count>, _| async move { Ok(CountUpdate::new().steps(s.steps + 1)) });
    g.start(step);
    g.route(step, [step.into(), END], move |s: &Count| if s.steps < steps { step.into() } else { END });
    let app = g.compile().unwrap().on(store);
    let before = proxy.seen.round_trips.load(Ordering::SeqCst);
    let thread = app.thread(format!("t{steps}").as_str()).unwrap();
    let end = thread.invoke(CountUpdate::new()).await.unwrap().done().unwrap();
    assert_eq!(end.steps, steps);
    proxy.seen.round_trips.load(Ordering::SeqCst) - before
}

#[tokio::test]
async fn one_per_step() {
    let Some(pg) = pg_server::shared() else { return };
    let schema = pg.fresh_schema();
    let few = round_trips(&pg.url, &schema, 5).await;
    let many = round_trips(&pg.url, &schema, 25).await;
    assert_eq!(many - few, 20, "{few} round trips for 5 steps, {many} for 25");
    // Reading the head, and the end of the run.
    assert!(few <= 5 + 3, "{few} round trips for 5 steps");
}
