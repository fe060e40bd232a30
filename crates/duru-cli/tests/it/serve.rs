//! The example over HTTP, and what a kill does to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::Desk;

/// A server that dies with the test.
pub(crate) struct Serving {
    pub(crate) child: Child,
    pub(crate) address: String,
}

impl Serving {
    fn start(desk: &Desk) -> Self {
        Self::with(desk, &[])
    }

    pub(crate) fn with(desk: &Desk, more: &[&str]) -> Self {
        Self::started_by(desk, &[&["serve", "--port", "0"], more].concat())
    }

    fn started_by(desk: &Desk, args: &[&str]) -> Self {
        let mut command = desk.command(args);
        command.stderr(Stdio::null());
        Self::of(command)
    }

    pub(crate) fn of(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).and_then(|rest| rest.split([',', ' ']).next());
        let address = address.unwrap_or_else(|| panic!("where? {line:?}")).to_owned();
        Self { child, address }
    }

    pub(crate) fn ask(&self, method: &str, path: &str, body: Option<Value>) -> Value {
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let length = body.len();
        write!(stream, "{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}")
            .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 200"), "{method} {path}: {text}");
        serde_json::from_str(body).unwrap()
    }

    pub(crate) fn until(&self, path: &str, fits: impl Fn(&Value) -> bool) -> Value {
        let late = Instant::now() + Duration::from_secs(120);
        loop {
            let seen = self.ask("GET", path, None);
            if fits(&seen) {
                return seen;
            }
            assert!(Instant::now() < late, "it never came: {seen}");
            std::thread::sleep(Duration::from_millis(30));
        }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[test]
fn a_run_that_was_accepted_goes_on_after_a_kill_and_asks_its_question() {
    let desk = Desk::new();
    let server = Serving::start(&desk);
    let thread = server.ask("POST", "/threads", Some(json!({})))["thread_id"].as_str().unwrap().to_owned();
    let request = json!({ "assistant_id": "article", "input": { "topic": "두루", "lang": "ko" } });
    let run = server.ask("POST", &format!("/threads/{thread}/runs"), Some(request));
    let run = format!("/threads/{thread}/runs/{}", run["run_id"].as_str().unwrap());
    // Its first node takes a while: it can't have ended.
    drop(server);

    let server = Serving::start(&desk);
    let ended = server.until(&run, |run| run["status"] != "pending" && run["status"] != "running");
    assert_eq!(ended["status"], "success", "{ended}");
    let state = server.ask("GET", &format!("/threads/{thread}/state"), None);
    assert_eq!(state["next"], json!(["ask"]), "{state}");
    assert_eq!(state["values"]["remarks"].as_array().map(Vec::len), Some(3), "{state}");
    // The same thread, seen by the command.
    let shown = desk.run(&["threads", "show", &thread, "--json"]).json();
    assert_eq!(shown["status"], "paused", "{shown}");

    let answer = json!({ "assistant_id": "article", "command": { "resume": "publish" } });
    let values = server.ask("POST", &format!("/threads/{thread}/runs/wait"), Some(answer));
    assert_eq!(values["verdict"], "publish", "{values}");
    assert_ne!(values["receipt"], "", "{values}");
}

#[test]
fn a_port_that_is_taken_is_a_clear_error() {
    let desk = Desk::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    for (lang, words) in [("ko", "다른 포트를 지정하세요"), ("en", "name another port")] {
        let seen = desk.run(&["serve", "--port", &port, "--lang", lang]);
        assert_eq!(seen.code, Some(3), "{seen:?}");
        assert!(seen.err.contains("[no-address]") && seen.err.contains(words), "{seen:?}");
    }
}

#[test]
fn without_arguments_the_whole_product_starts_once() {
    let desk = Desk::new();
    let server = Serving::started_by(&desk, &[]);
    let found = server.ask("POST", "/assistants/search", Some(json!({})));
    let names: Vec<&str> =
        found.as_array().unwrap().iter().filter_map(|each| each["graph_id"].as_str()).collect();
    assert!(names.contains(&"analyst"), "{names:?}");
    // Whoever types it again is led to the one that runs.
    let again = desk.run(&["--lang", "en"]);
    assert_eq!(again.code, Some(0), "{again:?}");
    assert_eq!(again.out, format!("Already running: http://{}\n", server.address));
    // A server that was killed left its note behind; it stops nobody.
    drop(server);
    let server = Serving::started_by(&desk, &[]);
    assert_eq!(server.ask("GET", "/ok", None)["ok"], true);
}

#[test]
fn questions_go_to_the_server_that_has_the_data_open() {
    let desk = Desk::new();
    let server = Serving::started_by(&desk, &[]);
    let seen = desk.run(&["ask", "최근 24시간 서비스별 에러 건수", "--json", "--lang", "ko"]);
    assert_eq!(seen.code, Some(0), "{seen:?}");
    let answer = seen.json();
    assert!(answer["count"].as_u64().unwrap() > 0, "{answer}");
    // It is a thread of the server's.
    let thread = answer["thread"].as_str().unwrap();
    let state = server.ask("GET", &format!("/threads/{thread}/state"), None);
    assert_eq!(state["values"]["question"], "최근 24시간 서비스별 에러 건수");
    let seen = desk.run(&["ask", "--agent", "researcher", "전세금은 얼마까지 올릴 수 있나요?"]);
    assert_eq!(seen.code, Some(0), "{seen:?}");
    assert!(seen.out.contains("[1]"), "{seen:?}");
    // A question back that nobody answers waits there, and says so here.
    let seen = desk.run(&["ask", "에러 보여줘", "--no-input"]);
    assert!(matches!(seen.code, Some(0 | 6)), "{seen:?}");
}

#[test]
fn an_address_that_others_reach_needs_a_key_before_anything_is_promised() {
    let seen = Desk::new().run(&["serve", "--host", "0.0.0.0", "--port", "0", "--lang", "en"]);
    assert_eq!(seen.code, Some(3), "{seen:?}");
    assert!(seen.err.contains("[no-keys]") && seen.out.is_empty(), "{seen:?}");
}

#[test]
fn an_empty_question_is_told_in_the_language_of_whoever_asks() {
    for (lang, words) in [("ko", "질문이 비어 있습니다"), ("en", "the question is empty")] {
        let seen = Desk::new().run(&["ask", " ", "--lang", lang]);
        assert_eq!(seen.code, Some(2), "{seen:?}");
        assert!(seen.err.contains(words), "{seen:?}");
    }
}
