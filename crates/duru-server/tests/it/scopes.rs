//! What each key is good for, and who needs none.

use std::sync::Arc;
use std::time::{Duration, Instant};

use duru::store::{Catalog as _, Entry, EntryKind, Expect, MemoryStore};
use duru_server::{KeyScope, KeyScopes, Keys, NewKey, Security, Server, StartError, Stores};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::counted::Counted;
use crate::served::graphs;
use crate::web_checks::{ask, status};

async fn serve(server: Server) -> (String, DropGuard) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let stop = CancellationToken::new();
    tokio::spawn(server.serve(listener, stop.clone()));
    (address, stop.drop_guard())
}

fn on(store: &Arc<MemoryStore>) -> Server {
    graphs(Server::new(Stores::of(Arc::clone(store))))
}

async fn key(keys: &Keys, name: &str, scopes: KeyScopes) -> String {
    let new = NewKey { name: name.into(), per_second: Some(5000), scopes, ..NewKey::default() };
    format!("x-api-key: {}\r\n", keys.add(new).await.unwrap().0)
}

/// The status of an answer, however long it lasts.
async fn asked(address: &str, line: &str, headers: &str) -> u16 {
    let body = "{}";
    let head = format!(
        "{line} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-length: {}\r\n{headers}\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut told = Vec::new();
    while !told.windows(4).any(|four| four == b"\r\n\r\n") {
        assert_ne!(stream.read_buf(&mut told).await.unwrap(), 0, "{line}");
    }
    status(&String::from_utf8_lossy(&told))
}

/// A server does not start with a route that nobody described; so these are all that there are.
#[tokio::test]
async fn every_route_is_open_to_the_scopes_that_it_names_and_to_no_other() {
    let store = Arc::new(MemoryStore::new());
    let keys = Keys::new(store.clone());
    let mut holders = Vec::new();
    for scope in KeyScope::ALL {
        holders.push((scope, key(&keys, scope.word(), KeyScopes::of([scope])).await));
    }
    let (address, _stop) = serve(on(&store)).await;
    let answer = ask(&address, "GET /openapi.json", "", None).await;
    let described: Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
    let mut walked = 0;
    for (path, methods) in described["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let needed = operation["x-duru-scope"].as_str().unwrap();
            let line = format!("{} {}", method.to_uppercase(), path.replace(['{', '}'], ""));
            for (scope, headers) in &holders {
                let open = matches!(needed, "public" | "any")
                    || *scope == KeyScope::Administer
                    || needed.split(" | ").any(|word| word == scope.word());
                let got = asked(&address, &line, headers).await;
                assert_eq!(got != 403, open, "{line} with {}: {got}", scope.word());
                assert_ne!(got, 401, "{line} with {}", scope.word());
                walked += 1;
            }
        }
    }
    assert!(walked > 250, "{walked}");
}

#[tokio::test]
async fn a_server_with_a_route_that_says_nothing_of_keys_does_not_start() {
    let store = Arc::new(MemoryStore::new());
    let forgotten = axum::Router::new().route("/forgotten", axum::routing::get(async || "all of it"));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let refused = on(&store).mount(forgotten).serve(listener, CancellationToken::new()).await;
    assert!(
        matches!(&refused, Err(StartError::Undescribed(path)) if path == "GET /forgotten"),
        "{refused:?}"
    );
}

#[tokio::test]
async fn a_key_whose_scopes_shrink_is_good_for_less_at_once() {
    let store = Arc::new(MemoryStore::new());
    let keys = Keys::new(store.clone());
    let kim = key(&keys, "kim", KeyScopes::of([KeyScope::Ask, KeyScope::Operate])).await;
    let (address, _stop) = serve(on(&store)).await;
    assert_eq!(asked(&address, "GET /metrics", &kim).await, 200);
    keys.set_scopes("kim", KeyScopes::of([KeyScope::Operate])).await.unwrap();
    let give_up = Instant::now() + Duration::from_secs(20);
    while asked(&address, "POST /threads", &kim).await != 403 {
        assert!(Instant::now() < give_up);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(asked(&address, "GET /metrics", &kim).await, 200);
}

/// Anybody administered a server behind a proxy, because the proxy sat at this machine.
#[tokio::test]
async fn what_a_proxy_passes_on_is_not_of_this_machine() {
    let store = Arc::new(MemoryStore::new());
    let (address, _stop) = serve(on(&store)).await;
    assert_eq!(asked(&address, "POST /threads", "").await, 200, "whoever sits here needs no key");
    for header in [
        "x-forwarded-for: 127.0.0.1",
        "x-forwarded-proto: https",
        "x-forwarded-host: localhost",
        "forwarded: for=127.0.0.1",
        "x-real-ip: 127.0.0.1",
        "via: 1.1 proxy",
        "cf-connecting-ip: 127.0.0.1",
    ] {
        let answer = ask(&address, "POST /threads", &format!("{header}\r\n"), Some(&json!({}))).await;
        assert_eq!(status(&answer), 401, "{header}");
        assert!(answer.contains("DURU_PROXIES") && answer.contains("duru keys add"), "{answer}");
        // A key that it takes for one is none either.
        assert_eq!(asked(&address, "GET /info", &format!("{header}\r\nx-api-key: any\r\n")).await, 401);
    }
    assert_eq!(asked(&address, "GET /ok", "x-forwarded-for: 10.0.0.1\r\n").await, 200);
    // Whoever names a proxy says that others ask: not without keys.
    let proxies = Security { proxies: vec!["127.0.0.1".parse().unwrap()], ..Security::default() };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let refused = on(&store).security(proxies.clone()).serve(listener, CancellationToken::new()).await;
    assert!(matches!(refused, Err(StartError::NoKeys(_))), "{refused:?}");
    let kim = key(&Keys::new(store.clone()), "kim", KeyScopes::default()).await;
    let (address, _stop) = serve(on(&store).security(proxies)).await;
    assert_eq!(asked(&address, "POST /threads", "").await, 401);
    assert_eq!(asked(&address, "POST /threads", &format!("{kim}x-forwarded-for: 10.0.0.1\r\n")).await, 200);
    // Guesses count by the address that a trusted proxy names: one guesser does not lock out the others.
    let guess = |from: &str| format!("x-api-key: guessed\r\nx-forwarded-for: {from}\r\n");
    let give_up = Instant::now() + Duration::from_secs(20);
    while asked(&address, "GET /info", &guess("203.0.113.1")).await != 429 {
        assert!(Instant::now() < give_up, "nobody is slowed down");
    }
    assert_eq!(asked(&address, "GET /info", &guess("203.0.113.2")).await, 401);
}

/// The last key was revoked because it was lost, and a second later everybody was let in.
#[tokio::test]
async fn revoking_the_last_key_opens_nothing() {
    let store = Arc::new(MemoryStore::new());
    let keys = Keys::new(store.clone());
    let kim = key(&keys, "kim", KeyScopes::ALL).await;
    let (address, _stop) = serve(on(&store)).await;
    assert_eq!(asked(&address, "POST /threads", &kim).await, 200);
    keys.revoke("kim").await.unwrap();
    let give_up = Instant::now() + Duration::from_secs(20);
    while asked(&address, "POST /threads", &kim).await != 401 {
        assert!(Instant::now() < give_up);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // Longer than anything that a server knows is believed.
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    assert_eq!(asked(&address, "POST /threads", "").await, 401);
    let (again, _stop) = serve(on(&store)).await;
    assert_eq!(asked(&again, "POST /threads", "").await, 401, "nor after a restart");
    // Unless somebody wants it so; what runs already goes on as it began.
    assert!(keys.stop_wanting().await.unwrap());
    let (open, _stop) = serve(on(&store)).await;
    assert_eq!(asked(&open, "POST /threads", "").await, 200);
    assert_eq!(asked(&address, "POST /threads", "").await, 401);
}

/// 10,000 requests with ids of 60 KB took 650 MB, and a lookup each.
#[tokio::test]
async fn what_is_no_key_by_its_form_is_looked_up_nowhere_and_kept_nowhere() {
    let memory = Arc::new(MemoryStore::new());
    let keys = Keys::new(memory.clone());
    let kim = key(&keys, "kim", KeyScopes::default()).await;
    let store = Counted::of(memory);
    let (address, _stop) = serve(graphs(Server::new(store.stores()))).await;
    assert_eq!(asked(&address, "GET /info", &kim).await, 200);
    store.calls();
    for number in 0..40 {
        let long = format!("x-api-key: duru_{number:08}{}_x\r\n", "a".repeat(59_000));
        assert!(matches!(asked(&address, "GET /threads/x", &long).await, 401 | 429));
    }
    assert_eq!(store.calls(), 0, "what has not the form of a key is looked up nowhere");
    // What has it is looked up only as often as somebody may guess.
    let before = Instant::now();
    for number in 0..60 {
        let wrong = format!("x-api-key: duru_{number:012x}_{}\r\n", "0".repeat(64));
        assert!(matches!(asked(&address, "GET /threads/x", &wrong).await, 401 | 429));
    }
    let most = 10 + 5 * (before.elapsed().as_secs() as usize + 1);
    let looked = store.calls();
    assert!(looked <= most, "{looked} lookups, where {most} guesses are free");
    assert_eq!(
        asked(&address, "GET /info", &kim).await,
        200,
        "whoever has a key does not wait for who guesses"
    );
}

/// Memory, drafts and remarks of whoever sits at the machine are kept under this name.
#[tokio::test]
async fn a_key_of_older_days_that_is_called_local_opens_nothing() {
    let store = Arc::new(MemoryStore::new());
    let (id, secret) = ("0123456789ab", "f".repeat(64));
    for (name, wanted) in [("local", 401), ("kim", 200)] {
        let mut entry = Entry { label: name.into(), ..Entry::new(EntryKind::Key, id) };
        let digest = hex::encode(Sha256::digest(&secret));
        entry.body.insert("digest".into(), digest.into());
        store.put(entry, Expect::Any).await.unwrap();
        let (address, _stop) = serve(on(&store)).await;
        let headers = format!("x-api-key: duru_{id}_{secret}\r\n");
        assert_eq!(asked(&address, "POST /threads", &headers).await, wanted, "{name}");
    }
}
