//! With a model, behind a real connection.

use std::sync::Arc;
use std::time::Duration;

use duru::store::MemoryStore;
use duru_agents::analyst::Analysis;
use duru_llm::decision::Patience;
use duru_llm::fake::{Fake, Fault, Says};

use super::world::{PLANTED, World, answer, asks, number};
use crate::support::{as_set_up, decider, fenced};

const FILTERS: &str = r#"{"service": "payment-api", "time_range": {"type": "relative", "relative": {"value": 1, "unit": "h"}}, "ambiguous_time": false, "confidence": 0.9}"#;
const CLEAR: &str = r#"{"has_service": true, "service_type": "specific", "is_aggregation": true, "is_filter_query": false, "time_clarity": "clear", "needs_service_clarification": false, "needs_time_clarification": false}"#;
const GOOD: &str = r#"{"sql": "SELECT count(*) AS errors FROM logs WHERE service = 'payment-api' AND level = 'ERROR' AND created_at > NOW() - INTERVAL '1 hours'", "explanation": "에러를 셉니다.", "refusal": null}"#;

/// What a model is asked is recognised by the keys that it must answer with.
fn scripted(fake: &Fake, sql: &[&'static str], insight: &'static str) {
    let sql = sql.to_vec();
    let asked = std::sync::atomic::AtomicUsize::new(0);
    fake.otherwise(move |seen| {
        let body = seen.body.to_string();
        let text = if body.contains("generate_insight") {
            insight
        } else if body.contains("generate_sql") {
            let turn = asked.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            sql[turn.min(sql.len() - 1)]
        } else if body.contains("query_analysis") {
            CLEAR
        } else {
            FILTERS
        };
        Says::text(text)
    });
}

async fn ask(world: &World, fake: &Fake) -> Arc<Analysis> {
    let analyst = world.analyst_on(Arc::new(MemoryStore::new()), decider(fake, "openai:m"));
    answer(&analyst, "kim", asks("payment-api 최근 1시간 에러 몇 건?")).await
}

#[tokio::test]
async fn a_model_is_told_why_its_query_was_refused() {
    let Some(world) = World::new().await else { return };
    let fake = Fake::start().await.unwrap();
    let bad = r#"{"sql": "SELECT count(*) FROM users", "explanation": "", "refusal": null}"#;
    scripted(&fake, &[bad, GOOD], r#"{"insight": "에러는 5건입니다. 확인해 보세요."}"#);
    let end = ask(&world, &fake).await;
    assert_eq!((number(&end), end.retry_count), (5, 1));
    assert_eq!(end.insight.as_deref(), Some("에러는 5건입니다. 확인해 보세요."));
    let second = &fake
        .seen()
        .into_iter()
        .filter(|seen| seen.body.to_string().contains("generate_sql"))
        .nth(1)
        .unwrap();
    let said = second.last_text();
    assert!(said.contains("SELECT count(*) FROM users"), "the refused query: {said}");
    let reason = end.events.iter().find(|event| event["valid"] == false).unwrap()["reason"].as_str().unwrap();
    assert!(said.contains(reason), "{reason:?} is not in {said}");
}

#[tokio::test]
async fn after_three_refusals_the_rules_answer() {
    let Some(world) = World::new().await else { return };
    let fake = Fake::start().await.unwrap();
    let bad = r#"{"sql": "DELETE FROM logs", "explanation": "", "refusal": null}"#;
    scripted(&fake, &[bad], r#"{"insight": "5"}"#);
    let end = ask(&world, &fake).await;
    assert_eq!((number(&end), end.retry_count), (5, 3));
}

#[tokio::test]
async fn a_number_that_a_model_invents_is_not_told() {
    let Some(world) = World::new().await else { return };
    let fake = Fake::start().await.unwrap();
    scripted(&fake, &[GOOD], r#"{"insight": "에러가 9999건이나 됩니다."}"#);
    let end = ask(&world, &fake).await;
    let said = end.insight.as_deref().unwrap();
    assert!(said.contains('5') && !said.contains("9999"), "{said}");
}

/// Whatever the model says, the person gets an answer.
#[tokio::test]
async fn a_model_that_fails_is_not_missed() {
    let Some(world) = World::new().await else { return };
    let fake = Fake::start().await.unwrap();
    fake.otherwise(|_| Says::text("물론이죠!"));
    assert_eq!(number(&*ask(&world, &fake).await), 5);
}

/// A line of the logs reaches a model only as data.
#[tokio::test]
async fn planted_lines_are_fenced_and_cause_nothing() {
    let Some(world) = World::new().await else { return };
    let fake = Fake::start().await.unwrap();
    let listing = r#"{"sql": "SELECT id, created_at, message FROM logs WHERE service = 'payment-api' AND level = 'ERROR' ORDER BY created_at DESC", "explanation": "", "refusal": null}"#;
    scripted(&fake, &[listing], r#"{"insight": "에러가 여러 번 났습니다."}"#);
    let end = ask(&world, &fake).await;
    assert!(end.formatted_results.as_ref().unwrap().data.iter().any(|row| row["message"] == PLANTED));
    let mut told = 0;
    for seen in fake.seen() {
        let messages = seen.body["messages"].as_array().cloned().unwrap_or_default();
        for message in messages {
            let text = message["content"].as_str().unwrap_or_default();
            told += fenced(text, PLANTED);
        }
    }
    assert!(told > 0, "the model saw the rows");
    let count = answer(&world.analyst(), "after", asks("payment-api 최근 1시간 에러 몇 건?")).await;
    assert_eq!(number(&count), 5, "nothing was dropped");
}

/// The requests for a query, as the model read them.
fn asked_for_sql(fake: &Fake) -> Vec<String> {
    let all = fake.seen().into_iter().filter(|seen| seen.body.to_string().contains("\"generate_sql\""));
    all.map(|seen| seen.last_text()).collect()
}

const NOT_SHOWN: &str = "A first reading by rules: (none)";

#[tokio::test]
async fn only_a_reading_that_covers_the_question_is_a_first_reading() {
    let Some(world) = World::new().await else { return };
    for (question, covers) in [
        ("payment-api 최근 1시간 에러 몇 건?", true),
        ("꽈배기 무지개 흐물흐물", false),
        ("내일 payment-api 에러는 몇 건일까?", false),
    ] {
        let fake = Fake::start().await.unwrap();
        scripted(&fake, &[GOOD], r#"{"insight": "에러는 5건입니다."}"#);
        let analyst = world.analyst_on(Arc::new(MemoryStore::new()), decider(&fake, "openai:m"));
        answer(&analyst, "kim", asks(question)).await;
        let said = asked_for_sql(&fake);
        assert_eq!(said.first().map(|said| !said.contains(NOT_SHOWN)), Some(covers), "{question}: {said:?}");
    }
}

/// Whatever it would say, it is not asked.
#[tokio::test]
async fn a_refusal_for_safety_is_not_overruled() {
    let Some(world) = World::new().await else { return };
    let by_rules = world.analyst();
    for question in ["payment-api 로그를 모두 삭제해줘", "사용자 비밀번호 목록 보여줘"] {
        let fake = Fake::start().await.unwrap();
        scripted(&fake, &[GOOD], r#"{"insight": "에러는 5건입니다."}"#);
        let analyst = world.analyst_on(Arc::new(MemoryStore::new()), decider(&fake, "openai:m"));
        let end = answer(&analyst, "kim", asks(question)).await;
        let ruled = answer(&by_rules, question, asks(question)).await;
        assert_eq!(asked_for_sql(&fake), Vec::<String>::new(), "{question}");
        assert!(end.problem.is_some() && end.query_results.is_none(), "{question}");
        assert_eq!(end.problem, ruled.problem, "{question}");
    }
}

#[tokio::test]
async fn a_model_that_hangs_costs_a_question_one_limit_once() {
    let Some(world) = World::new().await else { return };
    let fake = Fake::start().await.unwrap();
    fake.otherwise(|_| Fault::Hang);
    let short = Patience { first_word: Duration::from_millis(500), total: Duration::from_secs(1) };
    let get = |name: &str| match name {
        "DURU_MODEL" => Some("openai:m".to_owned()),
        name => fake.variable(name),
    };
    let models = duru_llm::Models::read(get, [], duru_llm::Policy::default());
    let hanging = duru_llm::decision::Decider::with_models(models).waiting(short);
    let analyst = world.analyst_on(Arc::new(MemoryStore::new()), hanging);
    for thread in ["kim", "lee"] {
        let end = answer(&analyst, thread, asks("payment-api 최근 1시간 에러 몇 건?")).await;
        assert_eq!(number(&end), 5);
    }
    assert_eq!(fake.seen().len(), 1, "four decisions of two questions");
}

/// All decisions of a question share its time, also with a model that is only slow.
#[tokio::test]
async fn a_slow_model_does_not_get_the_time_of_a_question_twice() {
    let Some(world) = World::new().await else { return };
    let fake = Fake::start().await.unwrap();
    fake.otherwise(|_| Says { pause: Duration::from_millis(200), ..Says::text(FILTERS) });
    let short = Patience { first_word: Duration::from_secs(1), total: Duration::from_secs(1) };
    let models = duru_llm::Models::read(
        |name| if name == "DURU_MODEL" { Some("openai:m".to_owned()) } else { fake.variable(name) },
        [],
        duru_llm::Policy::default(),
    );
    let slow = duru_llm::decision::Decider::with_models(models).waiting(short);
    let analyst = world.analyst_on(Arc::new(MemoryStore::new()), slow);
    let end = answer(&analyst, "kim", asks("payment-api 최근 1시간 에러 몇 건?")).await;
    assert_eq!((number(&end), fake.seen().len()), (5, 1));
}

/// What a small model writes does not replace a query that covers the question.
#[tokio::test]
async fn a_small_model_writes_no_queries() {
    let Some(world) = World::new().await else { return };
    let fake = Fake::start().await.unwrap();
    let wrong = r#"{"explanation": "", "sql": "SELECT 1 AS errors FROM logs LIMIT 1", "refusal": null}"#;
    scripted(&fake, &[wrong], r#"{"insight": "에러는 1건입니다."}"#);
    let analyst =
        world.analyst_on(Arc::new(MemoryStore::new()), as_set_up(&fake, "ollama:qwen2.5-coder:1.5b"));
    let end = answer(&analyst, "kim", asks("payment-api 최근 1시간 에러 몇 건?")).await;
    assert_eq!(number(&end), 5);
    assert_eq!(asked_for_sql(&fake), Vec::<String>::new());
    assert!(!fake.seen().is_empty(), "it is a witness elsewhere");
}
