//! A canary: a key is sent to its provider and is seen nowhere else.

use std::sync::Arc;

use duru_llm::Settings;
use duru_llm::decision::{Decider, Tape};
use duru_llm::fake::{Fake, Fault, Says, Turn};

use crate::decisions::{GOOD, Severity, line};
use crate::support::{PATIENT, WIRES, request};

const CANARY: &str = "sk-canary-5f1d0c3b7a9e";

fn with_canary(fake: &Fake, wire: &str) -> Settings {
    let get = |name: &str| match name {
        "DURU_MODEL" => Some(wire.to_owned()),
        name if name.ends_with("_API_KEY") => Some(CANARY.to_owned()),
        name => fake.variable(name),
    };
    Settings::read(get).unwrap().unwrap().with_limits(PATIENT)
}

#[tokio::test]
async fn the_key_arrives() {
    for wire in WIRES {
        let fake = Fake::start().await.unwrap();
        fake.require_key(CANARY);
        with_canary(&fake, wire).model().unwrap().reply(&request()).await.unwrap();
        let seen = &fake.seen()[0];
        assert_eq!(seen.key(), Some(CANARY));
        assert!(!seen.body.to_string().contains(CANARY) && !seen.path.contains(CANARY));
    }
}

#[tokio::test]
async fn no_error_and_no_debug_shows_the_key() {
    let faults = [
        Fault::WrongKey,
        Fault::UnknownModel,
        Fault::RateLimited(None),
        Fault::Status(500),
        Fault::Reset,
        Fault::ResetMidway,
        Fault::InvalidJson,
        Fault::WrongTypes,
        Fault::Html,
        Fault::Huge(5 << 20),
        // Providers repeat keys, whole or in part, where nobody expects it.
        Fault::ErrorMidway(CANARY.into()),
        Fault::NotStreamed(CANARY.into()),
    ];
    for wire in WIRES {
        for fault in &faults {
            let fake = Fake::start().await.unwrap();
            fake.next(fault.clone());
            let settings = with_canary(&fake, wire);
            let shown = format!("{settings:?} {}", settings.name());
            assert!(!shown.contains("canary"), "{shown}");
            let outcome = settings.model().unwrap().reply(&request()).await;
            if let Err(error) = outcome {
                let mut shown = format!("{error} {error:?}");
                let mut source = std::error::Error::source(&error);
                while let Some(below) = source {
                    shown.push_str(&format!(" {below} {below:?}"));
                    source = below.source();
                }
                assert!(!shown.contains("canary"), "{wire} {fault:?}: {shown}");
            }
        }
    }
}

/// Not in what a decision says of itself, and not in a recording of it.
#[tokio::test]
async fn no_outcome_and_no_recording_holds_the_key() {
    let folder = tempfile::tempdir().unwrap();
    for wire in WIRES {
        for turn in
            [Turn::from(Says::text(GOOD)), Fault::WrongKey.into(), Fault::ErrorMidway(CANARY.into()).into()]
        {
            let fake = Fake::start().await.unwrap();
            fake.next(turn);
            let path = folder.path().join("tape.jsonl");
            let tape = Arc::new(Tape::open(&path).unwrap());
            let decider = Decider::recording(with_canary(&fake, wire).model().unwrap(), tape.clone());
            let outcome = decider.decide::<Severity>(&line()).await;
            let recorded = std::fs::read_to_string(&path).unwrap_or_default();
            let shown =
                format!("{outcome:?} {} {tape:?} {recorded}", serde_json::to_string(&outcome).unwrap());
            assert!(!shown.contains("canary"), "{wire}: {shown}");
            assert_eq!(fake.seen()[0].key(), Some(CANARY));
        }
    }
    assert!(folder.path().join("tape.jsonl").exists(), "the good answers were recorded");
}

#[tokio::test]
async fn a_wrong_key_names_its_variable() {
    for (wire, variable) in
        [("anthropic:m", "ANTHROPIC_API_KEY"), ("openai:m", "OPENAI_API_KEY"), ("ollama:m", "OLLAMA_API_KEY")]
    {
        let fake = Fake::start().await.unwrap();
        fake.require_key("another");
        let error = with_canary(&fake, wire).model().unwrap().reply(&request()).await.unwrap_err();
        assert!(error.to_string().contains(variable), "{error}");
    }
}

#[tokio::test]
async fn a_server_that_wants_a_key_and_got_none() {
    let fake = Fake::start().await.unwrap();
    fake.require_key("another");
    let address = format!("{}#m", fake.url());
    let settings = Settings::read(|name| (name == "DURU_MODEL").then(|| address.clone())).unwrap().unwrap();
    let error = settings.model().unwrap().reply(&request()).await.unwrap_err();
    assert_eq!(error.to_string(), "no key for http: set DURU_API_KEY");
}
