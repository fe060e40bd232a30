//! A request in Anthropic's form.

use duru_messages::{Content, Kind, Message, ToolStatus};
use serde_json::{Map, Value, json};

use crate::Request;

/// Fewer tokens are not taken for thinking.
const LEAST_THINKING: u32 = 1024;

pub(super) fn body(model: &str, reasoning: Option<u32>, request: &Request) -> Value {
    let reasoning = reasoning.filter(|tokens| *tokens > 0).map(|tokens| tokens.max(LEAST_THINKING));
    let mut body = Map::new();
    body.insert("model".into(), model.into());
    // What is thought counts as a part of the reply.
    body.insert("max_tokens".into(), request.max_tokens.saturating_add(reasoning.unwrap_or(0)).into());
    if let Some(tokens) = reasoning {
        body.insert("thinking".into(), json!({"type": "enabled", "budget_tokens": tokens}));
    }
    body.insert("stream".into(), true.into());
    body.insert("messages".into(), messages(&request.messages).into());
    let system = system(request);
    if !system.is_empty() {
        // The instructions of a decision, and the tools before them, are the same each time: they are cached.
        let block = json!({"type": "text", "text": system, "cache_control": {"type": "ephemeral"}});
        body.insert("system".into(), json!([block]));
    }
    // Whoever thinks is not told how freely.
    if let Some(temperature) = request.temperature.filter(|_| reasoning.is_none()) {
        body.insert("temperature".into(), json!(temperature));
    }
    let tools = tools(request);
    if !tools.is_empty() {
        body.insert("tools".into(), tools.into());
    }
    if let Some(schema) = &request.schema {
        let choice = match reasoning {
            // A model that thinks can't be made to call a tool; it may answer in text as well, which is read the same.
            Some(_) => json!({"type": "auto"}),
            None => choice(&schema.name, request.tools.is_empty()),
        };
        body.insert("tool_choice".into(), choice);
    }
    body.into()
}

/// Instructions stand beside the conversation here and not in it.
fn system(request: &Request) -> String {
    let said = request.messages.iter().filter(|message| matches!(message.kind, Kind::System));
    let said = said.map(|message| message.text().into_owned());
    let all = request.system.iter().cloned().chain(said).filter(|text| !text.trim().is_empty());
    all.collect::<Vec<_>>().join("\n\n")
}

/// A form for the answer is a tool that takes it: models were trained to fill
/// tools in, and every version can. `read` turns the call back into text.
fn tools(request: &Request) -> Vec<Value> {
    let tools = request.tools.iter().map(
        |tool| json!({"name": tool.name, "description": tool.description, "input_schema": tool.parameters}),
    );
    let answer = request.schema.iter().map(|schema| {
        json!({"name": schema.name, "description": "Gives the answer.", "input_schema": schema.schema})
    });
    tools.chain(answer).collect()
}

/// With other tools at hand, the model may call those before it answers.
fn choice(answer: &str, alone: bool) -> Value {
    if alone { json!({"type": "tool", "name": answer}) } else { json!({"type": "any"}) }
}

fn messages(messages: &[Message]) -> Vec<Value> {
    let mut out: Vec<(&'static str, Vec<Value>)> = Vec::new();
    for message in messages {
        let Some((role, blocks)) = turn(message) else { continue };
        // The answers to one message's calls must be one message, so neighbours are joined.
        match out.last_mut() {
            Some((last, all)) if *last == role => all.extend(blocks),
            _ => out.push((role, blocks)),
        }
    }
    out.into_iter().map(|(role, content)| json!({"role": role, "content": content})).collect()
}

/// `None` for what is not a turn of the conversation, and for empty ones, which are refused.
fn turn(message: &Message) -> Option<(&'static str, Vec<Value>)> {
    let (role, blocks) = match &message.kind {
        Kind::Human | Kind::Function => ("user", blocks(&message.content)),
        Kind::Ai(ai) => {
            let mut blocks = texts(&message.content);
            blocks.extend(ai.tool_calls.iter().map(
                |call| json!({"type": "tool_use", "id": call.id, "name": call.name, "input": call.args}),
            ));
            ("assistant", blocks)
        }
        Kind::Tool(tool) => (
            "user",
            vec![json!({
                "type": "tool_result",
                "tool_use_id": tool.tool_call_id,
                "content": message.text(),
                "is_error": tool.status == ToolStatus::Error,
            })],
        ),
        Kind::System | Kind::Remove => return None,
    };
    (!blocks.is_empty()).then_some((role, blocks))
}

fn texts(content: &Content) -> Vec<Value> {
    let text = content.text();
    if text.trim().is_empty() { Vec::new() } else { vec![json!({"type": "text", "text": text})] }
}

/// Blocks that are not text go as they came: who sends images knows the provider.
fn blocks(content: &Content) -> Vec<Value> {
    let Content::Blocks(blocks) = content else { return texts(content) };
    let blocks = blocks.iter().map(|block| match block {
        Value::String(text) => json!({"type": "text", "text": text}),
        block => block.clone(),
    });
    blocks.filter(|block| block["text"].as_str().is_none_or(|text| !text.trim().is_empty())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{OutputSchema, ToolSpec};
    use duru_messages::{AiFields, ToolCall};

    #[test]
    fn a_conversation_with_tools() {
        let calls =
            vec![ToolCall::new("c1", "weather").with_arg("city", "서울"), ToolCall::new("c2", "time")];
        let asked = Message::new(Kind::Ai(AiFields { tool_calls: calls, ..Default::default() }), "");
        let request = Request {
            system: Some("Be brief.".into()),
            temperature: Some(0.5),
            tools: vec![ToolSpec {
                name: "weather".into(),
                description: "The weather.".into(),
                parameters: json!({"type": "object"}),
            }],
            ..Request::new([
                Message::system("In Korean."),
                Message::human("서울 날씨?"),
                Message::ai(" "),
                asked,
                Message::tool("c1", "맑음"),
                Message::tool_error("c2", "no clock"),
                Message::human(vec![json!("그리고?"), json!({"type": "image", "source": {}})]),
            ])
        };
        assert_eq!(
            body("m", None, &request),
            json!({
                "model": "m", "max_tokens": 1024, "stream": true, "temperature": 0.5,
                "system": [{"type": "text", "text": "Be brief.\n\nIn Korean.", "cache_control": {"type": "ephemeral"}}],
                "tools": [{"name": "weather", "description": "The weather.", "input_schema": {"type": "object"}}],
                "messages": [
                    {"role": "user", "content": [{"type": "text", "text": "서울 날씨?"}]},
                    {"role": "assistant", "content": [
                        {"type": "tool_use", "id": "c1", "name": "weather", "input": {"city": "서울"}},
                        {"type": "tool_use", "id": "c2", "name": "time", "input": {}},
                    ]},
                    {"role": "user", "content": [
                        {"type": "tool_result", "tool_use_id": "c1", "content": "맑음", "is_error": false},
                        {"type": "tool_result", "tool_use_id": "c2", "content": "no clock", "is_error": true},
                        {"type": "text", "text": "그리고?"},
                        {"type": "image", "source": {}},
                    ]},
                ],
            })
        );
    }

    #[test]
    fn a_form_for_the_answer_is_a_tool_that_must_be_called() {
        let schema = Some(OutputSchema { name: "verdict".into(), schema: json!({"type": "object"}) });
        let request = Request { schema, temperature: Some(0.1), ..Request::new([Message::human("?")]) };
        let asked = body("m", None, &request);
        assert_eq!(asked["tools"][0]["name"], "verdict");
        assert_eq!(asked["tool_choice"], json!({"type": "tool", "name": "verdict"}));
        assert_eq!((&asked["max_tokens"], asked.get("thinking")), (&json!(1024), None));
        let thinks = body("m", Some(4000), &request);
        assert_eq!(thinks["tool_choice"], json!({"type": "auto"}));
        assert_eq!(thinks["thinking"], json!({"type": "enabled", "budget_tokens": 4000}));
        assert_eq!((&thinks["max_tokens"], thinks.get("temperature")), (&json!(5024), None));
        assert_eq!(body("m", Some(1), &request)["thinking"]["budget_tokens"], LEAST_THINKING);
    }
}
