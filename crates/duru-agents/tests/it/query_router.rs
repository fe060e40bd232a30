//! The researcher's first decision: good, repairable and bad replies over the wire, and its rule.

use duru_agents::researcher::{QueryRouter, QueryType, Route, ToRoute};
use duru_llm::Settings;
use duru_llm::decision::{By, Decider, Decision, Outcome};
use duru_llm::fake::{Fake, Says};

const WIRES: [&str; 2] = ["anthropic:m", "openai:m"];
const GOOD: &str = r#"{"query_type": "history_required", "reason": "'그 기간'이 앞의 답을 가리킨다."}"#;

async fn decide(fake: &Fake, wire: &str) -> Outcome<Route> {
    let get = |name: &str| if name == "DURU_MODEL" { Some(wire.to_owned()) } else { fake.variable(name) };
    let model = Settings::read(get).unwrap().unwrap().model().unwrap();
    let input = ToRoute::new("그 기간이 지나면요?", ["사용자: 갱신은 언제까지 요구하나요?"]);
    Decider::new(model).decide::<QueryRouter>(&input).await
}

#[tokio::test]
async fn a_good_reply() {
    for wire in WIRES {
        let fake = Fake::start().await.unwrap();
        fake.next(Says::text(GOOD));
        let outcome = decide(&fake, wire).await;
        assert_eq!((outcome.by, outcome.value.query_type), (By::Model, QueryType::HistoryRequired), "{wire}");
        let sent = fake.seen()[0].body.to_string();
        assert!(sent.contains("접수 담당") && sent.contains("<untrusted-data>\\n그 기간이"), "{sent}");
    }
}

#[tokio::test]
async fn a_reply_that_can_be_repaired() {
    for wire in WIRES {
        let fake = Fake::start().await.unwrap();
        fake.next(Says::text(format!("네, 골랐습니다.\n```json\n{}\n```", GOOD.replace('}', ",}"))));
        let outcome = decide(&fake, wire).await;
        assert_eq!(
            (outcome.by, outcome.value.query_type),
            (By::Repaired, QueryType::HistoryRequired),
            "{wire}"
        );

        let fake = Fake::start().await.unwrap();
        fake.next(Says::text(r#"{"query_type": "documents", "reason": "찾아야 한다"}"#));
        fake.next(Says::text(GOOD));
        let outcome = decide(&fake, wire).await;
        assert_eq!((outcome.by, fake.seen().len()), (By::Repaired, 2), "{wire}");
    }
}

#[tokio::test]
async fn a_bad_reply_is_left_to_the_rule() {
    for wire in WIRES {
        for bad in ["rag_required 입니다", r#"{"query_type": 3}"#, "[]", ""] {
            let fake = Fake::start().await.unwrap();
            fake.otherwise(move |_| Says::text(bad));
            let outcome = decide(&fake, wire).await;
            assert_eq!(
                (outcome.by, outcome.value.query_type),
                (By::Rule, QueryType::HistoryRequired),
                "{wire} {bad}"
            );
            assert!(outcome.why.is_some_and(|why| why.contains("twice")), "{wire} {bad}");
        }
    }
}

#[test]
fn the_rule_in_both_languages() {
    let with = ["사용자: 전세 보증금은 언제 돌려받나요?"];
    let route = |question: &str, history: &[&str]| {
        QueryRouter::by_rule(&ToRoute::new(question, history.iter().copied())).query_type
    };
    assert_eq!(route("안녕하세요", &with), QueryType::Simple);
    assert_eq!(route("Thanks!", &[]), QueryType::Simple);
    assert_eq!(route("그거 더 자세히", &with), QueryType::HistoryRequired);
    assert_eq!(route("고마워요. 그럼 그걸 안 지키면요?", &with), QueryType::HistoryRequired);
    assert_eq!(route("What does that mean?", &with), QueryType::HistoryRequired);
    assert_eq!(route("그거 더 자세히", &[]), QueryType::RagRequired, "there is nothing to point at");
    assert_eq!(route("안녕하세요, 육아휴직은 몇 년인가요?", &with), QueryType::RagRequired);
    assert_eq!(route("How long is the notice period?", &with), QueryType::RagRequired);
}
