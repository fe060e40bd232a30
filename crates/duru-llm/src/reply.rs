//! What a model answers: pieces while it writes, a message in the end.

use std::fmt;
use std::pin::Pin;

use duru_messages::{ChunkAccumulator, Message, MessageChunk, UsageMetadata};
use futures_util::{Stream, StreamExt};

use crate::Error;

/// A whole reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// What the model said. Calls with unreadable arguments are among its `invalid_tool_calls`.
    pub message: Message,
    /// What it cost; zeros if the provider did not say.
    pub usage: UsageMetadata,
    /// Why it ends here.
    pub stop: Stop,
}

/// Why a reply ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// The model was done.
    End,
    /// It waits for tools.
    Tools,
    /// The reply reached `max_tokens`, so its end is missing.
    MaxTokens,
    /// The provider or the model declined.
    Declined,
    /// For a reason that is in the message's metadata, if anywhere.
    Other,
}

/// An item of a reply that is being written.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// The next chunk.
    Chunk(MessageChunk),
    /// The reply with this id broke off and another one takes its place: what
    /// was shown of it no longer holds.
    Superseded {
        /// The id of the chunks to forget.
        id: Option<String>,
    },
}

/// A reply that is being written. It ends after the chunk that says it is the
/// last, or with an error; dropping it ends the call.
pub struct Pieces(Pin<Box<dyn Stream<Item = Result<Piece, Error>> + Send>>);

impl Pieces {
    /// Pieces from any stream of them.
    pub fn new(stream: impl Stream<Item = Result<Piece, Error>> + Send + 'static) -> Self {
        Pieces(Box::pin(stream))
    }

    /// The next piece; `None` after the last.
    pub async fn next(&mut self) -> Option<Result<Piece, Error>> {
        self.0.next().await
    }

    /// Waits for the end and joins everything.
    pub async fn collect(mut self) -> Result<Reply, Error> {
        let mut joined = ChunkAccumulator::new();
        while let Some(piece) = self.next().await {
            match piece? {
                Piece::Chunk(chunk) => joined.push(&chunk),
                Piece::Superseded { .. } => joined = ChunkAccumulator::new(),
            }
        }
        Ok(Reply::from(joined.finish()))
    }
}

impl fmt::Debug for Pieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pieces(…)")
    }
}

impl Stream for Pieces {
    type Item = Result<Piece, Error>;

    fn poll_next(
        mut self: Pin<&mut Self>,
        cx: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(cx)
    }
}

/// The reply that a model's message is.
impl From<Message> for Reply {
    fn from(message: Message) -> Self {
        let usage = message.usage().cloned().unwrap_or_default();
        let reason =
            ["stop_reason", "finish_reason"].iter().find_map(|key| message.response_metadata.get(*key));
        let stop = Stop::read(reason.and_then(|reason| reason.as_str()).unwrap_or_default());
        Reply { message, usage, stop }
    }
}

impl Reply {
    /// Where the message keeps how far the model leans.
    pub(crate) const LEANING: &str = "leaning";

    /// How much likelier the model was to say yes than no, as the logarithm of that ratio: nothing is even, three is twenty to
    /// one. None where the provider does not tell, or the reply says neither.
    pub fn leaning(&self) -> Option<f32> {
        self.message.response_metadata.get(Self::LEANING)?.as_f64().map(|leaning| leaning as f32)
    }
}

impl Stop {
    /// As traces call it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Stop::End => "stop",
            Stop::Tools => "tool_calls",
            Stop::MaxTokens => "length",
            Stop::Declined => "content_filter",
            Stop::Other => "other",
        }
    }

    /// Both providers' words for the same reasons.
    fn read(reason: &str) -> Stop {
        match reason {
            "end_turn" | "stop_sequence" | "stop" => Stop::End,
            "tool_use" | "tool_calls" | "function_call" => Stop::Tools,
            "max_tokens" | "length" | "model_context_window_exceeded" => Stop::MaxTokens,
            "refusal" | "content_filter" => Stop::Declined,
            _ => Stop::Other,
        }
    }
}
