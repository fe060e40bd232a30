//! Who decides, by what is set and what was measured.

use duru_llm::decision::{
    About, By, DecisionPolicy, Evidence, MeasuredOf, MeasuredPolicy, ModelClass, Outcome, PolicyReason,
    Registry, Setup, Words,
};
use duru_llm::fake::{Fake, Says};

use crate::decisions::{GOOD, Severity, Verdict, line};

fn registry() -> Registry {
    let words = Words { ko: "", en: "" };
    let (ko, en) = ("셋 중 셋".to_owned(), "three of three".to_owned());
    let evidence = Evidence { questions: 3, won: 3, lost: 0, date: "2026-11-17".to_owned(), ko, en };
    let measured = MeasuredPolicy {
        of: MeasuredOf::Class(ModelClass::Small),
        decision: "watch/severity".into(),
        policy: DecisionPolicy::Model,
        evidence,
    };
    Registry::new()
        .with::<Severity>(About { asks: words, rule: words, example: line() })
        .measured_as(vec![measured])
}

/// What a model that says [`GOOD`] comes to, and how often it was asked.
async fn decided(set: &[(&str, &str)]) -> (Outcome<Verdict>, usize) {
    let fake = Fake::start().await.unwrap();
    fake.otherwise(|_| Says::text(GOOD));
    let get = |name: &str| {
        let set = set.iter().find(|(found, _)| *found == name).map(|(_, value)| (*value).to_owned());
        set.or_else(|| fake.variable(name))
    };
    let decider = Setup::read(get, &registry()).unwrap().decider();
    (decider.decide::<Severity>(&line()).await, fake.seen().len())
}

#[tokio::test]
async fn a_model_that_was_not_measured_is_a_witness() {
    let (outcome, asked) = decided(&[("DURU_MODEL", "openai:m")]).await;
    assert_eq!((outcome.by, outcome.policy, asked), (By::Rule, DecisionPolicy::Witness, 1));
    assert_eq!(outcome.value.severity, 9, "the rule's answer is given");
    let witness = outcome.witness.clone().unwrap();
    assert_eq!((witness.agrees, &witness.value["severity"]), (false, &8.into()));
    assert_eq!(outcome.failure(), None, "it did what it should");
}

#[tokio::test]
async fn one_that_was_measured_does_what_it_is_good_for() {
    let (outcome, _) = decided(&[("DURU_MODEL", "ollama:qwen2.5:1.5b")]).await;
    assert_eq!((outcome.by, outcome.value.severity, outcome.witness), (By::Model, 8, None));
}

#[tokio::test]
async fn what_is_set_counts_before_what_was_measured() {
    for (policy, by, severity, calls) in [
        ("model", By::Model, 8, 1),
        ("rule", By::Rule, 9, 0),
        ("unless_certain", By::Rule, 9, 0),
        ("agree", By::Rule, 9, 1),
        ("witness", By::Rule, 9, 1),
    ] {
        for variable in ["DURU_POLICY", "DURU_POLICY_WATCH", "DURU_POLICY_WATCH_SEVERITY"] {
            let (outcome, asked) =
                decided(&[("DURU_MODEL", "ollama:qwen2.5:1.5b"), (variable, policy)]).await;
            assert_eq!(
                (outcome.by, outcome.value.severity, asked),
                (by, severity, calls),
                "{variable} {policy}"
            );
            let asks = outcome.value.reason() == "물어봅니다";
            assert_eq!(asks, policy == "agree", "where both disagree, the person is asked");
        }
    }
    let (outcome, _) = decided(&[
        ("DURU_MODEL", "openai:m"),
        ("DURU_POLICY", "rule"),
        ("DURU_POLICY_WATCH_SEVERITY", "model"),
    ])
    .await;
    assert_eq!(outcome.by, By::Model, "the closest counts");
}

#[test]
fn a_word_that_is_no_policy_is_refused_with_those_that_are() {
    let get = |name: &str| (name == "DURU_POLICY_WATCH").then(|| "both".to_owned());
    let error = Setup::read(get, &registry()).err().unwrap().to_string();
    for part in ["DURU_POLICY_WATCH", "both", "unless_certain", "witness"] {
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn every_policy_has_a_reason() {
    let setup = Setup::read(|_| None, &registry()).unwrap();
    let of = |model: &str| setup.policies.of("watch/severity", model);
    assert!(
        matches!(of("ollama:x:3b"), (DecisionPolicy::Model, PolicyReason::Measured(why)) if why.en == "three of three")
    );
    assert_eq!(of("openai:gpt"), (DecisionPolicy::Witness, PolicyReason::Unmeasured));
}

/// What a person measured goes before what came with the program, and what they set before both.
#[test]
fn a_file_of_the_persons_own_says_who_decides() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("policies.json");
    let line = |decision: &str| {
        format!(
            r#"[{{"model": "ollama:x:3b", "decision": "{decision}", "policy": "unless_certain",
                "evidence": {{"questions": 40, "won": 5, "lost": 2, "date": "2026-11-17", "ko": "내 것", "en": "mine"}}}}]"#
        )
    };
    let read = |policy: Option<&str>| {
        let get = |name: &str| match name {
            "DURU_POLICIES" => Some(file.to_str().unwrap().to_owned()),
            "DURU_POLICY" => policy.map(str::to_owned),
            _ => None,
        };
        Setup::read(get, &registry())
    };
    std::fs::write(&file, line("watch/severity")).unwrap();
    let setup = read(None).unwrap();
    let (policy, why) = setup.policies.of("watch/severity", "ollama:x:3b");
    assert_eq!(policy, DecisionPolicy::UnlessCertain);
    let PolicyReason::MeasuredHere(evidence) = why else { panic!("{why:?}") };
    assert_eq!((evidence.questions, evidence.won, evidence.lost), (40, 5, 2));
    let of_another = setup.policies.of("watch/severity", "ollama:y:3b");
    assert_eq!(of_another.0, DecisionPolicy::Model, "another of its class is as it was measured before");
    assert_eq!(
        read(Some("rule")).unwrap().policies.of("watch/severity", "ollama:x:3b").0,
        DecisionPolicy::Rule
    );

    for (text, part) in [(line("watch/nothing"), "watch/nothing"), ("[{}]".to_owned(), "policies.json")] {
        std::fs::write(&file, text).unwrap();
        let error = read(None).err().unwrap().to_string();
        assert!(error.contains("DURU_POLICIES") && error.contains(part), "{error}");
    }
}
