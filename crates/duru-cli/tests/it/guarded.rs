//! The whole product with keys: every route of it, and what it tells of secrets.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::Desk;
use crate::data::is_found;
use crate::operations::collector;
use crate::serve::Serving;

/// One request: its status, and its body if that is JSON.
pub(crate) fn ask(server: &Serving, line: &str, headers: &str, body: &str) -> (u16, Option<Value>) {
    let mut stream = TcpStream::connect(&server.address).unwrap();
    let length = body.len();
    let head =
        format!("{line} HTTP/1.1\r\nhost: localhost\r\ncontent-length: {length}\r\n{headers}\r\n{body}");
    // Whoever is refused may be told so before everything was sent.
    drop(stream.write_all(head.as_bytes()));
    stream.set_read_timeout(Some(std::time::Duration::from_secs(120))).unwrap();
    let mut bytes = Vec::new();
    let head = loop {
        let mut more = [0; 4096];
        let count = stream.read(&mut more).unwrap_or_else(|error| panic!("{line}: {error}"));
        bytes.extend_from_slice(&more[..count]);
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, _)) = text.split_once("\r\n\r\n") {
            break head.to_lowercase();
        }
        assert_ne!(count, 0, "{line}: {text}");
    };
    let status = head[9..12].parse().unwrap();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
    let Some(length) = length.filter(|_| head.contains("content-type: application/json")) else {
        return (status, None);
    };
    let start = head.len() + 4;
    while bytes.len() < start + length {
        let mut more = [0; 4096];
        let count = stream.read(&mut more).unwrap();
        assert_ne!(count, 0, "{line}");
        bytes.extend_from_slice(&more[..count]);
    }
    (status, serde_json::from_slice(&bytes[start..start + length]).ok())
}

/// Every method of every route that the product describes.
fn routes(server: &Serving) -> Vec<(String, String)> {
    let described = ask(server, "GET /openapi.json", "", "").1.unwrap();
    let paths = described["paths"].as_object().unwrap();
    for known in
        ["/query", "/logs/ingest", "/documents", "/memory", "/drafts/{id}", "/mcp", "/v1/chat/completions"]
    {
        assert!(paths.contains_key(known), "{known} is not described");
    }
    let methods = |methods: &Value| methods.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let routes = paths.iter().flat_map(|(path, all)| methods(all).into_iter().map(|m| (m, path.clone())));
    routes.map(|(method, path)| (method.to_uppercase(), path.replace(['{', '}'], ""))).collect()
}

const SOCKET: &str = "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

/// Whether an error has the shape that the clients of its path know.
fn is_told(path: &str, answer: Option<&Value>) -> bool {
    let Some(answer) = answer else { return false };
    match path {
        "/query" => {
            answer["error"].is_string()
                && answer["results"] == json!([])
                && answer["count"] == 0
                && ["sql", "execution_time_ms", "insight"].iter().all(|name| answer.get(name).is_some())
        }
        path if path.starts_with("/v1/") => {
            answer["error"]["message"].is_string() && answer["error"]["type"].is_string()
        }
        // A batch of which nothing could be used names every row; a message that is none is a fault of its protocol.
        "/logs/ingest" => answer["detail"].is_string() || answer["rejected"].is_array(),
        "/mcp" => answer["detail"].is_string() || answer["error"]["code"].is_i64(),
        _ => answer["detail"].is_string(),
    }
}

/// Those of the agents too, which the server itself knows nothing of.
#[test]
fn every_route_of_the_product_needs_a_key() {
    let desk = Desk::new();
    let key = desk.run(&["keys", "add", "kim", "--json"]).json()["key"].as_str().unwrap().to_owned();
    let server = Serving::with(&desk, &[]);
    let routes = routes(&server);
    for (method, path) in routes.iter().filter(|(_, path)| !["/ok", "/ready"].contains(&path.as_str())) {
        let headers = if path.starts_with("/ws/") && method == "GET" { SOCKET } else { "" };
        let (status, answer) = ask(&server, &format!("{method} {path}"), headers, "{}");
        assert_eq!(status, 401, "{method} {path}");
        assert!(is_told(path, answer.as_ref()), "{method} {path}: {answer:?}");
    }
    assert!(routes.len() > 70, "{}", routes.len());
    assert_eq!(ask(&server, "GET /info", &format!("x-api-key: {key}\r\n"), "").0, 200);
}

/// Whatever a client gets wrong, on whatever route, it is told so in the shape that it knows; and nothing breaks.
#[test]
fn every_route_of_the_product_tells_what_is_wrong() {
    let desk = Desk::new();
    let server = Serving::with(&desk, &[]);
    let folder = desk.folder.path().to_string_lossy().into_owned();
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let many = format!("[{}1]", "1,".repeat(300_000));
    let mut told = 0;
    for (method, path) in routes(&server) {
        // To erase everything takes no body.
        if method == "DELETE" && path == "/memory" {
            continue;
        }
        for (body, kind) in [
            ("no json", "application/json"),
            (&deep, "application/json"),
            (&many, "application/json"),
            ("a=1", "text/plain"),
            ("--x", "multipart/form-data; boundary=x"),
        ] {
            let kind = format!("content-type: {kind}\r\n");
            let (status, answer) = ask(&server, &format!("{method} {path}"), &kind, body);
            // Whoever erases may have to wait for somebody who writes.
            let busy = status == 503 && path.starts_with("/users/");
            assert!(status < 500 || busy, "{method} {path}: {status} {answer:?}");
            if status >= 400 {
                // Where this machine keeps what is nobody's business.
                let said = answer.as_ref().map(Value::to_string).unwrap_or_default();
                assert!(!said.contains(&folder), "{method} {path}: {said}");
                assert!(is_told(&path, answer.as_ref()), "{method} {path}: {status} {answer:?}");
                told += 1;
            }
        }
        let (status, answer) = ask(&server, &format!("TRACE {path}"), "", "");
        assert!(
            matches!(status, 404 | 405) && is_told(&path, answer.as_ref()),
            "{path}: {status} {answer:?}"
        );
    }
    assert!(told > 250, "{told}");
    assert_eq!(ask(&server, "GET /ready", "", "").0, 200);
}

/// What one person's agents made is not there for another.
#[test]
fn conversations_and_drafts_are_their_owners() {
    let desk = Desk::new();
    let key = |name: &str| {
        let made = desk.run(&["keys", "add", name, "--json"]).json();
        format!("x-api-key: {}\r\ncontent-type: application/json\r\n", made["key"].as_str().unwrap())
    };
    let (kim, lee) = (key("kim"), key("lee"));
    let server = Serving::with(&desk, &[]);
    let asked = json!({ "question": "서비스별 에러 건수" });
    let (status, answer) = ask(&server, "POST /query", &kim, &asked.to_string());
    let conversation = answer.unwrap()["conversation_id"].as_str().unwrap().to_owned();
    assert_eq!(status, 200);
    // Neither gone on with nor told of.
    let theirs = json!({ "question": "그 서비스는?", "conversation_id": conversation });
    let (status, answer) = ask(&server, "POST /query", &lee, &theirs.to_string());
    assert!((400..500).contains(&status) && is_told("/query", answer.as_ref()), "{status} {answer:?}");
    let answered = json!({ "conversation_id": conversation, "clarification_answers": { "service": "x" } });
    let (status, answer) = ask(&server, "POST /query", &lee, &answered.to_string());
    assert!(status == 422 && is_told("/query", answer.as_ref()), "{status} {answer:?}");
    for (headers, wanted) in [(&kim, 200), (&lee, 404)] {
        assert_eq!(ask(&server, &format!("GET /threads/{conversation}/state"), headers, "").0, wanted);
    }
    // Whose memory it is, a client does not say: neither in what it asks nor in a state that it writes.
    let run = |asked: Value| json!({ "assistant_id": "advisor", "input": asked }).to_string();
    let wait = |path: &str, headers: &str, body: &str| {
        let headers: Vec<&str> = headers.trim_end().split("\r\n").collect();
        let (status, answer) = server.post(path, &headers, body.as_bytes());
        assert_eq!(status, 200, "{answer}");
        answer.to_string()
    };
    wait(
        "/runs/wait",
        &kim,
        &run(json!({ "query": "내 별명은 고라니야, 기억해 줘. 노원구 아파트 시세는?" })),
    );
    let thread =
        ask(&server, "POST /threads", &lee, "{}").1.unwrap()["thread_id"].as_str().unwrap().to_owned();
    let own = run(json!({ "query": "강남구 아파트 시세는?", "user": "kim" }));
    let update = json!({ "user": "kim", "query": "노원구 아파트 시세는?" });
    let written = json!({ "assistant_id": "advisor", "command": { "update": update, "goto": "initialize" } })
        .to_string();
    for body in [own, written] {
        let values = wait(&format!("/threads/{thread}/runs/wait"), &lee, &body);
        assert!(values.contains("시세는?") && !values.contains("고라니"), "{values}");
    }
    let remembered = ask(&server, "GET /memory", &kim, "").1.unwrap()["memories"].as_array().unwrap().len();
    assert_eq!(remembered, 4, "what was said, what was to be remembered, where and what kind of home");
    for headers in [&kim, &lee] {
        // Whoever administers nothing hears of nobody.
        assert_eq!(ask(&server, "GET /users/kim", headers, "").0, 403);
        assert_eq!(ask(&server, "DELETE /users/kim", headers, "").0, 403);
    }
}

/// Passwords of databases are nobody's to read, also where the database can't be reached.
#[test]
fn a_database_that_can_not_be_reached_is_told_without_its_password() {
    let desk = Desk::new();
    let url = "postgres://kim:pw-canary-4711@127.0.0.1:1/nothing";
    for variable in ["DURU_STORE", "DURU_LOGS", "DURU_DOCUMENTS"] {
        for args in [
            &["serve", "--port", "0", "--log-level", "debug"][..],
            &["doctor", "--offline"],
            &["config", "show"],
        ] {
            let output = desk.command(args).env(variable, url).output().unwrap();
            let said = [output.stdout, output.stderr].concat();
            let said = String::from_utf8_lossy(&said);
            assert!(!said.contains("pw-canary"), "{variable} {args:?}: {said}");
            assert!(
                args[0] != "serve" || !output.status.success(),
                "{variable}: it serves without its database"
            );
        }
    }
    assert_eq!(is_found(desk.folder.path(), "pw-canary"), None);
}

#[test]
fn a_tool_is_a_span_and_no_secret_is_told_to_anybody() {
    const SECRETS: [(&str, &str); 5] = [
        ("OPENAI_API_KEY", "sk-canary-5f1d0c3b7a9e"),
        ("DURU_MOLIT_KEY", "molit-canary-77aa"),
        ("DURU_KAKAO_KEY", "kakao-canary-42bb"),
        ("DURU_WEB_SEARCH_KEY", "web-canary-31337"),
        ("OTEL_EXPORTER_OTLP_HEADERS", "x-key=otel-canary-99"),
    ];
    let desk = Desk::new();
    let made = desk.run(&["keys", "add", "kim", "--json"]).json();
    let key = made["key"].as_str().unwrap();
    let (address, bodies) = collector();
    let mut command = desk.command(&["serve", "--port", "0", "--log-format", "json", "--log-level", "debug"]);
    command.envs(SECRETS).env("DURU_MODEL", "none");
    command.env("OTEL_EXPORTER_OTLP_ENDPOINT", address).env("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json");
    command.env("OTEL_TRACES_SAMPLER", "parentbased_always_on");
    let mut server = Serving::of({
        command.stderr(Stdio::piped());
        command
    });
    let shown = std::fs::read(format!("/proc/{}/cmdline", server.child.id())).unwrap();
    let body = json!({ "model": "advisor", "messages": [{ "role": "user", "content": "강남구 아파트 시세 알려줘" }] });
    let headers = [&format!("x-api-key: {key}")[..], "content-type: application/json"];
    let (status, answer) = server.post("/v1/chat/completions", &headers, body.to_string().as_bytes());
    assert_eq!(status, 200, "{answer}");
    let mut errors = server.child.stderr.take().unwrap();
    let stopped = Command::new("kill").args(["-TERM", &server.child.id().to_string()]).status().unwrap();
    assert!(stopped.success() && server.child.wait().unwrap().success());
    let mut lines = String::new();
    errors.read_to_string(&mut lines).unwrap();

    let bodies: Vec<Value> = bodies.try_iter().collect();
    let spans: Vec<&Value> = bodies
        .iter()
        .flat_map(|body| body["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap())
        .collect();
    let tool = spans.iter().find(|span| span["name"] == "execute_tool market_data");
    let tool =
        tool.unwrap_or_else(|| panic!("{:?}", spans.iter().map(|span| &span["name"]).collect::<Vec<_>>()));
    for (name, value) in [
        ("gen_ai.operation.name", "execute_tool"),
        ("gen_ai.tool.name", "market_data"),
        ("gen_ai.tool.type", "function"),
    ] {
        let found = tool["attributes"].as_array().unwrap().iter().find(|one| one["key"] == name);
        assert_eq!(found.unwrap_or_else(|| panic!("{name}: {tool}"))["value"]["stringValue"], value);
    }
    let around = spans.iter().find(|span| span["spanId"] == tool["parentSpanId"]).unwrap();
    assert!(around["name"].as_str().unwrap().starts_with("node "), "{around}");
    assert!(spans.iter().all(|span| span["traceId"] == tool["traceId"]), "one question is one trace");

    let told = format!("{lines}{bodies:?}{answer}{}", String::from_utf8_lossy(&shown));
    let secrets = SECRETS.map(|(_, secret)| secret.trim_start_matches("x-key="));
    for secret in secrets.into_iter().chain([key.rsplit('_').next().unwrap()]) {
        assert!(!told.contains(secret), "{secret}");
        assert_eq!(is_found(desk.folder.path(), secret), None, "{secret}");
    }
    assert!(!told.contains("강남구 아파트 시세 알려줘"), "what people ask is theirs");
}
