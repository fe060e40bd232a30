//! Leases of runs whose nodes keep every thread of their program to themselves.

use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

use duru::store::{Error, Owner};
use duru::{App, Cx, END, Graph, State};
use tokio::sync::mpsc;

use crate::pg_server::{self, open_store};

#[derive(State, Clone)]
struct Work {
    done: bool,
}

const LEASE: Duration = Duration::from_secs(3);

async fn app(
    name: &str,
    (url, schema): (&str, &str),
    begun: mpsc::UnboundedSender<()>,
    go_on: Arc<Barrier>,
) -> App<Work> {
    let mut g = Graph::<Work>::new("g");
    let node = g.node("calculate", move |_: Arc<Work>, _: Cx| {
        let (begun, go_on) = (begun.clone(), Arc::clone(&go_on));
        async move {
            begun.send(()).unwrap();
            go_on.wait();
            Ok(WorkUpdate::new().done(true))
        }
    });
    g.start(node).edge(node, END);
    let store = open_store(url, schema).await;
    g.compile().unwrap().on(Arc::new(store)).owned_by(Owner::named(name), LEASE)
}

#[tokio::test]
async fn a_node_that_only_calculates_keeps_its_lease_in_postgres() {
    let Some(pg) = pg_server::shared() else { return };
    let (schema, go_on) = (pg.fresh_schema(), Arc::new(Barrier::new(2)));
    let (begun, mut begins) = mpsc::unbounded_channel();
    let theirs = app("theirs", (&pg.url, &schema), begun.clone(), Arc::clone(&go_on)).await;
    let theirs = theirs.thread("t").unwrap();
    let (url, open) = (pg.url.clone(), Arc::clone(&go_on));
    let busy = std::thread::spawn(move || {
        // The store is opened where the node will keep the only thread.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async move {
            let mine = app("mine", (&url, &schema), begun, open).await;
            mine.thread("t").unwrap().invoke(WorkUpdate::new()).await
        })
    });
    begins.recv().await.unwrap();
    let until = Instant::now() + 2 * LEASE + LEASE / 2;
    while Instant::now() < until {
        match theirs.go_on().await {
            Err(duru::Error::Store(Error::Owned { owner, .. })) => assert_eq!(owner.as_str(), "mine"),
            other => panic!("it was taken over: {:?}", other.map(drop)),
        }
        tokio::time::sleep(LEASE / 10).await;
    }
    go_on.wait();
    let end = tokio::task::spawn_blocking(move || busy.join().unwrap()).await.unwrap();
    assert!(end.unwrap().done().unwrap().done);
    assert!(begins.try_recv().is_err(), "it ran twice");
}
