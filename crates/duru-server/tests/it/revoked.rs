//! What a key has opened asks no oftener than the key may, and ends with it.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::WebSocketUpgrade;
use axum::routing::any;
use duru::store::MemoryStore;
use duru_server::talk::{self, Opening, Progress};
use duru_server::{Access, ApiRoutes, Caller, KeyScope, Keys, NewKey, Server, Stores};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::served::graphs;
use crate::web_checks::{ask, status, upgrade};

const THREAD: &str = "00000000-0000-7000-8000-000000000000";
const GIVE_UP: Duration = crate::client::PATIENCE;

struct Place {
    address: String,
    keys: Keys,
    _stop: DropGuard,
}

/// A server at which an agent can be talked to, too.
async fn place() -> Place {
    let store = Arc::new(MemoryStore::new());
    let keys = Keys::new(store.clone());
    let server = graphs(Server::new(Stores::of(store))).mount_with(|runs| {
        let socket = async move |caller: Caller, upgrade: WebSocketUpgrade| {
            let manner = Arc::new(Progress::new("count", "query"));
            talk::connect(upgrade, runs.acting_for(&caller), manner, Opening::default())
        };
        ApiRoutes::new().unlisted(Access::Scope(KeyScope::Ask), "get", "/ws/talk", any(socket))
    });
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let stop = CancellationToken::new();
    tokio::spawn(server.serve(listener, stop.clone()));
    Place { address, keys, _stop: stop.drop_guard() }
}

impl Place {
    async fn key(&self, name: &str, per_second: u32) -> String {
        let new = NewKey { name: name.into(), per_second: Some(per_second), ..NewKey::default() };
        format!("x-api-key: {}\r\n", self.keys.add(new).await.unwrap().0)
    }

    /// Opens what lasts; what came first.
    async fn open(&self, line: &str, headers: &str, body: &str) -> Open {
        let head = format!(
            "{line} HTTP/1.1\r\nhost: {}\r\ncontent-length: {}\r\n{headers}\r\n{body}",
            self.address,
            body.len()
        );
        let mut stream = TcpStream::connect(&self.address).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut open = Open { stream, heard: Vec::new() };
        open.hear("\r\n\r\n").await;
        open
    }

    async fn socket(&self, path: &str, headers: &str) -> Open {
        let open = self.open(&format!("GET {path}"), &upgrade(headers), "").await;
        assert_eq!(status(&open.text()), 101, "{path}: {}", open.text());
        open
    }
}

struct Open {
    stream: TcpStream,
    heard: Vec<u8>,
}

impl Open {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.heard).into_owned()
    }

    /// Reads until this was said.
    async fn hear(&mut self, text: &str) {
        while !self.text().contains(text) {
            let read = tokio::time::timeout(GIVE_UP, self.stream.read_buf(&mut self.heard)).await;
            assert!(read.unwrap().unwrap() > 0, "{text:?} was not said: {}", self.text());
        }
    }

    /// One frame of text, under a mask that changes nothing.
    async fn say(&mut self, text: &str) {
        let mut frame = vec![0x81, 0x80 | u8::try_from(text.len()).unwrap(), 0, 0, 0, 0];
        frame.extend_from_slice(text.as_bytes());
        self.stream.write_all(&frame).await.unwrap();
    }

    /// Reads to the end, of which there is one.
    async fn end(mut self) -> String {
        let rest = tokio::time::timeout(GIVE_UP, self.stream.read_to_end(&mut self.heard)).await;
        rest.expect("it was not closed").unwrap();
        self.text()
    }
}

#[tokio::test]
async fn frames_and_batches_are_requests_like_any_other() {
    let place = place().await;
    for (path, frame, refused) in [
        ("/ws/talk".to_owned(), r#"{"type": "cancel"}"#, r#""code":"too_many""#),
        (
            format!("/threads/{THREAD}/stream/events"),
            r#"{"id": 1, "method": "agent.getTree"}"#,
            r#""error":"too_many""#,
        ),
    ] {
        let key = place.key(if path.starts_with("/ws") { "kim" } else { "lee" }, 1).await;
        let mut socket = place.socket(&path, &key).await;
        for _ in 0..12 {
            socket.say(frame).await;
        }
        socket.hear(refused).await;
    }
    let key = place.key("park", 2).await;
    let run = json!({ "assistant_id": "count", "input": { "n": 0 } });
    let many = Value::Array(vec![run; 40]);
    let answer = ask(&place.address, "POST /runs/batch", &key, Some(&many)).await;
    assert_eq!(status(&answer), 200, "{answer}");
    let answer = ask(&place.address, "GET /info", &key, None).await;
    assert!(status(&answer) == 429 && answer.to_lowercase().contains("retry-after:"), "{answer}");
}

#[tokio::test]
async fn what_a_revoked_key_has_opened_is_closed() {
    let place = place().await;
    let (kim, lee) = (place.key("kim", 100).await, place.key("lee", 100).await);
    let events = format!("/threads/{THREAD}/stream/events");
    let body = r#"{"channels": ["values"], "namespaces": [[]]}"#;
    let ticket = ask(&place.address, "POST /ws/ticket", &kim, None).await;
    let ticket: Value = serde_json::from_str(ticket.split_once("\r\n\r\n").unwrap().1).unwrap();
    let opened = [
        place.open(&format!("POST {events}"), &format!("{kim}connection: close\r\n"), body).await,
        place.socket(&events, &kim).await,
        place.socket("/ws/talk", &kim).await,
    ];
    let mut stays = place.socket("/ws/talk", &lee).await;
    place.keys.revoke("kim").await.unwrap();
    for open in opened {
        let said = open.end().await;
        assert!(said.starts_with("HTTP/1.1 200") || said.contains("no longer valid"), "{said}");
    }
    // A ticket that was got with it is none any more.
    let path = format!("/ws/talk?ticket={}", ticket["ticket"].as_str().unwrap());
    let refused = place.open(&format!("GET {path}"), &upgrade(""), "").await;
    assert_eq!(status(&refused.text()), 401);
    // Others stay.
    stays.say(r#"{"type": "cancel"}"#).await;
    stays.hear("no_thread").await;
}
