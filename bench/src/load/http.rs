//! As much of HTTP/1.1 as a client needs that keeps its connection.

use anyhow::{Context, Result, bail};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Where a server listens: `127.0.0.1:2024`.
pub(super) fn address(url: &str) -> Result<&str> {
    url.strip_prefix("http://").context("url= must begin with http://")
}

/// A request, ready to be sent any number of times; with a key unless that is empty.
pub(super) fn post(address: &str, path: &str, key: &str, body: &str) -> Vec<u8> {
    format!(
        "POST {path} HTTP/1.1\r\nhost: {address}\r\n{}content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        with(key),
        body.len()
    )
    .into_bytes()
}

pub(super) fn get(address: &str, path: &str, key: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nhost: {address}\r\n{}\r\n", with(key)).into_bytes()
}

fn with(key: &str) -> String {
    if key.is_empty() { String::new() } else { format!("x-api-key: {key}\r\n") }
}

pub(super) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    pub(super) async fn open(address: &str) -> Result<Self> {
        let stream = TcpStream::connect(address).await.with_context(|| format!("cannot reach {address}"))?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: Vec::with_capacity(1024) })
    }

    /// Sends a request and gives the whole answer, head and body.
    pub(super) async fn ask(&mut self, request: &[u8]) -> Result<&[u8]> {
        self.send(request).await?;
        self.buffer.clear();
        while !is_whole(&self.buffer) {
            self.more().await?;
        }
        Ok(&self.buffer)
    }

    pub(super) async fn send(&mut self, request: &[u8]) -> Result<()> {
        Ok(self.stream.write_all(request).await?)
    }

    async fn more(&mut self) -> Result<()> {
        if self.stream.read_buf(&mut self.buffer).await? == 0 {
            bail!("the server closed the connection");
        }
        Ok(())
    }

    /// Gives each line as it comes to `line`, until that says that it was the last.
    pub(super) async fn lines(&mut self, mut line: impl FnMut(&[u8]) -> Result<bool>) -> Result<()> {
        self.buffer.clear();
        loop {
            self.more().await?;
            let mut done = 0;
            while let Some(end) = self.buffer[done..].iter().position(|byte| *byte == b'\n') {
                if line(self.buffer[done..done + end].trim_ascii_end())? {
                    return Ok(());
                }
                done += end + 1;
            }
            self.buffer.drain(..done);
        }
    }
}

/// Whether an answer has come to its end: by its length, or by an empty chunk.
fn is_whole(answer: &[u8]) -> bool {
    let Some(head) = find(answer, b"\r\n\r\n") else { return false };
    match content_length(&answer[..head]) {
        Some(length) => answer.len() >= head + 4 + length,
        None => answer.ends_with(b"0\r\n\r\n"),
    }
}

fn content_length(head: &[u8]) -> Option<usize> {
    let lines = head.split(|byte| *byte == b'\n');
    let mut fields = lines.filter_map(|line| line.split_at_checked(b"content-length:".len()));
    let (_, value) = fields.find(|(name, _)| name.eq_ignore_ascii_case(b"content-length:"))?;
    std::str::from_utf8(value.trim_ascii()).ok()?.parse().ok()
}

pub(super) fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_ends_where_its_length_says_or_with_an_empty_chunk() {
        assert!(!is_whole(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{"));
        assert!(is_whole(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"));
        assert!(!is_whole(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n"));
        assert!(is_whole(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"));
        assert!(!is_whole(b"HTTP/1.1 200 OK\r\n"));
    }

    #[test]
    fn an_address_is_taken_from_its_url() {
        assert_eq!(address("http://127.0.0.1:2024").unwrap(), "127.0.0.1:2024");
        assert!(address("127.0.0.1:2024").is_err());
    }
}
