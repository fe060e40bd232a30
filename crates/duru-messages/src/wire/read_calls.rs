//! Reads tool calls, in our form and in the one of the OpenAI API.

use serde_json::{Map, Value};

use super::{FieldReader, ParseError};
use crate::chunk::{Calls, parse_arguments};
use crate::{InvalidToolCall, ToolCall};

const CALL: &str = "an object with name, args and id";

/// The calls, and those with unreadable arguments.
pub(crate) fn tool_calls(fields: &mut FieldReader) -> Result<Calls, ParseError> {
    let (mut calls, mut unreadable) = (Vec::new(), Vec::new());
    for (at, item) in fields.list("tool_calls")?.into_iter().enumerate() {
        let path = fields.at(&format!("tool_calls[{at}]"));
        let mut call = FieldReader::new(item, path, CALL)?;
        let id = call.id("id")?;
        if call.has("function") {
            match openai_call(&mut call, id)? {
                Ok(call) => calls.push(call),
                Err(call) => unreadable.push(call),
            }
        } else {
            calls.push(ToolCall { name: name(&mut call)?, args: call.object("args")?, id });
        }
    }
    Ok((calls, unreadable))
}

/// `{"id", "type": "function", "function": {"name", "arguments": "{…}"}}`.
/// The arguments are the model's text: when they are not JSON, the message is
/// still good and only the call is not.
fn openai_call(
    call: &mut FieldReader,
    id: Option<String>,
) -> Result<Result<ToolCall, InvalidToolCall>, ParseError> {
    let function = call.take("function").unwrap_or_default();
    let mut function = FieldReader::new(function, call.at("function"), "an object with name and arguments")?;
    let name = name(&mut function)?;
    let text = match function.take("arguments") {
        Some(Value::String(text)) => text,
        Some(Value::Object(args)) => return Ok(Ok(ToolCall { name, args, id })),
        None => return Ok(Ok(ToolCall { name, args: Map::new(), id })),
        Some(other) => {
            return Err(ParseError::new(function.at("arguments"), "a JSON object as a string", Some(&other)));
        }
    };
    Ok(match parse_arguments(&text) {
        Ok(args) => Ok(ToolCall { name, args, id }),
        Err(error) => Err(InvalidToolCall { name: Some(name), args: Some(text), id, error: Some(error) }),
    })
}

fn name(call: &mut FieldReader) -> Result<String, ParseError> {
    call.string("name")?.ok_or_else(|| ParseError::new(call.at("name"), "the name of a tool", None))
}

pub(crate) fn invalid_tool_calls(fields: &mut FieldReader) -> Result<Vec<InvalidToolCall>, ParseError> {
    let mut calls = Vec::new();
    for (at, item) in fields.list("invalid_tool_calls")?.into_iter().enumerate() {
        let path = fields.at(&format!("invalid_tool_calls[{at}]"));
        let mut call = FieldReader::new(item, path, CALL)?;
        calls.push(InvalidToolCall {
            name: call.string("name")?,
            args: call.string("args")?,
            id: call.id("id")?,
            error: call.string("error")?,
        });
    }
    Ok(calls)
}
