//! A server that is told to stop, the parts that it knows, and limits that change.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use duru::store::{LocalHints, MemoryStore};
use duru_server::{Options, Server, Stores};
use serde_json::json;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::client::Client;
use crate::served::{graphs, serve};

fn server() -> Server {
    graphs(Server::new(Stores::of(Arc::new(MemoryStore::new()))))
}

/// First it says that it goes, and does everything as before; only then does it close.
#[tokio::test]
async fn a_lame_duck_is_not_ready_and_still_serves() {
    // Longer than any test: what is shown here does not depend on how fast it is.
    let options = Options { lame_duck: Duration::from_secs(3600), ..Options::default() };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let client = Client::new(listener.local_addr().unwrap().to_string());
    let stop = CancellationToken::new();
    let serving = tokio::spawn(server().options(options).serve(listener, stop.clone()));
    assert_eq!(client.get("/ready").await.status, 200);
    stop.cancel();
    while client.get("/ready").await.status == 200 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let ready = client.get("/ready").await;
    assert_eq!(ready.status, 503, "{}", ready.text);
    assert_eq!(client.get("/ok").await.status, 200, "it lives");
    let run = json!({"assistant_id": "count", "input": {"n": 0}});
    assert_eq!(client.post("/runs/wait", run).await.expect(200)["n"], 3, "and works");
    assert!(client.get("/metrics").await.text.contains("duru_leaving 1.0"));
    assert!(!serving.is_finished());
    serving.abort();
}

/// What could be done without is named and does not make it unready; why it is away is nobody else's to know.
#[tokio::test]
async fn a_part_that_is_away_is_named_and_no_reason_to_go_elsewhere() {
    let away = Arc::new(AtomicBool::new(true));
    let told = Arc::clone(&away);
    let [hints, _other] = LocalHints::pair();
    let server = server().hints(Arc::new(hints)).part("shard west", move || {
        told.load(Ordering::SeqCst).then(|| "postgres://kim@secret-host".to_owned())
    });
    let served = serve(server).await;
    let ready = served.client.get("/ready").await;
    assert!(!ready.text.contains("secret-host"), "{}", ready.text);
    let ready = ready.expect(200);
    assert_eq!(ready["degraded"], true);
    assert_eq!(ready["parts"], json!({"shard west": "away", "hints": "ok"}));
    let numbers = served.client.get("/metrics").await.text;
    assert!(numbers.contains("duru_part_up{part=\"shard west\"} 0.0"), "{numbers}");
    away.store(false, Ordering::SeqCst);
    assert_eq!(served.client.get("/ready").await.expect(200)["degraded"], false);
    assert!(served.client.get("/metrics").await.text.contains("duru_part_up{part=\"shard west\"} 1.0"));
}

/// From one moment to the next, and without a start.
#[tokio::test]
async fn limits_change_while_it_serves() {
    let server = server();
    let limits = server.limits();
    let served = serve(server).await;
    let run = || json!({"assistant_id": "count", "input": {"n": 0}});
    served.client.post("/runs/wait", run()).await.expect(200);
    limits.set(&Options { longest_queue: 0, ..Options::default() });
    assert_eq!(served.client.post("/runs/wait", run()).await.status, 429);
    limits.set(&Options::default());
    served.client.post("/runs/wait", run()).await.expect(200);
}
