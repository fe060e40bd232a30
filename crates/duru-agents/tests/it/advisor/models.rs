//! With a model: what it decides, what it may not, and how often it is asked.

use std::sync::Arc;

use duru::store::MemoryStore;
use duru_agents::advisor::tools::Team;
use duru_agents::advisor::{Action, Advice, Status, Toolbox};
use duru_llm::Settings;
use duru_llm::decision::Decider;
use duru_llm::fake::{Fake, Says};

use super::world::{Advisor, advisor_on, answer, asks, said, sources};

/// A model that agrees with the rules: every prompt shows their draft or examples, and it answers sensibly by prompt.
fn agreeing(fake: &Fake, intent: &'static str) {
    fake.otherwise(move |seen| Says::text(agreeable(&seen.body.to_string(), intent)));
}

/// What such a model says to a request.
pub(crate) fn agreeable(body: &str, intent: &str) -> String {
    {
        let go_on = r#"{"action": "continue", "next_agent": null, "collaboration": null, "reasoning": "계속합니다.", "confidence": 0.9}"#;
        if body.contains("질문의 뜻을 읽습니다") {
            intent.to_owned()
        } else if body.contains("필요한 팀을 고릅니다") {
            r#"{"teams": ["search", "analysis"], "reasoning": "둘 다 필요합니다."}"#.to_owned()
        } else if body.contains("차례대로 할 일로 나눕니다") {
            r#"{"sub_tasks": [{"description": "시세 조회", "team": "search", "depends_on": []}, {"description": "한도 계산", "team": "analysis", "depends_on": [1]}]}"#.to_owned()
        } else if body.contains("이미 있는 자료만으로") {
            r#"{"is_sufficient": true, "confidence": 0.97, "data_source": "chat_history", "missing_data_types": [], "reasoning": "방금 찾았습니다."}"#.to_owned()
        } else if body.contains("어떤 순서로 실행할지") {
            format!(
                r#"{{"strategy": "sequential", "reasons": "시세가 먼저입니다.", "orchestration": {go_on}}}"#
            )
        } else if body.contains("도구와 검색할 말을 고릅니다") {
            r#"{"tools": [], "left_out": []}"#.to_owned()
        } else if body.contains("결과가 얼마나 쓸모 있는지") {
            format!(
                r#"{{"quality": 0.9, "gaps": [], "next": "continue", "keywords": [], "extra_tools": [], "orchestration": {go_on}}}"#
            )
        } else if body.contains("마지막으로 살핍니다") {
            r#"{"achievement": 0.9, "verdict": "yes", "missing": []}"#.to_owned()
        } else if body.contains("뜻하는 바를 짧게") {
            r#"{"findings": ["시세를 바탕으로 한도를 계산했습니다."]}"#.to_owned()
        } else if body.contains("상담사로서") {
            r#"{"answer": "요청하신 내용을 정리했습니다."}"#.to_owned()
        } else {
            r#"{"advice": ["조항을 확인하세요."]}"#.to_owned()
        }
    }
}

async fn with(fake: &Fake) -> Advisor {
    let get =
        |name: &str| if name == "DURU_MODEL" { Some("openai:m".to_owned()) } else { fake.variable(name) };
    let model = Settings::read(get).unwrap().unwrap().model().unwrap();
    advisor_on(Arc::new(MemoryStore::new()), Toolbox::new(&sources()), Decider::new(model))
}

const MARKET: &str = r#"{"intent": "market_inquiry", "confidence": 0.95, "keywords": [], "regions": ["강남구"], "suggested_teams": ["search"], "clarify": null}"#;
const BOTH: &str = r#"{"intent": "comprehensive", "confidence": 0.9, "keywords": [], "regions": ["마포구"], "suggested_teams": ["search", "analysis"], "clarify": null}"#;

#[tokio::test]
async fn a_simple_question_costs_few_calls_and_a_reuse_fewer() {
    let fake = Fake::start().await.unwrap();
    agreeing(&fake, MARKET);
    let advisor = with(&fake).await;
    let end = answer(&advisor, "kim", asks("강남구 아파트 시세 알려줘")).await;
    let first = fake.seen().len();
    assert!(first <= 6 && end.count_of("model_calls") == first as u64, "{first}");
    assert!(said(&end).starts_with("요청하신 내용을 정리했습니다."), "{}", said(&end));
    let end = answer(&advisor, "kim", asks("방금 검색한 시세로 투자 수익률 계산해줘")).await;
    assert!(end.data_reused, "{:?}", end.sufficiency_result);
    assert!(fake.seen().len() - first <= 5, "{}", fake.seen().len() - first);
}

#[tokio::test]
async fn a_complex_question_costs_at_most_fifteen() {
    let fake = Fake::start().await.unwrap();
    agreeing(&fake, BOTH);
    let advisor = with(&fake).await;
    let question = asks("마포구 아파트 시세하고 대출 한도 같이 계산해줘. 연봉은 7천만원이야");
    let end = answer(&advisor, "kim", question).await;
    assert!(end.completed_teams.contains(&Team::Analysis));
    let calls = fake.seen().len();
    assert!((8..=15).contains(&calls), "{calls}");
}

#[tokio::test]
async fn a_plan_of_a_model_is_cut_short_when_the_search_finds_enough() {
    let fake = Fake::start().await.unwrap();
    fake.otherwise(|seen| {
        Says::text(if seen.body.to_string().contains("질문의 뜻을 읽습니다") {
            r#"{"intent": "legal_consult", "confidence": 0.95, "keywords": [], "regions": [], "suggested_teams": ["search", "analysis", "document"], "clarify": null}"#
        } else {
            "?"
        })
    });
    let end = answer(&with(&fake).await, "kim", asks("전세금 인상 가능한가요?")).await;
    let last = end.orchestration_decisions.last().unwrap();
    assert_eq!((&last.decision, last.confidence), (&Action::SkipRemaining, 0.5));
    assert!(end.steps[1..].iter().all(|step| step.status == Status::Skipped));
}

#[tokio::test]
async fn a_figure_that_a_model_invents_is_not_told() {
    let fake = Fake::start().await.unwrap();
    fake.otherwise(|seen| {
        Says::text(if seen.body.to_string().contains("상담사로서") {
            r#"{"answer": "강남구 아파트는 987억원입니다."}"#
        } else {
            "?"
        })
    });
    let end = answer(&with(&fake).await, "kim", asks("강남구 아파트 시세 알려줘")).await;
    assert!(!said(&end).contains("987") && said(&end).contains("중앙값"), "{}", said(&end));
}

/// Whatever the model says, the person gets an answer; and a gate that got none does not reuse.
#[tokio::test]
async fn a_model_that_fails_is_not_missed() {
    let fake = Fake::start().await.unwrap();
    fake.otherwise(|_| Says::text("물론이죠!"));
    let advisor = with(&fake).await;
    let end: Arc<Advice> = answer(&advisor, "kim", asks("강남구 아파트 시세 알려줘")).await;
    assert!(said(&end).contains("강남구"), "{}", said(&end));
    let end = answer(&advisor, "kim", asks("방금 검색한 시세로 투자 수익률 계산해줘")).await;
    assert!(!end.data_reused && end.sufficiency_result.as_ref().unwrap().confidence == 0.0);
    assert!(said(&end).contains("수익률"), "{}", said(&end));
}

/// No figure in it is new, and still it says the opposite of what was worked out.
#[tokio::test]
async fn a_sentence_that_contradicts_what_was_worked_out_is_replaced() {
    for (question, answered, gone) in [
        (
            "전세 보증금 3억원을 10% 올려 달라는데 얼마까지 올릴 수 있나요?",
            "네, 보증금 10% 인상이 가능합니다. 궁금한 점은 더 물어보세요.",
            "10% 인상이 가능",
        ),
        (
            "My landlord wants to raise my jeonse deposit of 300 million won by 10%. How much may he raise it by law?",
            "Yes, a 10% increase in the deposit is allowed, but it must not exceed 5%.",
            "10% increase",
        ),
        (
            "Can the landlord raise the rent by 10% on renewal?",
            "Yes, a 10% increase in rent is allowed.",
            "10% increase",
        ),
    ] {
        let fake = Fake::start().await.unwrap();
        let reply = serde_json::json!({ "answer": answered }).to_string();
        fake.otherwise(move |seen| {
            Says::text(if seen.body.to_string().contains("상담사로서") {
                reply.clone()
            } else {
                "?".to_owned()
            })
        });
        let end = answer(&with(&fake).await, "kim", asks(question)).await;
        assert!(!said(&end).contains(gone), "{}", said(&end));
        assert!(said(&end).contains("5%"), "{}", said(&end));
    }
}
