//! Answers in the form of OpenAI's Responses.

use serde_json::{Value, json};

use super::{Says, Seen};

const ID: &str = "resp_fake";

pub(super) fn frames(says: &Says, seen: &Seen) -> Vec<String> {
    let mut number = 0;
    let mut frame = |event: Value| {
        let mut event = event;
        event["sequence_number"] = number.into();
        number += 1;
        self::frame(event)
    };
    let begun = json!({"id": ID, "object": "response", "model": seen.body["model"], "status": "in_progress",
        "output": [], "usage": null, "error": null, "incomplete_details": null});
    let mut frames = vec![
        frame(json!({"type": "response.created", "response": begun.clone()})),
        frame(json!({"type": "response.in_progress", "response": begun})),
    ];
    let mut index = 0;
    for thought in &says.thoughts {
        let item = json!({"type": "reasoning", "id": "rs_1", "summary": []});
        frames
            .push(frame(json!({"type": "response.output_item.added", "output_index": index, "item": item})));
        frames.extend(says.pieces(thought).into_iter().map(|piece| {
            frame(json!({"type": "response.reasoning_summary_text.delta", "item_id": "rs_1",
                "output_index": index, "summary_index": 0, "delta": piece}))
        }));
        frames.push(frame(json!({"type": "response.output_item.done", "output_index": index, "item": item})));
        index += 1;
    }
    if !says.text.is_empty() {
        let item = json!({"type": "message", "id": "msg_1", "role": "assistant", "status": "in_progress", "content": []});
        let part = json!({"type": "output_text", "text": "", "annotations": []});
        frames
            .push(frame(json!({"type": "response.output_item.added", "output_index": index, "item": item})));
        frames.push(frame(json!({"type": "response.content_part.added", "item_id": "msg_1",
            "output_index": index, "content_index": 0, "part": part})));
        frames.extend(says.pieces(&says.text).into_iter().map(|piece| {
            frame(json!({"type": "response.output_text.delta", "item_id": "msg_1", "output_index": index,
                "content_index": 0, "delta": piece, "logprobs": []}))
        }));
        frames.push(frame(json!({"type": "response.output_text.done", "item_id": "msg_1",
            "output_index": index, "content_index": 0, "text": says.text})));
        index += 1;
    }
    for call in &says.calls {
        let arguments = Value::Object(call.args.clone()).to_string();
        let item = json!({"type": "function_call", "id": "fc_1", "call_id": call.id, "name": call.name,
            "arguments": "", "status": "in_progress"});
        frames
            .push(frame(json!({"type": "response.output_item.added", "output_index": index, "item": item})));
        frames.extend(says.pieces(&arguments).into_iter().map(|piece| {
            frame(json!({"type": "response.function_call_arguments.delta", "item_id": "fc_1",
                "output_index": index, "delta": piece}))
        }));
        index += 1;
    }
    let kind = if says.cut { "response.incomplete" } else { "response.completed" };
    frames.push(frame(json!({"type": kind, "response": whole(says, seen)})));
    frames
}

pub(super) fn whole(says: &Says, seen: &Seen) -> Value {
    let mut output = Vec::new();
    for thought in &says.thoughts {
        let summary = [json!({"type": "summary_text", "text": thought})];
        output.push(json!({"type": "reasoning", "id": "rs_1", "summary": summary}));
    }
    if !says.text.is_empty() {
        let part = json!({"type": "output_text", "text": says.text, "annotations": []});
        output.push(json!({"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [part]}));
    }
    for call in &says.calls {
        output.push(json!({"type": "function_call", "id": "fc_1", "call_id": call.id, "name": call.name,
            "arguments": Value::Object(call.args.clone()).to_string(), "status": "completed"}));
    }
    let (input, said) = says.tokens;
    let thought = says.thoughts.iter().map(|thought| thought.chars().count() as u64).sum::<u64>();
    let details = if says.cut { json!({"reason": "max_output_tokens"}) } else { Value::Null };
    json!({
        "id": ID, "object": "response", "model": seen.body["model"],
        "status": if says.cut { "incomplete" } else { "completed" }, "incomplete_details": details,
        "error": null, "output": output,
        "usage": {"input_tokens": input, "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": said, "output_tokens_details": {"reasoning_tokens": thought},
            "total_tokens": input + said},
    })
}

pub(super) fn frame(event: Value) -> String {
    format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default())
}
