//! Chunks as JSON.

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, SerializeStruct, Serializer};
use serde_json::Value;

use super::tool_call_chunk::begun_calls;
use super::{MessageChunk, ToolCallChunk};
use crate::wire::{self, FieldReader, ParseError};
use crate::{InvalidToolCall, ToolCall};

const TYPE: &str = "AIMessageChunk";

impl Serialize for MessageChunk {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Clients expect the calls in both forms.
        let (tool_calls, invalid_tool_calls) = begun_calls(&self.tool_call_chunks);
        let mut out = serializer.serialize_struct("MessageChunk", 11)?;
        out.serialize_field("content", &self.content)?;
        out.serialize_field("additional_kwargs", &self.additional_kwargs)?;
        out.serialize_field("response_metadata", &self.response_metadata)?;
        out.serialize_field("type", TYPE)?;
        out.serialize_field("name", &self.name)?;
        out.serialize_field("id", &self.id)?;
        out.serialize_field("tool_calls", &tool_calls)?;
        out.serialize_field("invalid_tool_calls", &invalid_tool_calls)?;
        out.serialize_field("usage_metadata", &self.usage_metadata)?;
        out.serialize_field("tool_call_chunks", &self.tool_call_chunks)?;
        out.serialize_field("chunk_position", &self.chunk_position)?;
        out.end()
    }
}

impl MessageChunk {
    /// Reads a chunk from JSON.
    pub fn from_value(value: Value) -> Result<MessageChunk, ParseError> {
        let mut fields = FieldReader::new(value, "chunk", "an object of type \"AIMessageChunk\"")?;
        let kind = fields.take("type");
        if kind.as_ref().is_none_or(|kind| kind != TYPE) {
            return Err(ParseError::new(fields.at("type"), "\"AIMessageChunk\"", kind.as_ref()));
        }
        Ok(MessageChunk {
            tool_call_chunks: pieces(&mut fields)?,
            id: fields.id("id")?,
            content: wire::content(&mut fields)?,
            name: fields.string("name")?,
            additional_kwargs: fields.object("additional_kwargs")?,
            response_metadata: fields.object("response_metadata")?,
            usage_metadata: fields.typed("usage_metadata", "an object with token counts")?,
            chunk_position: fields.typed("chunk_position", "null or \"last\"")?,
        })
    }
}

/// A model that does not stream sends whole calls in its only chunk.
fn pieces(fields: &mut FieldReader) -> Result<Vec<ToolCallChunk>, ParseError> {
    let items = fields.list("tool_call_chunks")?;
    if !items.is_empty() {
        return items.into_iter().enumerate().map(|(at, item)| piece(item, fields, at)).collect();
    }
    let (whole, unreadable) = wire::tool_calls(fields)?;
    let invalid = wire::invalid_tool_calls(fields)?;
    let whole = whole.into_iter().map(|ToolCall { name, args, id }| ToolCallChunk {
        name: Some(name),
        args: Some(Value::Object(args).to_string()),
        id,
        index: None,
    });
    let invalid = unreadable.into_iter().chain(invalid);
    let invalid =
        invalid.map(|InvalidToolCall { name, args, id, .. }| ToolCallChunk { name, args, id, index: None });
    Ok(whole.chain(invalid).collect())
}

fn piece(item: Value, chunk: &FieldReader, at: usize) -> Result<ToolCallChunk, ParseError> {
    let path = format!("{}.tool_call_chunks[{at}]", chunk.path());
    let mut fields = FieldReader::new(item, path, "an object with name, args, id and index")?;
    Ok(ToolCallChunk {
        name: fields.string("name")?,
        args: fields.string("args")?,
        id: fields.id("id")?,
        index: fields.typed("index", "the number of the call")?,
    })
}

impl<'de> Deserialize<'de> for MessageChunk {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        MessageChunk::from_value(Value::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}
