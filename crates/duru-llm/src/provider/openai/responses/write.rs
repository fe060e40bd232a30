//! A request to Responses.

use duru_messages::{Content, Kind, Message};
use serde_json::{Map, Value, json};

use crate::Request;
use crate::provider::Dialect;
use crate::provider::openai::strict;
use crate::provider::openai::write::{allowance, cache_key, takes_temperature};

pub(super) fn body(model: &str, reasoning: Option<u32>, request: &Request) -> Value {
    let mut body = Map::new();
    body.insert("model".into(), model.into());
    body.insert("stream".into(), true.into());
    // What is asked here is kept by whoever asks, not by the provider.
    body.insert("store".into(), false.into());
    let most = request.max_tokens.saturating_add(allowance(model, Dialect::OpenAi, reasoning));
    body.insert("max_output_tokens".into(), most.into());
    if let Some(system) = &request.system {
        body.insert("instructions".into(), system.as_str().into());
    }
    body.insert("input".into(), request.messages.iter().flat_map(items).collect());
    if let Some(temperature) = request.temperature.filter(|_| takes_temperature(model, Dialect::OpenAi)) {
        body.insert("temperature".into(), json!(temperature));
    }
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(|tool| {
            json!({"type": "function", "name": tool.name, "description": tool.description,
                "parameters": tool.parameters, "strict": false})
        });
        body.insert("tools".into(), tools.collect());
    }
    if let Some(form) = &request.schema {
        let format = match strict::of(&form.schema) {
            Some(strict) => {
                json!({"type": "json_schema", "name": form.name, "schema": strict, "strict": true})
            }
            None => {
                json!({"type": "json_schema", "name": form.name, "schema": form.schema, "strict": false})
            }
        };
        body.insert("text".into(), json!({"format": format}));
    }
    if let Some(key) = cache_key(request) {
        body.insert("prompt_cache_key".into(), key.into());
    }
    body.into()
}

/// A message is one item, and each of its calls is another.
fn items(message: &Message) -> Vec<Value> {
    let said = |role: &str, kind: &str| match message.text() {
        text if text.trim().is_empty() => None,
        text => Some(json!({"role": role, "content": [{"type": kind, "text": text}]})),
    };
    match &message.kind {
        Kind::System => said("system", "input_text").into_iter().collect(),
        Kind::Human | Kind::Function => vec![json!({"role": "user", "content": content(&message.content)})],
        Kind::Ai(ai) => {
            let calls = ai.tool_calls.iter().map(|call| {
                let arguments = Value::Object(call.args.clone()).to_string();
                json!({"type": "function_call", "call_id": call.id, "name": call.name, "arguments": arguments})
            });
            said("assistant", "output_text").into_iter().chain(calls).collect()
        }
        Kind::Tool(tool) => {
            vec![
                json!({"type": "function_call_output", "call_id": tool.tool_call_id, "output": message.text()}),
            ]
        }
        Kind::Remove => Vec::new(),
    }
}

/// Blocks that are not text go as they came: who sends images knows the provider.
fn content(content: &Content) -> Value {
    let Content::Blocks(blocks) = content else {
        return json!([{"type": "input_text", "text": content.text()}]);
    };
    let blocks = blocks.iter().map(|block| match block {
        Value::String(text) => json!({"type": "input_text", "text": text}),
        block if block["type"] == "text" => json!({"type": "input_text", "text": block["text"]}),
        block => block.clone(),
    });
    blocks.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{OutputSchema, ToolSpec};
    use duru_messages::{AiFields, ToolCall};

    #[test]
    fn a_conversation_with_tools_and_a_form() {
        let calls = vec![ToolCall::new("c1", "weather").with_arg("city", "서울")];
        let asked = Message::new(Kind::Ai(AiFields { tool_calls: calls, ..Default::default() }), "봅니다.");
        let schema = json!({"type": "object", "properties": {"a": {"type": "string"}},
            "required": ["a"], "additionalProperties": false});
        let request = Request {
            system: Some("Be brief.".into()),
            temperature: Some(0.5),
            schema: Some(OutputSchema { name: "verdict".into(), schema: schema.clone() }),
            tools: vec![ToolSpec {
                name: "weather".into(),
                description: "The weather.".into(),
                parameters: json!({"type": "object"}),
            }],
            ..Request::new([Message::human("서울 날씨?"), asked, Message::tool("c1", "맑음")])
        };
        assert_eq!(
            body("gpt-4.1", None, &request),
            json!({
                "model": "gpt-4.1", "stream": true, "store": false, "max_output_tokens": 1024,
                "instructions": "Be brief.", "temperature": 0.5, "prompt_cache_key": "duru-verdict",
                "tools": [{"type": "function", "name": "weather", "description": "The weather.",
                    "parameters": {"type": "object"}, "strict": false}],
                "text": {"format": {"type": "json_schema", "name": "verdict", "schema": schema, "strict": true}},
                "input": [
                    {"role": "user", "content": [{"type": "input_text", "text": "서울 날씨?"}]},
                    {"role": "assistant", "content": [{"type": "output_text", "text": "봅니다."}]},
                    {"type": "function_call", "call_id": "c1", "name": "weather", "arguments": "{\"city\":\"서울\"}"},
                    {"type": "function_call_output", "call_id": "c1", "output": "맑음"},
                ],
            })
        );
        let thinking = body("gpt-5", Some(2000), &request);
        assert_eq!((&thinking["max_output_tokens"], thinking.get("temperature")), (&json!(3024), None));
    }
}
