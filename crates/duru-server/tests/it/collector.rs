//! A collector of spans that speaks OTLP over HTTP: everything it is sent is there to look at.

use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What it does with what it is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    Takes,
    /// It reads nothing and never answers.
    Hangs,
}

pub(crate) struct Collector {
    pub(crate) url: String,
    kept: Arc<Mutex<Kept>>,
}

#[derive(Default)]
struct Kept {
    /// The first line and the headers, in lower case.
    heads: Vec<String>,
    bodies: Vec<Vec<u8>>,
}

impl Collector {
    pub(crate) async fn start(manner: Manner) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let kept = Arc::<Mutex<Kept>>::default();
        let told = Arc::clone(&kept);
        tokio::spawn(async move {
            let mut held = Vec::new();
            while let Ok((stream, _)) = listener.accept().await {
                match manner {
                    Manner::Hangs => held.push(stream),
                    Manner::Takes => drop(tokio::spawn(take(stream, Arc::clone(&told)))),
                }
            }
        });
        Self { url, kept }
    }

    /// Every span that came in JSON, as the protocol has it.
    pub(crate) fn spans(&self) -> Vec<Value> {
        self.bodies().iter().flat_map(spans).collect()
    }

    /// What came in JSON.
    pub(crate) fn bodies(&self) -> Vec<Value> {
        self.raw().iter().map(|body| serde_json::from_slice(body).expect("JSON")).collect()
    }

    /// What came.
    pub(crate) fn raw(&self) -> Vec<Vec<u8>> {
        self.kept.lock().unwrap().bodies.clone()
    }

    pub(crate) fn heads(&self) -> Vec<String> {
        self.kept.lock().unwrap().heads.clone()
    }
}

/// The spans of a request.
pub(crate) fn spans(body: &Value) -> Vec<Value> {
    let scopes = list(&body["resourceSpans"]).into_iter().flat_map(|of| list(&of["scopeSpans"]));
    scopes.flat_map(|of| list(&of["spans"])).collect()
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_else(|| panic!("no list: {value}"))
}

async fn take(mut stream: TcpStream, kept: Arc<Mutex<Kept>>) {
    let mut bytes = Vec::new();
    loop {
        let end = loop {
            if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
                break end;
            }
            if stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
                return;
            }
        };
        let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
        let length: usize = length.expect("a length");
        while bytes.len() < end + 4 + length {
            assert_ne!(stream.read_buf(&mut bytes).await.unwrap(), 0, "a request is cut off");
        }
        let body = bytes[end + 4..end + 4 + length].to_vec();
        bytes.drain(..end + 4 + length);
        {
            let mut kept = kept.lock().unwrap();
            kept.heads.push(head);
            kept.bodies.push(body);
        }
        let answer = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}";
        if stream.write_all(answer.as_bytes()).await.is_err() {
            return;
        }
    }
}

/// The value of an attribute of a span, whatever its type; null if it has none.
pub(crate) fn attribute(span: &Value, name: &str) -> Value {
    let found = list(&span["attributes"]).into_iter().find(|attribute| attribute["key"] == name);
    let value = found.and_then(|found| found["value"].as_object()?.values().next().cloned());
    value.unwrap_or_default()
}
