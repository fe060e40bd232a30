//! Requests that are too large, too slow or too many.

use std::sync::Arc;
use std::time::Duration;

use duru::store::MemoryStore;
use duru_server::{Access, ApiRoutes, KeyScope, Keys, NewKey, Options, Server, Stores};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use crate::fixture::Place;
use crate::served::{graphs, served, served_with};
use crate::web_checks::{ask, raw, status, upgrade};

/// The largest head that is read.
const HEAD: usize = 64 << 10;
/// Nobody waits longer for a server that should have closed a connection.
const GIVE_UP: Duration = crate::client::PATIENCE;

#[tokio::test]
async fn heads_that_are_too_large_and_lengths_that_contradict_each_other_are_refused() {
    let served = served().await;
    let address = served.client.address().to_owned();
    // Exactly as much as is read: an answer to more may be lost when the connection is cut.
    let start = format!("GET /ok HTTP/1.1\r\nhost: {address}\r\nx-large: ");
    let large = format!("{start}{}", "x".repeat(HEAD - start.len()));
    assert_eq!(status(&raw(&address, large.as_bytes()).await), 431);
    let small = format!("{start}{}\r\nconnection: close\r\n\r\n", "x".repeat(HEAD / 2));
    assert_eq!(status(&raw(&address, small.as_bytes()).await), 200);
    let many: String = (0..500).map(|number| format!("x-{number}: 1\r\n")).collect();
    let many = format!("GET /ok HTTP/1.1\r\nhost: {address}\r\n{many}\r\n");
    assert_eq!(status(&raw(&address, many.as_bytes()).await), 431);
    // Two lengths, or one that is no number: nobody guesses which is meant.
    for lengths in [
        "content-length: 2\r\ncontent-length: 3\r\n",
        "content-length: 2x\r\n",
        "content-length: -1\r\n",
        "transfer-encoding: identity\r\n",
        "transfer-encoding: chunked, gzip\r\n",
    ] {
        let request = format!("POST /threads HTTP/1.1\r\nhost: {address}\r\n{lengths}\r\n{{}}");
        assert_eq!(status(&raw(&address, request.as_bytes()).await), 400, "{lengths}");
    }
    // Whoever stands in between may have gone by the length: nothing more is read from such a connection.
    for both in [
        "content-length: 4\r\ntransfer-encoding: chunked\r\n",
        "transfer-encoding: chunked\r\ncontent-length: 4\r\n",
    ] {
        let smuggled = format!(
            "POST /threads HTTP/1.1\r\nhost: {address}\r\n{both}\r\n2\r\n{{}}\r\n0\r\n\r\nGET /nowhere HTTP/1.1\r\nhost: {address}\r\n\r\n"
        );
        let answers = raw(&address, smuggled.as_bytes()).await;
        let statuses: Vec<&str> = answers.split("HTTP/1.1 ").skip(1).map(|answer| &answer[..3]).collect();
        assert_eq!(statuses, ["200"], "{answers}");
    }
    // What looks like a second request in a body is a part of the body.
    let inner = format!("GET /nowhere HTTP/1.1\r\nhost: {address}\r\n\r\n");
    let hidden = format!(
        "POST /threads HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{inner}",
        inner.len()
    );
    let answers = raw(&address, hidden.as_bytes()).await;
    assert_eq!((status(&answers), answers.matches("HTTP/1.1 ").count()), (422, 1), "{answers}");
}

/// Sends the beginning of a request, then a byte now and then, until the server has had enough.
async fn drip(address: &str, beginning: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(beginning.as_bytes()).await.unwrap();
    let (mut read, mut write) = stream.split();
    let mut answer = Vec::new();
    let dripping = async {
        while write.write_all(b"x").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(40)).await;
        }
        std::future::pending::<()>().await;
    };
    tokio::select! {
        () = dripping => {}
        closed = tokio::time::timeout(GIVE_UP, read.read_to_end(&mut answer)) => {
            assert!(closed.is_ok(), "the server waits forever");
        }
    }
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn those_who_never_end_their_request_hold_up_nobody_and_are_sent_away() {
    let served = served_with(Options { patience: Duration::from_millis(400), ..Options::default() }).await;
    let address = served.client.address().to_owned();
    let half = format!("GET /ok HTTP/1.1\r\nhost: {address}\r\nx-slow: ");
    let body =
        format!("POST /threads HTTP/1.1\r\nhost: {address}\r\ncontent-length: 1000000\r\n\r\n{{\"a\":\"");
    let mut slow = tokio::task::JoinSet::new();
    for number in 0..200 {
        let (address, of_head) = (address.clone(), number % 2 == 0);
        let beginning = if of_head { half.clone() } else { body.clone() };
        slow.spawn(async move { (of_head, drip(&address, &beginning).await) });
    }
    let run = json!({ "assistant_id": "count", "input": { "n": 0 } });
    for _ in 0..20 {
        assert_eq!(served.client.post("/runs/wait", run.clone()).await.status, 200);
    }
    // Every one of them is closed, and those of whom it is known what they want are told why.
    while let Some(ended) = slow.join_next().await {
        let (of_head, answer) = ended.unwrap();
        assert!(of_head || status(&answer) == 408 || answer.is_empty(), "{answer}");
    }
    // A body that takes longer than that comes through if it comes at all, and so does an answer.
    let large = json!({ "metadata": { "a": "x".repeat(200_000) } }).to_string();
    let mut stream = TcpStream::connect(&address).await.unwrap();
    let head = format!(
        "POST /threads HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        large.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    for piece in large.as_bytes().chunks(20_000) {
        stream.write_all(piece).await.unwrap();
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert_eq!(status(&answer), 200, "{answer}");
}

/// The memory that one request may cost, in MB.
const ROOM: u64 = 50;

#[tokio::test]
async fn what_is_beyond_all_measure_is_refused_and_costs_little() {
    let place = Place::sqlite();
    let fixture = place.serve();
    let client = fixture.client();
    let run = json!({ "assistant_id": "three", "input": { "x": 1 } });
    client.post("/runs/wait", run.clone()).await.expect(200);
    let deep = format!("{{\"metadata\":{}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let keys: String = (0..1_000_000).map(|number| format!("\"k{number}\":1,")).collect();
    let twice = format!("{{\"metadata\":{{{}\"k\":1}}}}", "\"k\":1,".repeat(1_000_000));
    let list = format!("{{\"metadata\":{{\"a\":[{}1]}}}}", "1,".repeat(3_000_000));
    for (what, body, fitting) in [
        ("depth", deep, &[422][..]),
        ("keys", format!("{{\"metadata\":{{{keys}\"k\":1}}}}"), &[413]),
        ("the same key", twice, &[413]),
        ("a list", list, &[413]),
        ("a number", "{\"metadata\":{\"n\":1e400}}".to_owned(), &[422]),
        ("a negative number", "{\"metadata\":{\"n\":-1e999999}}".to_owned(), &[422]),
        ("digits", format!("{{\"metadata\":{{\"n\":{}}}}}", "9".repeat(100_000)), &[422]),
    ] {
        let before = {
            fixture.peak_mb();
            fixture.memory_mb()
        };
        let answer = client.raw("POST", "/threads", "application/json", Some(&body)).await.unwrap();
        let grown = fixture.peak_mb().saturating_sub(before);
        assert!(fitting.contains(&answer.status), "{what}: {} {}", answer.status, answer.text);
        assert!(grown < ROOM, "{what}: {grown} MB");
    }
    // A hundred megabytes, of which it is said how many they are, or not.
    for length in ["content-length: 104857600", "transfer-encoding: chunked"] {
        let before = {
            fixture.peak_mb();
            fixture.memory_mb()
        };
        let mut stream = TcpStream::connect(client.address()).await.unwrap();
        let head = format!("POST /threads HTTP/1.1\r\nhost: {}\r\n{length}\r\n\r\n", client.address());
        stream.write_all(head.as_bytes()).await.unwrap();
        let (mut read, mut write) = stream.split();
        let chunked = length.contains("chunked");
        let sending = async {
            let piece =
                if chunked { format!("100000\r\n{}\r\n", "x".repeat(1 << 20)) } else { "x".repeat(1 << 20) };
            for _ in 0..100 {
                if write.write_all(piece.as_bytes()).await.is_err() {
                    break;
                }
            }
        };
        let mut answer = Vec::new();
        let (_, read) = tokio::join!(sending, read.read_to_end(&mut answer));
        let grown = fixture.peak_mb().saturating_sub(before);
        // The connection may be cut before the answer is read.
        let answer = String::from_utf8_lossy(&answer).into_owned();
        assert!(read.is_err() || status(&answer) == 413, "{answer}");
        assert!(grown < ROOM, "{length}: {grown} MB");
    }
    client.post("/runs/wait", run).await.expect(200);
}

#[tokio::test]
async fn a_key_has_only_so_many_answers_open_at_once() {
    let store = Arc::new(MemoryStore::new());
    let keys = Keys::new(store.clone());
    let key = async |name: &str, at_once: Option<u32>| {
        let new = NewKey { name: name.into(), per_second: Some(5000), at_once, ..NewKey::default() };
        keys.add(new).await.unwrap().0
    };
    let (kim, lee) = (key("kim", Some(3)).await, key("lee", Some(3)).await);
    let server = graphs(Server::new(Stores::of(store))).mount_with(|runs| {
        use axum::extract::ws::WebSocketUpgrade;
        let socket = async move |caller: duru_server::Caller, upgrade: WebSocketUpgrade| {
            // As the sockets of agents do: for as long as they are open.
            let runs = runs.acting_for(&caller);
            upgrade.on_upgrade(async move |mut socket| {
                while socket.recv().await.is_some_and(|frame| frame.is_ok()) {}
                drop(runs);
            })
        };
        ApiRoutes::new().unlisted(Access::Scope(KeyScope::Ask), "get", "/ws/idle", axum::routing::any(socket))
    });
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let stop = CancellationToken::new();
    tokio::spawn(server.serve(listener, stop.clone()));

    let with = |key: &str| format!("x-api-key: {key}\r\n");
    let answer = ask(&address, "POST /threads", &with(&kim), Some(&json!({}))).await;
    let made: Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
    let thread = made["thread_id"].as_str().unwrap().to_owned();
    // A stream of a thread lasts as long as its reader.
    let open = async |request: String| {
        let mut stream = TcpStream::connect(&address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut head = Vec::new();
        while !head.windows(4).any(|four| four == b"\r\n\r\n") {
            assert_ne!(stream.read_buf(&mut head).await.unwrap(), 0);
        }
        (status(&String::from_utf8_lossy(&head)), String::from_utf8_lossy(&head).into_owned(), stream)
    };
    let stream =
        |key: &str| format!("GET /threads/{thread}/stream HTTP/1.1\r\nhost: {address}\r\n{}\r\n", with(key));
    let socket = |headers: &str, query: &str| {
        format!("GET /ws/idle{query} HTTP/1.1\r\nhost: {address}\r\n{}\r\n", upgrade(headers))
    };
    let ticket = ask(&address, "POST /ws/ticket", &with(&kim), None).await;
    let ticket: Value = serde_json::from_str(ticket.split_once("\r\n\r\n").unwrap().1).unwrap();
    let first = open(stream(&kim)).await;
    let second = open(socket(&with(&kim), "")).await;
    // However they come: a ticket is its owner's.
    let third = open(socket("", &format!("?ticket={}", ticket["ticket"].as_str().unwrap()))).await;
    assert_eq!((first.0, second.0, third.0), (200, 101, 101));
    for request in [stream(&kim), socket(&with(&kim), "")] {
        let (refused, head, _) = open(request).await;
        assert_eq!(refused, 429, "{head}");
        assert!(head.to_lowercase().contains("retry-after:"), "{head}");
    }
    assert_eq!(open(socket(&with(&lee), "")).await.0, 101, "others have their own");
    // Whoever closes one may open another, a stream as well as a socket.
    for closed in [first, second] {
        drop(closed);
        let give_up = tokio::time::Instant::now() + GIVE_UP;
        loop {
            let (opened, _, kept) = open(stream(&kim)).await;
            if opened == 200 {
                drop(kept);
                break;
            }
            assert!(tokio::time::Instant::now() < give_up, "it still counts");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    stop.cancel();
}

/// What is accepted is carried out, so what can't be is not accepted: the queue has an end.
#[tokio::test]
async fn a_full_queue_says_when_to_come_back() {
    use duru::{Cx, END, Graph, Result, State};
    #[derive(State, Clone)]
    struct Nothing {
        n: u32,
    }
    async fn wait(_: Arc<Nothing>, _: Cx) -> Result<NothingUpdate> {
        tokio::time::sleep(Duration::from_secs(600)).await;
        Ok(NothingUpdate::new())
    }
    let mut graph = Graph::<Nothing>::new("wait");
    let node = graph.node("wait", wait);
    graph.start(node).edge(node, END);
    let options = Options { runs_at_once: 1, longest_queue: 3, grace: Duration::ZERO, ..Options::default() };
    let server = Server::new(Stores::of(Arc::new(MemoryStore::new())));
    let server = server.graph(graph.compile().unwrap().erased()).options(options);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let client = crate::client::Client::new(listener.local_addr().unwrap().to_string());
    let stop = CancellationToken::new();
    tokio::spawn(server.serve(listener, stop.clone()));
    let run = json!({ "assistant_id": "wait", "input": { "n": 0 } });
    let mut accepted = 0;
    let refused = loop {
        let answer = client.post("/runs", run.clone()).await;
        if answer.status != 200 {
            break answer;
        }
        accepted += 1;
        assert!(accepted < 10, "it never ends");
    };
    assert!(accepted >= 3, "{accepted}");
    assert_eq!(refused.detail(429), "The queue is full. Try again later.");
    assert!(refused.header("retry-after").is_some());
    // Those who only look are served all the same, and when there is room again, so is everybody.
    client.get("/ok").await.expect(200);
    client.post("/runs/cancel", json!({ "status": "all" })).await.expect(204);
    let give_up = tokio::time::Instant::now() + GIVE_UP;
    while client.post("/runs", run.clone()).await.status != 200 {
        assert!(tokio::time::Instant::now() < give_up, "it stays full");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    stop.cancel();
}
