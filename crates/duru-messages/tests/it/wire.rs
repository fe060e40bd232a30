//! Messages that a reference server sent come back byte for byte.

use duru_messages::{AiFields, Kind, Message, MessageChunk, Messages, ToolCall, UsageMetadata};

#[track_caller]
fn message_round_trip(json: &str) -> Message {
    let message: Message = serde_json::from_str(json).unwrap();
    assert_eq!(serde_json::to_string(&message).unwrap(), json);
    message
}

#[track_caller]
fn chunk_round_trip(json: &str) -> MessageChunk {
    let chunk: MessageChunk = serde_json::from_str(json).unwrap();
    assert_eq!(serde_json::to_string(&chunk).unwrap(), json);
    chunk
}

#[test]
fn human() {
    let message = message_round_trip(
        r#"{"content":"use tool","additional_kwargs":{},"response_metadata":{},"type":"human","name":null,"id":"8f7c"}"#,
    );
    assert_eq!(message, Message::human("use tool").with_id("8f7c"));
}

#[test]
fn ai_with_a_tool_call() {
    let message = message_round_trip(
        r#"{"content":"","additional_kwargs":{},"response_metadata":{"finish_reason":"tool_calls","model_name":"fake-1"},"type":"ai","name":null,"id":"lc_run--01a1","tool_calls":[{"name":"get_weather","args":{"city":"SF"},"id":"call_1","type":"tool_call"}],"invalid_tool_calls":[],"usage_metadata":{"input_tokens":5,"output_tokens":7,"total_tokens":12}}"#,
    );
    assert_eq!(message.tool_calls(), [ToolCall::new("call_1", "get_weather").with_arg("city", "SF")]);
    assert_eq!(message.usage(), Some(&UsageMetadata::new(5, 7)));
}

#[test]
fn ai_without_usage() {
    let message = message_round_trip(
        r#"{"content":"Hel","additional_kwargs":{},"response_metadata":{},"type":"ai","name":null,"id":"lc_run--01a1","tool_calls":[],"invalid_tool_calls":[],"usage_metadata":null}"#,
    );
    assert_eq!(message, Message::ai("Hel").with_id("lc_run--01a1"));
}

#[test]
fn ai_with_an_invalid_call_and_token_details() {
    message_round_trip(
        r#"{"content":[{"index":0,"text":"Hm","type":"text"}],"additional_kwargs":{},"response_metadata":{},"type":"ai","name":null,"id":"1","tool_calls":[],"invalid_tool_calls":[{"name":"f","args":"{","id":"c","error":null,"type":"invalid_tool_call"}],"usage_metadata":{"input_tokens":5,"output_tokens":7,"total_tokens":12,"input_token_details":{"cache_read":4}}}"#,
    );
}

#[test]
fn tool() {
    let message = message_round_trip(
        r#"{"content":"sunny","additional_kwargs":{},"response_metadata":{},"type":"tool","name":"get_weather","id":"98b7","tool_call_id":"call_1","artifact":null,"status":"success"}"#,
    );
    assert_eq!(message, Message::tool("call_1", "sunny").with_name("get_weather").with_id("98b7"));

    message_round_trip(
        r#"{"content":"no such city","additional_kwargs":{},"response_metadata":{},"type":"tool","name":null,"id":null,"tool_call_id":"call_1","artifact":{"code":404},"status":"error"}"#,
    );
}

#[test]
fn system_function_remove() {
    for kind in ["system", "function", "remove"] {
        message_round_trip(&format!(
            r#"{{"content":"","additional_kwargs":{{}},"response_metadata":{{}},"type":"{kind}","name":null,"id":"1"}}"#
        ));
    }
}

#[test]
fn unknown_fields_and_blocks_pass_through() {
    let message = message_round_trip(
        r#"{"content":["plain",{"deep":{"a":[1.5,null]},"type":"image"}],"additional_kwargs":{"k":1},"response_metadata":{},"type":"human","name":"Kim","id":"1","example":false,"made_up":{"x":null}}"#,
    );
    assert_eq!(message.extra.len(), 2);
}

#[test]
fn chunks_of_a_tool_call() {
    chunk_round_trip(
        r#"{"content":"","additional_kwargs":{},"response_metadata":{},"type":"AIMessageChunk","name":null,"id":"lc_run--01a1","tool_calls":[{"name":"get_weather","args":{},"id":"call_1","type":"tool_call"}],"invalid_tool_calls":[],"usage_metadata":null,"tool_call_chunks":[{"name":"get_weather","args":"{\"city\":","id":"call_1","index":0,"type":"tool_call_chunk"}],"chunk_position":null}"#,
    );
    chunk_round_trip(
        r#"{"content":"","additional_kwargs":{},"response_metadata":{},"type":"AIMessageChunk","name":null,"id":"lc_run--01a1","tool_calls":[],"invalid_tool_calls":[{"name":null,"args":"\"SF\"}","id":null,"error":null,"type":"invalid_tool_call"}],"usage_metadata":null,"tool_call_chunks":[{"name":null,"args":"\"SF\"}","id":null,"index":0,"type":"tool_call_chunk"}],"chunk_position":null}"#,
    );
}

#[test]
fn chunks_with_usage_and_at_the_end() {
    chunk_round_trip(
        r#"{"content":"","additional_kwargs":{},"response_metadata":{"finish_reason":"tool_calls","model_name":"fake-1"},"type":"AIMessageChunk","name":null,"id":"lc_run--01a1","tool_calls":[],"invalid_tool_calls":[],"usage_metadata":{"input_tokens":5,"output_tokens":7,"total_tokens":12},"tool_call_chunks":[],"chunk_position":null}"#,
    );
    let last = chunk_round_trip(
        r#"{"content":"","additional_kwargs":{},"response_metadata":{},"type":"AIMessageChunk","name":null,"id":"lc_run--01a1","tool_calls":[],"invalid_tool_calls":[],"usage_metadata":null,"tool_call_chunks":[],"chunk_position":"last"}"#,
    );
    assert_eq!(last, MessageChunk::new("lc_run--01a1").last());
}

#[test]
fn a_list_is_an_array() {
    let ai = Kind::Ai(AiFields { usage_metadata: Some(UsageMetadata::new(1, 2)), ..Default::default() });
    let list = Messages::from(vec![Message::human("hi"), Message::new(ai, "hello").with_id("2")]);
    let json = serde_json::to_value(&list).unwrap();
    assert_eq!(json.as_array().map(Vec::len), Some(2));
    assert_eq!(serde_json::from_value::<Messages>(json).unwrap(), list);
}

#[test]
fn schema_names_the_forms() {
    let schema = schemars::schema_for!(Messages).to_value();
    assert_eq!(schema["items"]["$ref"], "#/$defs/Message");
    assert_eq!(schema["$defs"]["Message"]["anyOf"].as_array().map(Vec::len), Some(4));
}
