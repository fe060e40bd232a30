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
    let new = NewKey { name: name.into(), per_second, largest_body, ..NewKey::default() };
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
            assert_eq!(got.0, 401, "{line}: {}", got.2);
            assert!(got.1.contains("www-authenticate: bearer"), "{line}: {}", got.1);
            assert!(got.json()["detail"].is_string(), "{line}: {}", got.2);
            walked += 1;
        }
    }
    assert!(walked > 50, "{walked}");
    let public: Vec<&String> = described["paths"]
        .as_object()
        .unwrap()
        .iter()
        .filter(|(_, methods)| methods["get"]["x-duru-scope"] == "public")
        .map(|(path, _)| path)
        .collect();
    assert_eq!(public, ["/ok", "/ready"], "what is public is public on purpose");
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
        for header in [format!("x-api-key: {wrong}"), format!("authorization: Bearer {wrong}")] {
            let got = send(&kept.address, "POST /threads", &[header], Some(json!({}))).await;
            // Whoever guesses too often is made to wait.
            assert!(matches!(got.0, 401 | 429), "{wrong}: {}", got.0);
        }
    }
    let bearer = format!("authorization: Bearer {}", kept.kim);
    assert_eq!(send(&kept.address, "POST /threads", &[bearer], Some(json!({}))).await.0, 200);
}

#[tokio::test]
async fn a_revoked_key_opens_nothing_any_more() {
    let kept = kept().await;
    assert_eq!(kept.ask(&kept.kim, "GET /info", None).await.0, 200);
    Keys::new(kept.store.clone()).revoke("kim").await.unwrap();
    let give_up = std::time::Instant::now() + crate::client::PATIENCE;
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

/// Everybody sees those that come with graphs. Trying to change one never ended, at a thousand tries a second.
#[tokio::test]
async fn an_assistant_that_is_everybodys_is_not_changed_with_a_key_and_that_is_said_at_once() {
    let kept = kept().await;
    let all =
        kept.ask(&kept.kim, "POST /assistants/search", Some(json!({ "graph_id": "count" }))).await.json();
    let id = all[0]["assistant_id"].as_str().unwrap();
    let change = json!({ "name": "mine", "metadata": { "created_by": "kim" } });
    let latest = json!({ "version": 2 });
    let changed = kept.ask(&kept.kim, &format!("PATCH /assistants/{id}"), Some(change)).await;
    assert!(changed.0 == 403 && changed.2.contains("make one of your own"), "{} {}", changed.0, changed.2);
    assert_eq!(kept.ask(&kept.kim, &format!("POST /assistants/{id}/latest"), Some(latest)).await.0, 404);
    let after =
        kept.ask(&kept.kim, "POST /assistants/search", Some(json!({ "graph_id": "count" }))).await.json();
    assert_eq!(after, all);
    let versions =
        kept.ask(&kept.kim, &format!("POST /assistants/{id}/versions"), Some(json!({}))).await.json();
    assert_eq!(versions.as_array().unwrap().len(), 1, "{versions}");
}

/// The same for every route that the server describes, with whatever it takes; and for ids of another's below a
/// thread of one's own.
#[tokio::test]
async fn no_route_tells_what_is_anothers_from_what_does_not_exist() {
    let kept = kept().await;
    let (thread, own) = (kept.thread_of(&kept.kim).await, kept.thread_of(&kept.lee).await);
    let runs = kept.ask(&kept.kim, &format!("GET /threads/{thread}/runs"), None).await.json();
    let run = runs[0]["run_id"].as_str().unwrap().to_owned();
    let before = kept.ask(&kept.kim, &format!("GET /threads/{thread}/state"), None).await.json();
    let checkpoint = before["checkpoint_id"].as_str().unwrap().to_owned();
    let cron = json!({ "assistant_id": "count", "schedule": "0 0 1 1 *", "input": {} });
    let cron = kept.ask(&kept.kim, "POST /runs/crons", Some(cron)).await.json();
    let assistant =
        kept.ask(&kept.kim, "POST /assistants", Some(json!({ "graph_id": "count" }))).await.json();
    let ids = [
        ("{thread_id}", thread.as_str()),
        ("{run_id}", &run),
        ("{checkpoint_id}", &checkpoint),
        ("{cron_id}", cron["cron_id"].as_str().unwrap()),
        ("{assistant_id}", assistant["assistant_id"].as_str().unwrap()),
    ];
    let theirs = |text: &str| ids.iter().fold(text.to_owned(), |text, (name, id)| text.replace(name, id));
    let unknown = |text: &str| ids.iter().fold(text.to_owned(), |text, (name, _)| text.replace(name, NOBODY));
    let nameless = |got: &Got| {
        let text = ids.iter().fold(got.2.clone(), |text, (_, id)| text.replace(id, "·"));
        (got.0, text.replace(NOBODY, "·"))
    };
    // Whatever a route takes is in it; the rest is let pass.
    let body = r#"{ "assistant_id": "count", "input": { "n": 0 }, "schedule": "0 0 1 1 *", "values": { "n": 9 },
        "as_node": "add", "version": 1, "checkpoint": { "checkpoint_id": "{checkpoint_id}" }, "id": 1,
        "method": "input.respond", "params": { "interrupt_id": "x", "response": 1 }, "metadata": { "a": 1 } }"#;
    let described = send(&kept.address, "GET /openapi.json", &[], None).await.json();
    let mut compared = 0;
    for (path, methods) in described["paths"].as_object().unwrap() {
        // A stream of a thread that may be made yet stays open; it has a test of its own.
        if !path.contains('{') || path.ends_with("/stream/events") {
            continue;
        }
        for method in methods.as_object().unwrap().keys() {
            let line = format!("{} {}", method.to_uppercase(), path.replace("{namespace}", "x"));
            let sent = |fill: &dyn Fn(&str) -> String| {
                (method != "get").then(|| serde_json::from_str::<Value>(&fill(body)).unwrap())
            };
            let one = kept.ask(&kept.lee, &theirs(&line), sent(&theirs)).await;
            let two = kept.ask(&kept.lee, &unknown(&line), sent(&unknown)).await;
            assert_eq!(nameless(&one), nameless(&two), "{line}");
            compared += 1;
        }
    }
    assert!(compared > 35, "{compared}");
    let resume = json!({ "assistant_id": "count", "command": { "resume": 1 } });
    let start = |checkpoint: &str| json!({ "assistant_id": "count", "input": { "n": 0 }, "checkpoint": { "checkpoint_id": checkpoint } });
    for (line, one, two) in [
        (format!("GET /threads/{own}/state/{{checkpoint_id}}"), None, None),
        (format!("GET /threads/{own}/runs/{{run_id}}"), None, None),
        (format!("GET /threads/{own}/runs/{{run_id}}/join"), None, None),
        (format!("POST /threads/{own}/runs/{{run_id}}/cancel"), None, None),
        (format!("DELETE /threads/{own}/runs/{{run_id}}"), None, None),
        (format!("POST /threads/{own}/runs/wait"), Some(start(&checkpoint)), Some(start(NOBODY))),
        ("POST /threads/{thread_id}/runs/wait".to_owned(), Some(resume.clone()), Some(resume)),
    ] {
        let one = kept.ask(&kept.lee, &theirs(&line), one).await;
        let two = kept.ask(&kept.lee, &unknown(&line), two).await;
        assert_eq!(nameless(&one), nameless(&two), "{line}");
    }
    let pruned = json!({ "thread_ids": [thread] });
    assert_eq!(
        kept.ask(&kept.lee, "POST /threads/prune", Some(pruned)).await.json(),
        json!({ "pruned_count": 0 })
    );
    // And nothing has happened to any of it.
    let now = kept.ask(&kept.kim, &format!("GET /threads/{thread}/state"), None).await.json();
    assert_eq!(now, before);
    for (line, id) in [("runs/crons", ids[3].1), ("assistants", ids[4].1)] {
        assert_eq!(kept.ask(&kept.kim, &format!("GET /{line}/{id}"), None).await.0, 200, "{line}");
    }
}

/// A stream of protocol v2 may be opened before there is a thread: another's is never shown there.
#[tokio::test]
async fn a_stream_of_anothers_thread_stays_silent() {
    let kept = kept().await;
    let thread = kept.thread_of(&kept.kim).await;
    let body = json!({ "channels": ["values", "lifecycle", "messages"], "namespaces": [[]] }).to_string();
    let open = async |key: &str| {
        let mut stream = TcpStream::connect(&kept.address).await.unwrap();
        let head = format!(
            "POST /threads/{thread}/stream/events HTTP/1.1\r\nhost: {}\r\nx-api-key: {key}\r\ncontent-length: {}\r\n\r\n{body}",
            kept.address,
            body.len()
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        stream
    };
    let (mut kims, mut lees) = (open(&kept.kim).await, open(&kept.lee).await);
    let run = json!({ "assistant_id": "count", "input": { "n": 0 } });
    assert_eq!(kept.ask(&kept.kim, &format!("POST /threads/{thread}/runs/wait"), Some(run)).await.0, 200);
    let mut seen = Vec::new();
    while !String::from_utf8_lossy(&seen).contains("\"completed\"") {
        assert_ne!(kims.read_buf(&mut seen).await.unwrap(), 0, "its owner sees it");
    }
    let mut heard = Vec::new();
    let quiet = std::time::Duration::from_millis(700);
    while let Ok(Ok(1..)) = tokio::time::timeout(quiet, lees.read_buf(&mut heard)).await {}
    let heard = String::from_utf8_lossy(&heard);
    assert!(heard.starts_with("HTTP/1.1 200") && !heard.contains("\ndata:"), "{heard}");
}

/// Nor what becomes of a name that somebody else takes: whoever waits there hears only of their own.
#[tokio::test]
async fn a_stream_that_waits_for_a_thread_hears_of_no_other_owner() {
    let kept = kept().await;
    let body = json!({ "channels": ["values", "lifecycle"], "namespaces": [[]] }).to_string();
    let run = json!({ "assistant_id": "count", "input": { "n": 0 } });
    for (name, key, hears) in [(1, &kept.kim, false), (2, &kept.lee, true)] {
        let thread = format!("00000000-0000-7000-8000-00000000000{name}");
        let mut stream = TcpStream::connect(&kept.address).await.unwrap();
        let head = format!(
            "POST /threads/{thread}/stream/events HTTP/1.1\r\nhost: {}\r\nx-api-key: {}\r\ncontent-length: {}\r\n\r\n{body}",
            kept.address,
            kept.lee,
            body.len()
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut heard = Vec::new();
        // It waits before there is anything to hear.
        assert_ne!(stream.read_buf(&mut heard).await.unwrap(), 0);
        assert_eq!(kept.ask(key, "POST /threads", Some(json!({ "thread_id": thread }))).await.0, 200);
        let line = format!("POST /threads/{thread}/runs/wait");
        assert_eq!(kept.ask(key, &line, Some(run.clone())).await.0, 200);
        let quiet = std::time::Duration::from_millis(1_500);
        while let Ok(Ok(1..)) = tokio::time::timeout(quiet, stream.read_buf(&mut heard)).await {}
        let heard = String::from_utf8_lossy(&heard);
        assert!(heard.starts_with("HTTP/1.1 200"), "{heard}");
        assert_eq!(heard.contains("\ndata:"), hears, "{heard}");
    }
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
    // Names with a dot have a place, too, and it is their own.
    let keys = Keys::new(kept.store.clone());
    let dotted = key(&keys, "kim.lee", Some(5000), None).await;
    let item = json!({ "namespace": ["notes"], "key": "b", "value": { "secret": 2 } });
    assert_eq!(kept.ask(&dotted, "PUT /store/items", Some(item)).await.0, 204);
    for (key, wanted) in [(&dotted, 2), (&kept.kim, 1)] {
        let found = kept.ask(key, "POST /store/items/search", Some(json!({}))).await.json();
        assert_eq!(found["items"].as_array().unwrap().len(), 1, "{found}");
        assert_eq!(found["items"][0]["value"]["secret"], wanted, "{found}");
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
        // Whatever else runs on this machine, and pages that others host.
        "http://localhost:3000",
        "http://127.0.0.1:8080",
        "http://evil.localhost:1",
        "https://smith.langchain.com",
        "https://agentchat.vercel.app",
    ] {
        let got = asked(format!("origin: {origin}")).await;
        assert_eq!(got.0, 403, "{origin}");
        assert!(got.2.contains("DURU_ORIGINS") && got.2.contains(origin), "{origin}: {}", got.2);
        assert!(!got.1.contains("access-control-allow-origin"), "{origin}: {}", got.1);
    }
    for origin in ["https://ours.example", &format!("http://{address}")] {
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

/// It was done all the same, and a line on the terminal said that nobody would know.
#[tokio::test]
async fn what_can_not_be_written_down_is_not_done() {
    let folder = tempfile::TempDir::new().unwrap();
    let place = folder.path().join("place");
    std::fs::create_dir(&place).unwrap();
    let store = Arc::new(MemoryStore::new());
    let audit = Audit::to(&place.join("audit.jsonl")).unwrap();
    let security = Security { audit: Some(audit.clone()), ..Security::default() };
    let (address, _stop) = serve(&store, security).await;
    let make = async || send(&address, "POST /threads", &[], Some(json!({}))).await;
    assert_eq!(make().await.0, 200);
    std::fs::rename(&place, folder.path().join("away")).unwrap();
    // The one that finds it out is kept, to be written down once that can be done.
    assert_eq!(make().await.0, 200);
    let refused = make().await;
    assert_eq!(refused.0, 503, "{}", refused.2);
    assert!(refused.2.contains("audit log"), "{}", refused.2);
    assert_eq!(send(&address, "GET /info", &[], None).await.0, 200, "whoever only looks may");
    std::fs::rename(folder.path().join("away"), &place).unwrap();
    assert_eq!(make().await.0, 200);
    let lines = std::fs::read_to_string(place.join("audit.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), 4, "none is lost: {lines}");
    let threads = send(&address, "POST /threads/count", &[], Some(json!({}))).await;
    assert_eq!(threads.json(), json!(3));
}

/// Something may have been done for a client that did not wait for it.
#[tokio::test]
async fn what_is_done_for_a_client_that_goes_is_written_down() {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("audit.jsonl");
    let store = Arc::new(MemoryStore::new());
    let security = Security { audit: Some(Audit::to(&path).unwrap()), ..Security::default() };
    let (address, _stop) = serve(&store, security).await;
    let body = json!({ "assistant_id": "slow", "input": {} }).to_string();
    let mut stream = TcpStream::connect(&address).await.unwrap();
    let head = format!(
        "POST /runs/wait HTTP/1.1\r\nhost: {address}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len() + 1
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    // The rest of its body never comes.
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    drop(stream);
    let give_up = std::time::Instant::now() + std::time::Duration::from_secs(20);
    loop {
        let lines = std::fs::read_to_string(&path).unwrap();
        if let Some(line) = lines.lines().next() {
            let line: Value = serde_json::from_str(line).unwrap();
            assert_eq!((&line["path"], &line["who"]), (&json!("/runs/wait"), &Value::Null));
            break;
        }
        assert!(std::time::Instant::now() < give_up, "nothing is written down");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}
