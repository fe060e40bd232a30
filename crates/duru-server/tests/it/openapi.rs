//! What the server says of itself is true.

use std::collections::BTreeSet;
use std::sync::Arc;

use duru::store::MemoryStore;
use duru_server::{Access, ApiRoutes, Keys, NewKey, Server, StartError, Stores};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::client::Answer;
use crate::served::{graphs, serve, served};

/// Every operation of a document: its method, its path, and what is said of it.
fn operations(description: &Value) -> impl Iterator<Item = (String, &String, &Value)> {
    let paths = description["paths"].as_object().expect("paths").iter();
    paths.flat_map(|(path, methods)| {
        let methods = methods.as_object().expect("methods").iter();
        methods.map(move |(method, operation)| (method.to_uppercase(), path, operation))
    })
}

/// That an answer's status is one of those that its operation has.
fn is_described(answer: &Answer, (method, path, operation): &(String, &String, &Value)) {
    let known = operation["responses"].get(answer.status.to_string()).is_some();
    assert!(known, "{method} {path}: {} is not described: {}", answer.status, answer.text);
}

/// No route that is described is unknown, and none is open to another method
/// than those described.
#[tokio::test]
async fn every_described_route_is_there() {
    let served = served().await;
    let client = &served.client;
    let description = client.get("/openapi.json").await.expect(200);
    let paths = description["paths"].as_object().expect("paths");
    assert!(paths.len() > 40, "{}", paths.len());
    for (path, methods) in paths {
        let concrete = path
            .split('/')
            .map(|part| if part.starts_with('{') { "00000000-0000-0000-0000-000000000000" } else { part })
            .collect::<Vec<_>>()
            .join("/");
        for method in methods.as_object().expect("methods").keys() {
            let answer = client.send(&method.to_uppercase(), &concrete, Some(json!([]))).await;
            assert_ne!(answer.status, 405, "{method} {path}");
            let unknown = answer.status == 404 && answer.json()["detail"] == "Not Found";
            assert!(!unknown, "{method} {path}");
        }
    }
    assert!(client.get("/docs").await.text.contains("/threads/{thread_id}/runs/stream"));
}

#[tokio::test]
async fn wrong_routes_and_methods_are_told_as_json() {
    let served = served().await;
    let client = &served.client;
    assert_eq!(client.get("/nowhere").await.detail(404), "Not Found");
    assert_eq!(client.send("PUT", "/threads", None).await.detail(405), "Method Not Allowed");
}

/// Whatever a client gets wrong, on whatever route: it is told so as JSON.
#[tokio::test]
async fn every_route_tells_what_is_wrong_as_json() {
    let served = served().await;
    let client = &served.client;
    let description = client.get("/openapi.json").await.expect(200);
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let mut told = 0;
    for (path, methods) in description["paths"].as_object().unwrap() {
        let concrete = path.replace(['{', '}'], "");
        for (method, _) in methods.as_object().unwrap() {
            for body in ["no json", &deep] {
                let answer = client.raw(&method.to_uppercase(), &concrete, "text/plain", Some(body)).await;
                let answer = answer.expect("an answer");
                assert!(answer.status < 500, "{method} {path}: {}", answer.text);
                if answer.status >= 400 {
                    answer.detail(answer.status);
                    told += 1;
                }
            }
        }
        let answer = client.send("TRACE", &concrete, None).await;
        assert!(matches!(answer.status, 404 | 405), "{path}: {}", answer.status);
        answer.detail(answer.status);
    }
    assert!(told > 80, "{told}");
}

/// What something refers to, wherever it does.
fn references<'a>(of: &'a Value, found: &mut BTreeSet<&'a str>) {
    match of {
        Value::Object(fields) => {
            found.extend(fields.get("$ref").and_then(Value::as_str));
            fields.values().for_each(|value| references(value, found));
        }
        Value::Array(values) => values.iter().for_each(|value| references(value, found)),
        _ => {}
    }
}

#[tokio::test]
async fn every_reference_leads_somewhere() {
    let served = served().await;
    let description = served.client.get("/openapi.json").await.expect(200);
    let mut found = BTreeSet::new();
    references(&description, &mut found);
    assert!(found.len() > 30, "{found:?}");
    let lost: Vec<&&str> = found
        .iter()
        .filter(|reference| {
            let place = reference.strip_prefix('#').expect("nothing is elsewhere");
            description.pointer(place).is_none()
        })
        .collect();
    assert!(lost.is_empty(), "{lost:?}");
}

/// An address whose parts are no text is refused before a handler sees it.
#[tokio::test]
async fn what_an_unreadable_address_gets_is_described() {
    let served = served().await;
    let client = &served.client;
    let description = client.get("/openapi.json").await.expect(200);
    let mut refused = 0;
    for operation in operations(&description) {
        let (method, path, _) = &operation;
        if !path.contains('{') {
            continue;
        }
        let part = |part: &str| if part.starts_with('{') { "%FF".to_owned() } else { part.to_owned() };
        let concrete = path.split('/').map(part).collect::<Vec<String>>().join("/");
        let answer = client.send(method, &concrete, Some(json!({}))).await;
        answer.detail(answer.status);
        is_described(&answer, &operation);
        refused += usize::from(answer.status == 400);
    }
    assert!(refused > 30, "{refused}");
}

/// A key that bounds bodies has to know how long they are.
#[tokio::test]
async fn what_a_body_of_unknown_length_gets_is_described() {
    let store = Arc::new(MemoryStore::new());
    let new = NewKey { name: "kim".into(), largest_body: Some(1000), ..NewKey::default() };
    let (key, _) = Keys::new(store.clone()).add(new).await.unwrap();
    let served = serve(graphs(Server::new(Stores::of(store)))).await;
    let client = &served.client;
    let description = client.get("/openapi.json").await.expect(200);
    let mut asked = 0;
    for operation in operations(&description) {
        let (method, path, described) = &operation;
        if described.get("requestBody").is_none() {
            continue;
        }
        let headers = format!("application/json\r\nx-api-key: {key}\r\ntransfer-encoding: chunked");
        let answer = client.chunked(method, &path.replace(['{', '}'], ""), &headers).await;
        answer.detail(411);
        is_described(&answer, &operation);
        asked += 1;
    }
    assert!(asked > 20, "{asked}");
}

/// Whoever asks for a socket as if it were a page is told what is missing.
#[tokio::test]
async fn what_a_plain_request_to_a_socket_gets_is_described() {
    let served = served().await;
    let client = &served.client;
    let description = client.get("/openapi.json").await.expect(200);
    let mut asked = 0;
    for operation in operations(&description) {
        let (method, path, described) = &operation;
        if described["responses"].get("101").is_none() {
            continue;
        }
        let thread = path.replace("{thread_id}", "00000000-0000-0000-0000-000000000000");
        let answer = client.send(method, &thread, None).await;
        answer.detail(400);
        is_described(&answer, &operation);
        asked += 1;
    }
    assert!(asked > 0, "no socket is described");
}

/// What is wrong is said before a stream begins: with a status that the document has.
#[tokio::test]
async fn what_goes_wrong_with_a_stream_of_a_thread_is_described() {
    let served = served().await;
    let client = &served.client;
    let description = client.get("/openapi.json").await.expect(200);
    let nobody = "00000000-0000-0000-0000-000000000000";
    let runs = "/threads/{thread_id}/stream";
    let events = "/threads/{thread_id}/stream/events";
    for (method, path, thread, body, status) in [
        ("GET", runs, "no-uuid", None, 422),
        ("GET", runs, nobody, None, 404),
        ("POST", events, "no-uuid", Some("{}"), 422),
        ("POST", events, nobody, Some("no json"), 400),
        ("POST", events, nobody, Some("{}"), 400),
        ("POST", events, nobody, Some(r#"{"channels":["nowhere"]}"#), 400),
        ("POST", events, nobody, Some(r#"{"channels":["values"],"since":-1}"#), 400),
    ] {
        let answer =
            client.raw(method, &path.replace("{thread_id}", thread), "application/json", body).await.unwrap();
        answer.detail(status);
        let operation = operations(&description).find(|(known, of, _)| known == method && *of == path);
        is_described(&answer, &operation.unwrap());
    }
}

mod one {
    /// A shape.
    #[derive(utoipa::ToSchema)]
    pub(super) struct Shape {
        #[expect(dead_code, reason = "only its schema matters")]
        size: u32,
    }
}

/// Another one of that name.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema matters")]
struct Shape {
    colour: String,
}

/// One of them
#[utoipa::path(get, path = "/one", responses((status = 200, body = one::Shape)))]
async fn one_shape() {}

/// The other
#[utoipa::path(get, path = "/other", responses((status = 200, body = Vec<Shape>)))]
async fn other_shape() {}

/// One of the two would be what all clients take for both.
#[tokio::test]
async fn two_shapes_of_one_name_are_not_served() {
    let server = graphs(Server::new(Stores::of(Arc::new(MemoryStore::new()))))
        .mount(ApiRoutes::new().with(Access::AnyKey, routes!(one_shape)))
        .mount(ApiRoutes::new().with(Access::AnyKey, routes!(other_shape)));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let stopped = CancellationToken::new();
    stopped.cancel();
    let error = server.serve(listener, stopped).await.unwrap_err();
    assert!(matches!(&error, StartError::TwoSchemas(name) if name == "Shape"), "{error}");
    assert!(error.to_string().contains("Shape"), "{error}");
}

#[tokio::test]
async fn numbers_are_there_for_prometheus() {
    let served = served().await;
    let client = &served.client;
    let run = json!({ "assistant_id": "count", "input": { "n": 0 } });
    client.post("/runs/wait", run).await.expect(200);
    client.get("/nowhere").await;
    let text = client.get("/metrics").await.text;
    let value = |name: &str| {
        let line =
            text.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}: {text}"));
        line.rsplit(' ').next().unwrap().parse::<f64>().unwrap()
    };
    assert_eq!(value("duru_runs_total{graph=\"count\",status=\"success\"}"), 1.0);
    assert_eq!(value("duru_run_seconds_count{graph=\"count\"}"), 1.0);
    assert_eq!(value("duru_requests_total{method=\"POST\",route=\"/runs/wait\",status=\"2xx\"}"), 1.0);
    assert_eq!(value("duru_requests_total{method=\"GET\",route=\"unknown\",status=\"4xx\"}"), 1.0);
    assert_eq!(value("duru_request_seconds_count{route=\"/runs/wait\"}"), 1.0);
    assert_eq!(value("duru_runs_under_way"), 0.0);
    assert_eq!(value("duru_sockets_open"), 0.0);
    assert_eq!((value("duru_run_wait_seconds_count"), value("duru_leases_lost_total")), (1.0, 0.0));
    assert!(value("duru_store_seconds") >= 0.0);
    assert!(value("process_resident_memory_bytes") > 1e6, "{text}");
    assert!(text.contains("duru_build_info{version=\""), "{text}");
    let json = client.get("/metrics?format=json").await.expect(200);
    let runs = json.as_array().unwrap().iter().find(|family| family["name"] == "duru_runs_total").unwrap();
    let done = runs["samples"].as_array().unwrap().iter().find(|one| one["labels"]["status"] == "success");
    assert_eq!((&runs["type"], &done.unwrap()["value"]), (&json!("counter"), &json!(1.0)));
    // Every number says what it is.
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let name = line.split(['{', ' ']).next().unwrap();
        let name = ["_bucket", "_sum", "_count", "_total"]
            .iter()
            .find_map(|end| name.strip_suffix(end))
            .unwrap_or(name);
        assert!(text.contains(&format!("# TYPE {name} ")), "{line}");
    }
}
