//! A stream of events as they arrive.

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::net::TcpStream;

/// One event.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) event: String,
    pub(crate) data: Value,
    pub(crate) id: String,
}

/// A stream, read as far as somebody asked.
pub(crate) struct Events {
    stream: BufReader<TcpStream>,
    /// What arrived and is not yet a whole event.
    text: String,
}

impl Events {
    /// Reads the headers, which must say that events follow.
    pub(crate) async fn of(stream: TcpStream) -> Result<Self> {
        let mut events = Self { stream: BufReader::new(stream), text: String::new() };
        let status = events.line().await?;
        ensure!(status.contains(" 200 "), "{status}");
        while !events.line().await?.is_empty() {}
        Ok(events)
    }

    /// The next event; none if the server ended the stream. One that was cut off
    /// is an error.
    pub(crate) async fn next(&mut self) -> Result<Option<Frame>> {
        loop {
            if let Some(end) = self.text.find("\r\n\r\n") {
                let frame: String = self.text.drain(..end + 4).collect();
                if frame.starts_with(':') {
                    continue;
                }
                let field = |name: &str| frame.lines().find_map(|line| line.strip_prefix(name));
                return Ok(Some(Frame {
                    event: field("event: ").context("an event without a name")?.to_owned(),
                    data: serde_json::from_str(field("data: ").unwrap_or("null"))?,
                    id: field("id: ").unwrap_or_default().to_owned(),
                }));
            }
            let size = usize::from_str_radix(&self.line().await?, 16)?;
            let mut bytes = vec![0; size + 2];
            self.stream.read_exact(&mut bytes).await?;
            if size == 0 {
                return Ok(None);
            }
            self.text += std::str::from_utf8(&bytes[..size])?;
        }
    }

    async fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        self.stream.read_line(&mut line).await?;
        ensure!(line.ends_with("\r\n"), "the stream was cut off");
        Ok(line.trim_end().to_owned())
    }
}
