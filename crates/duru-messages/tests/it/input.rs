//! What clients may send, and what they are told when it is not a message.

use duru_messages::{Content, InvalidToolCall, Kind, Message, Messages, ToolCall};
use serde_json::{Value, json};

#[track_caller]
fn reads(input: Value, expected: Message) {
    assert_eq!(Message::from_value(input).unwrap(), expected);
}

#[track_caller]
fn refuses(input: Value, error: &str) {
    assert_eq!(Message::from_value(input).unwrap_err().to_string(), error);
}

#[test]
fn roles_and_types() {
    for name in ["user", "human"] {
        reads(json!({"role": name, "content": "x"}), Message::human("x"));
        reads(json!({"type": name, "content": "x"}), Message::human("x"));
        reads(json!([name, "x"]), Message::human("x"));
    }
    for name in ["assistant", "ai", "AIMessageChunk"] {
        reads(json!({"type": name, "content": "x"}), Message::ai("x"));
    }
    reads(json!(["system", "x"]), Message::system("x"));
    reads(json!({"role": "tool", "content": "x", "tool_call_id": "c"}), Message::tool("c", "x"));
    reads(json!({"type": "remove", "id": "7"}), Message::remove("7"));
    reads(
        json!({"type": "message", "role": "user", "content": "x", "id": 5}),
        Message::human("x").with_id("5"),
    );
    reads(json!("x"), Message::human("x"));

    let developer = Message::from_value(json!({"role": "developer", "content": "x"})).unwrap();
    assert!(matches!(developer.kind, Kind::System));
    assert_eq!(developer.additional_kwargs["__openai_role__"], "developer");
}

#[test]
fn content_forms() {
    let blocks =
        vec![json!({"type": "text", "text": "x"}), json!({"type": "image_url", "image_url": {"url": "u"}})];
    reads(json!({"role": "user", "content": blocks.clone()}), Message::human(Content::Blocks(blocks)));
    reads(json!({"role": "assistant", "content": null}), Message::ai(""));
}

#[test]
fn joined_chunks_leave_no_trace() {
    let sent =
        json!({"type": "AIMessageChunk", "content": "x", "tool_call_chunks": [], "chunk_position": "last"});
    reads(sent, Message::ai("x"));
}

#[test]
fn calls_as_openai_writes_them() {
    let message = Message::from_value(json!({"role": "assistant", "tool_calls": [
        {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{\"x\": 1}"}},
        {"id": "b", "type": "function", "function": {"name": "g", "arguments": "{\"x\":"}},
    ]}))
    .unwrap();
    assert_eq!(message.tool_calls(), [ToolCall::new("a", "f").with_arg("x", 1)]);
    let Kind::Ai(ai) = &message.kind else { panic!("{message:?}") };
    let [InvalidToolCall { name, args, id, error }] = ai.invalid_tool_calls.as_slice() else {
        panic!("{ai:?}")
    };
    assert_eq!((name.as_deref(), args.as_deref(), id.as_deref()), (Some("g"), Some("{\"x\":"), Some("b")));
    assert!(error.as_deref().is_some_and(|e| e.starts_with("the arguments are not a JSON object")));
}

#[test]
fn errors_say_where_and_what() {
    let forms =
        r#"a message: an object with "type" or "role" and "content", a string, or a pair [role, content]"#;
    refuses(json!(5), &format!("message: expected {forms}, got the number 5"));
    refuses(json!(["user", "a", "b"]), &format!("message: expected {forms}, got a list of 3"));
    refuses(
        json!({"role": "robot", "content": "x"}),
        r#"message.role: expected one of "human" (or "user"), "ai" ("assistant"), "system" ("developer"), "tool", "function", "remove", got "robot""#,
    );
    refuses(
        json!({"content": "x"}),
        r#"message.type: expected one of "human" (or "user"), "ai" ("assistant"), "system" ("developer"), "tool", "function", "remove", got nothing"#,
    );
    refuses(
        json!({"type": "human"}),
        "message.content: expected a string or a list of content blocks, got nothing",
    );
    refuses(
        json!({"type": "tool", "content": "x"}),
        "message.tool_call_id: expected the id of the tool call that is answered, got nothing",
    );
    refuses(
        json!({"type": "tool", "content": "x", "tool_call_id": "c", "status": "ok"}),
        r#"message.status: expected "success" or "error", got "ok""#,
    );
    refuses(
        json!({"type": "ai", "content": "", "tool_calls": [{"name": "f", "args": "{}"}]}),
        r#"message.tool_calls[0].args: expected an object, got "{}""#,
    );
    refuses(json!({"type": "remove"}), "message.id: expected the id of the message to remove, got nothing");
    refuses(
        json!({"type": "human", "content": "", "id": {}}),
        "message.id: expected a string or null, got an object",
    );
}

#[test]
fn errors_in_a_list_say_which_message() {
    let error =
        serde_json::from_value::<Messages>(json!(["hi", {"type": "ai", "content": true}])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "messages[1].content: expected a string or a list of content blocks, got true"
    );
    let error = serde_json::from_value::<Messages>(json!([{"type": "remove", "id": "7"}])).unwrap_err();
    assert_eq!(error.to_string(), r#"messages[0] removes the id "7", but no message has this id"#);
}
