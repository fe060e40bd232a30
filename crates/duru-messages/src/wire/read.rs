//! Reads every form of a message that clients send.

use serde::de::{Deserialize, Deserializer, Error};
use serde_json::Value;

use super::{FieldReader, ParseError, read_calls};
use crate::{AiFields, Content, Kind, Message, Messages, ToolFields};

const FORMS: &str =
    r#"a message: an object with "type" or "role" and "content", a string, or a pair [role, content]"#;
const KINDS: &str =
    r#"one of "human" (or "user"), "ai" ("assistant"), "system" ("developer"), "tool", "function", "remove""#;
const USAGE: &str = "an object with input_tokens, output_tokens and total_tokens as counts";

impl Message {
    /// Reads a message from JSON.
    ///
    /// ```
    /// use duru_messages::Message;
    /// use serde_json::json;
    ///
    /// for form in [
    ///     json!({"type": "human", "content": "hi"}),
    ///     json!({"role": "user", "content": "hi"}),
    ///     json!(["user", "hi"]),
    ///     json!("hi"),
    /// ] {
    ///     assert_eq!(Message::from_value(form)?, Message::human("hi"));
    /// }
    ///
    /// let error = Message::from_value(json!({"role": "user", "content": 5})).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "message.content: expected a string or a list of content blocks, got the number 5",
    /// );
    /// # Ok::<(), duru_messages::ParseError>(())
    /// ```
    pub fn from_value(value: Value) -> Result<Message, ParseError> {
        message(value, "message")
    }

    /// Reads the messages that a client sent: a list, or a single message.
    /// In a list, two strings are two messages and not a pair.
    ///
    /// ```
    /// use duru_messages::Message;
    /// use serde_json::json;
    ///
    /// let batch = Message::list_from_value(json!([["system", "Be brief."], "hi"]))?;
    /// assert_eq!(batch, [Message::system("Be brief."), Message::human("hi")]);
    /// assert_eq!(Message::list_from_value(json!("hi"))?, [Message::human("hi")]);
    /// # Ok::<(), duru_messages::ParseError>(())
    /// ```
    pub fn list_from_value(value: Value) -> Result<Vec<Message>, ParseError> {
        match value {
            Value::Array(items) => items
                .into_iter()
                .enumerate()
                .map(|(at, item)| message(item, &format!("messages[{at}]")))
                .collect(),
            single => Ok(vec![message(single, "messages")?]),
        }
    }
}

fn message(value: Value, path: &str) -> Result<Message, ParseError> {
    match value {
        Value::String(text) => Ok(Message::human(text)),
        Value::Array(pair) => match <[Value; 2]>::try_from(pair) {
            Ok([role, content]) => {
                let fields = [("role".to_owned(), role), ("content".to_owned(), content)];
                object(FieldReader::new(fields.into_iter().collect(), path, FORMS)?)
            }
            Err(other) => Err(ParseError::new(path, FORMS, Some(&Value::Array(other)))),
        },
        other => object(FieldReader::new(other, path, FORMS)?),
    }
}

fn object(mut fields: FieldReader) -> Result<Message, ParseError> {
    let (type_key, kind) = kind_name(&mut fields)?;
    let content = read_content(&mut fields, &kind)?;
    let id = fields.id("id")?;
    let name = fields.string("name")?;
    let mut additional_kwargs = fields.object("additional_kwargs")?;
    let response_metadata = fields.object("response_metadata")?;
    let kind = match kind.as_str() {
        "human" | "user" => Kind::Human,
        "ai" | "assistant" => Kind::Ai(ai(&mut fields)?),
        "system" => Kind::System,
        "developer" => {
            // Clients find the role that was sent at this place.
            additional_kwargs.insert("__openai_role__".to_owned(), "developer".into());
            Kind::System
        }
        "tool" => Kind::Tool(tool(&mut fields)?),
        "function" => Kind::Function,
        "remove" if id.is_none() => {
            return Err(ParseError::new(fields.at("id"), "the id of the message to remove", None));
        }
        "remove" => Kind::Remove,
        other => {
            return Err(ParseError::new(fields.at(type_key), KINDS, Some(&Value::from(other))));
        }
    };
    let mut message = Message::new(kind, content);
    message.id = id;
    message.name = name;
    message.additional_kwargs = additional_kwargs;
    message.response_metadata = response_metadata;
    message.extra = fields.rest();
    Ok(message)
}

/// `role` goes first: some clients send it together with a `type` that means
/// something else.
fn kind_name(fields: &mut FieldReader) -> Result<(&'static str, String), ParseError> {
    let role = fields.string("role")?;
    let kind = fields.string("type")?;
    let (key, name) = match (role, kind) {
        (Some(role), _) => ("role", role),
        (None, Some(kind)) => ("type", kind),
        (None, None) => return Err(ParseError::new(fields.at("type"), KINDS, None)),
    };
    // A client may send back the chunks that it has joined.
    match name.strip_suffix("MessageChunk") {
        Some(speaker) => {
            fields.take("tool_call_chunks");
            fields.take("chunk_position");
            Ok((key, speaker.to_ascii_lowercase()))
        }
        None => Ok((key, name)),
    }
}

/// Only what asks for a tool, or removes, may say nothing.
fn read_content(fields: &mut FieldReader, kind: &str) -> Result<Content, ParseError> {
    if fields.has("content") || kind == "remove" || fields.has("tool_calls") {
        return content(fields);
    }
    Err(ParseError::new(fields.at("content"), "a string or a list of content blocks", None))
}

pub(crate) fn content(fields: &mut FieldReader) -> Result<Content, ParseError> {
    match fields.take("content") {
        None => Ok(Content::default()),
        Some(Value::String(text)) => Ok(Content::Text(text)),
        Some(Value::Array(blocks)) => Ok(Content::Blocks(blocks)),
        Some(other) => {
            Err(ParseError::new(fields.at("content"), "a string or a list of content blocks", Some(&other)))
        }
    }
}

fn ai(fields: &mut FieldReader) -> Result<AiFields, ParseError> {
    let (tool_calls, mut unreadable) = read_calls::tool_calls(fields)?;
    let mut invalid_tool_calls = read_calls::invalid_tool_calls(fields)?;
    invalid_tool_calls.append(&mut unreadable);
    Ok(AiFields { tool_calls, invalid_tool_calls, usage_metadata: fields.typed("usage_metadata", USAGE)? })
}

fn tool(fields: &mut FieldReader) -> Result<ToolFields, ParseError> {
    let Some(tool_call_id) = fields.id("tool_call_id")? else {
        let expected = "the id of the tool call that is answered";
        return Err(ParseError::new(fields.at("tool_call_id"), expected, None));
    };
    let status = fields.typed("status", r#""success" or "error""#)?.unwrap_or_default();
    Ok(ToolFields { tool_call_id, status, artifact: fields.take("artifact").unwrap_or_default() })
}

impl<'de> Deserialize<'de> for Message {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Message::from_value(Value::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// Accepts what [`Message::list_from_value`] does, merged into an empty list.
impl<'de> Deserialize<'de> for Messages {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let batch = Message::list_from_value(Value::deserialize(deserializer)?).map_err(D::Error::custom)?;
        let mut messages = Messages::new();
        messages.merge(batch).map_err(D::Error::custom)?;
        Ok(messages)
    }
}
