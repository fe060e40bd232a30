//! Chat messages, streamed chunks of them, and the list that merges by id.
//!
//! The JSON is the one that LangGraph clients read and write. Nothing here
//! knows about graphs, models, clocks or random sources: ids come from the
//! caller, so that an engine built on top stays deterministic.
//!
//! ```
//! use duru_messages::{Message, Messages};
//!
//! let mut chat = Messages::new();
//! chat.merge([Message::human("hi").with_id("1"), Message::ai("helo").with_id("2")])?;
//! chat.merge([Message::ai("hello").with_id("2")])?; // the same id: replaced in place
//! chat.merge([Message::remove("1")])?;
//!
//! assert_eq!(chat.len(), 1);
//! assert_eq!(chat.last().map(|m| m.text().into_owned()).as_deref(), Some("hello"));
//! # Ok::<(), duru_messages::MergeError>(())
//! ```

mod chunk;
mod content;
pub mod json;
mod kind;
mod merge;
mod message;
mod messages;
mod tool_call;
mod usage;
mod wire;

pub use chunk::{ChunkAccumulator, ChunkPosition, MessageChunk, ToolCallChunk};
pub use content::Content;
pub use kind::{AiFields, Kind, ToolFields, ToolStatus};
pub use merge::{MergeError, REMOVE_ALL};
pub use message::{Fields, Message};
pub use messages::Messages;
pub use tool_call::{InvalidToolCall, ToolCall};
pub use usage::UsageMetadata;
pub use wire::ParseError;
