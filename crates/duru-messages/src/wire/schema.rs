//! The JSON Schema of messages, for forms and for clients that generate types.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::{Message, Messages};

impl JsonSchema for Message {
    fn schema_name() -> Cow<'static, str> {
        "Message".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let written = written();
        if generator.contract().is_serialize() {
            return written;
        }
        json_schema!({
            "anyOf": [
                written,
                {
                    "type": "object",
                    "description": "A message by role, as the OpenAI API writes it.",
                    "properties": {
                        "role": {"enum": ["user", "assistant", "system", "developer", "tool", "function"]},
                        "content": {"type": ["string", "array", "null"]},
                    },
                    "required": ["role"],
                },
                {"type": "string", "description": "What the user says."},
                {
                    "type": "array",
                    "description": "A role and a content.",
                    "prefixItems": [{"type": "string"}, {"type": ["string", "array"]}],
                    "minItems": 2,
                    "maxItems": 2,
                },
            ],
        })
    }
}

fn written() -> Schema {
    json_schema!({
        "type": "object",
        "description": "A chat message.",
        "properties": {
            "type": {"enum": ["human", "ai", "system", "tool", "function", "remove"]},
            "content": {
                "description": "A text, or a list of content blocks.",
                "type": ["string", "array"],
                "items": {"type": ["string", "object"]},
            },
            "id": {"type": ["string", "null"]},
            "name": {"type": ["string", "null"]},
            "additional_kwargs": {"type": "object"},
            "response_metadata": {"type": "object"},
            "tool_calls": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "name": {"type": "string"},
                        "args": {"type": "object"},
                        "id": {"type": ["string", "null"]},
                        "type": {"const": "tool_call"},
                    },
                    "required": ["name", "args"],
                },
            },
            "invalid_tool_calls": {"type": "array", "items": {"type": "object"}},
            "usage_metadata": {
                "type": ["object", "null"],
                "properties": {
                    "input_tokens": {"type": "integer"},
                    "output_tokens": {"type": "integer"},
                    "total_tokens": {"type": "integer"},
                },
            },
            "tool_call_id": {"type": "string"},
            "status": {"enum": ["success", "error"]},
            "artifact": {},
        },
        "required": ["type", "content"],
    })
}

impl JsonSchema for Messages {
    fn schema_name() -> Cow<'static, str> {
        "Messages".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "array",
            "description": "A conversation; merged by id.",
            "items": generator.subschema_for::<Message>(),
        })
    }
}
