//! What the fake was asked.

use serde_json::Value;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt};

/// The most that is read of a request.
const MOST: usize = 64 << 20;

/// A request as the fake saw it.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// The format that it is in.
    pub wire: Wire,
    /// The path.
    pub path: String,
    /// With names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body; null if it is not JSON.
    pub body: Value,
    /// The body as it came.
    pub text: String,
}

/// A format of requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// Anthropic's Messages.
    Anthropic,
    /// OpenAI's chat completions.
    OpenAi,
    /// OpenAI's Responses.
    Responses,
    /// OpenAI's embeddings.
    Embeddings,
    /// None that is known.
    Unknown,
}

impl Seen {
    /// The header `name`, in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    /// The key that it came with.
    pub fn key(&self) -> Option<&str> {
        let bearer = self.header("authorization").and_then(|value| value.strip_prefix("Bearer "));
        self.header("x-api-key").or(bearer)
    }

    /// The text of the last message.
    pub fn last_text(&self) -> String {
        let said = if self.wire == Wire::Responses { "input" } else { "messages" };
        let content = self.body[said].as_array().and_then(|all| all.last()).map(|last| &last["content"]);
        match content {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Array(blocks)) => blocks.iter().filter_map(|block| block["text"].as_str()).collect(),
            _ => String::new(),
        }
    }

    pub(super) fn wants_stream(&self) -> bool {
        self.body["stream"] == true
    }

    /// The next request of a connection; `None` when it is closed or talks nonsense.
    pub(super) async fn read(from: &mut (impl AsyncBufRead + Unpin)) -> Option<Seen> {
        let first = line(from).await?;
        let path = first.split(' ').nth(1)?.to_owned();
        let mut headers = Vec::new();
        loop {
            let line = line(from).await?;
            if line.is_empty() {
                break;
            }
            let (name, value) = line.split_once(':')?;
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let length = headers.iter().find(|(name, _)| name == "content-length");
        let length: usize = length.map_or(Some(0), |(_, length)| length.parse().ok())?;
        if length > MOST {
            return None;
        }
        let mut body = vec![0; length];
        from.read_exact(&mut body).await.ok()?;
        let text = String::from_utf8_lossy(&body).into_owned();
        let body = serde_json::from_slice(&body).unwrap_or_default();
        Some(Seen { wire: Wire::of(&path), path, headers, body, text })
    }
}

impl Wire {
    fn of(path: &str) -> Wire {
        match path.rsplit('/').next() {
            Some("messages") => Wire::Anthropic,
            Some("completions") => Wire::OpenAi,
            Some("responses") => Wire::Responses,
            Some("embeddings") => Wire::Embeddings,
            _ => Wire::Unknown,
        }
    }
}

async fn line(from: &mut (impl AsyncBufRead + Unpin)) -> Option<String> {
    let mut line = String::new();
    let read = from.take(64 << 10).read_line(&mut line).await.ok()?;
    (read > 0 && line.ends_with('\n')).then(|| line.trim_end().to_owned())
}
