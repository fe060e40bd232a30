//! Questions that answer themselves, and runs that take long without looking up.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

use duru::store::{Catalog, Entry, EntryKind, Expect, MemoryStore};
use duru::{Compiled, Cx, Deadline, END, Graph, Result, State};
use duru_server::{Options, Server, Stores};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::client::{Client, PATIENCE};

#[derive(State, Clone)]
struct Talk {
    #[merge(append)]
    said: Vec<String>,
}

/// How often `nap` ran.
#[derive(Clone, Default)]
struct Naps(Arc<AtomicUsize>);

/// Asks something that answers itself soon.
fn asking(name: &str, soon: Duration) -> Graph<Talk> {
    let mut g = Graph::<Talk>::new(name);
    let ask = g.node("ask", move |_: Arc<Talk>, cx: Cx| async move {
        let said: String = cx.interrupt_until("well?", Deadline::after(soon, "nothing".to_owned()))?;
        Ok(TalkUpdate::new().said([said]))
    });
    g.start(ask).edge(ask, END);
    g
}

/// The same, while something beside it takes very long.
fn napping() -> Compiled<Talk> {
    let mut g = asking("napping", Duration::from_secs(2));
    let nap = g.node("nap", |_: Arc<Talk>, cx: Cx| async move {
        cx.get::<Naps>()?.0.fetch_add(1, Ordering::SeqCst);
        tokio::time::sleep(Duration::from_secs(3600)).await;
        Ok(())
    });
    g.start(nap).edge(nap, END);
    g.compile().unwrap()
}

/// A server, which stops when this is dropped.
struct Served {
    client: Client,
    _stop: DropGuard,
}

async fn serve(server: Server) -> Served {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let stop = CancellationToken::new();
    tokio::spawn(server.serve(listener, stop.clone()));
    Served { client: Client::new(address), _stop: stop.drop_guard() }
}

async fn eventually(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let give_up = Instant::now() + PATIENCE;
    while !is_so().await {
        assert!(Instant::now() < give_up, "{what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn deadlines_of_a_graph_that_is_no_longer_served_do_not_hold_up_others() {
    let store = Arc::new(MemoryStore::new());
    let gone = asking("gone", Duration::ZERO).compile().unwrap().on(Arc::clone(&store) as Arc<_>);
    for i in 0..1_200 {
        let id = format!("gone{i}");
        let _ = gone.thread(id.as_str()).unwrap().invoke(TalkUpdate::new()).await.unwrap();
        let metadata = [("graph_id".to_owned(), json!("gone"))].into_iter().collect();
        let entry = Entry { metadata, ..Entry::new(EntryKind::Thread, id.as_str()) };
        store.put(entry, Expect::New).await.unwrap();
    }
    // Theirs have all passed before ours.
    let asking = asking("asking", Duration::from_millis(10)).compile().unwrap().erased();
    let served = serve(Server::new(Stores::of(store)).graph(asking)).await;
    let run = json!({ "assistant_id": "asking", "input": {} });
    let thread = served.client.post("/threads", json!({})).await.expect(200)["thread_id"].clone();
    let path = format!("/threads/{}", thread.as_str().unwrap());
    served.client.post(&format!("{path}/runs/wait"), run).await.expect(200);
    eventually("the deadline passes and nothing happens", async || {
        let state = served.client.get(&format!("{path}/state")).await.expect(200);
        state["values"]["said"] == json!(["nothing"])
    })
    .await;
}

#[tokio::test]
async fn a_deadline_does_not_begin_a_cancelled_run_again() {
    let naps = Naps::default();
    let graph = napping().provide(naps.clone()).erased();
    let served = serve(Server::new(Stores::of(Arc::new(MemoryStore::new()))).graph(graph)).await;
    let thread = served.client.post("/threads", json!({})).await.expect(200)["thread_id"].clone();
    let path = format!("/threads/{}", thread.as_str().unwrap());
    let run = json!({ "assistant_id": "napping", "input": {} });
    let run = served.client.post(&format!("{path}/runs"), run).await.expect(200)["run_id"].clone();
    eventually("nobody asks", async || {
        let state = served.client.get(&format!("{path}/state")).await.expect(200);
        let tasks = state["tasks"].as_array().cloned().unwrap_or_default();
        tasks.iter().any(|task| task["interrupts"][0]["value"] == "well?")
    })
    .await;
    let cancel = format!("{path}/runs/{}/cancel?wait=true", run.as_str().unwrap());
    assert!(served.client.post(&cancel, json!({})).await.status < 300);
    let before = served.client.get(&path).await.expect(200)["status"].clone();
    // Longer than the deadline, and than the rounds in which deadlines are looked for.
    tokio::time::sleep(Duration::from_secs(5)).await;
    let runs = served.client.get(&format!("{path}/runs")).await.expect(200);
    assert_eq!(runs.as_array().map(Vec::len), Some(1), "{runs}");
    assert_eq!(naps.0.load(Ordering::SeqCst), 1);
    assert_eq!(served.client.get(&path).await.expect(200)["status"], before);
}

/// A node that keeps its thread of the machine to itself, as one does that only calculates.
fn calculating(begun: Arc<AtomicUsize>, go_on: Arc<Barrier>) -> duru::ErasedGraph {
    let mut g = Graph::<Talk>::new("calculating");
    let node = g.node("calculate", move |_: Arc<Talk>, _: Cx| {
        let (begun, go_on) = (Arc::clone(&begun), Arc::clone(&go_on));
        async move {
            if begun.fetch_add(1, Ordering::SeqCst) == 0 {
                go_on.wait();
            }
            Ok(TalkUpdate::new().said(["calculated".to_owned()]))
        }
    });
    g.start(node).edge(node, END);
    g.compile().unwrap().erased()
}

#[tokio::test]
async fn a_run_that_only_calculates_is_not_begun_again_elsewhere() -> Result<(), Box<dyn std::error::Error>> {
    let lease = Duration::from_secs(3);
    let (begun, go_on) = (Arc::new(AtomicUsize::new(0)), Arc::new(Barrier::new(2)));
    let store = Arc::new(MemoryStore::new());
    let server = || {
        let graph = calculating(Arc::clone(&begun), Arc::clone(&go_on));
        let options = Options { lease, ..Options::default() };
        Server::new(Stores::of(Arc::clone(&store))).graph(graph).options(options)
    };
    // The first server has one thread, all of which the node takes.
    let first = server();
    let (told, address) = tokio::sync::oneshot::channel();
    let stop = CancellationToken::new();
    let stopped = stop.clone();
    let busy = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async move {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            told.send(listener.local_addr().unwrap().to_string()).unwrap();
            first.serve(listener, stopped).await
        })
    });
    let client = Client::new(address.await?);
    let run = json!({ "assistant_id": "calculating", "input": {} });
    let thread = client.post("/threads", json!({})).await.expect(200)["thread_id"].clone();
    let path = format!("/threads/{}", thread.as_str().unwrap());
    // Whether it answers before the node begins is nobody's business.
    let asked = tokio::spawn({
        let path = format!("{path}/runs");
        async move { client.post(&path, run).await }
    });
    eventually("it never begins", async || begun.load(Ordering::SeqCst) == 1).await;
    let second = serve(server()).await;
    tokio::time::sleep(lease * 3).await;
    assert_eq!(begun.load(Ordering::SeqCst), 1, "it runs twice");
    go_on.wait();
    asked.await?;
    eventually("it never ends", async || {
        let state: Value = second.client.get(&format!("{path}/state")).await.expect(200);
        state["values"]["said"] == json!(["calculated"])
    })
    .await;
    assert_eq!(begun.load(Ordering::SeqCst), 1, "it runs twice");
    stop.cancel();
    tokio::task::spawn_blocking(move || busy.join()).await?.unwrap()?;
    Ok(())
}
