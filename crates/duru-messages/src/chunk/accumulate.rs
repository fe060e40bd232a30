//! Joins the pieces of a reply.

use serde_json::{Map, Value};

use super::join::{join_content, join_objects};
use super::tool_call_chunk::{Calls, begun_calls, complete_calls};
use super::{MessageChunk, ToolCallChunk};
use crate::{AiFields, Content, Kind, Message, UsageMetadata};

/// Joins the chunks of one reply into its message.
///
/// ```
/// use duru_messages::{ChunkAccumulator, MessageChunk, ToolCallChunk};
///
/// let mut reply = ChunkAccumulator::new();
/// reply.push(&MessageChunk::new("run-1").with_tool_call(ToolCallChunk::begin(0, "call_1", "get_weather")));
/// reply.push(&MessageChunk::new("run-1").with_tool_call(ToolCallChunk::more(0, "{\"city\":")));
/// assert!(reply.snapshot().tool_calls()[0].args.is_empty()); // as far as it is written
///
/// reply.push(&MessageChunk::new("run-1").with_tool_call(ToolCallChunk::more(0, "\"SF\"}")).last());
/// assert!(reply.is_complete());
/// assert_eq!(reply.finish().tool_calls()[0].args["city"], "SF");
/// ```
#[derive(Clone, Debug, Default)]
pub struct ChunkAccumulator {
    id: Option<String>,
    name: Option<String>,
    content: Content,
    additional_kwargs: Map<String, Value>,
    response_metadata: Map<String, Value>,
    calls: Vec<ToolCallChunk>,
    usage: Option<UsageMetadata>,
    complete: bool,
}

impl ChunkAccumulator {
    /// No chunk yet.
    pub fn new() -> Self {
        ChunkAccumulator::default()
    }

    /// Adds the next chunk. The first id and the first name hold.
    pub fn push(&mut self, chunk: &MessageChunk) {
        if self.id.is_none() {
            self.id.clone_from(&chunk.id);
        }
        if self.name.is_none() {
            self.name.clone_from(&chunk.name);
        }
        join_content(&mut self.content, &chunk.content);
        join_objects(&mut self.additional_kwargs, &chunk.additional_kwargs);
        // Replaced and not joined: a model name that comes twice is no longer name.
        for (key, value) in &chunk.response_metadata {
            self.response_metadata.insert(key.clone(), value.clone());
        }
        for piece in &chunk.tool_call_chunks {
            self.push_call(piece);
        }
        if let Some(usage) = &chunk.usage_metadata {
            self.usage.get_or_insert_default().add(usage);
        }
        self.complete |= chunk.is_last();
    }

    fn push_call(&mut self, piece: &ToolCallChunk) {
        // From the end: the call that is being written is nearly always the last.
        match self.calls.iter_mut().rfind(|call| call.continues_with(piece)) {
            Some(call) => call.join(piece),
            None => self.calls.push(piece.clone()),
        }
    }

    /// Whether the last chunk has come.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// The message as far as it is written; unfinished arguments are shown as
    /// far as they can be read. For showing, not for calling tools.
    pub fn snapshot(&self) -> Message {
        self.clone().message(begun_calls)
    }

    /// The final message, with the id of the chunks. Tool calls with unreadable
    /// arguments are in `invalid_tool_calls`.
    pub fn finish(self) -> Message {
        self.message(complete_calls)
    }

    fn message(self, read: fn(&[ToolCallChunk]) -> Calls) -> Message {
        let (tool_calls, invalid_tool_calls) = read(&self.calls);
        let ai = AiFields { tool_calls, invalid_tool_calls, usage_metadata: self.usage };
        let mut message = Message::new(Kind::Ai(ai), self.content);
        message.id = self.id;
        message.name = self.name;
        message.additional_kwargs = self.additional_kwargs;
        message.response_metadata = self.response_metadata;
        message
    }
}
