//! People and programs that wait for the first word, each at another interface.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::serve::Serving;

/// Nothing that is right takes so long.
const PATIENCE: Duration = Duration::from_secs(120);

/// When something was seen, counted from the question.
#[derive(Clone, Copy)]
pub(super) struct Heard {
    pub(super) asked: Instant,
    pub(super) first_word: Instant,
    pub(super) end: Instant,
}

/// Reads line by line until one has all of `signs`, then to the end, which comes by itself or with `last`.
fn read(from: impl Read, asked: Instant, signs: &[&str], last: Option<&str>) -> Heard {
    let (mut lines, mut first_word, mut seen) = (BufReader::new(from), None, String::new());
    loop {
        let mut line = Vec::new();
        let ended = lines.read_until(b'\n', &mut line).unwrap_or(0) == 0;
        let line = String::from_utf8_lossy(&line);
        if signs.iter().all(|sign| line.contains(sign)) {
            first_word.get_or_insert_with(Instant::now);
        }
        seen.push_str(&line);
        if ended || last.is_some_and(|last| line.contains(last)) {
            break;
        }
    }
    let first_word = first_word.unwrap_or_else(|| panic!("{signs:?} never came: {seen}"));
    Heard { asked, first_word, end: Instant::now() }
}

fn post(server: &Serving, path: &str, body: &Value) -> TcpStream {
    let body = body.to_string();
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let length = body.len();
    write!(stream, "POST {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}")
        .unwrap();
    stream
}

/// LangGraph's stream of a thread's run.
pub(super) fn sse(server: &Serving, agent: &str, question: &str, word: &str) -> Heard {
    run(server, agent, question, &[word, "AIMessageChunk"])
}

/// The same for an answer that comes whole, as those of rules do.
pub(super) fn whole(server: &Serving, agent: &str, question: &str) -> Heard {
    run(server, agent, question, &[r#""type":"ai""#])
}

fn run(server: &Serving, agent: &str, question: &str, signs: &[&str]) -> Heard {
    let thread = server.ask("POST", "/threads", Some(json!({})));
    let path = format!("/threads/{}/runs/stream", thread["thread_id"].as_str().unwrap());
    let field = if agent == "advisor" { "query" } else { "question" };
    let body =
        json!({ "assistant_id": agent, "input": { field: question }, "stream_mode": ["messages-tuple"] });
    let asked = Instant::now();
    read(post(server, &path, &body), asked, signs, None)
}

/// OpenAI's format.
pub(super) fn openai(server: &Serving, agent: &str, question: &str, word: &str) -> Heard {
    let body =
        json!({ "model": agent, "stream": true, "messages": [{ "role": "user", "content": question }] });
    let asked = Instant::now();
    read(post(server, "/v1/chat/completions", &body), asked, &[word, "chat.completion.chunk"], Some("[DONE]"))
}

/// The agent's own WebSocket.
pub(super) fn socket(server: &Serving, agent: &str, question: &str, word: &str) -> Heard {
    let (path, field, last) = match agent {
        "analyst" => ("/ws/query".to_owned(), "question", "complete"),
        _ => (format!("/ws/{}", uuid::Uuid::new_v4()), "query", "run_end"),
    };
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
        .unwrap();
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    while !line.ends_with("\r\n\r\n") {
        assert_ne!(reader.read_line(&mut line).unwrap(), 0, "{line}");
    }
    let asked = Instant::now();
    let query = json!({ "type": "query", field: question }).to_string();
    reader.get_mut().write_all(&masked(query.as_bytes())).unwrap();
    let (mut first_word, mut told) = (None, String::new());
    loop {
        let Ok(frame) = serde_json::from_slice::<Value>(&frame(&mut reader)) else { continue };
        if frame["type"] == "token" && frame["field"] != "sql" {
            told.push_str(frame["text"].as_str().unwrap_or_default());
        }
        if told.contains(word) {
            first_word.get_or_insert_with(Instant::now);
        }
        if frame["type"] == last {
            break;
        }
    }
    assert_eq!(told.matches(word).count(), 1, "whoever joins the pieces reads it once: {told}");
    Heard { asked, first_word: first_word.unwrap(), end: Instant::now() }
}

/// A text as clients send it. A mask of zeros leaves it as it is.
fn masked(text: &[u8]) -> Vec<u8> {
    let length = u16::try_from(text.len()).unwrap();
    let head = match length {
        ..126 => vec![0x81, 0x80 | u8::try_from(length).unwrap()],
        _ => [&[0x81, 0x80 | 126][..], &length.to_be_bytes()].concat(),
    };
    [&head[..], &[0; 4], text].concat()
}

/// The content of the next frame of the server's.
fn frame(from: &mut impl Read) -> Vec<u8> {
    let mut read = |bytes: usize| {
        let mut read = vec![0; bytes];
        from.read_exact(&mut read).unwrap();
        read
    };
    let number = |bytes: &[u8]| bytes.iter().fold(0_usize, |number, byte| (number << 8) | usize::from(*byte));
    let length = match read(2)[1] {
        126 => number(&read(2)),
        127 => number(&read(8)),
        length => usize::from(length),
    };
    read(length)
}

/// A program that reads `duru ask --jsonl`.
pub(super) fn lines(mut command: Command, word: &str) -> Heard {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let heard = read(child.stdout.take().unwrap(), Instant::now(), &[word, r#""type":"token""#], None);
    assert!(child.wait().unwrap().success());
    heard
}

/// A person at a terminal, who types `keys` when they are asked to. None where there is no `script`, which makes one.
pub(super) fn screen(plain: &Command, keys: Option<&str>, word: &str) -> Option<Heard> {
    let quoted = |text: &std::ffi::OsStr| format!("'{}'", text.to_string_lossy());
    let line: Vec<String> =
        std::iter::once(plain.get_program()).chain(plain.get_args()).map(quoted).collect();
    let mut command = Command::new("script");
    command.args(["-qec", &line.join(" "), "/dev/null"]).env("TERM", "xterm").env("SHELL", "/bin/sh");
    for (name, value) in plain.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let Ok(mut child) = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn() else {
        assert!(std::env::var_os("CI").is_none(), "there is no `script` here");
        eprintln!("\n*** SKIPPED: there is no `script` here ***\n");
        return None;
    };
    Some(watched(&mut child, keys, word))
}

fn watched(child: &mut Child, keys: Option<&str>, word: &str) -> Heard {
    let (mut typed, mut screen) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut until = |word: &str| {
        let (mut bytes, mut seen) = ([0; 4096], Vec::new());
        while !String::from_utf8_lossy(&seen).contains(word) {
            let read = screen.read(&mut bytes).unwrap_or(0);
            assert_ne!(read, 0, "no {word:?} in {}", String::from_utf8_lossy(&seen));
            seen.extend_from_slice(&bytes[..read]);
        }
        Instant::now()
    };
    if let Some(keys) = keys {
        // The prompt, with pastes marked.
        until("\u{1b}[?2004h");
        typed.write_all(format!("{keys}\r").as_bytes()).unwrap();
    }
    let asked = Instant::now();
    let first_word = until(word);
    // A chat goes on until it is left at its next prompt; an answer to one question ends by itself.
    if keys.is_some() {
        until("\u{1b}[?2004h");
        typed.write_all(b"\x03\x03").unwrap();
    }
    drop(screen.read_to_end(&mut Vec::new()));
    assert!(child.wait().unwrap().success());
    Heard { asked, first_word, end: Instant::now() }
}
