//! Pieces of a reply while the model still writes it.

mod accumulate;
mod arguments;
mod join;
mod message_chunk;
mod tool_call_chunk;
mod wire;

pub use accumulate::ChunkAccumulator;
pub(crate) use arguments::parse_arguments;
pub use message_chunk::{ChunkPosition, MessageChunk};
pub(crate) use tool_call_chunk::Calls;
pub use tool_call_chunk::ToolCallChunk;
