//! Chunks in, message out.

use duru_messages::{ChunkAccumulator, Message, MessageChunk, ToolCallChunk, UsageMetadata};
use serde_json::{Value, json};

fn joined(chunks: &[MessageChunk]) -> ChunkAccumulator {
    let mut reply = ChunkAccumulator::new();
    chunks.iter().for_each(|chunk| reply.push(chunk));
    reply
}

fn call(piece: ToolCallChunk) -> MessageChunk {
    MessageChunk::new("r").with_tool_call(piece)
}

fn ai(message: &Message, field: &str) -> Value {
    serde_json::to_value(message).unwrap()[field].take()
}

#[test]
fn the_captured_tool_call() {
    let first =
        ToolCallChunk { args: Some("{\"city\":".into()), ..ToolCallChunk::begin(0, "call_1", "get_weather") };
    let mut usage = MessageChunk::new("r").with_usage(UsageMetadata::new(5, 7));
    usage.response_metadata.insert("finish_reason".into(), "tool_calls".into());
    let chunks = [call(first), call(ToolCallChunk::more(0, "\"SF\"}")), usage, MessageChunk::new("r").last()];

    // What the mode `messages` shows after each chunk.
    let shown = |n| ai(&joined(&chunks[..n]).snapshot(), "tool_calls");
    assert_eq!(shown(1), json!([{"name": "get_weather", "args": {}, "id": "call_1", "type": "tool_call"}]));
    assert_eq!(
        shown(2),
        json!([{"name": "get_weather", "args": {"city": "SF"}, "id": "call_1", "type": "tool_call"}])
    );

    let reply = joined(&chunks);
    assert!(reply.is_complete());
    assert_eq!(
        serde_json::to_string(&reply.finish()).unwrap(),
        r#"{"content":"","additional_kwargs":{},"response_metadata":{"finish_reason":"tool_calls"},"type":"ai","name":null,"id":"r","tool_calls":[{"name":"get_weather","args":{"city":"SF"},"id":"call_1","type":"tool_call"}],"invalid_tool_calls":[],"usage_metadata":{"input_tokens":5,"output_tokens":7,"total_tokens":12}}"#
    );
}

#[test]
fn text_is_joined_and_usage_summed() {
    let message = joined(&[
        MessageChunk::text("r", "Hel").with_usage(UsageMetadata::new(3, 0)),
        MessageChunk::text("r", "lo").with_usage(UsageMetadata::new(0, 2)),
    ])
    .finish();
    assert_eq!(message.text(), "Hello");
    assert_eq!(message.usage(), Some(&UsageMetadata::new(3, 2)));
}

#[test]
fn interleaved_calls_are_told_apart_by_index() {
    let message = joined(&[
        call(ToolCallChunk::begin(0, "a", "f")),
        call(ToolCallChunk::begin(1, "b", "g")),
        call(ToolCallChunk::more(0, "{\"x\"")),
        call(ToolCallChunk::more(1, "{}")),
        call(ToolCallChunk::more(0, ":1}")),
    ])
    .finish();
    let calls = message.tool_calls();
    assert_eq!(calls.len(), 2);
    assert_eq!(calls[0].args["x"], 1);
    assert!(calls[1].args.is_empty());
}

#[test]
fn one_index_for_two_ids_is_two_calls() {
    let message = joined(&[
        call(ToolCallChunk::begin(0, "a", "f")),
        call(ToolCallChunk::begin(0, "b", "g")),
        call(ToolCallChunk::more(0, "{\"x\":1}")),
    ])
    .finish();
    let args: Vec<usize> = message.tool_calls().iter().map(|call| call.args.len()).collect();
    assert_eq!(args, [0, 1]);
}

#[test]
fn calls_without_an_index() {
    let piece = |name: Option<&str>, args: &str| {
        call(ToolCallChunk { name: name.map(Into::into), args: Some(args.into()), ..Default::default() })
    };
    let message = joined(&[piece(Some("f"), "{\"x\""), piece(None, ":1}"), piece(Some("f"), "{}")]).finish();
    let args: Vec<usize> = message.tool_calls().iter().map(|call| call.args.len()).collect();
    assert_eq!(args, [1, 0]);
}

#[test]
fn unreadable_arguments_are_not_repaired() {
    let reply = joined(&[
        call(ToolCallChunk::begin(0, "a", "f")),
        call(ToolCallChunk::more(0, "{\"city\": \"S")),
        call(ToolCallChunk::begin(1, "b", "f")),
        call(ToolCallChunk::more(1, "[1]")),
        call(ToolCallChunk::more(2, "{}")),
    ]);
    assert_eq!(reply.snapshot().tool_calls()[0].args["city"], "S");

    let message = reply.finish();
    assert!(message.tool_calls().is_empty());
    let invalid = ai(&message, "invalid_tool_calls");
    assert_eq!(invalid[0]["args"], "{\"city\": \"S");
    assert_eq!(invalid[1]["args"], "[1]");
    assert_eq!(invalid[2]["error"], "the call names no tool");
}

#[test]
fn a_whole_call_in_one_chunk() {
    let chunk: MessageChunk =
        serde_json::from_value(json!({"type": "AIMessageChunk", "content": "", "id": "r",
        "tool_calls": [{"name": "f", "args": {"x": 1}, "id": "a"}, {"name": "f", "args": {}, "id": "b"}]}))
        .unwrap();
    assert_eq!(joined(&[chunk]).finish().tool_calls().len(), 2);
}

#[test]
fn a_chunk_of_another_type_is_refused() {
    let error = MessageChunk::from_value(json!({"type": "ai", "content": ""})).unwrap_err();
    assert_eq!(error.to_string(), r#"chunk.type: expected "AIMessageChunk", got "ai""#);
}
