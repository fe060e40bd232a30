//! Messages as protocol v2 has them: what they say is a list of blocks.

use serde_json::{Map, Value, json};

use crate::stream::messages::is_message;

/// Fields of a graph's state, with the messages in them in blocks.
pub(super) fn values(data: &Value) -> Value {
    let Value::Object(fields) = data else { return data.clone() };
    // A question has a frame of its own.
    let fields = fields.iter().filter(|(name, _)| *name != "__interrupt__");
    let in_blocks = |field: &Value| match field {
        Value::Array(items) => items.iter().map(any).collect(),
        one => any(one),
    };
    Value::Object(fields.map(|(name, field)| (name.clone(), in_blocks(field))).collect())
}

fn any(value: &Value) -> Value {
    if is_message(value) { message(value) } else { value.clone() }
}

/// A message without what says nothing; the model's in blocks.
pub(super) fn message(message: &Value) -> Value {
    let is_ai = message["type"] == "ai";
    let mut out = Map::new();
    for name in ["type", "content", "id"] {
        out.insert(name.into(), message[name].clone());
    }
    let given = message.as_object().into_iter().flatten();
    out.extend(given.filter(|(name, value)| *name == "artifact" || !says_nothing(value)).map(pair));
    if is_ai {
        out.insert("content".into(), Value::Array(of_ai(message)));
        let about = out.entry("response_metadata").or_insert_with(|| json!({}));
        about["output_version"] = "v1".into();
    }
    Value::Object(out)
}

fn pair((name, value): (&String, &Value)) -> (String, Value) {
    (name.clone(), value.clone())
}

fn says_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Object(fields) => fields.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}

/// What the model says and calls, as blocks.
pub(super) fn of_ai(message: &Value) -> Vec<Value> {
    let mut blocks: Vec<Value> = match &message["content"] {
        Value::String(text) if text.is_empty() => Vec::new(),
        Value::String(text) => vec![json!({ "type": "text", "text": text })],
        // A provider's own form of a call; the common one follows.
        Value::Array(blocks) => {
            let is_call =
                |block: &Value| matches!(kind(block), "tool_use" | "tool_call" | "input_json_delta");
            blocks.iter().filter(|block| !is_call(block)).map(block).collect()
        }
        _ => Vec::new(),
    };
    for call in message["tool_calls"].as_array().into_iter().flatten() {
        blocks.push(json!({
            "type": "tool_call", "id": call["id"], "name": call["name"], "args": call["args"],
        }));
    }
    for call in message["invalid_tool_calls"].as_array().into_iter().flatten() {
        blocks.push(json!({
            "type": "invalid_tool_call", "id": call["id"], "name": call["name"], "args": call["args"],
            "error": call["error"],
        }));
    }
    blocks
}

pub(super) fn kind(block: &Value) -> &str {
    block["type"].as_str().unwrap_or_default()
}

/// A block in the common form.
pub(super) fn block(block: &Value) -> Value {
    match block {
        Value::String(text) => json!({ "type": "text", "text": text }),
        block if kind(block) == "thinking" => json!({ "type": "reasoning", "reasoning": block["thinking"] }),
        block => block.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_in_values_are_as_captured() {
        let state = json!({ "n": 1, "__interrupt__": [], "messages": [
            { "content": "use tool", "additional_kwargs": {}, "response_metadata": {}, "type": "human",
              "name": null, "id": "1" },
            { "content": "", "additional_kwargs": {}, "response_metadata": { "finish_reason": "tool_calls" },
              "type": "ai", "name": null, "id": "2", "invalid_tool_calls": [], "usage_metadata": null,
              "tool_calls": [{ "name": "w", "args": { "c": 1 }, "id": "call_1", "type": "tool_call" }] },
            { "content": "sunny", "additional_kwargs": {}, "response_metadata": {}, "type": "tool",
              "name": "w", "id": "3", "tool_call_id": "call_1", "artifact": null, "status": "success" },
        ] });
        assert_eq!(
            values(&state),
            json!({ "n": 1, "messages": [
                { "type": "human", "content": "use tool", "id": "1" },
                { "type": "ai", "content": [{ "type": "tool_call", "id": "call_1", "name": "w", "args": { "c": 1 } }],
                  "id": "2", "response_metadata": { "finish_reason": "tool_calls", "output_version": "v1" },
                  "tool_calls": [{ "type": "tool_call", "name": "w", "args": { "c": 1 }, "id": "call_1" }] },
                { "type": "tool", "content": "sunny", "id": "3", "name": "w", "tool_call_id": "call_1",
                  "status": "success", "artifact": null },
            ] })
        );
    }
}
