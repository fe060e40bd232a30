//! Who may ask what.

use std::sync::Arc;

use duru::store::MemoryStore;
use duru_server::{Audit, Keys, NewKey, Security, Server, StartError, Stores};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::served::graphs;

const NOBODY: &str = "00000000-0000-7000-8000-000000000000";

/// A server with keys of two people.
struct Kept {
    address: String,
    store: Arc<MemoryStore>,
    kim: String,
    lee: String,
    _stop: DropGuard,
}

async fn key(keys: &Keys, name: &str, per_second: Option<u32>, largest_body: Option<u64>) -> String {
    let new = NewKey { name: name.into(), per_second, largest_body, admin: false };
    keys.add(new).await.unwrap().0
}

async fn serve(store: &Arc<MemoryStore>, security: Security) -> (String, DropGuard) {
    let server = graphs(Server::new(Stores::of(Arc::clone(store)))).security(security);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let stop = CancellationToken::new();
    tokio::spawn(server.serve(listener, stop.clone()));
    (address, stop.drop_guard())
}

async fn kept() -> Kept {
    let store = Arc::new(MemoryStore::new());
    let keys = Keys::new(store.clone());
    let (kim, lee) = (key(&keys, "kim", Some(5000), None).await, key(&keys, "lee", Some(5000), None).await);
    let (address, _stop) = serve(&store, Security::default()).await;
    Kept { address, store, kim, lee, _stop }
}

/// Status, headers in lower case, and body of an answer.
struct Got(u16, String, String);

impl Got {
    fn json(&self) -> Value {
        serde_json::from_str(&self.2).unwrap_or_else(|error| panic!("{error}: {}", self.2))
    }
}

/// One request, with these lines as its headers.
async fn send(address: &str, line: &str, headers: &[String], body: Option<Value>) -> Got {
    let body = body.map(|body| body.to_string()).unwrap_or_default();
    let mut request = format!("{line} HTTP/1.1\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
    if !headers.iter().any(|header| header.starts_with("host:")) {
        request += &format!("host: {address}\r\n");
    }
    headers.iter().for_each(|header| request += &format!("{header}\r\n"));
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(format!("{request}\r\n{body}").as_bytes()).await.unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await.unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Got(status, head.to_lowercase(), body.to_owned())
}

impl Kept {
    async fn ask(&self, key: &str, line: &str, body: Option<Value>) -> Got {
        send(&self.address, line, &[format!("x-api-key: {key}")], body).await
    }

    async fn thread_of(&self, key: &str) -> String {
        let thread = self.ask(key, "POST /threads", Some(json!({}))).await.json();
        let thread = thread["thread_id"].as_str().unwrap().to_owned();
        let run = json!({ "assistant_id": "count", "input": { "n": 0 } });
        assert_eq!(self.ask(key, &format!("POST /threads/{thread}/runs/wait"), Some(run)).await.0, 200);
        thread
    }
}

#[tokio::test]
async fn every_route_needs_a_key() {
    let kept = kept().await;
    let described = send(&kept.address, "GET /openapi.json", &[], None).await.json();
    let mut walked = 0;
    for (path, methods) in described["paths"].as_object().unwrap() {
        if ["/ok", "/ready"].contains(&path.as_str()) {
            continue;
        }
        for method in methods.as_object().unwrap().keys() {
            let line = format!("{} {}", method.to_uppercase(), path.replace(['{', '}'], ""));
            let got = send(&kept.address, &line, &[], Some(json!({}))).await;
            // Whoever asks too often without one is made to wait.
            assert!(matches!(got.0, 401 | 429), "{line}: {} {}", got.0, got.2);
            assert!(got.0 == 429 || got.1.contains("www-authenticate: bearer"), "{line}: {}", got.1);
            walked += 1;
        }
    }
    assert!(walked > 50, "{walked}");
    assert_eq!(send(&kept.address, "GET /ok", &[], None).await.0, 200);
}

#[tokio::test]
async fn keys_that_are_wrong_in_any_way_open_nothing() {
    let kept = kept().await;
    let (id, secret) = kept.kim.trim_start_matches("duru_").split_once('_').unwrap();
    let others = kept.lee.rsplit('_').next().unwrap();
    for wrong in [
        String::new(),
        "nonsense".into(),
        format!("duru_{id}_"),
        format!("duru_{id}_{others}"),
        format!("duru_{id}_{}", &secret[1..]),
        format!("duru__{secret}"),
        "eyJhbGciOiJub25lIn0.eyJzdWIiOiJraW0ifQ.".into(),
    ] {
        let got = kept.ask(&wrong, "POST /threads", Some(json!({}))).await;
        assert!(matches!(got.0, 401 | 429), "{wrong}: {}", got.0);
    }
    let bearer = format!("authorization: Bearer {}", kept.kim);
    assert_eq!(send(&kept.address, "POST /threads", &[bearer], Some(json!({}))).await.0, 200);
}

#[tokio::test]
async fn a_revoked_key_opens_nothing_any_more() {
    let kept = kept().await;
    assert_eq!(kept.ask(&kept.kim, "GET /info", None).await.0, 200);
    Keys::new(kept.store.clone()).revoke("kim").await.unwrap();
    let give_up = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while kept.ask(&kept.kim, "GET /info", None).await.0 == 200 {
        assert!(std::time::Instant::now() < give_up);
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(kept.ask(&kept.lee, "GET /info", None).await.0, 200);
}

/// What is another's answers exactly as what does not exist, but for its name.
#[tokio::test]
async fn what_is_anothers_looks_like_what_does_not_exist() {
    let kept = kept().await;
    let thread = kept.thread_of(&kept.kim).await;
    let runs = kept.ask(&kept.kim, &format!("GET /threads/{thread}/runs"), None).await.json();
    let run = runs[0]["run_id"].as_str().unwrap().to_owned();
    let state = kept.ask(&kept.kim, &format!("GET /threads/{thread}/state"), None).await.json();
    let checkpoint = state["checkpoint_id"].as_str().unwrap().to_owned();
    let cron = json!({ "assistant_id": "count", "schedule": "0 0 1 1 *", "input": {} });
    let cron = kept.ask(&kept.kim, "POST /runs/crons", Some(cron)).await.json();
    let cron = cron["cron_id"].as_str().unwrap().to_owned();
    let assistant =
        kept.ask(&kept.kim, "POST /assistants", Some(json!({ "graph_id": "count" }))).await.json();
    let assistant = assistant["assistant_id"].as_str().unwrap().to_owned();

    let start = json!({ "assistant_id": "count", "input": { "n": 0 } });
    let asked = [
        ("GET /threads/T", None),
        ("PATCH /threads/T", Some(json!({ "metadata": { "owner": "lee" } }))),
        ("DELETE /threads/T", None),
        ("POST /threads/T/copy", None),
        ("GET /threads/T/state", None),
        ("POST /threads/T/state", Some(json!({ "values": { "n": 9 }, "as_node": "add" }))),
        ("GET /threads/T/state/C", None),
        ("POST /threads/T/state/checkpoint", Some(json!({ "checkpoint": { "checkpoint_id": "C" } }))),
        ("GET /threads/T/history", None),
        ("POST /threads/T/history", Some(json!({}))),
        ("GET /threads/T/runs", None),
        ("POST /threads/T/runs", Some(start.clone())),
        ("POST /threads/T/runs/wait", Some(start.clone())),
        ("POST /threads/T/runs/stream", Some(start.clone())),
        ("GET /threads/T/runs/R", None),
        ("DELETE /threads/T/runs/R", None),
        ("GET /threads/T/runs/R/join", None),
        ("GET /threads/T/runs/R/stream", None),
        ("POST /threads/T/runs/R/cancel", None),
        ("GET /runs/R/stream", None),
        ("GET /threads/T/stream", None),
        ("POST /runs/cancel", Some(json!({ "thread_id": "T", "run_ids": ["R"] }))),
        ("GET /runs/crons/N", None),
        ("DELETE /runs/crons/N", None),
        ("GET /assistants/A", None),
        ("PATCH /assistants/A", Some(json!({ "name": "mine" }))),
        ("DELETE /assistants/A", None),
        ("POST /threads/T/commands", Some(json!({ "id": 1, "method": "agent.getTree" }))),
        (
            "POST /threads/T/commands",
            Some(
                json!({ "id": 1, "method": "input.respond", "params": { "interrupt_id": "x", "response": 1 } }),
            ),
        ),
    ];
    for (line, body) in asked {
        let filled = |text: &str, [t, r, c, n, a]: [&str; 5]| {
            let parts = text.split('/').map(|part| match part {
                "T" => t,
                "R" => r,
                "C" => c,
                "N" => n,
                "A" => a,
                other => other,
            });
            parts.collect::<Vec<_>>().join("/")
        };
        let body_of = |[t, r, c, ..]: [&str; 5]| {
            body.as_ref().map(|body| {
                let text = body.to_string();
                let text = text.replace("\"T\"", &format!("\"{t}\"")).replace("\"R\"", &format!("\"{r}\""));
                serde_json::from_str(&text.replace("\"C\"", &format!("\"{c}\""))).unwrap()
            })
        };
        let theirs = [&thread[..], &run, &checkpoint, &cron, &assistant];
        let unknown = [NOBODY; 5];
        let one = kept.ask(&kept.lee, &filled(line, theirs), body_of(theirs)).await;
        let two = kept.ask(&kept.lee, &filled(line, unknown), body_of(unknown)).await;
        let nameless = |got: &Got| {
            let names = theirs.iter().fold(got.2.clone(), |text, name| text.replace(name, "·"));
            (got.0, names.replace(NOBODY, "·"))
        };
        assert_eq!(nameless(&one), nameless(&two), "{line}");
    }
    // And nothing has happened to it.
    let now = kept.ask(&kept.kim, &format!("GET /threads/{thread}/state"), None).await.json();
    assert_eq!(now["checkpoint_id"], checkpoint.as_str());
    assert_eq!(kept.ask(&kept.kim, &format!("GET /assistants/{assistant}"), None).await.0, 200);
    assert_eq!(kept.ask(&kept.kim, &format!("GET /runs/crons/{cron}"), None).await.0, 200);
}

#[tokio::test]
async fn searches_find_ones_own_and_what_is_everybodys() {
    let kept = kept().await;
    let thread = kept.thread_of(&kept.kim).await;
    kept.ask(&kept.kim, "POST /assistants", Some(json!({ "graph_id": "count", "name": "kim's" }))).await;
    let item = json!({ "namespace": ["notes"], "key": "a", "value": { "secret": 1 } });
    assert_eq!(kept.ask(&kept.kim, "PUT /store/items", Some(item)).await.0, 204);
    for (key, own) in [(&kept.kim, true), (&kept.lee, false)] {
        let count = |found: Value| found.as_array().map_or(0, Vec::len);
        let everything = json!({ "metadata": {} });
        let threads = kept.ask(key, "POST /threads/search", Some(everything.clone())).await.json();
        assert_eq!(count(threads), usize::from(own));
        let owner = json!({ "metadata": { "owner": "kim" } });
        let threads = kept.ask(key, "POST /threads/search", Some(owner)).await.json();
        assert_eq!(count(threads), usize::from(own), "by its owner's name");
        assert_eq!(kept.ask(key, "POST /threads/count", Some(json!({}))).await.json(), json!(u8::from(own)));
        let found = kept.ask(key, "POST /assistants/search", Some(json!({}))).await.json();
        assert_eq!(count(found), 2 + usize::from(own));
        let found = kept.ask(key, "POST /store/items/search", Some(json!({}))).await.json();
        assert_eq!(count(found["items"].clone()), usize::from(own), "{found}");
        let read = kept.ask(key, "GET /store/items?namespace=notes&key=a", None).await.json();
        assert_eq!(read["value"]["secret"] == 1, own, "{read}");
        if own {
            assert_eq!(read["namespace"], json!(["notes"]));
        }
    }
    let taken = kept.ask(&kept.lee, "POST /threads", Some(json!({ "thread_id": thread }))).await;
    assert_eq!(taken.0, 409);
    let cancelled = kept.ask(&kept.lee, "POST /runs/cancel", Some(json!({ "status": "all" }))).await;
    assert_eq!(cancelled.0, 404);
}

#[tokio::test]
async fn a_key_has_its_own_limits() {
    let kept = kept().await;
    let keys = Keys::new(kept.store.clone());
    let slow = key(&keys, "slow", Some(1), None).await;
    let small = key(&keys, "small", Some(100), Some(100)).await;
    let mut statuses = Vec::new();
    for _ in 0..8 {
        let got = kept.ask(&slow, "GET /info", None).await;
        assert!(got.0 != 429 || got.1.contains("retry-after: "), "{}", got.1);
        statuses.push(got.0);
    }
    assert!(statuses.contains(&200) && statuses.contains(&429), "{statuses:?}");
    assert_eq!(kept.ask(&kept.kim, "GET /info", None).await.0, 200, "others do not wait");
    let large = json!({ "metadata": { "a": "x".repeat(200) } });
    assert_eq!(kept.ask(&small, "POST /threads", Some(large)).await.0, 413);
    assert_eq!(kept.ask(&small, "POST /threads", Some(json!({}))).await.0, 200);
}

#[tokio::test]
async fn pages_and_names_of_strangers_are_refused() {
    let store = Arc::new(MemoryStore::new());
    let security = Security { origins: vec!["https://ours.example".into()], ..Security::default() };
    let (address, _stop) = serve(&store, security).await;
    let asked = async |header: String| send(&address, "POST /threads", &[header], Some(json!({}))).await;
    for origin in [
        "null",
        "https://evil.example",
        "http://localhost.evil.example",
        "https://smith.langchain.com.evil.example",
        "file://",
        "https://ours.example.evil.example",
    ] {
        let got = asked(format!("origin: {origin}")).await;
        assert_eq!(got.0, 403, "{origin}");
        assert!(!got.1.contains("access-control-allow-origin"), "{origin}: {}", got.1);
    }
    for origin in [
        "http://localhost:3000",
        "http://127.0.0.1:8080",
        "https://smith.langchain.com",
        "https://ours.example",
    ] {
        let got = asked(format!("origin: {origin}")).await;
        assert_eq!(got.0, 200, "{origin}");
        assert!(got.1.contains(&format!("access-control-allow-origin: {origin}")), "{}", got.1);
        assert!(!got.1.contains("access-control-allow-credentials"), "{}", got.1);
    }
    // A name of somebody else's that leads here.
    for host in ["evil.example", "127.0.0.1.evil.example:80", "localhost@evil.example"] {
        assert_eq!(asked(format!("host: {host}")).await.0, 403, "{host}");
    }
    assert_eq!(asked("host: localhost:1".to_owned()).await.0, 200);
    let headers = asked("host: localhost".to_owned()).await.1;
    for header in
        ["x-content-type-options: nosniff", "referrer-policy: no-referrer", "frame-ancestors 'none'"]
    {
        assert!(headers.contains(header), "{headers}");
    }
    assert!(!headers.contains("unsafe-inline"), "{headers}");
}

#[tokio::test]
async fn others_can_not_reach_a_server_without_keys() {
    let store = Arc::new(MemoryStore::new());
    let server = || graphs(Server::new(Stores::of(store.clone())));
    let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
    let refused = server().serve(listener, CancellationToken::new()).await;
    assert!(matches!(refused, Err(StartError::NoKeys(_))), "{refused:?}");
    key(&Keys::new(store.clone()), "kim", None, None).await;
    let stop = CancellationToken::new();
    stop.cancel();
    let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
    server().serve(listener, stop).await.unwrap();
}

#[tokio::test]
async fn it_is_written_down_who_did_what() {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("audit.jsonl");
    let store = Arc::new(MemoryStore::new());
    let kim = key(&Keys::new(store.clone()), "kim", None, None).await;
    let security = Security { audit: Some(Audit::to(&path).unwrap()), ..Security::default() };
    let (address, _stop) = serve(&store, security).await;
    let headers = [format!("x-api-key: {kim}")];
    send(&address, "POST /threads", &headers, Some(json!({}))).await;
    send(&address, "GET /info", &headers, None).await;
    let lines = std::fs::read_to_string(&path).unwrap();
    let notes: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(notes.len(), 1, "{lines}");
    assert_eq!(
        (&notes[0]["who"], &notes[0]["path"], &notes[0]["status"]),
        (&json!("kim"), &json!("/threads"), &json!(200))
    );
    assert!(!lines.contains(&kim));
    use std::os::unix::fs::PermissionsExt;
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}
