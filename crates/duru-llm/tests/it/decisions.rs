//! Decisions over the fake's wire: good, repairable and bad replies, and every fault.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use duru_llm::decision::{
    self, By, Decider, Decision, Limits, Outcome, Prompt, Tape, TemplateError, Untrusted,
};
use duru_llm::fake::{Fake, Fault, Says};
use duru_llm::{Error, Model, Policy, Resilient, Scripted};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::support::{PATIENT, WIRES, fake, known_as, model, settings};

#[derive(Serialize, JsonSchema)]
pub(crate) struct Line {
    service: String,
    line: Untrusted,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Verdict {
    #[schemars(range(min = 0, max = 10))]
    pub(crate) severity: u8,
    reason: String,
}

impl Verdict {
    pub(crate) fn reason(&self) -> &str {
        &self.reason
    }
}

pub(crate) struct Severity;

impl Decision for Severity {
    type Input = Line;
    type Output = Verdict;
    const PROMPT: Prompt = duru_llm::prompt!("watch/severity", "severity.md");
    const LIMITS: Limits = Limits { temperature: 0.1, max_tokens: 200 };

    fn by_rule(line: &Line) -> Verdict {
        let severity = if line.line.as_str().contains("FATAL") { 9 } else { 1 };
        Verdict { severity, reason: "규칙".into() }
    }

    fn is_certain(line: &Line) -> bool {
        line.line.as_str().contains("FATAL")
    }

    fn asking(rule: &Verdict, model: &Verdict) -> Option<Verdict> {
        Some(Verdict { severity: rule.severity.max(model.severity), reason: "물어봅니다".into() })
    }
}

pub(crate) fn line() -> Line {
    Line { service: "결제".into(), line: Untrusted::new("FATAL: 디스크가 가득 찼습니다") }
}

fn verdict(severity: u8, reason: &str) -> Verdict {
    Verdict { severity, reason: reason.into() }
}

pub(crate) const GOOD: &str = r#"{"severity": 8, "reason": "디스크"}"#;

async fn decide(model: Arc<dyn Model>) -> Outcome<Verdict> {
    Decider::new(model).decide::<Severity>(&line()).await
}

#[tokio::test]
async fn a_good_reply_is_the_models() {
    for wire in WIRES {
        let fake = fake(Says { tokens: (100, 20), ..Says::text(GOOD) }).await;
        let outcome = decide(model(&fake, wire)).await;
        assert_eq!((outcome.by, outcome.why), (By::Model, None), "{wire}");
        assert_eq!(outcome.value, verdict(8, "디스크"), "{wire}");
        assert_eq!(
            (outcome.decision.as_str(), outcome.model.as_deref()),
            ("watch/severity", Some(known_as(wire)))
        );
        assert_eq!(outcome.prompt, Severity::PROMPT.version());
        assert_eq!(outcome.usage.total_tokens, 120, "{wire}");
        let sent = fake.seen()[0].body.to_string();
        assert!(sent.contains("<untrusted-data>\\nFATAL") && sent.contains("never follow"), "{sent}");
        // OpenAI's strict mode knows no bounds.
        let bounded = sent.contains("\"maximum\":10") || wire.starts_with("openai-responses");
        assert!(sent.contains("결제") && bounded, "{sent}");
    }
}

/// Whatever could be made of it, half an answer is none.
#[tokio::test]
async fn a_reply_that_was_cut_is_no_answer() {
    for wire in WIRES {
        for text in [GOOD, r#"{"severity": 8, "reason": "디스크""#, r#"{"severity": 8"#] {
            let fake = fake(Says { cut: true, ..Says::text(text) }).await;
            let outcome = decide(model(&fake, wire)).await;
            assert_eq!((outcome.by, outcome.calls), (By::Rule, 1), "{wire} {text}");
            assert_eq!(outcome.value, verdict(9, "규칙"), "{wire} {text}");
            assert_eq!(outcome.failure(), Some("the answer was cut at 200 tokens"), "{wire} {text}");
        }
    }
}

#[tokio::test]
async fn a_reply_with_bad_syntax_is_repaired_without_asking() {
    for wire in WIRES {
        let fake = fake(Says::text(format!("물론이죠!\n```json\n{}\n```", GOOD.replace('}', ",}")))).await;
        let outcome = decide(model(&fake, wire)).await;
        assert_eq!((outcome.by, fake.seen().len()), (By::Repaired, 1), "{wire}");
        assert_eq!(outcome.value, verdict(8, "디스크"), "{wire}");
    }
}

#[tokio::test]
async fn a_reply_that_does_not_fit_is_asked_for_once_more() {
    for bad in [r#"{"severity": 11, "reason": "x"}"#, r#"{"severity": "high"}"#, "모르겠습니다", ""] {
        let fake = fake(Says::text(bad)).await;
        fake.next(Says::text(GOOD));
        let outcome = decide(model(&fake, "openai:m")).await;
        assert_eq!(outcome.by, By::Repaired, "{bad}");
        assert!(outcome.why.is_some(), "{bad}");
        let again = fake.seen()[1].last_text();
        assert!(again.contains("does not fit"), "{again}");
    }
}

#[tokio::test]
async fn two_bad_replies_leave_it_to_the_rule() {
    for wire in WIRES {
        let fake = fake(Says::text("음…")).await;
        fake.next(Says::text(r#"{"severity": -1, "reason": ""}"#));
        let outcome = decide(model(&fake, wire)).await;
        assert_eq!((outcome.by, fake.seen().len()), (By::Rule, 2), "{wire}");
        assert_eq!(outcome.value, verdict(9, "규칙"));
        assert!(outcome.why.unwrap().contains("twice"));
    }
}

/// Whatever the provider does, there is a decision that says who made it and why.
#[tokio::test]
async fn every_fault_ends_in_a_decision() {
    let short = Duration::from_millis(150);
    let faults = [
        Fault::RateLimited(None),
        Fault::RateLimited(Some("3600".into())),
        Fault::Status(500),
        Fault::Status(400),
        Fault::WrongKey,
        Fault::UnknownModel,
        Fault::NoQuota,
        Fault::Reset,
        Fault::ResetMidway,
        Fault::EndsMidway,
        Fault::ErrorMidway("overloaded_error".into()),
        Fault::Hang,
        Fault::HangMidway,
        Fault::Drip(Duration::from_secs(10)),
        Fault::InvalidJson,
        Fault::WrongTypes,
        Fault::DeepJson,
        Fault::TruncatedCall,
        Fault::UnknownTool,
        Fault::Huge(5 << 20),
        Fault::Huge(1 << 20),
        Fault::Empty,
        Fault::EmptyText,
        Fault::Nul,
        Fault::RawNul,
        Fault::NotUtf8,
        Fault::Html,
        Fault::Redirect,
    ];
    // Both formats; the third way to speak is the second format with other habits.
    assert!(faults.len() * 2 >= 50, "{}", faults.len());
    let mut cases = 0;
    for wire in WIRES {
        for fault in &faults {
            let fake = Fake::start().await.unwrap();
            let always = fault.clone();
            fake.otherwise(move |_| always.clone());
            let limits = duru_llm::Limits { idle: short, ..PATIENT };
            let model = settings(&fake, wire).with_limits(limits).model().unwrap();
            let policy = Policy { tries: 2, backoff: Duration::from_millis(2), ..Policy::default() };
            let outcome = decide(Arc::new(Resilient::new(model, policy))).await;
            assert_eq!((outcome.by, outcome.value), (By::Rule, verdict(9, "규칙")), "{wire} {fault:?}");
            assert!(outcome.why.is_some_and(|why| !why.is_empty()), "{wire} {fault:?}");
            cases += 1;
        }
    }
    assert_eq!(cases, faults.len() * WIRES.len());
}

#[tokio::test]
async fn a_recording_answers_as_the_model_did() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tape.jsonl");
    let tape = Arc::new(Tape::open(&path).unwrap());
    let scripted = Arc::new(Scripted::new([Ok(GOOD)]));
    let recorded = Decider::recording(scripted, tape).decide::<Severity>(&line()).await;
    assert_eq!(recorded.by, By::Model);

    let replay = Decider::replaying(Arc::new(Tape::open(&path).unwrap()));
    let outcome = replay.decide::<Severity>(&line()).await;
    assert_eq!((outcome.by, outcome.value), (By::Replay, recorded.value));
    assert_eq!(outcome.model.as_deref(), Some("scripted"));

    let other = Line { line: Untrusted::new("INFO: 괜찮습니다"), ..line() };
    let outcome = replay.decide::<Severity>(&other).await;
    assert_eq!((outcome.by, outcome.value.severity), (By::Rule, 1));

    std::fs::write(&path, "{}\n").unwrap();
    assert!(Tape::open(&path).unwrap_err().to_string().contains("tape.jsonl:1"));
}

#[tokio::test]
async fn no_model_and_a_failing_one_leave_it_to_the_rule() {
    let outcome = Decider::by_rules().decide::<Severity>(&line()).await;
    assert_eq!((outcome.by, outcome.why.as_deref()), (By::Rule, Some("no model is set")));
    let error = Error::TooLarge { server: "s".into(), limit: 1 };
    let outcome = decide(Arc::new(Scripted::new([Err::<String, _>(error)]))).await;
    assert_eq!(outcome.by, By::Rule);
}

/// What a provider's list says of a known model, and nothing at all of others.
#[tokio::test]
async fn an_outcome_says_what_it_cost() {
    for (name, cost) in [
        ("anthropic:claude-sonnet-4-5-20250929", Some(0.006)),
        ("openai:gpt-4.1", Some(0.0036)),
        ("openai:one-that-nobody-knows", None),
        ("ollama:m", None),
    ] {
        let fake = fake(Says { tokens: (1000, 200), ..Says::text(GOOD) }).await;
        let outcome = decide(model(&fake, name)).await;
        let known = outcome.cost.map(|cost| (cost * 1e6).round() / 1e6);
        assert_eq!((outcome.by, known), (By::Model, cost), "{name}");
    }
    let fake = fake(Fault::Status(500)).await;
    let outcome = decide(model(&fake, "openai:gpt-4.1")).await;
    assert_eq!((outcome.by, outcome.cost), (By::Rule, None), "what a failure cost is not known");
}

#[tokio::test]
async fn whoever_listens_hears_every_outcome() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let ear = heard.clone();
    let model = Arc::new(Scripted::new([Ok(GOOD), Ok("?"), Ok("?")]));
    let decider = Decider::new(model).telling(move |outcome| ear.lock().unwrap().push(outcome.clone()));
    let first = decider.decide::<Severity>(&line()).await;
    decider.decide::<Severity>(&line()).await;
    let heard = heard.lock().unwrap();
    assert_eq!(heard.iter().map(|outcome| outcome.by).collect::<Vec<_>>(), [By::Model, By::Rule]);
    assert_eq!(heard.iter().map(|outcome| outcome.calls).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(heard[0].value, serde_json::to_value(&first.value).unwrap());
    let json = serde_json::to_value(&heard[0]).unwrap();
    assert_eq!((&json["by"], &json["decision"]), (&"model".into(), &"watch/severity".into()));
    assert!(json["latency_us"].is_u64() && json["cost"].is_null(), "{json}");
    let back: Outcome<serde_json::Value> = serde_json::from_value(json).unwrap();
    assert_eq!(back.usage, heard[0].usage);
}

/// Whoever has only one call left is not asked again for.
#[tokio::test]
async fn with_one_call_left_a_bad_answer_is_the_last() {
    let decider = Decider::new(Arc::new(Scripted::new([Ok("?"), Ok(GOOD)]))).once();
    let outcome = decider.decide::<Severity>(&line()).await;
    assert_eq!((outcome.by, outcome.calls), (By::Rule, 1));
}

/// An answer with megabytes in the wrong place is not repeated to whoever reads why.
#[tokio::test]
async fn what_was_wrong_is_said_in_few_words() {
    let long = format!(r#"{{"severity": "{}", "reason": ""}}"#, "x".repeat(1 << 20));
    let outcome = decide(Arc::new(Scripted::new([Ok(long.as_str()), Ok(long.as_str())]))).await;
    assert!(outcome.why.is_some_and(|why| why.contains("twice") && why.len() < 1000));
}

#[test]
fn a_prompt_is_checked_against_its_input() {
    struct Wrong;
    impl Decision for Wrong {
        type Input = Line;
        type Output = Verdict;
        const PROMPT: Prompt = Prompt::new("wrong", "{{ lines }}");
        const LIMITS: Limits = Severity::LIMITS;
        fn by_rule(line: &Line) -> Verdict {
            Severity::by_rule(line)
        }
    }
    assert_eq!(decision::check::<Severity>(), Ok(()));
    assert!(matches!(decision::check::<Wrong>(), Err(TemplateError::UnknownVariable { .. })));
}
