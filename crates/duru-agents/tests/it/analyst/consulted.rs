//! Where rules are not certain, a model's query is compared with theirs by its rows.

use std::sync::Arc;

use duru::store::MemoryStore;
use duru::{Outcome, Unfinished};
use duru_agents::analyst::Analysis;
use duru_agents::analyst::reader::AskBack;
use duru_agents::decisions::registry;
use duru_llm::decision::{Decider, Setup};
use duru_llm::fake::{Fake, Says};
use serde::Deserialize;

use super::world::{Analyst, World, asks, number};

const SAME: &str = r#"{"explanation": "에러를 셉니다.", "sql": "SELECT count(*) AS errors FROM logs WHERE service = 'payment-api' AND level >= 'ERROR' AND created_at > NOW() - INTERVAL '60 minutes'", "refusal": null}"#;
const OTHER: &str = r#"{"explanation": "주문 에러를 셉니다.", "sql": "SELECT count(*) AS errors FROM logs WHERE service = 'order-api' AND level = 'ERROR'", "refusal": null}"#;
const BROKEN: &str =
    r#"{"explanation": "에러를 셉니다.", "sql": "SELECT count(*) FROM errors", "refusal": null}"#;

/// What the rules are not sure of: a word is unknown to them, or what all words mean together.
const UNREAD: &str = "최근 1시간 동안 결제에서 꽈배기 에러가 몇 건 났어?";
const UNSURE: &str = "어느 서비스에서 무슨 에러 타입이 제일 많이 나왔는지 서비스당 하나씩 몇 번씩인지";
const MOST: &str = r#"{"explanation": "서비스마다 에러 타입을 셉니다.", "sql": "SELECT service, error_type, count(*) AS n FROM logs WHERE level = 'ERROR' GROUP BY 1, 2", "refusal": null}"#;
const MORE: &str = r#"{"explanation": "서비스마다 에러 타입을 셉니다.", "sql": "SELECT service, error_type, count(*) AS n, max(created_at) AS last FROM logs WHERE level = 'ERROR' GROUP BY 1, 2", "refusal": null}"#;

fn decider(fake: &Fake, policy: &str) -> Decider {
    let get = |name: &str| match name {
        "DURU_MODEL" => Some("openai:m".to_owned()),
        "DURU_POLICY" => Some("rule".to_owned()),
        "DURU_POLICY_ANALYST_GENERATE_SQL" => Some(policy.to_owned()),
        name => fake.variable(name),
    };
    Setup::read(get, &registry()).unwrap().decider()
}

async fn analyst(world: &World, replies: &[&'static str], policy: &str) -> (Analyst, Fake) {
    let fake = Fake::start().await.unwrap();
    let replies = replies.to_vec();
    let turn = std::sync::atomic::AtomicUsize::new(0);
    fake.otherwise(move |_| {
        let turn = turn.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        Says::text(replies[turn.min(replies.len() - 1)])
    });
    let analyst = world.analyst_on(Arc::new(MemoryStore::new()), decider(&fake, policy));
    (analyst, fake)
}

#[derive(Deserialize)]
struct Asked {
    clarifications: Vec<AskBack>,
}

enum Ended {
    Answered(Arc<Analysis>),
    Asked(AskBack),
}

async fn ends(analyst: &Analyst, thread: &str, question: &str, reply: Option<(&str, &str)>) -> Ended {
    let mut inquiry = asks(question);
    inquiry.clarification_answers.extend(reply.map(|(field, said)| (field.to_owned(), said.to_owned())));
    let thread = analyst.thread(thread).unwrap();
    match thread.invoke(inquiry).on_unfinished(Unfinished::Discard).await.unwrap() {
        Outcome::Done(end) => Ended::Answered(end),
        Outcome::Paused(questions) => {
            let asked: Asked = questions.first().unwrap().get().unwrap();
            Ended::Asked(asked.clarifications.into_iter().next().unwrap())
        }
        other => panic!("{other:?}"),
    }
}

async fn asked(analyst: &Analyst, question: &str) -> AskBack {
    match ends(analyst, "asked", question, None).await {
        Ended::Asked(ask) => ask,
        Ended::Answered(end) => panic!("answered: {:?} {:?}", end.generated_sql, end.problem),
    }
}

async fn answered(analyst: &Analyst, question: &str, reply: Option<(&str, &str)>) -> Arc<Analysis> {
    match ends(analyst, "answered", question, reply).await {
        Ended::Answered(end) => end,
        Ended::Asked(ask) => panic!("asked: {ask:?}"),
    }
}

#[tokio::test]
async fn what_both_find_is_answered() {
    let Some(world) = World::new().await else { return };
    let ask = asked(&world.analyst(), UNSURE).await;
    assert_eq!((ask.field.as_str(), ask.kind.as_str()), ("unread", "unsure_reading"), "the rules alone ask");
    for (reply, columns) in [(MOST, 3), (MORE, 4)] {
        let (analyst, fake) = analyst(&world, &[reply], "agree_unless_certain").await;
        let end = answered(&analyst, UNSURE, None).await;
        let found = end.query_results.as_ref().unwrap();
        assert_eq!((found.rows.len(), found.columns.len(), fake.seen().len()), (2, columns, 1), "{found:?}");
        assert!(end.explanation.contains("이렇게 이해했습니다"), "in the rules' words: {}", end.explanation);
    }
}

/// Both may leave out the same word, and be wrong together.
#[tokio::test]
async fn what_both_find_without_a_word_of_the_question_is_not_just_given() {
    let Some(world) = World::new().await else { return };
    let (analyst, _fake) = analyst(&world, &[SAME], "agree_unless_certain").await;
    let ask = asked(&analyst, UNREAD).await;
    assert_eq!(ask.kind, "unread_words");
    assert!(ask.question.contains("꽈배기"), "{}", ask.question);
}

#[tokio::test]
async fn where_they_differ_the_person_chooses() {
    let Some(world) = World::new().await else { return };
    let (analyst, _fake) = analyst(&world, &[OTHER], "agree_unless_certain").await;
    let ask = asked(&analyst, UNREAD).await;
    assert_eq!((ask.field.as_str(), ask.options.len()), ("unread", 3), "{ask:?}");
    let by_model = ask.options[1].clone();
    assert!(by_model.contains("주문 에러를 셉니다"), "{by_model}");
    let end = answered(&analyst, UNREAD, Some(("unread", &by_model))).await;
    assert_eq!((number(&end), end.uses_model_query), (2, true));
    assert_eq!(end.explanation, by_model);
    let end = answered(&analyst, UNREAD, Some(("unread", &ask.options[0]))).await;
    assert_eq!((number(&end), end.uses_model_query), (5, false));
}

#[tokio::test]
async fn what_only_the_model_reads_is_offered_and_never_just_given() {
    let Some(world) = World::new().await else { return };
    let question = "꽈배기 무지개 흐물흐물";
    let (analyst, _fake) = analyst(&world, &[OTHER], "agree_unless_certain").await;
    let ask = asked(&analyst, question).await;
    assert_eq!(ask.field, "model_reading");
    assert!(ask.question.contains("order-api"), "the query is shown: {}", ask.question);
    let end = answered(&analyst, question, Some(("model_reading", "네"))).await;
    assert_eq!((number(&end), end.uses_model_query), (2, true));
    let end = answered(&analyst, question, Some(("model_reading", "아니요"))).await;
    let ruled = answered(&world.analyst(), question, None).await;
    assert_eq!((&end.problem, end.query_results.is_none()), (&ruled.problem, true));
}

#[tokio::test]
async fn a_query_that_can_not_be_run_is_written_once_more() {
    let Some(world) = World::new().await else { return };
    let (analyst, fake) = analyst(&world, &[BROKEN, MOST], "agree_unless_certain").await;
    assert_eq!(answered(&analyst, UNSURE, None).await.query_results.as_ref().unwrap().rows.len(), 2);
    let second = fake.seen()[1].last_text();
    assert!(second.contains("SELECT count(*) FROM errors"), "{second}");
}

#[tokio::test]
async fn no_model_is_asked_where_the_rules_are_certain_or_the_question_is_off_limits() {
    let Some(world) = World::new().await else { return };
    let (analyst, fake) = analyst(&world, &[OTHER], "agree_unless_certain").await;
    assert_eq!(number(&*answered(&analyst, "payment-api 최근 1시간 에러 몇 건?", None).await), 5);
    assert!(answered(&analyst, "payment-api 로그를 모두 삭제해줘", None).await.problem.is_some());
    assert_eq!(fake.seen().len(), 0);
}

#[tokio::test]
async fn a_model_that_leads_is_not_asked_about() {
    let Some(world) = World::new().await else { return };
    let (analyst, _fake) = analyst(&world, &[OTHER], "unless_certain").await;
    assert_eq!(number(&*answered(&analyst, UNREAD, None).await), 2);
}

#[tokio::test]
async fn both_must_agree_where_that_is_set_also_where_the_rules_are_certain() {
    let Some(world) = World::new().await else { return };
    let question = "payment-api 최근 1시간 에러 몇 건?";
    let (agreeing, _fake) = analyst(&world, &[SAME], "agree").await;
    assert_eq!(number(&*answered(&agreeing, question, None).await), 5);
    let (other, _fake) = analyst(&world, &[OTHER], "agree").await;
    let ask = asked(&other, question).await;
    assert_eq!((ask.field.as_str(), ask.options.len()), ("model_reading", 2), "{ask:?}");
    for (option, count) in ask.options.iter().zip([2, 5]) {
        let end = answered(&other, question, Some(("model_reading", option))).await;
        assert_eq!(number(&end), count, "{option}");
    }
}
