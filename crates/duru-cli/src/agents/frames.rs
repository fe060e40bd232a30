//! The frames of a server's stream.

use anyhow::Context as _;
use duru_http::Body;
use http::Response;
use http_body_util::BodyExt as _;
use serde_json::Value;

use crate::problem::Problem;

/// What a server sends as it happens.
pub(super) struct Frames {
    body: Body,
    waiting: Vec<u8>,
}

impl Frames {
    pub(super) fn of(response: Response<Body>) -> Self {
        Self { body: response.into_body(), waiting: Vec::new() }
    }

    /// The next frame: its event and its data. None at the end.
    pub(super) async fn next(&mut self) -> Result<Option<(String, Value)>, Problem> {
        loop {
            if let Some(text) = take(&mut self.waiting) {
                match read(&text) {
                    Some(frame) => return Ok(Some(frame)),
                    None => continue,
                }
            }
            match self.body.frame().await {
                None => return Ok(None),
                Some(part) => {
                    let part = part.context("the server went away").map_err(Problem::Unexpected)?;
                    if let Ok(bytes) = part.into_data() {
                        self.waiting.extend(bytes.iter().filter(|byte| **byte != b'\r'));
                    }
                }
            }
        }
    }
}

/// The first block that is whole.
fn take(waiting: &mut Vec<u8>) -> Option<String> {
    let end = waiting.windows(2).position(|pair| pair == b"\n\n")?;
    let block: Vec<u8> = waiting.drain(..end + 2).collect();
    Some(String::from_utf8_lossy(&block).into_owned())
}

/// A frame; none if the block is a comment.
fn read(block: &str) -> Option<(String, Value)> {
    let mut event = "message".to_owned();
    let mut data = Vec::new();
    for line in block.lines() {
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => event = value.to_owned(),
            "data" => data.push(value),
            _ => {}
        }
    }
    (!data.is_empty()).then(|| (event, serde_json::from_str(&data.join("\n")).unwrap_or(Value::Null)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn blocks_may_come_in_pieces_and_comments_are_skipped() {
        let mut waiting = b": heartbeat\n\nevent: custom\ndata: {\"a\":\ndata: 1}\n".to_vec();
        assert_eq!(take(&mut waiting).and_then(|block| read(&block)), None);
        assert_eq!(take(&mut waiting), None, "the frame is not whole yet");
        waiting.push(b'\n');
        assert_eq!(
            take(&mut waiting).and_then(|block| read(&block)),
            Some(("custom".to_owned(), json!({ "a": 1 })))
        );
    }
}
