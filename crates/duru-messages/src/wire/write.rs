//! Writes messages in the field order of the reference server.

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::{Kind, Message, Messages};

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_map(None)?;
        out.serialize_entry("content", &self.content)?;
        out.serialize_entry("additional_kwargs", &self.additional_kwargs)?;
        out.serialize_entry("response_metadata", &self.response_metadata)?;
        out.serialize_entry("type", self.kind.name())?;
        out.serialize_entry("name", &self.name)?;
        out.serialize_entry("id", &self.id)?;
        match &self.kind {
            Kind::Ai(ai) => {
                out.serialize_entry("tool_calls", &ai.tool_calls)?;
                out.serialize_entry("invalid_tool_calls", &ai.invalid_tool_calls)?;
                out.serialize_entry("usage_metadata", &ai.usage_metadata)?;
            }
            Kind::Tool(tool) => {
                out.serialize_entry("tool_call_id", &tool.tool_call_id)?;
                out.serialize_entry("artifact", &tool.artifact)?;
                out.serialize_entry("status", &tool.status)?;
            }
            Kind::Human | Kind::System | Kind::Function | Kind::Remove => {}
        }
        for (key, value) in &self.extra {
            out.serialize_entry(key, value)?;
        }
        out.end()
    }
}

impl Serialize for Messages {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_slice().serialize(serializer)
    }
}
