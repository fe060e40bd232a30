//! `duru eval`.

use super::Desk;

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
