//! Different models for different decisions, over the fake's wire.

use std::sync::Arc;

use duru_llm::decision::{About, By, Decider, Registry, Setup, Words};
use duru_llm::fake::{Fake, Says};
use duru_llm::{Budget, Models, Policy};

use crate::decisions::{GOOD, Severity, line};

fn registry() -> Registry {
    let words = Words { ko: "", en: "" };
    Registry::new().with::<Severity>(About { asks: words, rule: words, example: line() })
}

fn models(fake: &Fake, set: &[(&str, &str)]) -> Models {
    let get = |name: &str| {
        let set = set.iter().find(|(variable, _)| *variable == name).map(|(_, value)| (*value).to_owned());
        set.or_else(|| fake.variable(name))
    };
    Models::read(get, ["watch/severity"], Policy::default())
}

#[tokio::test]
async fn a_decision_is_made_by_its_own_model() {
    let fake = Fake::start().await.unwrap();
    fake.otherwise(|_| Says::text(GOOD));
    for (set, model) in [
        (vec![("DURU_MODEL", "openai:usual")], "openai:usual"),
        (vec![("DURU_MODEL", "openai:usual"), ("DURU_MODEL_WATCH", "anthropic:agents")], "anthropic:agents"),
        (vec![("DURU_MODEL_WATCH", "openai:x"), ("DURU_MODEL_WATCH_SEVERITY", "ollama:own")], "ollama:own"),
    ] {
        let outcome = Decider::with_models(models(&fake, &set)).decide::<Severity>(&line()).await;
        assert_eq!((outcome.by, outcome.model.as_deref()), (By::Model, Some(model)));
        let asked = fake.seen().last().unwrap().body["model"].clone();
        assert_eq!(asked, model.split_once(':').unwrap().1);
    }
}

/// One that is switched off or cannot be used leaves its decision to the rule, which says why.
#[tokio::test]
async fn a_model_that_cannot_be_used_leaves_it_to_the_rule() {
    let fake = Fake::start().await.unwrap();
    for (setting, why) in [("none", "no model is set"), ("bard:x", "DURU_MODEL_WATCH_SEVERITY is not usable")]
    {
        let models = models(&fake, &[("DURU_MODEL", "openai:m"), ("DURU_MODEL_WATCH_SEVERITY", setting)]);
        let outcome = Decider::with_models(models).decide::<Severity>(&line()).await;
        assert_eq!((outcome.by, outcome.model), (By::Rule, None));
        assert!(outcome.why.as_deref().is_some_and(|said| said.starts_with(why)), "{:?}", outcome.why);
    }
    assert!(fake.seen().is_empty());
}

#[tokio::test]
async fn an_unknown_model_names_the_variable_that_named_it() {
    let fake = Fake::start().await.unwrap();
    fake.otherwise(|_| duru_llm::fake::Fault::UnknownModel);
    let models = models(&fake, &[("DURU_MODEL_WATCH", "openai:typo")]);
    let why = Decider::with_models(models).decide::<Severity>(&line()).await.why.unwrap();
    assert!(why.contains("\"typo\"") && why.ends_with("DURU_MODEL_WATCH"), "{why}");
}

#[tokio::test]
async fn a_runs_budget_is_shared_by_its_decisions() {
    let fake = Fake::start().await.unwrap();
    fake.otherwise(|_| Says::text(GOOD));
    let get = |name: &str| if name == "DURU_POLICY" { Some("model".to_owned()) } else { fake.variable(name) };
    let setup = Setup::read(get, &registry()).unwrap();
    let decider = setup.decider();
    let budget = Arc::new(Budget::unlimited().with_calls(2));
    let run = decider.within(&budget);
    for by in [By::Model, By::Model, By::Rule] {
        assert_eq!(run.decide::<Severity>(&line()).await.by, by);
    }
    assert_eq!(decider.decide::<Severity>(&line()).await.by, By::Model, "another run has its own");
}
