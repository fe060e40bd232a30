//! Answers of a moment ago: whose they are, and when they no longer hold.

use std::sync::Arc;

use duru::AskedBy;
use duru::store::MemoryStore;
use duru_agents::analyst::{Analysis, AnswerLimits, Answers, Inquiry, graph};
use duru_llm::decision::Decider;
use duru_llm::fake::{Fake, Says};
use duru_sql::Batch;

use super::world::{Analyst, World, answer, asks, number};
use crate::support::decider;

fn cached(end: &Analysis) -> bool {
    let event = end.events.iter().rev().find(|event| event["type"] == "query_executed").unwrap();
    assert_eq!(event["cached_at"].is_string(), end.cached_at.is_some());
    end.cached_at.is_some()
}

/// The same question in the same words, in the name of somebody.
async fn ask_as(analyst: &Analyst, person: &str, thread: &str, inquiry: Inquiry) -> Arc<Analysis> {
    let run = analyst.thread(thread).unwrap().invoke(inquiry).provide(AskedBy(person.into()));
    run.await.unwrap().done().unwrap()
}

#[tokio::test]
async fn the_same_question_is_answered_from_the_cache_and_says_so() {
    let Some(world) = World::new().await else { return };
    let analyst = world.analyst();
    let question = || asks("payment-api 최근 1시간 에러 몇 건?");
    let first = answer(&analyst, "kim", question()).await;
    let again = answer(&analyst, "kim", question()).await;
    assert_eq!((cached(&first), cached(&again)), (false, true));
    assert_eq!((number(&again), &again.insight), (5, &first.insight));
    assert!(again.messages.last().unwrap().text().contains("조금 전에 조회해 둔 결과입니다."));
    // In other words, but the same query.
    let other_words =
        answer(&analyst, "kim", asks("최근 1시간 동안 payment-api에서 에러가 몇 건 났어?")).await;
    assert!(cached(&other_words));
    assert_eq!(number(&other_words), 5);
}

/// The original's cache knew only the words: "and yesterday?" of one person was answered with another's service.
#[tokio::test]
async fn the_same_words_in_another_conversation_are_another_question() {
    let Some(world) = World::new().await else { return };
    let analyst = world.analyst();
    answer(&analyst, "kim", asks("payment-api 최근 1시간 에러 몇 건?")).await;
    answer(&analyst, "lee", asks("order-api 최근 1시간 에러 몇 건?")).await;
    let kim = answer(&analyst, "kim", asks("그럼 어제는?")).await;
    let lee = answer(&analyst, "lee", asks("그럼 어제는?")).await;
    assert_eq!((number(&kim), number(&lee)), (3, 0));
    assert!(!cached(&lee));
}

#[tokio::test]
async fn answers_are_shared_among_the_conversations_of_one_person_only() {
    let Some(world) = World::new().await else { return };
    let analyst = world.analyst();
    let question = || asks("payment-api 최근 1시간 에러 몇 건?");
    assert!(!cached(&*ask_as(&analyst, "kim", "monday", question()).await));
    assert!(cached(&*ask_as(&analyst, "kim", "tuesday", question()).await));
    assert!(!cached(&*ask_as(&analyst, "lee", "wednesday", question()).await));
    // Nobody in particular: a conversation of its own, even under a person's name.
    assert!(!cached(&*answer(&analyst, "kim", question()).await));
}

/// The original's README says that inserts empty the cache; nothing there does it.
#[tokio::test]
async fn new_lines_and_another_range_are_asked_for_again() {
    let Some(world) = World::new().await else { return };
    let analyst = world.analyst();
    let question = || asks("payment-api 최근 1시간 에러 몇 건?");
    assert_eq!(number(&*answer(&analyst, "kim", question()).await), 5);
    let utc = Inquiry { timezone: Some("UTC".into()), ..question() };
    assert!(!cached(&*answer(&analyst, "kim", utc).await));
    let line = super::world::error("2026-03-18T14:25:00+09:00", "payment-api");
    world.logs.append(Batch { key: None, records: vec![line] }).await.unwrap();
    let end = answer(&analyst, "kim", question()).await;
    assert_eq!((number(&end), cached(&end)), (6, false));
}

#[tokio::test]
async fn old_answers_are_not_kept() {
    let Some(world) = World::new().await else { return };
    let limits = AnswerLimits { age: std::time::Duration::ZERO, ..AnswerLimits::default() };
    let mut tools = world.toolbox();
    tools.answers = Arc::new(Answers::new(limits));
    let analyst = graph(tools).unwrap().provide(Decider::by_rules()).on(Arc::new(MemoryStore::new()));
    for _ in 0..2 {
        assert!(!cached(&*answer(&analyst, "kim", asks("payment-api 최근 1시간 에러 몇 건?")).await));
    }
}

/// What a model said of the very same rows it is not asked to say again.
#[tokio::test]
async fn what_a_model_said_is_kept_with_its_rows() {
    let Some(world) = World::new().await else { return };
    let fake = Fake::start().await.unwrap();
    fake.otherwise(|seen| {
        let insight = seen.body.to_string().contains("generate_insight");
        Says::text(if insight {
            r#"{"insight": "에러는 5건입니다. 확인해 보세요."}"#
        } else {
            "?"
        })
    });
    let analyst = world.analyst_on(Arc::new(MemoryStore::new()), decider(&fake, "openai:m"));
    let asked = |fake: &Fake| {
        fake.seen().iter().filter(|seen| seen.body.to_string().contains("generate_insight")).count()
    };
    for _ in 0..2 {
        // Two people, so that no earlier question is in the way of the words.
        let run = analyst.thread(format!("t{}", asked(&fake)).as_str()).unwrap();
        let run = run.invoke(asks("payment-api 최근 1시간 에러 몇 건?")).provide(AskedBy("kim".into()));
        let end = run.await.unwrap().done().unwrap();
        assert_eq!(end.insight.as_deref(), Some("에러는 5건입니다. 확인해 보세요."));
        assert_eq!(asked(&fake), 1);
    }
}
