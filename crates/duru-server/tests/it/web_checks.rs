//! Checks of what strangers may try over the network, beside those of `security.rs`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use duru::store::MemoryStore;
use duru_server::{Keys, NewKey, Server};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::counted::{Counted, SECRETS};
use crate::fixture::{Fixture, Place};
use crate::served::graphs;

const NOBODY: &str = "00000000-0000-7000-8000-000000000000";

/// Sends bytes and reads what comes, until the server closes or says nothing more for a moment.
pub(crate) async fn raw(address: &str, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // The server may answer, and close, before it has read everything.
    drop(stream.write_all(bytes).await);
    let mut answer = Vec::new();
    let quiet = Duration::from_secs(2);
    while let Ok(Ok(1..)) = tokio::time::timeout(quiet, stream.read_buf(&mut answer)).await {
        // An upgraded connection stays open.
        if answer.starts_with(b"HTTP/1.1 101") {
            break;
        }
    }
    String::from_utf8_lossy(&answer).into_owned()
}

pub(crate) fn status(answer: &str) -> u16 {
    answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
}

pub(crate) async fn ask(address: &str, line: &str, headers: &str, body: Option<&Value>) -> String {
    let body = body.map(Value::to_string).unwrap_or_default();
    let head = format!(
        "{line} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-length: {}\r\n{headers}\r\n",
        body.len()
    );
    raw(address, format!("{head}{body}").as_bytes()).await
}

struct Counting {
    address: String,
    store: Arc<Counted>,
    kim: String,
    lee: String,
    _stop: DropGuard,
}

async fn counting() -> Counting {
    let memory = Arc::new(MemoryStore::new());
    let keys = Keys::new(memory.clone());
    let key = async |name: &str| {
        let new = NewKey { name: name.into(), per_second: Some(5000), ..NewKey::default() };
        keys.add(new).await.unwrap().0
    };
    let (kim, lee) = (key("kim").await, key("lee").await);
    let store = Counted::of(memory);
    let server = graphs(Server::new(store.stores()));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let stop = CancellationToken::new();
    tokio::spawn(server.serve(listener, stop.clone()));
    Counting { address, store, kim, lee, _stop: stop.drop_guard() }
}

impl Counting {
    async fn ask(&self, key: &str, line: &str, body: Option<&Value>) -> (u16, Value) {
        let answer = ask(&self.address, line, &format!("x-api-key: {key}\r\n"), body).await;
        let text = answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default();
        (status(&answer), serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }
}

/// Nobody can tell by the time it takes: the store is asked as often for what is another's as for what is not there.
#[tokio::test]
async fn what_is_anothers_costs_the_same_work_as_what_does_not_exist() {
    let server = counting().await;
    let (_, thread) = server.ask(&server.kim, "POST /threads", Some(&json!({}))).await;
    let thread = thread["thread_id"].as_str().unwrap().to_owned();
    let start = json!({ "assistant_id": "count", "input": { "n": 0 } });
    assert_eq!(
        server.ask(&server.kim, &format!("POST /threads/{thread}/runs/wait"), Some(&start)).await.0,
        200
    );
    let (_, runs) = server.ask(&server.kim, &format!("GET /threads/{thread}/runs"), None).await;
    let run = runs[0]["run_id"].as_str().unwrap().to_owned();
    let (_, assistant) =
        server.ask(&server.kim, "POST /assistants", Some(&json!({ "graph_id": "count" }))).await;
    let assistant = assistant["assistant_id"].as_str().unwrap().to_owned();
    let values = json!({ "values": { "n": 9 }, "as_node": "add" });
    let renamed = json!({ "name": "mine" });
    let none = None;
    let mut compared = 0;
    for (line, body) in [
        ("GET /threads/T", none),
        ("PATCH /threads/T", Some(&renamed)),
        ("DELETE /threads/T", none),
        ("POST /threads/T/copy", none),
        ("GET /threads/T/state", none),
        ("POST /threads/T/state", Some(&values)),
        ("GET /threads/T/history", none),
        ("GET /threads/T/runs", none),
        ("POST /threads/T/runs", Some(&start)),
        ("POST /threads/T/runs/wait", Some(&start)),
        ("GET /threads/T/runs/R", none),
        ("DELETE /threads/T/runs/R", none),
        ("GET /threads/T/runs/R/join", none),
        ("GET /threads/T/runs/R/stream", none),
        ("POST /threads/T/runs/R/cancel", none),
        ("GET /runs/dead/R", none),
        ("POST /runs/dead/R/retry", none),
        ("GET /assistants/A", none),
        ("PATCH /assistants/A", Some(&renamed)),
        ("DELETE /assistants/A", none),
    ] {
        let filled = |[t, r, a]: [&str; 3]| {
            let part = |part| match part {
                "T" => t,
                "R" => r,
                "A" => a,
                other => other,
            };
            line.split('/').map(part).collect::<Vec<_>>().join("/")
        };
        server.store.calls();
        let theirs = server.ask(&server.lee, &filled([&thread, &run, &assistant]), body).await.0;
        let of_theirs = server.store.calls();
        let unknown = server.ask(&server.lee, &filled([NOBODY; 3]), body).await.0;
        let of_unknown = server.store.calls();
        assert_eq!((theirs, of_theirs), (unknown, of_unknown), "{line}");
        compared += usize::from(of_theirs > 0);
    }
    // Nobody runs an assistant of somebody else's, also right after its owner has.
    let of = |id: &str| json!({ "assistant_id": id, "input": { "n": 0 } });
    assert_eq!(server.ask(&server.kim, "POST /runs/wait", Some(&of(&assistant))).await.0, 200);
    server.store.calls();
    let theirs = server.ask(&server.lee, "POST /runs/wait", Some(&of(&assistant))).await;
    let of_theirs = server.store.calls();
    let unknown = server.ask(&server.lee, "POST /runs/wait", Some(&of(NOBODY))).await;
    assert_eq!((theirs.0, of_theirs), (404, server.store.calls()));
    assert_eq!(unknown.0, 404);
    assert!(compared >= 18, "only {compared} asked the store at all");
}

#[tokio::test]
async fn what_a_database_says_of_itself_is_for_the_log_alone() {
    let server = counting().await;
    // It has started.
    assert_eq!(server.ask(&server.kim, "GET /ready", None).await.0, 200);
    server.store.break_down();
    for line in [
        &format!("GET /threads/{NOBODY}"),
        "POST /runs/wait",
        "GET /ready",
        &format!("GET /threads/{NOBODY}/state"),
    ] {
        let body = json!({ "assistant_id": "count", "input": { "n": 0 } });
        let (status, answer) = server.ask(&server.kim, line, Some(&body)).await;
        assert_eq!(status, 503, "{line}: {answer}");
        let said = answer.to_string();
        for word in SECRETS.split(' ').filter(|word| word.len() > 4) {
            assert!(!said.contains(word), "{line}: {word}: {said}");
        }
    }
}

#[tokio::test]
async fn a_key_is_taken_from_a_header_and_from_nowhere_else() {
    let server = counting().await;
    for (line, headers) in [
        (format!("GET /info?api_key={0}&x-api-key={0}&token={0}&ticket={0}", server.kim), String::new()),
        ("GET /info".to_owned(), format!("cookie: x-api-key={0}; token={0}\r\n", server.kim)),
        ("GET /info".to_owned(), format!("authorization: Basic {}\r\n", server.kim)),
    ] {
        assert_eq!(status(&ask(&server.address, &line, &headers, None).await), 401, "{line}");
    }
    // Nobody is given a cookie that a page of somebody else's could use.
    let headers = format!("x-api-key: {}\r\n", server.kim);
    let answer = ask(&server.address, "POST /threads", &headers, Some(&json!({}))).await;
    assert!(status(&answer) == 200 && !answer.to_lowercase().contains("set-cookie"), "{answer}");
}

#[tokio::test]
async fn guessing_is_slowed_down_whatever_address_is_claimed() {
    let server = counting().await;
    // However slow this machine is, nobody guesses for long.
    let give_up = Instant::now() + Duration::from_secs(60);
    let (mut slowed, mut number) = (0, 0_u32);
    while slowed < 10 {
        assert!(Instant::now() < give_up, "{slowed} of {number}");
        let last = number % 250;
        let headers = format!(
            "x-api-key: duru_a_{number}\r\nx-forwarded-for: 10.0.0.{last}\r\nx-real-ip: 10.1.0.{last}\r\n"
        );
        let answer = ask(&server.address, "GET /info", &headers, None).await;
        slowed += usize::from(status(&answer) == 429 && answer.to_lowercase().contains("retry-after:"));
        number += 1;
    }
    // Guessing tickets is guessing, too; asking without anything is not, and is told the same every time.
    let (mut slowed, mut number) = (0, 0_u32);
    while slowed < 10 {
        assert!(Instant::now() < give_up, "{slowed} of {number} tickets");
        let line = format!("GET /threads/{NOBODY}/stream?ticket={number}");
        slowed += usize::from(status(&ask(&server.address, &line, &upgrade(""), None).await) == 429);
        assert_eq!(status(&ask(&server.address, "GET /info", "", None).await), 401);
        number += 1;
    }
}

pub(crate) fn upgrade(headers: &str) -> String {
    format!(
        "upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n{headers}"
    )
}

async fn socket(fixture: &Fixture, query: &str, headers: &str) -> u16 {
    let address = format!("127.0.0.1:{}", fixture.port);
    let line = format!("GET /ws/{NOBODY}{query} HTTP/1.1\r\nhost: {address}\r\n{}\r\n", upgrade(headers));
    status(&raw(&address, line.as_bytes()).await)
}

#[tokio::test]
async fn pages_of_strangers_open_no_socket() {
    let place = Place::sqlite();
    let fixture = place.serve_with(&["--interfaces"]);
    for origin in [
        "https://evil.example",
        "null",
        "http://localhost.evil.example",
        "file://",
        "http://localhost:5173",
        "http://evil.localhost",
        "http://127.0.0.1:1",
        "https://smith.langchain.com",
    ] {
        assert_eq!(socket(&fixture, "", &format!("origin: {origin}\r\n")).await, 403, "{origin}");
    }
    assert_eq!(socket(&fixture, "", &format!("origin: {}\r\n", fixture.url())).await, 101, "our own page");
    // Programs send none.
    assert_eq!(socket(&fixture, "", "").await, 101);
}

#[tokio::test]
async fn a_ticket_opens_one_socket_once() {
    let fixture = Place::sqlite().serve_told(&["--interfaces", "--key-per-second", "100"], &[]);
    let key = fixture.key.clone().unwrap();
    assert_eq!(socket(&fixture, "", "").await, 401);
    assert_eq!(socket(&fixture, "?ticket=guessed", "").await, 401);
    assert_eq!(socket(&fixture, &format!("?ticket={key}"), "").await, 401);
    let address = format!("127.0.0.1:{}", fixture.port);
    let answer = ask(&address, "POST /ws/ticket", &format!("x-api-key: {key}\r\n"), None).await;
    let made: Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
    let ticket = made["ticket"].as_str().unwrap();
    assert!(ticket.len() >= 64 && made["expires_in"].as_u64().unwrap() <= 30, "{made}");
    // It opens a socket and nothing else.
    let answer = ask(&address, &format!("GET /info?ticket={ticket}"), "", None).await;
    assert_eq!(status(&answer), 401);
    assert_eq!(socket(&fixture, &format!("?ticket={ticket}"), "").await, 101);
    assert_eq!(socket(&fixture, &format!("?ticket={ticket}"), "").await, 401);
}

#[tokio::test]
async fn what_people_write_can_not_forge_an_event() {
    let place = Place::sqlite();
    let fixture = place.serve_with(&["--interfaces"]);
    let evil = "a\r\n\r\nevent: forged\r\ndata: {\"x\":1}\r\nid: 9\n\nevent: forged\u{2028}event: forged";
    let body =
        json!({ "assistant_id": "guide", "input": { "query": evil }, "stream_mode": ["custom", "values"] });
    let answer = fixture.client().post("/runs/stream", body).await;
    assert_eq!(answer.status, 200);
    let lines: Vec<&str> = answer.text.split(['\n', '\r']).collect();
    assert!(lines.iter().any(|line| line.starts_with("data:") && line.contains("forged")), "{}", answer.text);
    for line in lines {
        let name = line.split(':').next().unwrap_or_default();
        assert!(matches!(name, "event" | "data" | "id" | ""), "{line:?}");
        assert!(!(name == "event" && line.contains("forged")), "{line:?}");
    }
}

#[tokio::test]
async fn odd_names_in_a_search_are_only_names() {
    let mut places = vec![Place::sqlite()];
    places.extend(Place::postgres());
    for place in places {
        let fixture = place.serve();
        let client = fixture.client();
        client.post("/threads", json!({ "metadata": { "kind": "x" } })).await.expect(200);
        for name in [
            "a'b",
            "a\"b",
            "$.kind",
            "kind') OR ('1'='1",
            "__proto__",
            "kind\u{0}",
            "a.b",
            "'; DROP TABLE entries; --",
            "한글",
        ] {
            for value in [json!("x"), json!({ "$ne": null }), json!(null), json!([1])] {
                let asked = json!({ "metadata": { name: value } });
                let answer = client.post("/threads/search", asked).await;
                assert!(matches!(answer.status, 200 | 422), "{name:?}: {} {}", answer.status, answer.text);
                assert!(answer.status == 422 || answer.json() == json!([]), "{name:?}: {}", answer.text);
                assert!(!answer.text.to_lowercase().contains("sql"), "{}", answer.text);
            }
        }
        let found = client.post("/threads/search", json!({ "metadata": { "kind": "x" } })).await.expect(200);
        assert_eq!(found.as_array().unwrap().len(), 1);
    }
}

/// What is taken does not depend on where it is kept: PostgreSQL's JSON has no such character.
#[tokio::test]
async fn a_nul_is_answered_alike_by_all_stores() {
    let mut places = vec![Place::sqlite()];
    places.extend(Place::postgres());
    let mut answers: Vec<Vec<u16>> = Vec::new();
    for place in places {
        let fixture = place.serve();
        let client = fixture.client();
        let thread = client.post("/threads", json!({})).await.expect(200);
        let thread = format!("/threads/{}", thread["thread_id"].as_str().unwrap());
        let nul = json!({ "a\u{0}": ["\u{0}"] });
        let run = json!({ "assistant_id": "three", "input": nul, "metadata": nul, "config": nul });
        let mut statuses = Vec::new();
        for (method, path, body) in [
            ("POST", "/threads".to_owned(), json!({ "metadata": nul })),
            ("PATCH", thread.clone(), json!({ "metadata": nul })),
            (
                "POST",
                "/threads/search".to_owned(),
                json!({ "metadata": nul, "values": nul, "text": "\u{0}" }),
            ),
            ("POST", format!("{thread}/runs/wait"), run),
            ("POST", format!("{thread}/state"), json!({ "values": nul, "as_node": "a" })),
            ("POST", format!("{thread}/history"), json!({ "metadata": nul })),
            ("POST", "/assistants/search".to_owned(), json!({ "metadata": nul, "name": "\u{0}" })),
            ("POST", "/store/items/search".to_owned(), json!({ "filter": nul, "query": "\u{0}" })),
        ] {
            let answer = client.send(method, &path, Some(body)).await;
            assert!(answer.status < 500, "{method} {path}: {} {}", answer.status, answer.text);
            statuses.push(answer.status);
        }
        answers.push(statuses);
    }
    assert!(answers.iter().all(|statuses| *statuses == answers[0]), "{answers:?}");
}

/// A model that calls a tool may have been talked into more than the tool offers.
#[tokio::test]
async fn a_tool_takes_what_it_offers_and_nothing_else() {
    use duru_server::mcp::{self, Tool};
    let server =
        graphs(Server::new(duru_server::Stores::of(Arc::new(MemoryStore::new())))).mount_with(|runs| {
            let tool = |graph: &str, field| Tool::new(graph, "counts").taking([field]);
            mcp::routes(runs, vec![tool("count", "m"), tool("parent", "n")])
        });
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let stop = CancellationToken::new();
    tokio::spawn(server.serve(listener, stop.clone()));
    let _stop = stop.drop_guard();
    for (tool, wanted) in [("count", r#"{"n":3}"#), ("parent", r#"{"n":52}"#)] {
        let params = json!({ "name": tool, "arguments": { "n": 50 } });
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let answer = ask(&address, "POST /mcp", "", Some(&call)).await;
        let answer: Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
        assert_eq!(answer["result"]["content"][0]["text"], wanted, "{tool}: {answer}");
    }
}
