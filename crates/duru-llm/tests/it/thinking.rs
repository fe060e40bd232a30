//! Models that think before they answer, in every format: what is thought is no part of the answer, and never cuts it off.

use duru_llm::fake::{Fake, Says, Wire};
use duru_llm::{Budget, Model, Policy, Request, Resilient, Settings, Stop};
use duru_messages::Message;
use std::sync::Arc;

use crate::support::{WIRES, fake, model, request};

#[tokio::test]
async fn what_is_thought_is_no_part_of_the_answer() {
    for wire in WIRES {
        let fake = fake(Says::text("맑습니다").after_thinking("서울의 날씨를 묻는다. 그럼…")).await;
        let reply = model(&fake, wire).reply(&request()).await.unwrap();
        assert_eq!((reply.message.text().as_ref(), reply.stop), ("맑습니다", Stop::End), "{wire}");
        // Through the retries, too: thoughts are signs of life and no words.
        let fake = crate::support::fake(Says::text("맑습니다").after_thinking("생각")).await;
        let resilient = Resilient::new(model(&fake, wire), Policy::default());
        let reply = resilient.within(Arc::new(Budget::unlimited())).reply(&request()).await.unwrap();
        assert_eq!(reply.message.text(), "맑습니다", "{wire}");
    }
}

#[tokio::test]
async fn thinking_is_asked_for_beside_the_answer() {
    let fake = Fake::start().await.unwrap();
    for (choice, wire, most) in [
        ("anthropic:claude-x", Wire::Anthropic, "max_tokens"),
        ("openai:qwen3", Wire::OpenAi, "max_tokens"),
        ("openai-responses:gpt-5", Wire::Responses, "max_output_tokens"),
    ] {
        let get = |name: &str| match name {
            "DURU_MODEL" => Some(choice.to_owned()),
            "DURU_REASONING_TOKENS" => Some("3000".to_owned()),
            name => fake.variable(name),
        };
        fake.next(Says::text("네"));
        let model = Settings::read(get).unwrap().unwrap().model().unwrap();
        model.reply(&Request { max_tokens: 100, ..Request::new([Message::human("?")]) }).await.unwrap();
        let seen = fake.seen().pop().unwrap();
        assert_eq!((seen.wire, seen.body[most].as_u64()), (wire, Some(3100)), "{choice}");
    }
}

/// The instructions come first and are marked, so that a provider need not read them again.
#[tokio::test]
async fn what_is_the_same_each_time_is_marked_for_the_cache() {
    let fake = Fake::start().await.unwrap();
    let request = Request { system: Some("Be brief.".into()), ..request() };
    model(&fake, "anthropic:m").reply(&request).await.unwrap();
    let seen = fake.seen().pop().unwrap();
    assert_eq!(seen.body["system"][0]["cache_control"]["type"], "ephemeral");
    assert_eq!(seen.body["system"][0]["text"], "Be brief.");
}
