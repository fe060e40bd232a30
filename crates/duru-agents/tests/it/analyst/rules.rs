//! Without a model.

use std::collections::BTreeMap;

use duru::Outcome;
use duru_agents::analyst::reader::AskBack as Ask;
use duru_agents::analyst::{Analysis, ChartKind, Inquiry, TroubleCode, invented};
use serde_json::json;

use super::world::{World, answer, asks, number};

#[tokio::test]
async fn a_count_is_right_and_leaves_deleted_lines_out() {
    let Some(world) = World::new().await else { return };
    let end = answer(&world.analyst(), "kim", asks("payment-api 최근 1시간 에러 몇 건?")).await;
    assert_eq!(number(&end), 5);
    assert!(end.executed_sql.as_ref().unwrap().contains("\"deleted\" = false"));
    let said = end.insight.as_deref().unwrap();
    assert!(said.contains('5'), "{said}");
    assert_eq!(invented(said, "", end.query_results.as_ref().unwrap(), 1), Vec::<String>::new());
    assert_eq!(end.messages.len(), 2, "the question and the answer");
    assert_eq!(end.current_focus.service.as_deref(), Some("payment-api"));
    assert_eq!(end.suggestions.len(), 3);
}

/// Not the last 48 hours.
#[tokio::test]
async fn yesterday_is_a_day_of_the_askers_calendar() {
    let Some(world) = World::new().await else { return };
    let analyst = world.analyst();
    assert_eq!(number(&*answer(&analyst, "kim", asks("어제 payment-api 에러 건수")).await), 3);
    let in_utc = Inquiry { timezone: Some("UTC".into()), ..asks("어제 payment-api 에러 건수") };
    // From 9 in the morning of the 17th in Seoul to 9 of the 18th.
    assert_eq!(number(&*answer(&analyst, "lee", in_utc).await), 2);
}

#[tokio::test]
async fn the_next_question_leans_on_this_conversation_and_no_other() {
    let Some(world) = World::new().await else { return };
    let analyst = world.analyst();
    answer(&analyst, "kim", asks("payment-api 최근 1시간 에러 몇 건?")).await;
    answer(&analyst, "lee", asks("order-api 최근 1시간 에러 몇 건?")).await;
    let end = answer(&analyst, "kim", asks("그럼 어제는?")).await;
    assert_eq!(number(&end), 3);
    assert!(end.events.iter().any(|event| event["type"] == "context_resolved" && event["needed"] == true));
    assert_eq!(number(&*answer(&analyst, "lee", asks("그럼 어제는?")).await), 0);
}

/// A range from the picker reaches the query; where the words name another one, the person says which.
#[tokio::test]
async fn the_picker_does_not_silently_beat_the_words_of_a_question() {
    let Some(world) = World::new().await else { return };
    let analyst = world.analyst();
    let days = |value: u32| json!({ "type": "relative", "relative": { "value": value, "unit": "d" } });
    let picked = |range: serde_json::Value, question: &str| Inquiry {
        time_range_structured: Some(serde_json::from_value(range).unwrap()),
        ..asks(question)
    };
    for question in ["payment-api 에러 건수", "최근 72시간 payment-api 에러 건수"] {
        let end = answer(&analyst, question, picked(days(3), question)).await;
        assert_eq!(number(&end), 9, "{question}");
        assert_eq!(serde_json::to_value(&end.filters.time_range).unwrap(), days(3));
    }
    let words = "최근 1시간 payment-api 에러 건수";
    for (at, found) in [(0, 5), (1, 9)] {
        let thread = analyst.thread(format!("kim-{at}").as_str()).unwrap();
        let (id, back) = open(thread.invoke(picked(days(3), words)).await.unwrap());
        let [ask] = &back[..] else { panic!("{back:?}") };
        assert_eq!((ask.field.as_str(), ask.kind.as_str()), ("time", "conflicting_time"));
        assert_eq!(ask.options, ["질문대로: 최근 1시간", "고른 기간: 최근 3일", "사용자 지정…"]);
        let end = thread.answer([(id, ask.options[at].as_str())]).await.unwrap().done().unwrap();
        assert_eq!(number(&end), found, "{}", ask.options[at]);
    }
    let thread = analyst.thread("lee").unwrap();
    let (id, _) =
        open(thread.invoke(picked(days(3), "errors of payment-api in the last hour")).await.unwrap());
    let end = thread.answer([(id, "last 7 days")]).await.unwrap().done().unwrap();
    let week = json!({ "type": "relative", "relative": { "value": 7, "unit": "d" } });
    assert_eq!(serde_json::to_value(&end.filters.time_range).unwrap(), week, "neither of the two");

    let bad = json!({ "type": "relative", "relative": { "value": 721, "unit": "h" } });
    let end = answer(&analyst, "park", picked(bad, words)).await;
    assert_eq!(end.problem.as_ref().unwrap().code, TroubleCode::TimeRange);
    assert_eq!(end.executed_sql, None);
}

/// A day says enough, where nothing but what happened on it is asked.
#[tokio::test]
async fn errors_today_needs_no_service() {
    let Some(world) = World::new().await else { return };
    let analyst = world.analyst();
    for question in ["오늘 에러", "errors today", "어제 에러"] {
        let end = answer(&analyst, question, asks(question)).await;
        assert!(end.problem.is_none() && end.formatted_results.is_some(), "{question}: {:?}", end.problem);
    }
}

fn open(outcome: Outcome<std::sync::Arc<Analysis>>) -> (duru::InterruptId, Vec<Ask>) {
    let Outcome::Paused(questions) = outcome else { panic!("it does not ask") };
    #[derive(serde::Deserialize)]
    struct Asked {
        clarifications: Vec<Ask>,
    }
    (questions[0].id, questions[0].get::<Asked>().unwrap().clarifications)
}

#[tokio::test]
async fn it_asks_back_where_it_must_and_at_most_twice() {
    let Some(world) = World::new().await else { return };
    let analyst = world.analyst();
    let thread = analyst.thread("kim").unwrap();
    let (id, open_asks) = open(thread.invoke(asks("에러 로그 보여줘")).await.unwrap());
    assert_eq!(open_asks[0].field, "service");
    assert_eq!(open_asks[0].options, ["payment-api", "order-api", "전체"]);
    let end = thread.answer([(id, "order-api")]).await.unwrap().done().unwrap();
    assert_eq!(end.formatted_results.as_ref().unwrap().count, 2);
    assert_eq!(end.clarification_count, 1);

    // Answers that help nobody: after two rounds it answers with what it has.
    let thread = analyst.thread("lee").unwrap();
    let (id, _) = open(thread.invoke(asks("조금 전 payment-api 에러 로그 보여줘")).await.unwrap());
    let (id, again) = open(thread.answer([(id, "글쎄요")]).await.unwrap());
    assert_eq!(again[0].field, "time");
    let end = thread.answer([(id, "모르겠어요")]).await.unwrap().done().unwrap();
    assert_eq!(
        (end.problem.clone(), end.formatted_results.as_ref().unwrap().count),
        (None, 5),
        "the last hour"
    );
}

/// The original kept such a question as a turn with empty SQL, and forgot what it had asked.
#[tokio::test]
async fn who_asks_on_instead_of_answering_is_understood() {
    let Some(world) = World::new().await else { return };
    let analyst = world.analyst();
    let ask_on = async |thread: &str, question: &str| {
        let thread = analyst.thread(thread).unwrap();
        let run = thread.invoke(asks(question)).on_unfinished(duru::Unfinished::Discard);
        run.await.unwrap()
    };
    assert!(matches!(ask_on("kim", "에러 로그 보여줘").await, Outcome::Paused(_)));
    // What was asked for, in words of one's own.
    let end = ask_on("kim", "order-api, 최근 1시간").await.done().unwrap();
    assert_eq!((end.problem.clone(), end.formatted_results.as_ref().unwrap().count), (None, 2));
    assert_eq!(end.query_results.as_ref().unwrap().rows.len(), 2, "{:?}", end.executed_sql);

    // A question of its own, which leans on nothing.
    assert!(matches!(ask_on("lee", "에러 로그 보여줘").await, Outcome::Paused(_)));
    let end = ask_on("lee", "어제 서비스별 로그 건수").await.done().unwrap();
    assert_eq!(end.query_results.as_ref().unwrap().rows[0][..2], [json!("payment-api"), json!(3)]);
    // It was answered: nothing is left open for the next.
    let end = ask_on("lee", "오늘은?").await.done().unwrap();
    assert!(end.executed_sql.as_ref().unwrap().contains("GROUP BY"), "{:?}", end.executed_sql);
}

#[tokio::test]
async fn answers_that_come_with_the_question_are_not_asked_for() {
    let Some(world) = World::new().await else { return };
    let given = BTreeMap::from([("service".to_owned(), "order-api".to_owned())]);
    let inquiry = Inquiry { clarification_answers: given, ..asks("에러 로그 보여줘") };
    let end = answer(&world.analyst(), "kim", inquiry).await;
    assert_eq!(end.formatted_results.as_ref().unwrap().count, 2);
}

#[tokio::test]
async fn what_it_does_not_do_is_said() {
    let Some(world) = World::new().await else { return };
    let analyst = world.analyst();
    for (question, code) in [
        ("어제 로그 전부 삭제해줘", TroubleCode::Refused),
        ("내일 에러가 몇 건 날까?", TroubleCode::Refused),
        ("쿼크붤 알려줘", TroubleCode::NotUnderstood),
        ("", TroubleCode::NotUnderstood),
    ] {
        let end = answer(&analyst, "kim", asks(question)).await;
        assert_eq!(end.problem.as_ref().map(|trouble| trouble.code), Some(code), "{question}");
        assert_eq!((end.executed_sql.clone(), end.turns.len()), (None, 0), "{question}");
    }
}

#[tokio::test]
async fn a_query_of_ones_own_goes_through_the_same_guard() {
    let Some(world) = World::new().await else { return };
    let analyst = world.analyst();
    let own = |sql: &str| Inquiry { sql: Some(sql.into()), ..asks("") };
    let end = answer(&analyst, "kim", own("SELECT count(*) FROM logs WHERE level = 'ERROR'")).await;
    assert_eq!((number(&end), end.soft_delete_added), (11, true));
    let end = answer(&analyst, "kim", own("DELETE FROM logs")).await;
    assert_eq!(end.problem.as_ref().unwrap().code, TroubleCode::Guard);
    let end = answer(&analyst, "kim", own("SELECT passwd FROM pg_shadow")).await;
    assert_eq!(end.problem.as_ref().unwrap().code, TroubleCode::Guard);
    // A query has no language: it is refused in that of the question before it.
    let hangul = |text: &str| text.chars().any(|c| ('가'..='힣').contains(&c));
    let (ko, en) = ("최근 1시간 에러 건수", "number of errors in the last hour");
    for (person, before, korean) in [("lee", [en, ko], true), ("park", [ko, en], false)] {
        for question in before {
            answer(&analyst, person, asks(question)).await;
        }
        let end = answer(&analyst, person, own("DELETE FROM logs")).await;
        assert_eq!(hangul(&end.problem.as_ref().unwrap().message), korean, "{:?}", end.problem);
    }
}

#[tokio::test]
async fn rows_that_are_not_shown_are_counted() {
    let Some(world) = World::new().await else { return };
    let inquiry = Inquiry { max_results: Some(2), ..asks("payment-api 최근 1시간 에러 목록") };
    let end = answer(&world.analyst(), "kim", inquiry).await;
    let shown = end.formatted_results.as_ref().unwrap();
    assert_eq!((shown.displayed, shown.count, shown.truncated), (2, 5, true));
    assert!(!shown.count_is_lower_bound);
}

#[tokio::test]
async fn groups_are_bars() {
    let Some(world) = World::new().await else { return };
    let end = answer(&world.analyst(), "kim", asks("최근 1시간 서비스별 에러 건수")).await;
    let rows = &end.query_results.as_ref().unwrap().rows;
    assert_eq!(rows[0][..2], [json!("payment-api"), json!(5)]);
    assert_eq!(end.chart.as_ref().unwrap().kind, ChartKind::Bar);
    let english = answer(&world.analyst(), "lee", asks("errors by service in the last hour")).await;
    assert_eq!(english.query_results.as_ref().unwrap().rows, *rows);
    assert!(english.insight.as_ref().unwrap().contains("payment-api has the most"), "{:?}", english.insight);
}

/// What is offered must be understood.
#[tokio::test]
async fn what_it_suggests_it_can_answer() {
    let Some(world) = World::new().await else { return };
    let analyst = world.analyst();
    for question in [
        "payment-api 최근 1시간 에러 몇 건?",
        "최근 1시간 서비스별 에러 건수",
        "errors by service in the last hour",
    ] {
        let end = answer(&analyst, "kim", asks(question)).await;
        for offer in &end.suggestions {
            let then = answer(&analyst, "then", asks(offer)).await;
            assert_eq!(then.problem, None, "{offer}");
        }
    }
}

/// The person sees what was asked, what came of it, and nothing of the machinery.
#[tokio::test]
async fn a_chat_client_sends_messages() {
    let Some(world) = World::new().await else { return };
    let said = json!({ "messages": [{ "role": "user", "content": "payment-api 최근 1시간 에러 몇 건?" }], "now": super::world::NOW });
    let end = answer(&world.analyst(), "kim", serde_json::from_value(said).unwrap()).await;
    assert_eq!(number(&end), 5);
    assert!(end.messages.last().unwrap().is_ai());
}
