//! Answers in Anthropic's form.

use serde_json::{Value, json};

use super::{Says, Seen};

const ID: &str = "msg_fake";

pub(super) fn frames(says: &Says, seen: &Seen) -> Vec<String> {
    let (input, output) = says.tokens;
    let mut frames = vec![
        frame(json!({"type": "message_start", "message": {
            "id": ID, "type": "message", "role": "assistant", "model": seen.body["model"], "content": [],
            "stop_reason": null, "usage": {"input_tokens": input, "output_tokens": 1},
        }})),
        frame(json!({"type": "ping"})),
    ];
    for (index, (begin, kind, text)) in blocks(says, seen).into_iter().enumerate() {
        frames.push(frame(json!({"type": "content_block_start", "index": index, "content_block": begin})));
        let field = match kind {
            "text_delta" => "text",
            "thinking_delta" => "thinking",
            _ => "partial_json",
        };
        frames.extend(says.pieces(&text).into_iter().map(|piece| {
            frame(
                json!({"type": "content_block_delta", "index": index, "delta": {"type": kind, field: piece}}),
            )
        }));
        frames.push(frame(json!({"type": "content_block_stop", "index": index})));
    }
    frames.push(frame(json!({"type": "message_delta",
        "delta": {"stop_reason": stop(says, seen), "stop_sequence": null}, "usage": {"output_tokens": output}})));
    frames.push(frame(json!({"type": "message_stop"})));
    frames
}

pub(super) fn whole(says: &Says, seen: &Seen) -> Value {
    let content = blocks(says, seen).into_iter().map(|(mut begin, kind, text)| {
        if kind == "text_delta" {
            begin["text"] = text.into();
        } else if kind == "thinking_delta" {
            begin["thinking"] = text.into();
        } else {
            begin["input"] = serde_json::from_str(&text).unwrap_or_else(|_| json!({}));
        }
        begin
    });
    let (input, output) = says.tokens;
    json!({
        "id": ID, "type": "message", "role": "assistant", "model": seen.body["model"],
        "content": content.collect::<Vec<_>>(), "stop_reason": stop(says, seen), "stop_sequence": null,
        "usage": {"input_tokens": input, "output_tokens": output},
    })
}

/// Each block: how it begins, what its deltas are, and their text.
fn blocks(says: &Says, seen: &Seen) -> Vec<(Value, &'static str, String)> {
    let mut blocks = Vec::new();
    for thought in &says.thoughts {
        let begin = json!({"type": "thinking", "thinking": "", "signature": ""});
        blocks.push((begin, "thinking_delta", thought.clone()));
    }
    match form(seen).filter(|_| !says.text.is_empty()) {
        Some(name) => {
            let begin = json!({"type": "tool_use", "id": "toolu_answer", "name": name, "input": {}});
            blocks.push((begin, "input_json_delta", says.text.clone()));
        }
        None if says.text.is_empty() => {}
        None => blocks.push((json!({"type": "text", "text": ""}), "text_delta", says.text.clone())),
    }
    for call in &says.calls {
        let begin = json!({"type": "tool_use", "id": call.id, "name": call.name, "input": {}});
        blocks.push((begin, "input_json_delta", Value::Object(call.args.clone()).to_string()));
    }
    blocks
}

/// A form for the answer comes as a tool, the last one, that must be called.
fn form(seen: &Seen) -> Option<&str> {
    match seen.body["tool_choice"]["type"].as_str()? {
        "tool" => seen.body["tool_choice"]["name"].as_str(),
        "any" => seen.body["tools"].as_array()?.last()?["name"].as_str(),
        _ => None,
    }
}

fn stop(says: &Says, seen: &Seen) -> &'static str {
    let calls = !says.calls.is_empty() || form(seen).is_some();
    if says.cut {
        "max_tokens"
    } else if calls {
        "tool_use"
    } else {
        "end_turn"
    }
}

pub(super) fn frame(event: Value) -> String {
    format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default())
}
