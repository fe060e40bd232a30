//! `duru eval`.

use super::{Desk, Seen};

const CASE: &str = r#"{"id":"a","query":"방금 찾은 시세로 수익률 계산해줘","chat_history":[],"previous_search":{"query":"노원구 아파트 매매 시세","region":"노원구","conditions":"아파트/매매","source":"checkpoint","results":{"market":{"count":8,"timestamp":"2026-05-13T09:50:00+09:00"}}},"now":"2026-05-13T10:00:00+09:00","expected":{"intent":"MARKET_INQUIRY","required_data_types":["market"],"regions":["노원구"],"decision":"reuse"}}"#;

#[test]
fn sufficiency_writes_decisions_and_shows_a_score() {
    let desk = Desk::new();
    let (cases, out) = (desk.path("cases.jsonl"), desk.path("out.jsonl"));
    std::fs::write(&cases, format!("{CASE}\n\n")).unwrap();
    let (cases, out) = (cases.to_str().unwrap(), out.to_str().unwrap());
    let seen = desk.run(&["eval", "sufficiency", "--cases", cases, "--out", out, "--lang", "en"]);
    assert_eq!(seen.code, Some(0), "{seen:?}");
    assert!(seen.out.contains("decision") && seen.out.contains("1/1"), "{seen:?}");
    assert!(seen.err.contains("1/1"), "{seen:?}");
    let decided: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(out).unwrap()).unwrap();
    assert_eq!((decided["id"].as_str(), decided["decision"].as_str()), (Some("a"), Some("reuse")));
}

#[test]
fn an_item_that_can_not_be_read_fails_the_command_and_leaves_the_others() {
    let desk = Desk::new();
    let (cases, out) = (desk.path("cases.jsonl"), desk.path("out.jsonl"));
    std::fs::write(&cases, format!("{{}}\n{CASE}\n")).unwrap();
    let (cases, out) = (cases.to_str().unwrap(), out.to_str().unwrap());
    let seen = desk.run(&["eval", "sufficiency", "--cases", cases, "--out", out, "--lang", "en"]);
    assert_eq!(seen.code, Some(1), "{seen:?}");
    assert!(seen.err.contains("line 1") && seen.err.contains("items-failed"), "{seen:?}");
    assert_eq!(std::fs::read_to_string(out).unwrap().lines().count(), 1);
    let seen = desk.run(&["eval", "sufficiency", "--cases", "/none/there", "--out", out, "--lang", "ko"]);
    assert_eq!(seen.code, Some(3), "{seen:?}");
}

/// With a model that doubts everything, nothing is reused; with one that can't be used, nothing is measured.
#[tokio::test(flavor = "multi_thread")]
async fn every_set_is_measured_with_a_model() {
    let fake = duru_llm::fake::Fake::start().await.unwrap();
    let doubts = r#"{"reasoning": "모르겠습니다", "is_sufficient": false, "confidence": 0.1, "data_source": "none", "missing_data_types": ["market"]}"#;
    fake.otherwise(move |_| duru_llm::fake::Says::text(doubts));
    let desk = Desk::new();
    let (cases, out) = (desk.path("cases.jsonl"), desk.path("out.jsonl"));
    std::fs::write(&cases, format!("{CASE}\n")).unwrap();
    let (cases, out) = (cases.to_str().unwrap(), out.to_str().unwrap());
    let run = |more: &[&str]| {
        let args = ["eval", "sufficiency", "--cases", cases, "--out", out, "--lang", "en"];
        let mut command = desk.command(&[&args, more].concat());
        for name in ["OPENAI_BASE_URL", "OPENAI_API_KEY"] {
            command.env(name, fake.variable(name).unwrap());
        }
        let seen = Seen::of(command.output().unwrap());
        (seen, std::fs::read_to_string(out).unwrap_or_default())
    };
    let decision = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap()["decision"].clone();
    let (seen, text) = run(&["--model", "openai:m"]);
    assert_eq!((seen.code, decision(&text)), (Some(0), "search".into()), "{seen:?}");
    let asked = fake.seen().len();
    assert!(asked > 0);
    let (seen, text) = run(&["--model", "openai:m", "--policy", "witness"]);
    assert_eq!(
        (seen.code, decision(&text)),
        (Some(0), "reuse".into()),
        "the rule's answer is given: {seen:?}"
    );
    assert!(fake.seen().len() > asked, "and the witness was asked");
    let (seen, _) = run(&["--model", "bard:x"]);
    assert_eq!(seen.code, Some(2), "{seen:?}");
    for set in ["documents", "logs", "tables", "sufficiency"] {
        let help = desk.run(&["eval", set, "--help", "--lang", "en"]);
        assert!(help.out.contains("--model") && help.out.contains("--policy"), "{set}: {help:?}");
    }
}

#[test]
fn conversations_are_had_and_judged() {
    let desk = Desk::new();
    let (talks, out) = (desk.path("talks.jsonl"), desk.path("out.jsonl"));
    let talk = r#"{"id":"a","turns":[{"user":"7억 아파트 취득세 얼마야?","must":[["취득세"]],"must_not":["양도세"],"parts":[["취득세"],["이런 말은 없다"]]}]}"#;
    std::fs::write(&talks, format!("{talk}\n")).unwrap();
    let (talks, out) = (talks.to_str().unwrap(), out.to_str().unwrap());
    let seen = desk.run(&["eval", "conversations", "--conversations", talks, "--out", out, "--lang", "en"]);
    assert_eq!(seen.code, Some(0), "{seen:?}");
    assert!(seen.out.contains("facts") && seen.out.contains("1/2"), "{seen:?}");
    assert!(seen.err.contains("unmentioned: 이런 말은 없다"), "{seen:?}");
    let judged: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(out).unwrap()).unwrap();
    assert!(judged["answer"].as_str().is_some_and(|answer| answer.contains("취득세")), "{judged}");
}
