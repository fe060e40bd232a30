//! The shortest path through everything.

use std::sync::Arc;

use duru::store::MemoryStore;
use duru::{Cx, END, Graph, Mode, Outcome, Result, State};

#[derive(State, Clone)]
struct Count {
    n: u32,
    #[merge(append)]
    seen: Vec<u32>,
}

async fn add(s: Arc<Count>, _: Cx) -> Result<CountUpdate> {
    Ok(CountUpdate::new().n(s.n + 1).seen([s.n]))
}

fn looping() -> duru::Compiled<Count> {
    let mut g = Graph::<Count>::new("count");
    let add = g.node("add", add);
    g.start(add);
    g.route(add, [add.into(), END], move |s: &Count| if s.n < 3 { add.into() } else { END });
    g.compile().unwrap()
}

#[tokio::test]
async fn a_loop_runs_without_a_store() {
    let end = looping().invoke(CountUpdate::new()).await.unwrap().done().unwrap();
    assert_eq!(end.seen, [0, 1, 2]);
}

#[tokio::test]
async fn a_loop_runs_on_a_store_and_again() {
    let app = looping().on(Arc::new(MemoryStore::new()));
    let thread = app.thread("t").unwrap();
    let end = thread.invoke(CountUpdate::new()).await.unwrap().done().unwrap();
    assert_eq!(end.seen, [0, 1, 2]);
    let end = thread.invoke(CountUpdate::new().n(1u32)).await.unwrap().done().unwrap();
    assert_eq!(end.seen, [0, 1, 2, 1, 2]);
    // Another process sees the same.
    let cold = looping().on(Arc::clone(app.store())).thread("t").unwrap();
    assert_eq!(cold.state().await.unwrap().decode::<Count>().unwrap().seen, [0, 1, 2, 1, 2]);
    let end = cold.invoke(CountUpdate::new().n(2u32)).await.unwrap().done().unwrap();
    assert_eq!(end.seen, [0, 1, 2, 1, 2, 2]);
}

#[tokio::test]
async fn streams_number_every_event() {
    for store in [true, false] {
        let graph = looping();
        let mut stream = if store {
            let app = graph.on(Arc::new(MemoryStore::new()));
            app.thread("t").unwrap().invoke(CountUpdate::new()).stream(Mode::ALL).await.unwrap()
        } else {
            graph.invoke(CountUpdate::new()).stream(Mode::ALL).await.unwrap()
        };
        let mut next = 0;
        let mut values = Vec::new();
        while let Some(event) = stream.next().await.unwrap() {
            assert_eq!(event.seq, next, "{event:?}");
            next += 1;
            if event.mode == Mode::Values {
                values.push(event.data["n"].clone());
            }
        }
        assert_eq!(values, [serde_json::Value::Null, 1.into(), 2.into(), 3.into()]);
        assert!(matches!(stream.outcome().await.unwrap(), Outcome::Done(_)));
    }
}
