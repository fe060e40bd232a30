//! The researcher's first decision: what it sends over the wire, and its rule.

use duru_agents::researcher::{QueryRouter, QueryType, Route, ToRoute};
use duru_llm::decision::{By, Decision, Outcome};
use duru_llm::fake::{Fake, Says};

use crate::support::decider;

const WIRES: [&str; 2] = ["anthropic:m", "openai:m"];
const GOOD: &str = r#"{"query_type": "history_required", "reason": "'그 기간'이 앞의 답을 가리킨다."}"#;

async fn decide(fake: &Fake, wire: &str) -> Outcome<Route> {
    let input = ToRoute::new("그 기간이 지나면요?", ["사용자: 갱신은 언제까지 요구하나요?"]);
    decider(fake, wire).decide::<QueryRouter>(&input).await
}

#[tokio::test]
async fn the_question_is_sent_in_a_fence() {
    for wire in WIRES {
        let fake = Fake::start().await.unwrap();
        fake.next(Says::text(GOOD));
        let outcome = decide(&fake, wire).await;
        assert_eq!((outcome.by, outcome.value.query_type), (By::Model, QueryType::HistoryRequired), "{wire}");
        let sent = fake.seen()[0].body.to_string();
        assert!(sent.contains("접수 담당") && sent.contains("<untrusted-data>\\n그 기간이"), "{sent}");
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
