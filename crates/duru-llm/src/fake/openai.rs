//! Answers in OpenAI's form.

use serde_json::{Value, json};

use super::{Says, Seen};

const ID: &str = "chatcmpl-fake";

pub(super) fn frames(says: &Says) -> Vec<String> {
    let mut frames = vec![frame(piece(json!({"role": "assistant", "content": ""}), None))];
    for thought in &says.thoughts {
        let pieces = says.pieces(thought).into_iter();
        frames.extend(pieces.map(|text| frame(piece(json!({"reasoning_content": text}), None))));
    }
    frames
        .extend(says.pieces(&says.text).into_iter().map(|text| frame(piece(json!({"content": text}), None))));
    for (index, call) in says.calls.iter().enumerate() {
        let begin = json!({"index": index, "id": call.id, "type": "function",
            "function": {"name": call.name, "arguments": ""}});
        frames.push(frame(piece(json!({"tool_calls": [begin]}), None)));
        frames.extend(says.pieces(&Value::Object(call.args.clone()).to_string()).into_iter().map(|more| {
            let more = json!({"index": index, "function": {"arguments": more}});
            frame(piece(json!({"tool_calls": [more]}), None))
        }));
    }
    let mut last = piece(json!({}), Some(finish(says)));
    last["choices"][0]["logprobs"] = logprobs(says);
    frames.push(frame(last));
    frames.push(frame(
        json!({"id": ID, "object": "chat.completion.chunk", "choices": [], "usage": usage(says)}),
    ));
    frames.push("data: [DONE]\n\n".into());
    frames
}

pub(super) fn whole(says: &Says) -> Value {
    let calls = says.calls.iter().map(|call| {
        let arguments = Value::Object(call.args.clone()).to_string();
        json!({"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}})
    });
    let mut message = json!({"role": "assistant", "content": says.text});
    if !says.calls.is_empty() {
        message["tool_calls"] = calls.collect();
    }
    json!({
        "id": ID, "object": "chat.completion", "model": "fake", "usage": usage(says),
        "choices": [{"index": 0, "message": message, "finish_reason": finish(says), "logprobs": logprobs(says)}],
    })
}

/// How likely a yes and a no were, where that is played.
fn logprobs(says: &Says) -> Value {
    let Some(leaning) = says.leaning else { return Value::Null };
    let yes = -(-leaning).exp().ln_1p();
    let no = yes - leaning;
    let word = if leaning > 0.0 { "yes" } else { "no" };
    let told = json!([{"token": "yes", "logprob": yes}, {"token": "no", "logprob": no}]);
    json!({"content": [{"token": word, "logprob": yes.max(no), "top_logprobs": told}]})
}

/// Vectors that depend on the texts alone, in the wrong order, which the format allows.
pub(super) fn vectors(seen: &Seen) -> Value {
    let texts = seen.body["input"].as_array().cloned().unwrap_or_default();
    let vectors = texts.iter().enumerate().rev().map(|(index, text)| {
        let text = text.as_str().unwrap_or_default();
        let mut vector = [0.0_f32; 8];
        for (at, byte) in text.bytes().enumerate() {
            vector[at % 8] += f32::from(byte) / 255.0;
        }
        json!({"object": "embedding", "index": index, "embedding": vector})
    });
    // About a token for every word.
    let words: usize =
        texts.iter().filter_map(Value::as_str).map(|text| text.split_whitespace().count()).sum();
    json!({
        "object": "list", "model": seen.body["model"], "data": vectors.collect::<Vec<_>>(),
        "usage": {"prompt_tokens": words, "total_tokens": words},
    })
}

fn finish(says: &Says) -> &'static str {
    if says.cut {
        "length"
    } else if says.calls.is_empty() {
        "stop"
    } else {
        "tool_calls"
    }
}

fn usage(says: &Says) -> Value {
    let (input, output) = says.tokens;
    json!({"prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output})
}

fn piece(delta: Value, finish: Option<&str>) -> Value {
    json!({
        "id": ID, "object": "chat.completion.chunk", "model": "fake",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    })
}

pub(super) fn frame(event: Value) -> String {
    format!("data: {event}\n\n")
}
