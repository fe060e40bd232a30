//! A request in OpenAI's form.

use duru_messages::{Content, Kind, Message};
use serde_json::{Map, Value, json};

use super::{Dialect, strict};
use crate::Request;

pub(super) fn body(model: &str, dialect: Dialect, reasoning: Option<u32>, request: &Request) -> Value {
    let mut body = Map::new();
    body.insert("model".into(), model.into());
    body.insert("stream".into(), true.into());
    // Without this a stream does not say what it cost.
    body.insert("stream_options".into(), json!({"include_usage": true}));
    let limit = match dialect {
        Dialect::OpenAi => "max_completion_tokens",
        Dialect::Compatible => "max_tokens",
    };
    let most = request.max_tokens.saturating_add(allowance(model, dialect, reasoning));
    body.insert(limit.into(), most.into());
    if let Some(key) = cache_key(request).filter(|_| dialect == Dialect::OpenAi) {
        body.insert("prompt_cache_key".into(), key.into());
    }
    let system = request.system.iter().map(|text| json!({"role": "system", "content": text}));
    body.insert("messages".into(), system.chain(request.messages.iter().filter_map(turn)).collect());
    if let Some(temperature) = request.temperature.filter(|_| takes_temperature(model, dialect)) {
        body.insert("temperature".into(), json!(temperature));
    }
    // OpenAI's reasoning models refuse a request that has it.
    if request.leaning && takes_temperature(model, dialect) {
        body.insert("logprobs".into(), true.into());
        body.insert("top_logprobs".into(), TOLD_LIKELIHOODS.into());
    }
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(|tool| {
            json!({"type": "function", "function": {
                "name": tool.name, "description": tool.description, "parameters": tool.parameters,
            }})
        });
        body.insert("tools".into(), tools.collect());
    }
    if let Some(form) = &request.schema {
        let schema = match dialect {
            Dialect::OpenAi => strict::of(&form.schema),
            Dialect::Compatible => None,
        };
        let schema = match schema {
            Some(strict) => json!({"name": form.name, "schema": strict, "strict": true}),
            // Other servers take the whole schema, and the answer is checked anyway.
            None => json!({"name": form.name, "schema": form.schema}),
        };
        body.insert("response_format".into(), json!({"type": "json_schema", "json_schema": schema}));
    }
    body.into()
}

/// Of so many words that might stand at a place, it is told how likely they were.
const TOLD_LIKELIHOODS: u32 = 8;

/// A reasoning model thinks within the limit of its reply. So much is added for that where nobody has said how much, so
/// that it is not cut off before its first word.
const THINKING: u32 = 8192;

/// The tokens that may be thought beside those of the answer.
pub(super) fn allowance(model: &str, dialect: Dialect, said: Option<u32>) -> u32 {
    match dialect {
        Dialect::OpenAi if reasons(model) => said.unwrap_or(THINKING),
        Dialect::OpenAi => 0,
        // What others serve says nothing of how it answers.
        Dialect::Compatible => said.unwrap_or(0),
    }
}

/// OpenAI's reasoning models refuse a request that has one.
pub(super) fn takes_temperature(model: &str, dialect: Dialect) -> bool {
    dialect == Dialect::Compatible || !reasons(model)
}

fn reasons(model: &str) -> bool {
    ["o1", "o3", "o4", "gpt-5"].iter().any(|name| model.starts_with(name))
}

/// Requests that begin alike have a key in common, so that they find each other's cache.
pub(super) fn cache_key(request: &Request) -> Option<String> {
    request.schema.as_ref().map(|form| format!("duru-{}", form.name))
}

fn turn(message: &Message) -> Option<Value> {
    match &message.kind {
        Kind::System => Some(json!({"role": "system", "content": message.text()})),
        Kind::Human | Kind::Function => Some(json!({"role": "user", "content": content(&message.content)})),
        Kind::Ai(ai) if ai.tool_calls.is_empty() => {
            Some(json!({"role": "assistant", "content": message.text()}))
        }
        Kind::Ai(ai) => {
            let calls = ai.tool_calls.iter().map(|call| {
                let arguments = Value::Object(call.args.clone()).to_string();
                json!({"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}})
            });
            let calls: Vec<_> = calls.collect();
            Some(json!({"role": "assistant", "content": message.text(), "tool_calls": calls}))
        }
        Kind::Tool(tool) => {
            Some(json!({"role": "tool", "tool_call_id": tool.tool_call_id, "content": message.text()}))
        }
        Kind::Remove => None,
    }
}

/// Blocks that are not text go as they came: who sends images knows the provider.
fn content(content: &Content) -> Value {
    match content {
        Content::Text(text) => text.as_str().into(),
        Content::Blocks(blocks) => {
            let blocks = blocks.iter().map(|block| match block {
                Value::String(text) => json!({"type": "text", "text": text}),
                block => block.clone(),
            });
            blocks.collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{OutputSchema, ToolSpec};
    use duru_messages::{AiFields, ToolCall};

    #[test]
    fn a_conversation_with_tools_and_a_form() {
        let calls = vec![ToolCall::new("c1", "weather").with_arg("city", "서울")];
        let asked = Message::new(Kind::Ai(AiFields { tool_calls: calls, ..Default::default() }), "");
        let request = Request {
            system: Some("Be brief.".into()),
            temperature: Some(0.5),
            schema: Some(OutputSchema { name: "verdict".into(), schema: json!({"type": "object"}) }),
            tools: vec![ToolSpec {
                name: "weather".into(),
                description: "The weather.".into(),
                parameters: json!({"type": "object"}),
            }],
            ..Request::new([Message::human("서울 날씨?"), asked, Message::tool("c1", "맑음")])
        };
        let wire = body("m", Dialect::Compatible, None, &request);
        assert_eq!(
            wire,
            json!({
                "model": "m", "max_tokens": 1024, "stream": true, "temperature": 0.5,
                "stream_options": {"include_usage": true},
                "response_format": {"type": "json_schema",
                    "json_schema": {"name": "verdict", "schema": {"type": "object"}}},
                "tools": [{"type": "function", "function": {
                    "name": "weather", "description": "The weather.", "parameters": {"type": "object"}}}],
                "messages": [
                    {"role": "system", "content": "Be brief."},
                    {"role": "user", "content": "서울 날씨?"},
                    {"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "type": "function",
                        "function": {"name": "weather", "arguments": "{\"city\":\"서울\"}"}}]},
                    {"role": "tool", "tool_call_id": "c1", "content": "맑음"},
                ],
            })
        );
        let own = body("o3-mini", Dialect::OpenAi, None, &request);
        assert_eq!((&own["max_completion_tokens"], own.get("temperature")), (&json!(1024 + THINKING), None));
        assert_eq!(
            own["response_format"]["json_schema"].get("strict"),
            None,
            "an open schema can't be strict"
        );

        let closed = json!({"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}},
            "required": ["a"], "additionalProperties": false});
        let request = Request { schema: Some(OutputSchema { name: "v".into(), schema: closed }), ..request };
        let form = |dialect| body("m", dialect, None, &request)["response_format"]["json_schema"].clone();
        assert_eq!(form(Dialect::OpenAi)["strict"], true);
        assert_eq!(form(Dialect::OpenAi)["schema"]["properties"]["a"], json!({"type": "string"}));
        assert_eq!(form(Dialect::Compatible).get("strict"), None);
        assert_eq!(body("m", Dialect::OpenAi, None, &request)["prompt_cache_key"], "duru-v");
    }

    /// A model that thinks is not cut off by what it thought.
    #[test]
    fn what_is_thought_is_allowed_for() {
        let most = |model, dialect, said| {
            let body = body(model, dialect, said, &Request::new([Message::human("?")]));
            body.get("max_completion_tokens").or(body.get("max_tokens")).and_then(Value::as_u64)
        };
        assert_eq!(most("gpt-5", Dialect::OpenAi, Some(500)), Some(1524));
        assert_eq!(most("gpt-4.1", Dialect::OpenAi, Some(500)), Some(1024));
        assert_eq!(most("qwen3", Dialect::Compatible, Some(500)), Some(1524));
        assert_eq!(most("qwen3", Dialect::Compatible, None), Some(1024));
    }
}
