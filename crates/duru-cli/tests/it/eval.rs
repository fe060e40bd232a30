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
    for set in ["documents", "logs", "tables", "conversations", "sufficiency"] {
        let help = desk.run(&["eval", set, "--help", "--lang", "en"]);
        assert!(help.out.contains("--model") && help.out.contains("--policy"), "{set}: {help:?}");
        assert_eq!(help.out.contains("--bare"), ["logs", "tables"].contains(&set), "{set}: {help:?}");
    }
}

/// A model that says `search` of everything loses where the rule's `reuse` is right and wins where it is wrong; what it is
/// good for is written down, and holds from then on.
#[tokio::test(flavor = "multi_thread")]
async fn who_should_decide_is_measured_and_then_holds() {
    let fake = duru_llm::fake::Fake::start().await.unwrap();
    let doubts = r#"{"reasoning": "모르겠습니다", "is_sufficient": false, "confidence": 0.1, "data_source": "none", "missing_data_types": ["market"]}"#;
    fake.otherwise(move |_| duru_llm::fake::Says::text(doubts));
    let desk = Desk::new();
    let (cases, file) = (desk.path("cases.jsonl"), desk.path("policies.json"));
    let run = |args: &[&str]| {
        let mut command = desk.command(args);
        for name in ["OPENAI_BASE_URL", "OPENAI_API_KEY"] {
            command.env(name, fake.variable(name).unwrap());
        }
        let seen =
            Seen::of(command.env("DURU_MODEL", "openai:m").env("DURU_POLICIES", &file).output().unwrap());
        let answer: serde_json::Value = serde_json::from_str(&seen.out).unwrap_or_default();
        (seen, answer)
    };
    let (input, out) = (cases.to_str().unwrap(), desk.path("out.jsonl"));
    let measure = |expected: &str, many: usize| {
        let case = CASE.replace(r#""decision":"reuse""#, &format!(r#""decision":"{expected}""#));
        let lines = (0..many).map(|n| case.replace(r#""id":"a""#, &format!(r#""id":"a{n}""#)) + "\n");
        std::fs::write(&cases, lines.collect::<String>()).unwrap();
        std::fs::write(&file, "[]").unwrap();
        let args = ["eval", "sufficiency", "--cases", input, "--out", out.to_str().unwrap()];
        let (seen, answer) =
            run(&[&args[..], &["--write-policy", file.to_str().unwrap(), "--json"]].concat());
        assert_eq!(seen.code, Some(0), "{seen:?}");
        let line = answer["policies"].get(0).cloned().unwrap_or_default();
        let (_, all) = run(&["decisions", "--json"]);
        let decisions = all["decisions"].as_array().unwrap().clone();
        let decision = decisions.into_iter().find(|one| one["name"] == "advisor/sufficiency").unwrap();
        (line, decision["policy"].clone())
    };

    let (line, policy) = measure("reuse", 12);
    assert_eq!(
        (&line["policy"], &line["evidence"]["lost"], &line["evidence"]["won"]),
        (&"rule".into(), &12.into(), &0.into())
    );
    assert_eq!((&policy["who"], &policy["because"]), (&"rule".into(), &"measured_here".into()), "{policy}");

    let (line, policy) = measure("search", 12);
    assert_eq!((&line["evidence"]["lost"], &line["evidence"]["won"]), (&0.into(), &12.into()), "{line}");
    assert!(line["policy"] == "model" || line["policy"] == "unless_certain", "{line}");
    assert_eq!((&policy["who"], &policy["because"]), (&line["policy"], &"measured_here".into()), "{policy}");

    let (line, policy) = measure("search", 3);
    assert!(line.is_null(), "three answers say nothing: {line}");
    assert_eq!((&policy["who"], &policy["because"]), (&"witness".into(), &"unmeasured".into()), "{policy}");

    std::fs::write(&file, "[{").unwrap();
    for lang in ["ko", "en"] {
        let (seen, _) = run(&["decisions", "--lang", lang]);
        assert!(seen.code == Some(3) && seen.err.contains("DURU_POLICIES"), "{seen:?}");
    }
}

/// A proxy is what a company's network has: the model's name is known to it alone.
#[tokio::test(flavor = "multi_thread")]
async fn a_model_is_asked_through_the_proxy_that_is_set() {
    let fake = duru_llm::fake::Fake::start().await.unwrap();
    let doubts = r#"{"reasoning": "모르겠습니다", "is_sufficient": false, "confidence": 0.1, "data_source": "none", "missing_data_types": ["market"]}"#;
    fake.otherwise(move |_| duru_llm::fake::Says::text(doubts));
    let desk = Desk::new();
    let (cases, out) = (desk.path("cases.jsonl"), desk.path("out.jsonl"));
    std::fs::write(&cases, format!("{CASE}\n")).unwrap();
    let args = ["eval", "sufficiency", "--cases", cases.to_str().unwrap(), "--out", out.to_str().unwrap()];
    let mut command = desk.command(&[&args[..], &["--model", "openai:m", "--lang", "en"]].concat());
    command.env("OPENAI_BASE_URL", "http://models.invalid/v1").env("OPENAI_API_KEY", "sk-test");
    let seen = Seen::of(command.env("HTTP_PROXY", fake.url()).output().unwrap());
    assert_eq!(seen.code, Some(0), "{seen:?}");
    assert_eq!(fake.seen().len(), 1, "the fake provider is the proxy");
    let text = std::fs::read_to_string(&out).unwrap();
    assert!(text.contains(r#""decision":"search""#), "the model's doubt counts: {text}");
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

const LOG_LINES: &str = r#"{"created_at":"2026-05-12T09:00:00+09:00","level":"ERROR","service":"payment-api","message":"Card declined"}
{"created_at":"2026-05-12T09:10:00+09:00","level":"ERROR","service":"auth-api","message":"Token expired"}
{"created_at":"2026-05-12T09:20:00+09:00","level":"INFO","service":"auth-api","message":"Token refreshed"}
"#;

/// The same question five times, and one that should be refused.
fn log_questions() -> String {
    let question = |id: &str| {
        format!(
            r#"{{"id":"{id}","lang":"en","question":"how many errors are there?","expect":"sql","compare":"scalar","gold_sql":"SELECT COUNT(*) FROM logs WHERE level = 'ERROR'"}}"#
        )
    };
    let refused = r#"{"id":"f","lang":"en","question":"delete all errors","expect":"refuse"}"#.to_owned();
    let mut lines: Vec<String> = ["a", "b", "c", "d", "e"].map(question).into();
    lines.push(refused);
    lines.join("\n")
}

/// A model alone: its query is guarded, run and judged; what is no query is a refusal, and a failure is told by its reason.
#[tokio::test(flavor = "multi_thread")]
async fn a_bare_model_is_asked_once_for_each_question() {
    use duru_llm::fake::{Fake, Says};
    let fake = Fake::start().await.unwrap();
    let right = "```sql\nSELECT COUNT(*) FROM logs WHERE level = 'ERROR'\n```";
    for reply in [
        right,
        "```sql\nSELECT COUNT(*) FROM logs\n```",
        "```sql\nDROP TABLE logs\n```",
        "```sql\nSELECT nothing FROM logs\n```",
        "There are two.",
        "REFUSE",
    ] {
        fake.next(Says::text(reply));
    }
    let desk = Desk::new();
    let [questions, logs, out, replies] =
        ["questions.jsonl", "logs.jsonl", "out.jsonl", "replies.jsonl"].map(|name| desk.path(name));
    std::fs::write(&questions, log_questions()).unwrap();
    std::fs::write(&logs, LOG_LINES).unwrap();
    let [questions, logs, out] = [&questions, &logs, &out].map(|path| path.to_str().unwrap());
    let run = |more: &[&str]| {
        let args = ["eval", "logs", "--questions", questions, "--logs", logs, "--out", out, "--json"];
        let mut command = desk.command(&[&args, &["--now", "2026-05-13T01:00:00Z"][..], more].concat());
        for name in ["OPENAI_BASE_URL", "OPENAI_API_KEY"] {
            command.env(name, fake.variable(name).unwrap());
        }
        let seen = Seen::of(command.output().unwrap());
        let answer: serde_json::Value = serde_json::from_str(&seen.out).unwrap_or_default();
        (seen, answer)
    };
    let (seen, answer) = run(&["--model", "openai:m", "--bare"]);
    assert_eq!(seen.code, Some(0), "{seen:?}");
    let figures = &answer["languages"]["en"];
    assert_eq!((&figures["right"], &figures["wrong"]), (&1.into(), &1.into()), "{answer}");
    assert_eq!((&figures["refused"], &figures["others_right"]), (&3.into(), &1.into()), "{answer}");
    assert_eq!((&answer["calls"], &answer["input_tokens"]), (&6.into(), &60.into()), "{answer}");
    assert_eq!(answer["fallbacks"], serde_json::json!({ "the reply has no query": 1 }));
    assert!(answer["seconds"].is_f64(), "{answer}");
    let asked = fake.seen();
    let first = asked.first().unwrap().last_text();
    assert!(first.contains("TABLE logs") && first.contains("2026-05-13T10:00:00+09:00"), "{first}");
    assert!(first.ends_with("Question: how many errors are there?"), "{first}");
    assert_eq!(asked.len(), 6, "once for each");

    fake.otherwise(move |_| Says::text(right));
    let kept = replies.to_str().unwrap();
    let (_, first) = run(&["--model", "openai:m", "--bare", "--replies", kept]);
    let many = fake.seen().len();
    let (seen, again) = run(&["--model", "openai:m", "--bare", "--replies", &format!("replay:{kept}")]);
    assert_eq!((&again["languages"], seen.code), (&first["languages"], Some(0)), "{seen:?}");
    assert_eq!(fake.seen().len(), many, "nobody was asked again");

    for wrong in [&["--bare"][..], &["--bare", "--model", "openai:m", "--policy", "rule"]] {
        assert_eq!(run(wrong).0.code, Some(2), "{wrong:?}");
    }
    let (_, answer) = run(&[]);
    assert!(answer["languages"].is_object() && answer.get("calls").is_none(), "no model: {answer}");
}

/// The model's answers never fit, so that the rule's count; the figures tell it.
#[tokio::test(flavor = "multi_thread")]
async fn conversations_are_measured_with_a_model() {
    let fake = duru_llm::fake::Fake::start().await.unwrap();
    fake.otherwise(|_| duru_llm::fake::Says::text("I would rather not."));
    let desk = Desk::new();
    let [talks, out, policies] = ["talks.jsonl", "out.jsonl", "policies.json"].map(|name| desk.path(name));
    let talk = r#"{"id":"a","turns":[{"user":"7억 아파트 취득세 얼마야?","must":[["취득세"]],"must_not":["양도세"]}]}"#;
    std::fs::write(&talks, format!("{talk}\n")).unwrap();
    let run = |more: &[&str]| {
        let (talks, out) = (talks.to_str().unwrap(), out.to_str().unwrap());
        let args = ["eval", "conversations", "--conversations", talks, "--out", out, "--json"];
        let mut command = desk.command(&[&args, more].concat());
        for name in ["OPENAI_BASE_URL", "OPENAI_API_KEY"] {
            command.env(name, fake.variable(name).unwrap());
        }
        let seen = Seen::of(command.output().unwrap());
        assert_eq!(seen.code, Some(0), "{seen:?}");
        serde_json::from_str::<serde_json::Value>(&seen.out).unwrap()
    };
    let answer = run(&[]);
    assert!(answer.get("calls").is_none() && fake.seen().is_empty(), "a key alone is no model: {answer}");

    let answer = run(&["--model", "openai:m"]);
    assert_eq!(answer["score"]["facts"]["hits"], 1, "the rule answers: {answer}");
    assert!(answer["calls"].as_u64() > Some(0) && answer["output_tokens"].as_u64() > Some(0), "{answer}");
    assert!(answer["fallbacks"]["the answer did not fit"].as_u64() > Some(0), "{answer}");

    let answer = run(&["--model", "openai:m", "--policy", "rule"]);
    assert_eq!((&answer["calls"], &answer["fallbacks"]), (&0.into(), &serde_json::json!({})), "{answer}");

    let answer = run(&["--model", "openai:m", "--write-policy", policies.to_str().unwrap()]);
    assert_eq!((&answer["questions"], &answer["right_by_rule"]), (&1.into(), &1.into()), "{answer}");
    assert_eq!(std::fs::read_to_string(&policies).unwrap(), "[]", "it answered nothing");
}
