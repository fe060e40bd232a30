//! Every decision of every agent with good, repairable and bad replies, over
//! the fake provider's wire. The replies come from the decision's own prompt:
//! a new decision is tested as soon as it is in the registry.

use duru_agents::decisions::registry;
use duru_llm::decision::{By, Entry, Outcome};
use duru_llm::fake::{Fake, Says};
use serde_json::Value;

use crate::support::decider;

const WIRES: [&str; 2] = ["anthropic:m", "openai:m"];

/// A provider that says these, one after the other, and what is decided then.
async fn decided(entry: &Entry, wire: &str, replies: &[String]) -> Outcome<Value> {
    let fake = Fake::start().await.unwrap();
    for reply in replies {
        fake.next(Says::text(reply.as_str()));
    }
    let outcome = entry.decide(&decider(&fake, wire)).await;
    assert_eq!(fake.seen().len(), replies.len(), "{} {wire}: {:?}", entry.name(), outcome.why);
    outcome
}

/// Whether the value has everything that was said; what was left out has its default.
fn holds(value: &Value, said: &Value) -> bool {
    match (value, said) {
        (Value::Object(value), Value::Object(said)) => {
            said.iter().all(|(key, said)| value.get(key).map_or(said.is_null(), |value| holds(value, said)))
        }
        (Value::Array(value), Value::Array(said)) => {
            value.len() == said.len() && value.iter().zip(said).all(|(value, said)| holds(value, said))
        }
        (Value::Number(value), Value::Number(said)) => {
            (value.as_f64().unwrap() - said.as_f64().unwrap()).abs() < 1e-6
        }
        _ => value == said,
    }
}

/// The same answer as a careless model writes it.
fn careless(answer: &str) -> [String; 3] {
    let open = answer.trim_end().strip_suffix('}').unwrap();
    [
        format!("```json\n{answer}\n```"),
        format!("네, 답입니다.\n{open},}}\n도움이 되었길 바랍니다."),
        open.to_owned(),
    ]
}

/// The same answer with values of a type that no field has.
fn mistyped(answer: &str) -> String {
    let mut answer: Value = serde_json::from_str(answer).unwrap();
    for value in answer.as_object_mut().unwrap().values_mut() {
        *value = serde_json::json!({ "unheard-of": [{}] });
    }
    answer.to_string()
}

#[tokio::test]
async fn good_repairable_and_bad_replies() {
    let registry = registry();
    let mut tested = 0;
    for entry in &registry {
        let name = entry.name();
        let answers = entry.shown_answers();
        assert!(answers.len() >= 3, "{name}: its prompt has {} examples, and wants three", answers.len());
        for wire in WIRES {
            for answer in &answers {
                let said: Value =
                    serde_json::from_str(answer).unwrap_or_else(|e| panic!("{name}: {answer}: {e}"));
                let good = decided(entry, wire, &[(*answer).to_owned()]).await;
                assert_eq!((good.by, &good.why), (By::Model, &None), "{name} {wire} {answer}");
                assert!(holds(&good.value, &said), "{name} {wire}: {said} became {}", good.value);

                for careless in careless(answer) {
                    let repaired = decided(entry, wire, std::slice::from_ref(&careless)).await;
                    assert_eq!(
                        (repaired.by, &repaired.value),
                        (By::Repaired, &good.value),
                        "{name} {wire} {careless}"
                    );
                }
            }
            let first = answers[0].to_owned();
            let again = decided(entry, wire, &["모르겠습니다".to_owned(), first.clone()]).await;
            assert_eq!(again.by, By::Repaired, "{name} {wire}: asked once more");

            for bad in
                ["그건 제가 정하겠습니다.".to_owned(), mistyped(&first), "[]".to_owned(), String::new()]
            {
                let ruled = decided(entry, wire, &[bad.clone(), bad.clone()]).await;
                assert_eq!((ruled.by, &ruled.value), (By::Rule, &entry.by_rule), "{name} {wire} {bad}");
                assert!(ruled.why.is_some_and(|why| why.contains("twice")), "{name} {wire} {bad}");
            }
        }
        tested += 1;
    }
    assert!(tested >= 15, "{tested}");
}
