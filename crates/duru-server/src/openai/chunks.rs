//! An answer piece by piece.

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use duru::Mode;
use futures_util::stream as futures;
use serde_json::{Value, json};

use super::problem::Problem;
use super::request::{ChatRequest, now};
use super::said;
use super::stop::Ending;
use crate::runs::Leaving;
use crate::stream::as_stream;
use crate::talk::token;
use crate::{Following, Next, Runs, Started};

/// Streams what a run says.
pub(super) async fn stream(
    runs: Runs,
    started: Started,
    asked: ChatRequest,
    ending: Ending,
) -> Result<Response, Problem> {
    let following = runs.follow(&started, [Mode::Messages]).await?;
    let talking = Talking {
        leaving: runs.leaving(&started),
        id: format!("chatcmpl-{}", started.run),
        following,
        asked,
        ending,
        created: now(),
        begun: false,
        said: false,
        over: false,
    };
    let bytes = futures::unfold(talking, async |mut talking| {
        let bytes = talking.next().await?;
        Some((Ok::<_, std::io::Error>(bytes), talking))
    });
    let mut response = Response::new(Body::from_stream(bytes));
    as_stream(&mut response);
    Ok(response)
}

struct Talking {
    following: Following,
    leaving: Leaving,
    asked: ChatRequest,
    ending: Ending,
    id: String,
    created: u64,
    /// The first chunk names the speaker.
    begun: bool,
    /// Something was said in pieces.
    said: bool,
    over: bool,
}

impl Talking {
    async fn next(&mut self) -> Option<Bytes> {
        if self.over {
            return None;
        }
        if !self.begun {
            self.begun = true;
            return Some(self.chunk(&json!({ "role": "assistant", "content": "" }), None));
        }
        loop {
            match self.following.next().await {
                Ok(Next::Event(event)) => {
                    if let Some(text) = token(&event.data) {
                        self.said = true;
                        let shown = self.ending.more(&text);
                        if !shown.is_empty() {
                            return Some(self.chunk(&json!({ "content": shown }), None));
                        }
                    }
                }
                // No client takes a comment for a chunk.
                Ok(Next::Silence) => return Some(Bytes::from_static(b": \n\n")),
                Ok(Next::Over(came)) => {
                    self.over = true;
                    self.leaving.stay();
                    return Some(self.last(said(came)));
                }
                Ok(Next::Cut) => {
                    self.over = true;
                    self.leaving.stay();
                    let problem = Problem::failed("Unavailable", "the server is stopping");
                    return Some(data(&problem.json()));
                }
                Err(error) => {
                    self.over = true;
                    return Some(data(&Problem::from(error).json()));
                }
            }
        }
    }

    /// What is left to say, and that it was all.
    fn last(&mut self, said: Result<(String, Value), Problem>) -> Bytes {
        let (text, usage) = match said {
            Ok(said) => said,
            Err(problem) => return data(&problem.json()),
        };
        let mut bytes = Vec::new();
        // A graph that streamed no pieces sends its text now.
        let mut left = if self.said { String::new() } else { self.ending.more(&text) };
        left += &self.ending.rest();
        if !left.is_empty() {
            bytes.extend(self.chunk(&json!({ "content": left }), None));
        }
        bytes.extend(self.chunk(&json!({}), Some("stop")));
        if self.asked.wants_usage() {
            let mut chunk = self.shape();
            chunk["choices"] = json!([]);
            chunk["usage"] = usage;
            bytes.extend(data(&chunk));
        }
        bytes.extend_from_slice(b"data: [DONE]\n\n");
        bytes.into()
    }

    fn shape(&self) -> Value {
        json!({
            "id": self.id, "object": "chat.completion.chunk", "created": self.created, "model": self.asked.model,
        })
    }

    fn chunk(&self, delta: &Value, finish: Option<&str>) -> Bytes {
        let mut chunk = self.shape();
        chunk["choices"] = json!([{ "index": 0, "delta": delta, "logprobs": null, "finish_reason": finish }]);
        data(&chunk)
    }
}

fn data(json: &Value) -> Bytes {
    format!("data: {json}\n\n").into()
}
