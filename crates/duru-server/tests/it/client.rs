//! A client that hides nothing: what was sent is what a test says, and what
//! came back is there to look at.

use anyhow::{Context, Result};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::events::Events;

/// How long is waited for what must happen. A machine that others use too may take long for anything, and whoever waits
/// for what is there goes on at once: nothing that is right takes so long.
pub(crate) const PATIENCE: std::time::Duration = std::time::Duration::from_secs(150);

/// Where a server listens.
#[derive(Clone)]
pub(crate) struct Client {
    address: String,
    key: Option<String>,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// With names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    /// The body, which must be JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {:?}", self.text))
    }

    /// The body, if the status is the expected one.
    pub(crate) fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        if self.text.is_empty() { Value::Null } else { self.json() }
    }

    /// What an error says.
    pub(crate) fn detail(&self, status: u16) -> String {
        self.expect(status)["detail"].as_str().expect("errors have a detail").to_owned()
    }
}

impl Client {
    pub(crate) fn new(address: impl Into<String>) -> Self {
        Self { address: address.into(), key: None }
    }

    /// For a server that wants a key.
    #[allow(dead_code)] // Only the soak command asks such a server by this client.
    pub(crate) fn with_key(address: impl Into<String>, key: &str) -> Self {
        Self { address: address.into(), key: Some(key.to_owned()) }
    }

    /// How every request begins.
    pub(crate) fn head(&self, method: &str, path: &str) -> String {
        let key = self.key.as_ref().map_or_else(String::new, |key| format!("x-api-key: {key}\r\n"));
        format!("{method} {path} HTTP/1.1\r\nhost: {}\r\n{key}", self.address)
    }

    /// Where it asks.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send("GET", path, None).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        self.send("POST", path, Some(body)).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Answer {
        self.send("DELETE", path, None).await
    }

    pub(crate) async fn send(&self, method: &str, path: &str, body: Option<Value>) -> Answer {
        self.try_send(method, path, body).await.expect("the server answers")
    }

    /// For a server that may not be there.
    pub(crate) async fn try_send(&self, method: &str, path: &str, body: Option<Value>) -> Result<Answer> {
        let body = body.map(|body| body.to_string());
        self.raw(method, path, "application/json", body.as_deref()).await
    }

    /// With an `Idempotency-Key`.
    pub(crate) async fn post_once(&self, path: &str, key: &str, body: Value) -> Answer {
        // A content type is the one header that callers choose: this goes in behind it.
        let headers = format!("application/json\r\nidempotency-key: {key}");
        self.raw("POST", path, &headers, Some(&body.to_string())).await.expect("the server answers")
    }

    /// Opens a stream of events, after the one that was seen last.
    pub(crate) async fn events(&self, path: &str, last: Option<&str>) -> Result<Events> {
        let mut stream = TcpStream::connect(&self.address).await?;
        let last = last.map_or_else(String::new, |last| format!("last-event-id: {last}\r\n"));
        let request = format!("{}{last}\r\n", self.head("GET", path));
        stream.write_all(request.as_bytes()).await?;
        Events::of(stream).await
    }

    /// Any body of any type.
    pub(crate) async fn raw(
        &self,
        method: &str,
        path: &str,
        kind: &str,
        body: Option<&str>,
    ) -> Result<Answer> {
        let mut stream = TcpStream::connect(&self.address).await?;
        let mut request = format!("{}connection: close\r\n", self.head(method, path));
        if let Some(body) = body {
            request += &format!("content-type: {kind}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
        } else {
            request += "\r\n";
        }
        stream.write_all(request.as_bytes()).await?;
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).await?;
        parse(&bytes)
    }
}

impl Client {
    /// An empty body that comes in chunks, with these headers behind its content type.
    pub(crate) async fn chunked(&self, method: &str, path: &str, headers: &str) -> Answer {
        let mut stream = TcpStream::connect(&self.address).await.expect("a server");
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-type: {headers}\r\n\r\n0\r\n\r\n",
            self.address
        );
        stream.write_all(request.as_bytes()).await.expect("a server that listens");
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).await.expect("an answer");
        parse(&bytes).expect("an answer")
    }
}

fn parse(bytes: &[u8]) -> Result<Answer> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").context("no end of the headers")?;
    let head = std::str::from_utf8(&bytes[..end])?;
    let mut lines = head.split("\r\n");
    let status = lines.next().and_then(|line| line.split(' ').nth(1)).context("no status")?.parse()?;
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
        .collect();
    let mut body = bytes[end + 4..].to_vec();
    if headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked") {
        body = unchunked(&body)?;
    }
    Ok(Answer { status, headers, text: String::from_utf8(body)? })
}

fn unchunked(mut bytes: &[u8]) -> Result<Vec<u8>> {
    let mut whole = Vec::new();
    loop {
        let end = bytes.windows(2).position(|two| two == b"\r\n").context("a chunk without a size")?;
        let size = usize::from_str_radix(std::str::from_utf8(&bytes[..end])?, 16)?;
        if size == 0 {
            return Ok(whole);
        }
        whole.extend_from_slice(bytes.get(end + 2..end + 2 + size).context("a chunk is cut off")?);
        bytes = bytes.get(end + 2 + size + 2..).context("a chunk is cut off")?;
    }
}
