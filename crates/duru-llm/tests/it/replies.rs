//! Good replies, in every format.

use duru_llm::fake::{Fake, Fault, Says};
use duru_llm::{OutputSchema, Request, Stop, ToolSpec};
use duru_messages::{Message, ToolCall, UsageMetadata};
use serde_json::{Value, json};

use crate::support::{WIRES, chunks, fake, model, request};

const TEXT: &str = "서울은 맑고, 기온은 21도입니다. 우산은 필요 없어요 ☀️";

#[tokio::test]
async fn text_with_its_usage() {
    for wire in WIRES {
        let fake = fake(Says { tokens: (12, 34), ..Says::text(TEXT) }).await;
        let reply = model(&fake, wire).reply(&request()).await.unwrap();
        assert_eq!(reply.message.text(), TEXT, "{wire}");
        assert_eq!(reply.usage, UsageMetadata::new(12, 34), "{wire}");
        assert_eq!(reply.stop, Stop::End, "{wire}");
        assert!(reply.message.id.is_some(), "{wire}");
    }
}

#[tokio::test]
async fn a_stream_comes_in_pieces_with_one_id() {
    for wire in WIRES {
        let fake = fake(Says::text(TEXT)).await;
        let chunks = chunks(&*model(&fake, wire), &request()).await;
        let texts: Vec<_> = chunks.iter().map(|c| c.content.text().into_owned()).collect();
        assert_eq!(texts.concat(), TEXT, "{wire}");
        assert!(texts.iter().filter(|text| !text.is_empty()).count() > 5, "{wire}: {texts:?}");
        assert!(chunks.iter().all(|chunk| chunk.id == chunks[0].id && chunk.id.is_some()), "{wire}");
        assert_eq!(chunks.iter().filter(|chunk| chunk.is_last()).count(), 1, "{wire}");
        assert!(chunks.last().unwrap().is_last(), "{wire}");
    }
}

#[tokio::test]
async fn several_tools_at_once() {
    for wire in WIRES {
        let calls = [
            ToolCall::new("call_1", "weather").with_arg("city", "서울").with_arg("days", json!([1, 2])),
            ToolCall::new("call_2", "time"),
        ];
        let fake = fake(Says { text: "찾아볼게요.".into(), ..Says::calls(calls.clone()) }).await;
        let tool = |name: &str| ToolSpec {
            name: name.into(),
            description: "…".into(),
            parameters: json!({"type": "object"}),
        };
        let request = Request { tools: vec![tool("weather"), tool("time")], ..request() };
        let reply = model(&fake, wire).reply(&request).await.unwrap();
        assert_eq!(reply.message.tool_calls(), calls, "{wire}");
        assert_eq!(reply.message.text(), "찾아볼게요.", "{wire}");
        assert_eq!(reply.stop, Stop::Tools, "{wire}");
        assert_eq!(fake.seen()[0].body["tools"].as_array().unwrap().len(), 2, "{wire}");
    }
}

/// Whatever the wire does for it, the answer is the text.
#[tokio::test]
async fn an_answer_in_a_form_is_text() {
    let schema = json!({"type": "object", "properties": {"sure": {"type": "boolean"}}});
    for wire in WIRES {
        let fake = fake(Says::text(r#"{"sure": true}"#)).await;
        let form = OutputSchema { name: "verdict".into(), schema: schema.clone() };
        let reply = model(&fake, wire).reply(&Request { schema: Some(form), ..request() }).await.unwrap();
        let answer: Value = serde_json::from_str(&reply.message.text()).unwrap();
        assert_eq!(answer, json!({"sure": true}), "{wire}");
        assert_eq!((reply.stop, reply.message.tool_calls().len()), (Stop::End, 0), "{wire}");
        assert!(fake.seen()[0].body.to_string().contains(&schema.to_string()), "{wire}");
    }
}

#[tokio::test]
async fn a_form_beside_tools_leaves_both_open() {
    let form = OutputSchema { name: "verdict".into(), schema: json!({"type": "object"}) };
    let tool =
        ToolSpec { name: "look".into(), description: "…".into(), parameters: json!({"type": "object"}) };
    let request = Request { schema: Some(form), tools: vec![tool], ..request() };
    for wire in WIRES {
        let fake = fake(Says::calls([ToolCall::new("c", "look")])).await;
        fake.next(Says::text("{}"));
        let model = model(&fake, wire);
        let first = model.reply(&request).await.unwrap();
        assert_eq!(
            (first.stop, first.message.tool_calls()[0].name.as_str()),
            (Stop::Tools, "look"),
            "{wire}"
        );
        let second = model.reply(&request).await.unwrap();
        assert_eq!((second.stop, second.message.text().as_ref()), (Stop::End, "{}"), "{wire}");
    }
}

#[tokio::test]
async fn a_server_that_does_not_stream_is_understood() {
    for wire in WIRES {
        let fake = fake(Fault::NotStreamed(TEXT.into())).await;
        let reply = model(&fake, wire).reply(&request()).await.unwrap();
        assert_eq!((reply.message.text().as_ref(), reply.stop), (TEXT, Stop::End), "{wire}");
        assert_eq!(reply.usage, UsageMetadata::new(10, 5), "{wire}");
    }
}

#[tokio::test]
async fn a_reply_that_was_cut_says_so() {
    for wire in WIRES {
        let fake = fake(Says { cut: true, ..Says::text("그래서 결론은") }).await;
        let reply = model(&fake, wire).reply(&request()).await.unwrap();
        assert_eq!(reply.stop, Stop::MaxTokens, "{wire}");
    }
}

#[tokio::test]
async fn the_request_arrives_as_it_was_made() {
    for wire in WIRES {
        let fake = Fake::start().await.unwrap();
        let request = Request {
            system: Some("Repeat.".into()),
            temperature: Some(0.25),
            max_tokens: 77,
            ..Request::new([Message::human("하나"), Message::ai("둘"), Message::human("셋")])
        };
        let reply = model(&fake, wire).reply(&request).await.unwrap();
        assert_eq!(reply.message.text(), "셋", "{wire}: the fake repeats the last message");
        let seen = &fake.seen()[0];
        let most = if wire.starts_with("openai-responses") { "max_output_tokens" } else { "max_tokens" };
        assert_eq!((&seen.body["temperature"], &seen.body[most]), (&json!(0.25), &json!(77)), "{wire}");
        assert!(seen.body.to_string().contains("Repeat."), "{wire}");
    }
}

#[tokio::test]
async fn a_connection_is_used_again() {
    for wire in WIRES {
        let fake = Fake::start().await.unwrap();
        let model = model(&fake, wire);
        for _ in 0..20 {
            model.reply(&request()).await.unwrap();
        }
        assert_eq!(fake.open(), 1, "{wire}");
    }
}
