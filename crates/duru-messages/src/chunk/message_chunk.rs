//! One piece of a reply.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::ToolCallChunk;
use crate::{Content, UsageMetadata};

/// A piece of the model's reply.
///
/// Every chunk of a reply has the same id as the final message: clients join
/// by it, and drop chunks without one.
///
/// ```
/// use duru_messages::{ChunkAccumulator, MessageChunk, UsageMetadata};
///
/// let mut reply = ChunkAccumulator::new();
/// reply.push(&MessageChunk::text("run-1", "Hel"));
/// reply.push(&MessageChunk::text("run-1", "lo"));
/// reply.push(&MessageChunk::new("run-1").with_usage(UsageMetadata::new(3, 2)).last());
///
/// let message = reply.finish();
/// assert_eq!(message.id.as_deref(), Some("run-1"));
/// assert_eq!(message.text(), "Hello");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MessageChunk {
    /// The id of the reply.
    pub id: Option<String>,
    /// What this piece adds.
    pub content: Content,
    /// The speaker.
    pub name: Option<String>,
    /// Provider-specific parts of the request.
    pub additional_kwargs: Map<String, Value>,
    /// Provider-specific parts of the reply, such as `finish_reason`.
    pub response_metadata: Map<String, Value>,
    /// Pieces of tool calls.
    pub tool_call_chunks: Vec<ToolCallChunk>,
    /// Tokens to add to those of the other chunks.
    pub usage_metadata: Option<UsageMetadata>,
    /// Whether nothing follows.
    pub chunk_position: Option<ChunkPosition>,
}

/// Where in the reply a chunk stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChunkPosition {
    /// Nothing follows.
    Last,
}

impl MessageChunk {
    /// An empty piece of the reply `id`.
    pub fn new(id: impl Into<String>) -> Self {
        MessageChunk { id: Some(id.into()), ..Default::default() }
    }

    /// A piece of text of the reply `id`.
    pub fn text(id: impl Into<String>, content: impl Into<Content>) -> Self {
        MessageChunk { content: content.into(), ..MessageChunk::new(id) }
    }

    /// The same chunk with a piece of a tool call.
    #[must_use]
    pub fn with_tool_call(mut self, piece: ToolCallChunk) -> Self {
        self.tool_call_chunks.push(piece);
        self
    }

    /// The same chunk with token counts.
    #[must_use]
    pub fn with_usage(mut self, usage: UsageMetadata) -> Self {
        self.usage_metadata = Some(usage);
        self
    }

    /// The same chunk as the last one of its reply.
    #[must_use]
    pub fn last(mut self) -> Self {
        self.chunk_position = Some(ChunkPosition::Last);
        self
    }

    /// Whether nothing follows.
    pub fn is_last(&self) -> bool {
        self.chunk_position.is_some()
    }
}
