//! An insight is shown while a model writes it, and the pieces are the message.

use std::sync::Arc;

use duru::store::MemoryStore;
use duru::{Mode, Outcome};
use duru_agents::analyst::Analysis;
use duru_llm::fake::{Fake, Says};
use serde_json::Value;

use super::world::{World, asks};
use crate::support::decider;

/// The pieces of messages that a run showed, and how it ended.
async fn watched(world: &World, insight: Option<&'static str>) -> (Vec<(String, String)>, Arc<Analysis>) {
    let fake = Fake::start().await.unwrap();
    fake.otherwise(move |seen| {
        let asked = seen.body.to_string().contains("generate_insight");
        Says::text(insight.filter(|_| asked).unwrap_or("?"))
    });
    let analyst = world.analyst_on(Arc::new(MemoryStore::new()), decider(&fake, "openai:m"));
    let run = analyst.thread("kim").unwrap().invoke(asks("payment-api 최근 1시간 에러 몇 건?"));
    let mut stream = run.stream([Mode::Messages]).await.unwrap();
    let mut pieces = Vec::new();
    while let Some(event) = stream.next().await.unwrap() {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        pieces.push((text(&event.data[0]["id"]), text(&event.data[0]["content"])));
    }
    match stream.outcome().await.unwrap() {
        Outcome::Done(end) => (pieces, end),
        other => panic!("not done: {other:?}"),
    }
}

#[tokio::test]
async fn the_pieces_are_the_message() {
    let Some(world) = World::new().await else { return };
    let (pieces, end) =
        watched(&world, Some(r#"{"insight": "에러는 5건입니다. 평소보다 많습니다. 배포를 확인해 보세요."}"#))
            .await;
    let message = end.messages.last().unwrap();
    assert!(pieces.len() > 1, "{pieces:?}");
    assert!(pieces.iter().all(|(id, _)| Some(id.as_str()) == message.id.as_deref()), "{pieces:?}");
    let joined: String = pieces.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(joined, message.text());
    assert_eq!(end.insight.as_deref(), Some("에러는 5건입니다. 평소보다 많습니다. 배포를 확인해 보세요."));
}

/// What was shown is not taken back; what follows says that it takes its place.
#[tokio::test]
async fn nothing_is_shown_from_the_first_invented_number_on() {
    let Some(world) = World::new().await else { return };
    let (pieces, end) =
        watched(&world, Some(r#"{"insight": "에러는 5건입니다. 그래서 9999명이 떠났습니다. 큰일입니다."}"#))
            .await;
    let joined: String = pieces.iter().map(|(_, text)| text.as_str()).collect();
    assert!(joined.starts_with("에러는 5건입니다. 그래서 … [바로잡음] "), "{joined}");
    assert!(!joined.contains("9999") && !joined.contains("큰일"), "{joined}");
    assert_eq!(joined, end.messages.last().unwrap().text());
    let (_, by_rule) = end.insight.as_deref().unwrap().split_once("[바로잡음] ").unwrap();
    assert!(by_rule.contains('5'), "the rules' words take its place: {by_rule}");
}

/// The rules' words come as one message.
#[tokio::test]
async fn without_a_fitting_reply_there_are_no_pieces() {
    let Some(world) = World::new().await else { return };
    let (pieces, end) = watched(&world, None).await;
    assert_eq!(pieces, Vec::new());
    assert!(end.messages.last().unwrap().text().contains('5'));
}
